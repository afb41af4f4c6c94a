"""Forward dynamics of open linkages: one function per method, on a state or a batch."""

from __future__ import annotations

import contextlib

import numpy as np

from linkwork.dynamics.divide_conquer import divide_conquer
from linkwork.dynamics.inverse import refuse_large
from linkwork.dynamics.problem import Outcome, Problem
from linkwork.dynamics.virtual_work import solve_tree
from linkwork.errors import SingularError
from linkwork.linkage.packing.launch import run, run_fast

AGREE = 1e-7  # of the largest acceleration


def aba(problem: Problem) -> Outcome:
    """Articulated bodies."""
    linkage, tree, q, v, tau, wrench, a = problem[:7]
    if problem.loaded:
        run(linkage, ("tree.loaded", "loaded_aba"), tree.table, [q, v, tau, wrench], [a, np.empty_like(a)])
    elif tree.plain and a.ndim == 1:
        run_fast(linkage, ("tree.aba", "aba"), [q, v, tau], [a])
    else:
        run(linkage, ("tree.aba", "aba"), 0, [q, v, tau], [a])
    return Outcome(a)


def crba(problem: Problem) -> Outcome:
    """Mass matrix by composite rigid bodies, and its sparse factors, which the outcome keeps."""
    linkage, tree, q, v, tau, wrench, a = problem[:7]
    refuse_large(linkage, tree.nonzeros, 'method="aba"')
    factors = np.empty((*a.shape[:-1], tree.nonzeros))
    if problem.loaded:
        inputs = [q, v, tau, wrench, tree.zeros]
        run(linkage, ("tree.loaded", "loaded_crba"), tree.table, inputs, [a, factors, np.empty_like(a)])
    else:
        run(linkage, ("tree.ltdl", "crba_forward"), 0, [q, v, tau, tree.zeros], [a, factors])
    return Outcome(a, factors=factors)


def unit_vector(problem: Problem) -> Outcome:
    """Mass matrix column by column, each by inverse dynamics of a unit acceleration."""
    linkage, tree, q, v, tau, wrench, a = problem[:7]
    refuse_large(linkage, tree.nv**2, 'method="aba"')
    scratch = [np.empty((*a.shape[:-1], tree.nv**2)), np.empty_like(a), np.empty_like(a)]
    if problem.loaded:
        inputs = [q, v, tau, wrench, tree.zeros]
        run(linkage, ("tree.loaded", "loaded_unit_vector"), tree.table, inputs, [a, *scratch, np.empty_like(a)])
    else:
        run(linkage, ("tree.unit_vector", "unit_vector"), 0, [q, v, tau, tree.zeros], [a, *scratch])
    return Outcome(a)


def virtual_work(problem: Problem) -> Outcome:
    """Joint by joint through inverse inertias, which gives the joints' wrenches on the way."""
    linkage, tree, q, v, tau, wrench, a = problem[:7]
    wrenches = np.empty(6 * tree.nb) if problem.details else None
    solve_tree(linkage, q, v, tau, wrench, a, wrenches, splitting=problem.splitting)
    return Outcome(a, joint_wrenches=wrenches)


def dca(problem: Problem) -> Outcome:
    """Divide and conquer on the assembly tree.

    Massless bodies may leave it nothing to divide by: then articulated bodies tell whether there is an answer, and
    have the last word.
    """
    if not problem.tree.frail:
        divide_conquer(*problem[:7], problem.loaded)
        return Outcome(problem.a)
    sure = aba(problem._replace(a=np.empty_like(problem.a))).a
    with contextlib.suppress(SingularError):
        divide_conquer(*problem[:7], problem.loaded)
        if agree(problem.a, sure):
            return Outcome(problem.a)
    problem.a[...] = sure
    return Outcome(problem.a)


def agree(a: np.ndarray, sure: np.ndarray) -> bool:
    """Whether accelerations are those of a method that can be relied on, but for rounding."""
    return bool(np.abs(a - sure).max(initial=0.0) <= AGREE * np.abs(sure).max(initial=0.0))
