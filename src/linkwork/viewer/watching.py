"""A simulation that runs elsewhere in the program, watched while it does."""

from __future__ import annotations

import numpy as np

from linkwork.plots.framing import bounds_of
from linkwork.plots.looks import HUGE, Looks
from linkwork.simulation.simulation import Simulation
from linkwork.viewer.server import Viewer
from linkwork.viewer.stage import Stage

EVERY = 1.0 / 15.0  # s between two looks


class Watching(Viewer):
    """What a simulation does, as far as it has come. It is read, never touched: the run takes no notice.

    Parameters
    ----------
    simulation : Simulation
    port : int, optional
        Default: a free one.
    """

    def __init__(self, simulation: Simulation, *, port: int | None = None):
        self._sim, self._since = simulation, 0.0
        looks = Looks(simulation.linkage.copy())
        bounds = bounds_of([(looks, np.array(simulation.q)[None])])
        super().__init__(simulation.linkage.name or "simulation", bounds, port=port, shadows=looks.linkage.nb < HUGE)
        self._revision = simulation.linkage.revision
        self.stage = Stage(self.server.scene, looks, bounds, self.shown)
        self._text = self.server.gui.add_markdown("")
        self.add_switches(self.stage.layers, [])
        self._t = -np.inf
        self.tick(EVERY)

    def tick(self, elapsed: float) -> None:
        """Show where the simulation is now."""
        self._since += elapsed
        if self._since < EVERY:
            return
        self._since = 0.0
        linkage, t, q = self._sim.linkage, self._sim.t, np.array(self._sim.q)
        if linkage.revision != self._revision and len(q) == linkage.nq:
            self._stage().remove()
            self._revision = linkage.revision
            self.stage = Stage(self.server.scene, Looks(linkage.copy()), self.bounds, self.shown)
            self._t = -np.inf
        if t != self._t and len(q) == self._stage().linkage.nq:
            self._t = t
            with self.server.atomic():
                self._stage().place(q)
                self._text.content = f"**{self.title}**  {t:.3f} s"
