"""Compiled code without a place on the stack for each structure, and loops that are counted, give what Python gives."""

from types import FunctionType

import numpy as np
import pytest

from linkwork.kernels.numba_ext import Kernel, helper


def visits(start, stop, step, out):
    """What loops of every kind go through: by known steps up and down, and by one that is known when it runs."""
    n = 0
    for k in range(stop):
        out[n], n = k, n + 1
    for k in range(start, stop):
        out[n], n = k, n + 1
    for k in range(stop - 1, start - 1, -1):
        out[n], n = k, n + 1
    for k in range(start, stop, 3):
        out[n], n = k, n + 1
    for k in range(stop, start, -4):
        out[n], n = k, n + 1
    for k in range(start, stop, step):
        for j in range(k):
            if j > 2:
                break
            out[n], n = 10 * k + j, n + 1
    return n


def chosen_range(up, stop, out):
    """A range that is one of two, so that its step is not known where the loop begins."""
    way = range(stop) if up else range(stop, 0, -2)
    n = 0
    for k in way:
        out[n], n = k, n + 1
    return n


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 7), (2, 9), (5, 2), (-6, 4), (3, 4)])
@pytest.mark.parametrize("step", [1, 2, -3])
def test_loops_go_through_the_same_numbers(start, stop, step):
    expected, found = np.zeros((2, 200))
    count = visits(start, stop, step, expected)
    assert Kernel(visits)(start, stop, step, found) == count
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("up", [True, False])
def test_a_range_can_be_chosen(up):
    expected, found = np.zeros((2, 20))
    assert Kernel(chosen_range)(up, 9, found) == chosen_range(up, 9, expected)
    assert np.array_equal(found, expected)


@helper
def rows(matrix, shift):
    """Views and shapes in a tuple, of which some are not used."""
    first, last = matrix[0], matrix[-1]
    return first, last[shift:], (matrix.shape, first[0] + last[-1])


def mixed(matrix, flag, out):
    """Structures that are made in one block and used, or made again, in others."""
    pair = (1.0, 2.0)
    first, tail, ((n, m), corner) = rows(matrix, 1)
    if flag:
        pair = (first[0], corner)
        tail = first
    for k in range(tail.shape[0]):
        out[k] = tail[k] + pair[1]
        if out[k] > 100.0:
            pair = (pair[1], pair[0])
    return n * m + pair[0]


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("scale", [1.0, 30.0])
def test_structures_are_what_they_are_in_python(flag, scale):
    matrix = scale * np.random.default_rng(3).normal(size=(4, 5)) ** 2
    expected, found = np.zeros((2, 5))
    plainly = {"rows": getattr(rows, "py_func", rows)}
    value = FunctionType(mixed.__code__, plainly)(matrix, flag, expected)
    assert Kernel(mixed)(matrix, flag, found) == value
    assert np.array_equal(found, expected)
