"""What happens where the mode of a contact of shapes ends: touch-down, lift-off, the start and the end of slipping.

At one instant several of these may follow on each other: a foot that lands may stick, slip or leave at once, and press
others off the ground. `resolve` goes on until every contact is in a mode that lasts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.contact_impact import SLOW, Impact, impact, rest_of_bounces
from linkwork.errors import DivergedError
from linkwork.kernels.layout.contacts import D_ANCHOR, D_ANCHORED, D_MODE, D_SLIDING, FROM_STATE, RESTS, SLIDES, STICKS
from linkwork.kernels.layout.shapes import (
    AWAY,
    B_RADIUS,
    C_RESTITUTION,
    E_END,
    E_FORCE,
    E_GAP,
    E_MARGIN,
    E_POINT,
    E_SLACK,
    E_VELOCITY,
    LIFTS,
    M_BALL,
    M_CORNERS,
    M_END,
    M_PAIR,
    M_RESTITUTION,
    M_SKIPPED,
    M_STATIC,
    M_SURFACE,
    PASSES,
    S_STAGE,
    S_TWIST,
    STOPS,
)
from linkwork.simulation.contact_events import ModeChanges
from linkwork.simulation.segment import Event

if TYPE_CHECKING:
    from linkwork.simulation.event_stepping import EventStepper

TOUCHING = 1e-9  # m: gaps up to this are closed
STILL = 1e-9  # m/s: what is slower along its normal does not leave, along the surface does not slip
FLOATS = 1e-7  # m/s: what leaves an impact slower is back before its gap is more than rounding
TURNS = 1e-6  # m/s: what still slips across its former direction turns, and does not stop
BESIDE = 1e-6  # m: what takes over where a contact passes the border of its edge or face is there
ROUNDS = 40  # changes of modes at one instant
PAINLEVE = 5  # of what the kernel tells


class ContactChanges(ModeChanges):
    """Of shapes that touch."""

    def margins(self, *, start: bool) -> tuple[np.ndarray, np.ndarray]:
        """See `linkwork.kernels.contact.shape_forces`."""
        stepper: Any = self._engine.stepper
        stepper.margin(start=start)
        return stepper.seen[:, E_MARGIN].copy(), stepper.seen[:, E_SLACK].copy()

    def leaps(self) -> bool:
        """Whether a slip is past its end, but not near it: close to a stop its direction turns ever faster."""
        stepper: Any = self._engine.stepper
        beyond = stepper.seen[:, E_MARGIN] < -TURNS
        return bool((beyond & (stepper.seen[:, E_END] == STOPS) & (stepper.modes[:, D_MODE] == SLIDES)).any())

    def change(self, ending: np.ndarray) -> list[str]:
        """Go over to modes that last."""
        stepper: Any = self._engine.stepper
        said = resolve(stepper, ending)
        stepper.project()
        return said


def find_modes(stepper: EventStepper, *, overlaps: bool = False) -> None:
    """What touches in the present state, and whether it slips; what comes nearer is left open, to land.

    With `overlaps` only what overlaps touches, without friction: to be pushed apart.
    """
    modes = stepper.modes
    modes[:] = 0.0
    stepper.look(stepper.t, stepper.q, stepper.v, stepper.tau)
    seen = stepper.seen
    there = seen[:, E_GAP] <= (-1e-12 if overlaps else TOUCHING)
    there &= stepper.shapes.meetings[:, M_SKIPPED] == 0
    for k in np.flatnonzero(there).tolist():
        if overlaps:
            modes[k, D_MODE] = SLIDES
        elif abs(seen[k, E_VELOCITY]) <= STILL or (seen[k, E_GAP] < -TOUCHING and seen[k, E_VELOCITY] < STILL):
            _close(stepper, k)


def _close(stepper: EventStepper, k: int) -> None:
    """Let meeting k touch, as it was seen: it sticks where it does not slip."""
    slip = stepper.slip(k)
    speed = float(np.linalg.norm(slip))
    if speed > STILL or not stepper.shapes.meetings[k, M_STATIC] > 0.0:
        _slide(stepper, k, slip / speed if speed > 0.0 else slip)
    else:
        _stick(stepper, k)


def _slide(stepper: EventStepper, k: int, direction: np.ndarray) -> None:
    stepper.modes[k] = 0.0
    stepper.modes[k, D_MODE], stepper.modes[k, D_SLIDING : D_SLIDING + 3] = SLIDES, direction


def _stick(stepper: EventStepper, k: int) -> None:
    """Stick where it is; a point on ground that does not move has a place to keep."""
    shapes = stepper.shapes
    meeting = shapes.meetings[k]
    surface, ball = shapes.surfaces[int(meeting[M_SURFACE])], shapes.balls[int(meeting[M_BALL])]
    row = stepper.modes[k]
    row[:] = 0.0
    row[D_MODE], row[D_ANCHOR : D_ANCHOR + 3] = STICKS, stepper.seen[k, E_POINT : E_POINT + 3]
    is_corner = ball[B_RADIUS] == 0.0 and meeting[M_END] < 0 and meeting[M_CORNERS] == 0
    row[D_ANCHORED] = surface[S_STAGE] < 0 and is_corner and not surface[S_TWIST:].any()


def resolve(stepper: EventStepper, ending: np.ndarray | None = None) -> list[str]:
    """Let contacts at the end of their modes go over to others, until all of them last; say what they do.

    At first `ending` (n,) are those, which may be there but for rounding, else all that are beyond.
    """
    said: list[str] = []
    for _ in range(ROUNDS):
        stepper.margin()
        seen, is_open = stepper.seen, stepper.modes[:, D_MODE] == FROM_STATE
        over = seen[:, E_MARGIN] + seen[:, E_SLACK] < 0.0 if ending is None else ending
        over, ending = over & (stepper.shapes.meetings[:, M_SKIPPED] == 0), None
        if (over & is_open).any():
            said += _land(stepper, np.flatnonzero(~is_open | (seen[:, E_GAP] <= TOUCHING)))
        elif not over.any():
            return list(dict.fromkeys(said))
        elif flag := stepper._space[14][PAINLEVE]:
            said += _jam(stepper, np.flatnonzero(over), float(flag))
        else:
            said += _end(stepper, np.flatnonzero(over))
    raise DivergedError(
        f"at t = {stepper.t:g} s contacts change again and again ({', '.join(said[-3:])}): use "
        'contacts="time-stepping"',
        time=stepper.t,
    )


def _end(stepper: EventStepper, ending: np.ndarray) -> list[str]:
    """Borders of edges and faces, lift-off, then slips that stop, then what static friction no longer holds."""
    seen, modes = stepper.seen, stepper.modes
    passing = ending[seen[ending, E_END] == PASSES].tolist()
    if passing:
        for k in passing:
            _pass_on(stepper, k)
        return [_say(stepper, k, "passes an edge on") for k in passing]
    leaving = ending[seen[ending, E_END] == LIFTS].tolist()
    if leaving:
        for k in leaving:
            modes[k] = 0.0
        return [_say(stepper, k, "leaves") for k in leaving]
    stopping = ending[seen[ending, E_END] == STOPS].tolist()
    if stopping:
        said = []
        for k in stopping:
            slip = stepper.slip(k)
            speed = float(np.linalg.norm(slip))
            if speed > TURNS:
                _slide(stepper, k, slip / speed)
                said.append(_say(stepper, k, "turns on"))
            else:
                _stick(stepper, k)
                said.append(_say(stepper, k, "sticks on"))
        stepper.q, stepper.v, _ = stepper.bring_back(stepper.t, stepper.q, stepper.v)
        return said
    for k in ending.tolist():  # let them slip if they do with kinetic friction, and see where to
        modes[k, D_MODE] = RESTS
    stepper.margin()
    for k in ending.tolist():
        held = stepper.tangential(k, E_FORCE)
        size = float(np.linalg.norm(held))
        _slide(stepper, k, -held / size if size > 0.0 else held)
    return [_say(stepper, k, "slips on") for k in ending.tolist()]


def _pass_on(stepper: EventStepper, k: int) -> None:
    """Let the edge or corner on the border of its face or edge, which meeting k has come to, do what that did."""
    meetings, slides, direction = stepper.shapes.meetings, stepper.modes[k, D_MODE] == SLIDES, stepper.slip(k)
    seen, speed = stepper.seen, float(np.linalg.norm(direction))
    near = (meetings[:, M_PAIR] == meetings[k, M_PAIR]) & (meetings[:, M_CORNERS] == 0) & (seen[:, E_GAP] < AWAY)
    near &= (meetings[:, M_SKIPPED] == 0) & (np.arange(len(meetings)) != k)
    near &= (meetings[k, M_CORNERS] > 0) | (meetings[:, M_END] < 0) | (meetings[:, M_SURFACE] != meetings[k, M_SURFACE])
    away = np.abs(seen[:, E_POINT : E_POINT + 3] - seen[k, E_POINT : E_POINT + 3]).sum(axis=1)
    heir = int(np.argmin(np.where(near, away, np.inf)))
    stepper.modes[k] = 0.0
    if stepper.modes[heir, D_MODE] != FROM_STATE or not (near[heir] and away[heir] <= BESIDE):
        return  # it touches already, or is not there: where it comes to touch it lands
    if slides:
        _slide(stepper, heir, direction / speed if speed > 0.0 else direction)
    else:
        seen[heir, E_POINT : E_POINT + 3] = seen[k, E_POINT : E_POINT + 3]
        _stick(stepper, heir)


def _land(stepper: EventStepper, meetings: np.ndarray, *, forced: bool = False) -> list[str]:
    """An impact of all that touch: what bounces opens, what does not sticks or slips."""
    modes, seen = stepper.modes, stepper.seen
    rows = stepper.rows(meetings)
    coming = (modes[meetings, D_MODE] == FROM_STATE) & (seen[meetings, E_VELOCITY] < 0.0)
    speeds = -seen[meetings, E_VELOCITY]
    bouncing = coming & (rows[:, C_RESTITUTION] > 0.0) & (speeds <= SLOW)
    found = _impact(stepper, rows, forced=forced)
    stepper.v = found.v
    said = [_say(stepper, k, "touches") for k in meetings[coming].tolist()]
    if found.painleve.any() and not forced:
        said += [_say(stepper, k, "presses itself into") for k in meetings[found.painleve].tolist()]
    modes[meetings] = 0.0
    stepper.margin()
    for k in meetings.tolist():
        if seen[k, E_VELOCITY] <= FLOATS:
            _close(stepper, k)
    stepper.q, stepper.v, _ = stepper.bring_back(stepper.t, stepper.q, stepper.v)  # what leaves at once is not coming
    if bouncing.any():
        _end_bounces(stepper, meetings[bouncing], speeds[bouncing])
    return said


def _impact(stepper: EventStepper, rows: np.ndarray, *, forced: bool = False) -> Impact:
    """The impact of contacts at the present state."""
    state = stepper.system.linkage, stepper.q, stepper.v
    return impact(*state, rows, probe=lambda frames: Probe(stepper, rows, frames), forced=forced)


def strike(stepper: EventStepper) -> tuple[np.ndarray, np.ndarray]:
    """The contacts that collide in the present state, rows of `layout.shapes`, and their impulses, N s, world axes."""
    find_modes(stepper)
    seen = stepper.seen
    there = (seen[:, E_GAP] <= TOUCHING) & (stepper.shapes.meetings[:, M_SKIPPED] == 0)
    rows = stepper.rows(np.flatnonzero(there))
    if not len(rows):
        return rows, np.zeros((0, 3))
    return rows, _impact(stepper, rows).impulses


def _end_bounces(stepper: EventStepper, meetings: np.ndarray, speeds: np.ndarray) -> None:
    """Tell when the bounces end that are too small to be followed."""
    stepper.margin()
    closed, g = stepper._meetings[6][: int(stepper._space[14][7])].tolist(), stepper._space[6]
    for k, speed in zip(meetings.tolist(), speeds.tolist(), strict=True):
        if k in closed and g[3 * closed.index(k)] < 0.0:
            e = float(stepper.shapes.meetings[k, M_RESTITUTION])
            rest = rest_of_bounces(e * speed, -float(g[3 * closed.index(k)]), e) if e < 1.0 else 0.0
            what = _say(stepper, k, "comes to rest on")
            stepper.tell(Event(stepper.t + rest, "contact", what, np.zeros_like(stepper.v), 0.0))


def _jam(stepper: EventStepper, ending: np.ndarray, flag: float) -> list[str]:
    """Painlevé's cases: no force keeps a contact slipping, or more than one does.

    In the first an impulse stops it, though nothing collides; in the second it lifts.
    """
    if flag < 0.0:
        _land(stepper, ending, forced=True)
        return [_say(stepper, k, "jams on", " (Painlevé)") for k in ending.tolist()]
    for k in ending.tolist():
        stepper.modes[k] = 0.0
    return [_say(stepper, k, "leaves", " (Painlevé: indeterminate)") for k in ending.tolist()]


def _say(stepper: EventStepper, k: int, verb: str, note: str = "") -> str:
    a, b = stepper.name(k)
    return f"{b!r} {verb} {a!r}{note}"


class Probe:
    """What `linkwork.dynamics.contact_impact` asks of contacts at one pose, driven joints held."""

    def __init__(self, stepper: EventStepper, rows: np.ndarray, frames: np.ndarray):
        self._stepper, self._n = stepper, len(rows)
        stages, points, places = stepper._space[:3]
        stages[: self._n], points[: self._n] = rows[:, [1, 0]], rows[:, 2:5]
        places[: self._n] = frames
        self.G, _, _ = stepper.struck(stepper.q, stepper.v, np.zeros(3 * self._n))

    def motion(self, v: np.ndarray) -> np.ndarray:
        """(3n,) velocities of the contacts."""
        return self._stepper.struck(self._stepper.q, v, np.zeros(3 * self._n))[1]

    def response(self, p: np.ndarray) -> np.ndarray:
        """(nv,) velocities that impulses add."""
        return self._stepper.struck(self._stepper.q, self._stepper.v, p)[2]
