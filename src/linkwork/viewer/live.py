"""A scene that runs while you watch: pull bodies, move sliders, pause, step, start again."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np

from linkwork.errors import LinkworkError, StructureError
from linkwork.kernels.layout.kinds import LENGTHS
from linkwork.linkage.linkage import Linkage
from linkwork.plots.adaptive import MEMORY, colors_of
from linkwork.plots.forces import NONE, Force, forces_of, kinds_of
from linkwork.plots.framing import bounds_of
from linkwork.plots.looks import HUGE, Looks
from linkwork.scenes.scene import Scene
from linkwork.viewer.frames import FLASH, structure_of
from linkwork.viewer.pulling import Pull
from linkwork.viewer.server import RATE, Viewer
from linkwork.viewer.sliders import Sliders
from linkwork.viewer.stage import Stage

SPEEDS = ("0.1x", "0.25x", "0.5x", "1x", "2x", "4x")
BEHIND = 0.1  # s: where the computer is slower than the clock, so much is made up at most
PATIENCE = 0.05  # s of computing between two pictures of an adaptive run
SAMPLES = 30  # poses that the camera has in view
REACH = 5.0  # a parameter's slider goes to so many times its value


def live(scene: Scene, *, port: int | None = None) -> Live:
    """A viewer in which the scene runs, adaptively where it says so."""
    return AdaptiveLive(scene, port=port) if scene.is_adaptive else Live(scene, port=port)


def _around(scene: Scene) -> np.ndarray:
    """(n, nq) poses that the linkage may come to from its start: the camera has them all in view."""
    linkage, q = scene.linkage, np.array(scene.q)
    if linkage.nb >= HUGE:
        return q[None]
    swing = 0.6 if linkage.constrained else 1.5
    rng = np.random.default_rng(0)
    moves = rng.uniform(-swing, swing, size=(SAMPLES, linkage.nv))
    for joint in linkage.joints:
        if LENGTHS[joint.type.code]:  # nobody knows how far what slides or flies will go
            moves[:, joint.v_slice] = 0.0
    return np.array([q, *(linkage.integrate(q, move) for move in moves)])


class Live(Viewer):
    """A scene that runs in real time, or as fast as it can.

    Parameters
    ----------
    scene : Scene
    port : int, optional
        Default: a free one.
    """

    def __init__(self, scene: Scene, *, port: int | None = None):
        self.scene, self.running = scene, True
        looks = Looks(scene.linkage)
        bounds = bounds_of([(looks, _around(scene))])
        super().__init__(scene.name, bounds, port=port, shadows=scene.linkage.nb < HUGE)
        self._pull: Pull | None = None
        self._drags: deque[tuple[str, int, np.ndarray, np.ndarray]] = deque()
        self._text = self.server.gui.add_markdown("")
        self._message = ""
        self._sliders: Sliders | None = None
        self._make_gui()
        self.reset()
        self.add_switches(self._stage().layers, self._kinds())

    # The simulation

    def _begin(self) -> None:
        """Start the scene anew."""
        run, keep = self.scene.run, self.scene.run.record_every
        run.record_every = 1_000_000  # nobody reads the recording
        self.sim: Any = self.scene.simulation()
        run.record_every = keep

    @property
    def linkage(self) -> Linkage:
        """What moves, as it is now."""
        return self.sim.linkage

    @property
    def q(self) -> np.ndarray:
        """Coordinates now, (nq,)."""
        return np.array(self.sim.q)

    def _advance(self, seconds: float) -> None:
        self.sim.run(self.sim.t + max(seconds, self.sim.dt), progress=False)

    def _set(self, q: np.ndarray) -> None:
        self.sim.q = q
        self.sim.v = np.zeros(self.linkage.nv)

    def _drag(self, pull: Pull | None) -> None:
        """Let the mouse pull, or no more."""
        base = self.scene._acting(self.linkage).wrenches
        self.sim.wrenches = base if pull is None else pull.wrenches(base)

    # What the user does

    def _make_gui(self) -> None:
        gui = self.server.gui
        self._run = gui.add_button("Pause")
        self._run.on_click(lambda _: self.run(not self.running))
        gui.add_button("Step").on_click(lambda _: self.step())
        gui.add_button("Reset").on_click(lambda _: self.reset())
        self._speed = gui.add_dropdown("speed", SPEEDS, initial_value="1x")
        parameters = self.scene.parameters
        if parameters:
            with gui.add_folder("Parameters"):
                for name, value in parameters.items():
                    reach = REACH * abs(value) or 1.0
                    low = 0.0 if value >= 0.0 else -reach
                    slider = gui.add_slider(name, min=low, max=reach if value >= 0.0 else 0.0, step=reach / 500.0,
                                            initial_value=float(value))  # fmt: skip
                    slider.on_update(lambda _, name=name, slider=slider: self.set_parameter(name, float(slider.value)))

    def run(self, on: bool) -> None:
        """Run or pause."""
        with self._lock:
            self.running = on
            self._run.label = "Pause" if on else "Run"

    def step(self) -> None:
        """Pause, and make one step."""
        with self._lock:
            self.run(False)
            self._try(lambda: self._advance(0.0))
            self._draw()

    def reset(self) -> None:
        """Start anew."""
        with self._lock:
            self._pull = None
            self._begin()
            self._message = ""
            self._follow_structure()
            self._draw()

    def set_parameter(self, name: str, value: float) -> None:
        """Change a parameter of the scene while it runs."""
        with self._lock:
            self._try(lambda: self.scene.set_parameter(name, value, self.sim))

    def put(self, q: np.ndarray) -> None:
        """Bring the linkage into a pose, at rest."""
        with self._lock:
            self._set(q)
            self._draw()

    def dragged(self, event: Any, body: int) -> None:
        """Somebody pulls at a body: it is done at the next tick, because the server must not wait for it."""
        self._drags.append((event.phase, body, np.array(event.start_position), np.array(event.end_position)))

    def _follow_mouse(self) -> None:
        while self._drags:
            phase, body, start, end = self._drags.popleft()
            if phase == "end" or body < 0:
                if self._pull is not None:
                    self._pull = None
                    self._try(lambda: self._drag(None))
                continue
            if self._pull is None:
                self._pull = Pull(self.linkage, body, start, self.q)
                self._try(lambda: self._drag(self._pull))
            self._pull.target = end

    def _try(self, act: Any) -> None:
        """Do something; where it fails, pause and say why."""
        try:
            act()
        except LinkworkError as error:
            self.run(False)
            self._message = str(error)

    def _say(self, text: str) -> None:
        self._message = text

    # Drawing

    def tick(self, elapsed: float) -> None:
        """Go on, if it runs."""
        self._follow_mouse()
        if self.running:
            self._try(lambda: self._advance(min(elapsed, BEHIND) * float(self._speed.value[:-1])))
            self._draw()

    def _follow_structure(self) -> None:
        """A new stage and new sliders where the structure has changed."""
        key = structure_of(self.linkage)
        if self.stage is not None and key == self._key:
            return
        self._key = key
        if self.stage is not None:
            self.stage.remove()
        if self._sliders is not None:
            self._sliders.remove()
            self._sliders = None
        if self._pull is not None:
            self._pull = None
            self._try(lambda: self._drag(None))
        self.stage = Stage(self.server.scene, Looks(self.linkage.copy()), self.bounds, self.shown)
        self.stage.on_drag(self.dragged)
        if self.linkage.nb < HUGE:
            gui, size = self.server.gui, self.bounds.size
            self._sliders = Sliders(gui, self.linkage, size, lambda: self.q, self.put, self._say)

    def _draw(self) -> None:
        self._follow_structure()
        q = self.q
        with self.server.atomic():
            self._stage().place(q)
            self._stage().arrows.place(self._forces() | {"applied": self._applied(q)})
            if self._sliders is not None:
                self._sliders.follow(q)
            note = f"  \n{self._message or self._happened()}"
            self._text.content = f"**{self.title}**  {self.sim.t:.3f} s{note}"

    def _kinds(self) -> list[str]:
        """The kinds of forces that there may be."""
        kinds = kinds_of(self.sim.recording.segments)
        return kinds if "applied" in kinds else ["applied", *kinds]

    def _forces(self) -> dict[str, Force]:
        """What acts now besides the mouse, as far as it is to be seen."""
        kinds = tuple(kind for kind in self._kinds() if self.shown[kind] and kind != "applied")
        segment = self.sim.recording.segments[-1]
        try:
            return forces_of(segment, len(segment) - 1, kinds) if kinds and len(segment) else {}
        except LinkworkError:  # undefined there
            return {}

    def _show_force(self, kind: str, on: bool) -> None:
        super()._show_force(kind, on)
        self._draw()

    def _happened(self) -> str:
        """What happened just now."""
        recent = [event.what for event in self.sim.recording.events if self.sim.t - event.time < FLASH]
        return f"**{'; '.join(dict.fromkeys(recent[-3:]))}**" if recent else ""

    def _applied(self, q: np.ndarray) -> Force:
        return NONE if self._pull is None else self._pull.arrow(q)


class AdaptiveLive(Live):
    """A huge linkage that moves adaptively, coloured by when its joints were last computed."""

    def _begin(self) -> None:
        self._motion = self.scene.adaptive()
        self.sim = self._motion.simulation
        self._age = np.full(self.sim.linkage.nb, MEMORY)
        self._most = 0

    def _advance(self, seconds: float) -> None:
        end = time.perf_counter() + PATIENCE
        for _ in range(max(int(seconds / self.sim.dt), 1)):
            self._motion.step()
            active = np.add.reduceat(np.abs(self.sim.a), self.linkage.columns.v_start) > 0.0
            self._age = np.where(active, 0.0, self._age + 1.0 / RATE * MEMORY)
            if self._pull is not None:
                self._push(self._pull)
            if time.perf_counter() > end:
                break

    def _set(self, q: np.ndarray) -> None:
        raise StructureError("the pose of an adaptive run is set at its start")

    def set_parameter(self, name: str, value: float) -> None:
        """Change a parameter of the scene while it runs."""
        with self._lock:
            self._try(lambda: self.scene.set_parameter(name, value))

    def _drag(self, pull: Pull | None) -> None:
        if pull is None:
            self.sim.apply_force(self.linkage.bodies[self._pushed], (0.0, 0.0, 0.0))
        else:
            self._pushed = pull.body
            self._push(pull)

    def _push(self, pull: Pull) -> None:
        pose = self.sim.pose(self.linkage.bodies[pull.body])
        at = pose.apply(pull.local)
        self.sim.apply_force(self.linkage.bodies[pull.body], pull.stiffness * (pull.target - at), pull.local)

    def _draw(self) -> None:
        super()._draw()
        self._stage().paint(colors_of(self.linkage, self._age, self._age == 0.0))

    def _kinds(self) -> list[str]:
        return ["applied"]

    def _forces(self) -> dict[str, Force]:
        return {}

    def _happened(self) -> str:
        return ""

    def _applied(self, q: np.ndarray) -> Force:
        positions, rotations = self._stage().positions, self._stage().rotations
        found = self.sim.forces
        if not found:
            return NONE
        points = [positions[body] + rotations[body] @ point for body, point, _ in found]
        forces = np.array([force for *_, force in found])
        reference = max(float(np.linalg.norm(forces, axis=1).max()), 1e-300)
        self._stage().arrows.reference = reference
        return Force(np.array(points), forces)
