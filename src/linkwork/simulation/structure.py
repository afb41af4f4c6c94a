"""Changes of structure during a simulation: the state is carried over, and velocities jump where they must."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import LinkworkError, StructureError
from linkwork.linkage.change import Change
from linkwork.linkage.pose import Pose
from linkwork.simulation.events import Condition, positional

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.strength import Strength
    from linkwork.simulation.drives import Drive
    from linkwork.simulation.stepper import Stepper

CLOSED = 1e-6  # rad or m: coordinates that must move more than this to close a loop leave a gap


def refuse_off_surface(linkage: Linkage, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise where a point is not on its surface, or moves off it."""
    if not linkage._contacts.records:
        return
    from linkwork.dynamics.contact_state import touch

    found = touch(linkage, q, v, t)
    off = ("is off its surface by", found.gap, "m"), ("leaves its surface with", found.rate, "m/s")
    for what, values, unit in off:
        worst = int(np.abs(values).argmax())
        if abs(values[worst]) > CLOSED:
            raise StructureError(
                f"contact {linkage.contacts.names[worst]!r} {what} {values[worst]:.3g} {unit} at the start: "
                "start on the surface (linkwork.close_loops and consistent_velocity find such a state), or give "
                "close=True"
            )


class Structure:
    """The part of a `Simulation` that connects, cuts, constrains and releases."""

    linkage: Linkage
    _stepper: Stepper
    _lift_off: list[str]
    _drives: list[Drive]
    _awaited: set[str]

    if TYPE_CHECKING:

        _system: Any
        _tau: np.ndarray

        def _event(self, cause: str, what: str) -> AbstractContextManager[Any]: ...
        def _watch(self, condition: Condition) -> None: ...

        def _list_watched(self) -> None: ...

    def cut(self, joint) -> Change:
        """Cut a joint, by name or handle. Poses and velocities go on as they are; a drive of the joint ends."""

        def make() -> Change:
            change = self.linkage.cut(joint)
            self._drives = [drive for drive in self._drives if drive.joint != change.joint]
            self._awaited.discard(change.joint)
            return change

        return self._change(f"cut {getattr(joint, 'name', joint)!r}", make)

    def connect(
        self, a, b, joint, *, at_a: Pose | None = None, at_b: Pose | None = None, name: str | None = None,
        strength: float | Strength | None = None, close: bool = False,
    ) -> Change:  # fmt: skip
        """Close a loop by a joint between two bodies. Velocities jump to what it allows, as by an inelastic impact.

        Parameters
        ----------
        a, b : str, Body or Frame
        joint : JointType
        at_a, at_b : Pose, optional
            Where the joint is on either side. Default of `at_a`: the frame of a; of `at_b`: where that is now.
        name : str, optional
        strength : float or Strength, optional
            See `Linkage.connect`.
        close : bool
            Move the bodies together where there is a gap; without it a gap raises.
        """
        at_a = Pose() if at_a is None else at_a
        if at_b is None:
            poses = body_poses(self.linkage, self._stepper.q)
            at_b = self._pose(poses, b).inverse() @ self._pose(poses, a) @ at_a
        options: dict[str, Any] = {"at_a": at_a, "at_b": at_b, "strength": strength}
        if name is not None:
            options["name"] = name
        what = f"connect {getattr(a, 'name', a)!r} and {getattr(b, 'name', b)!r}"
        return self._change(what, lambda: self.linkage.connect(a, b, joint, **options), closes=True, close=close)

    def constrain(self, body, *, close: bool = False, lift_off: bool = False, **options) -> Change:
        """Keep a point of a body on a surface. Velocities jump to what it allows.

        Parameters
        ----------
        body : str, Body or Frame
        close : bool
            Move the point onto the surface where it is off; without it that raises.
        lift_off : bool
            Release the point when the surface would have to pull at it.
        **options
            As of `Linkage.constrain`.
        """
        what = f"constrain {getattr(body, 'name', body)!r}"
        change = self._change(what, lambda: self.linkage.constrain(body, **options), closes=True, close=close)
        if lift_off:
            self._lift_off.append(change.joint)
            self._list_watched()
        return change

    def release(self, name) -> Change:
        """Let a point that is kept on a surface go; see `Linkage.release`."""
        return self._change(f"release {getattr(name, 'name', name)!r}", lambda: self.linkage.release(name))

    def on_lift(self, contact, action: Callable | None = None, *, once: bool = True) -> None:
        """Do something when the normal force of a contact falls through zero, where a real surface would let go.

        Parameters
        ----------
        contact : str or Contact
        action : callable, optional
            ``action(sim)`` or ``action()``. Default: release the contact.
        once : bool
            Whether the first time is the last.
        """
        name = self.linkage.contacts[getattr(contact, "name", contact)].name

        def force(sim) -> float:
            return sim.normal_force(name) if name in sim.linkage.contacts else 1.0

        def release(sim) -> None:
            sim.release(name)

        if action is not None:
            positional(action, "action", (1, 0))
        self._watch(Condition(force, action or release, direction=-1, once=once, cause="contact"))

    def normal_force(self, contact) -> float:
        """The normal force of a contact now, N, under the torques that act."""
        place = self.linkage.contacts.names.index(self.linkage.contacts[getattr(contact, "name", contact)].name)
        stepper = self._stepper
        return float(self._system.solve(stepper.t, stepper.q, stepper.v, self._tau).normal_forces[place])

    def _pose(self, poses, body) -> Pose:
        index, pose = self.linkage._resolve(body)
        return pose if index < 0 else poses[self.linkage.columns.body_names[index]] @ pose

    def _change(self, what: str, make, *, closes: bool = False, close: bool = False) -> Change:
        stepper = self._stepper
        with self._event("call", what) as note:
            change = make()
            _, note.v = change.carry(stepper.q, note.v)
            stepper.q, stepper.v = change.carry(stepper.q, stepper.v)
            if closes:
                self._join(change, close)
        return change

    def _join(self, change: Change, close: bool) -> None:
        """Bring the state onto a new constraint."""
        from linkwork.dynamics import closed

        stepper, linkage = self._stepper, self.linkage
        try:
            q = closed.close_loops(linkage, stepper.q, t=stepper.t)
            gap = float(np.abs(linkage.difference(stepper.q, q)).max())
            if gap > CLOSED and not close:
                raise StructureError(
                    f"{change.kind} {change.joint!r}: the two sides do not meet, coordinates would move by {gap:.3g}; "
                    "bring them together first, or give close=True"
                )
            v = closed.velocity_jump(linkage, q, stepper.v, change.joint, t=stepper.t).v
        except LinkworkError:
            undone = linkage.cut(change.joint) if change.kind == "connect" else linkage.release(change.joint)
            stepper.q, stepper.v = undone.carry(stepper.q, stepper.v)
            raise
        stepper.q, stepper.v = q, v
