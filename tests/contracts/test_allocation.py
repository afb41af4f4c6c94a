"""Kernels allocate nothing: without memory management, outside plain mode, one that did would not compile."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.numba_ext import JIT_DISABLED, Kernel


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_kernel_that_allocates_does_not_compile():
    from linkwork.kernels.numba_ext import compile

    def allocating(n):
        return np.zeros(n).sum()

    with pytest.raises(Exception, match="Only accept returning of array"):
        Kernel(allocating, file=compile.__file__).bind(3)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_long_runs_hold_no_memory():
    """Ten thousand calls leave no array behind."""
    import tracemalloc

    linkage = lw.samples.random_tree(10, seed=2)
    rng = np.random.default_rng(2)
    q, v, out = linkage.random(rng), rng.normal(size=linkage.nv), np.empty(linkage.nv)
    lw.forward_dynamics(linkage, q, v, out=out)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(10_000):
        lw.forward_dynamics(linkage, q, v, out=out)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 4096
