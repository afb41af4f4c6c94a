"""Contact problems of many contacts, which compiled steps hand over: what solves them is compiled when it is needed."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from linkwork.kernels.launch import call


class ManyContacts:
    """Solves the contact problem in a scratch space of `time_stepping.scratch_space` when its address is called."""

    def __init__(self, index: np.ndarray, space: tuple[np.ndarray, ...]):
        from linkwork.kernels.contact.columns import COLUMN_LINES
        from linkwork.kernels.contact.impulses import T_RESIDUAL, T_SOLVER
        from linkwork.kernels.contact.islands import ALL_RHO, ALL_VELOCITY
        from linkwork.kernels.contact.many import ROW_LINES
        from linkwork.kernels.numba_ext.pointer import PROTOTYPE

        room, nv, told = len(space[0]), space[9].shape[1], space[14]
        spans, rows = np.empty((room, 6), dtype=np.int64), np.empty((ROW_LINES, 3 * room))
        columns, matrix = np.empty((COLUMN_LINES, nv)), np.empty((nv, nv))

        def entry(what: float, impulses: int, g: int, _out: int) -> None:
            n, least = divmod(int(what), 2)
            told[T_RESIDUAL] = np.inf
            told[T_RESIDUAL] = call(
                ("contact.many", "solve_many"), index, n, space[0], space[9], _floats(g, 3 * n), space[3], space[4],
                _floats(impulses, 3 * n), spans, rows, columns, matrix, bool(least), space[10][ALL_VELOCITY],
                space[10][ALL_RHO],
            )  # fmt: skip

        self._entry = PROTOTYPE(entry)  # it lives as long as it may be called
        told[T_SOLVER] = float(ctypes.cast(self._entry, ctypes.c_void_p).value or 0)

    @classmethod
    def beside(cls, index: np.ndarray, space: tuple[np.ndarray, ...], loops: Any) -> ManyContacts | None:
        """One for this scratch space, where there is room for many contacts and loops do not stand in the way."""
        from linkwork.kernels.contact.impulses import MANY

        return cls(index, space) if loops is None and len(space[0]) > MANY else None


def _floats(address: int, count: int) -> np.ndarray:
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(address))
