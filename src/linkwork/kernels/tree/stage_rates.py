"""Axes of all degrees of freedom and how they change: the records of `derivatives` without its matrices, in O(nb)."""

from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import check_sizes
from linkwork.kernels.tree.derivatives import move, place


@helper
def stage_rates(model, index, work, q, v, a):
    """Fill the records of stages and degrees of freedom; no forces are in them."""
    place(model, index, work, q)
    move(model, index, work, q, v, a)
    return check_sizes(index, q, v, a, a)
