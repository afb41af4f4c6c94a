"""Axes of all degrees of freedom and how they change: the records of `derivatives` without its matrices, in O(nb)."""

from linkwork.kernels.layout import N_STAGES
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import check_sizes
from linkwork.kernels.tree.derivatives import move, place, place_alone


@helper
def stage_rates(model, index, work, q, v, a):
    """Fill the records of stages and degrees of freedom; no forces are in them."""
    place_alone(model, index, work, q)
    for i in range(index[N_STAGES]):
        place(model, index, work, i, q)
        move(model, index, work, i, q, v, a)
    return check_sizes(index, q, v, a, a)
