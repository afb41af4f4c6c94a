"""Arrays over time as attributes: of a segment, a recording, a track."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.linkage.packing.launch import no_batch_compiled


class OverTime:
    """An array over time as an attribute: its owner's ``_over_time(name)`` finds it."""

    def __init__(self, doc: str):
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: type | None = None) -> np.ndarray:
        if owner is None:
            return self  # pyright: ignore[reportReturnType]
        with no_batch_compiled():
            return owner._over_time(self._name)

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"{self._name} of a {type(owner).__name__} is read-only")


class StatesOverTime:
    """Base of what has all that is recorded of a linkage, or follows from it."""

    t = OverTime("(n,) time, s.")
    q = OverTime("(n, nq) coordinates.")
    v = OverTime("(n, nv) velocities.")
    a = OverTime("(n, nv) accelerations.")
    tau = OverTime("(n, nv + nv_loop) torques of tree joints, and of loop joints after them.")
    drift = OverTime("(n, 2) how far the state was off before projection: coordinates, velocities.")
    f_ext = OverTime("(n, nb, 6) external wrench on every body, world axes, about the body's origin.")
    kinetic = OverTime("(n,) kinetic energy, J.")
    potential = OverTime("(n,) energy of gravity and springs, J.")
    energy = OverTime("(n,) kinetic and potential energy, J.")
    wrenches = OverTime("(n, nb, 6) wrench at every tree joint, as of `linkwork.joint_wrenches`.")
    loop_wrenches = OverTime("(n, loops, 6) wrench at every loop joint, as of `linkwork.solve`.")
    normal_forces = OverTime("(n, contacts) normal forces of the surface constraints, N.")
    friction_forces = OverTime("(n, contacts, 3) friction on the points of these, N, world axes.")
    contact_modes = OverTime('(n, contacts) what these points do: "stick" or "slip".')
