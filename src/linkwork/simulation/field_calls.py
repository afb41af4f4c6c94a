"""Surfaces that are any function, or move by one, as compiled steps with contacts by events see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.kernels.contact.jets import JET
from linkwork.kernels.layout.shapes import S_MAJOR
from linkwork.linkage.packing.pack_shapes import Shapes, fields
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
        if not (shapes.functions or shapes.moving or len(shapes.programs)):
            return
        _, programs, self._stack, self._place = fields(shapes)
        for row, surface in shapes.functions:
            shapes.surfaces[row, S_MAJOR] = self._address(self._jet(surface, names[row]), self._stack[:JET])
        placed = self._address(self._put, self._stack[:0]) if shapes.moving else 0
        self.arrays = np.array([placed]), programs, self._stack, self._place

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
