"""Surfaces that are any function, or move by one, as compiled steps with contacts by events see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.kernels.contact.jets import JET
from linkwork.kernels.layout.shapes import CALLED, FIELD, S_CHANGES, S_KIND, S_MAJOR, S_MINOR
from linkwork.linkage.packing.pack_shapes import Shapes
from linkwork.linkage.surfaces import Surface
from linkwork.simulation.callbacks import Trampoline


class FieldCalls:
    """The functions of surfaces: texts as programs, those of Python by their addresses.

    Attributes
    ----------
    arrays : tuple of arrays or None
        See `linkwork.kernels.contact.field`; None where no surface needs it.
    """

    def __init__(self, shapes: Shapes, names: dict[int, str], acts: Any):
        self._shapes, self._acts, self._alive, self.arrays = shapes, acts, [], None
        if not (shapes.functions or shapes.moving):
            return
        programs = [np.empty(0)]
        self._place, depth, end = np.zeros(3), 1, 0
        for row, surface in shapes.functions:
            if surface.program is not None:
                start, end, depth = end, end + len(surface.program), max(depth, len(surface.program))
                programs.append(surface.program)
                shapes.surfaces[row, [S_KIND, S_MAJOR, S_MINOR]] = FIELD, start, end
        self._stack = np.zeros(JET * (depth + 1))
        for row, surface in shapes.functions:
            own = shapes.surfaces[row]
            own[S_CHANGES] = own[S_CHANGES] or surface.timed
            if surface.program is None:
                own[[S_KIND, S_MAJOR]] = CALLED, self._address(self._jet(surface, names[row]), self._stack[:JET])
        placed = self._address(self._put, self._stack[:0]) if shapes.moving else 0
        self.arrays = np.array([placed]), np.concatenate(programs), self._stack, self._place

    def _address(self, function: Any, answer: np.ndarray) -> int:
        acts = self._acts
        self._alive.append(Trampoline(function, None, acts.system.evaluating, _as_it_is, (answer,), acts.failed))
        return self._alive[-1].address

    def _put(self, t: float, _q: None, _v: None) -> np.ndarray:
        """Move surfaces to where they are at time t."""
        self._shapes.place(t)
        return self._stack[:0]

    def _jet(self, surface: Surface, name: str) -> Any:
        upper = np.triu_indices(4)

        def jet(t: float, _q: None, _v: None) -> np.ndarray:
            """C and its derivatives in x, y, z, t, as `kernels.contact.jets` has them."""
            try:
                local = surface.local(self._place.copy(), t)
            except LinkworkError as error:
                raise type(error)(f"shape {name!r}: {error}") from None
            hessian = np.empty((4, 4))
            hessian[:3, :3], hessian[:3, 3], hessian[3, 3] = local.hessian, local.gradient_t, local.C_tt
            return np.concatenate([[local.C], local.gradient, [local.C_t], hessian[upper]])

        return jet


def _as_it_is(value: Any, _t: float) -> Any:
    return value
