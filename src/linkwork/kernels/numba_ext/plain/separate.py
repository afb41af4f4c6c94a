"""Programs that others call: by Numba's public API they become part of their callers."""

from numba import njit

from linkwork.kernels.numba_ext.plain.compiler import HELPER


def separate(function, **options):
    """`function` for compiled code to call."""
    return njit(function, **options, **HELPER)
