"""Calls of the virtual-work method: links split as its paper does, and branches shared out to threads."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from linkwork.errors import unknown_name
from linkwork.kernels.launch import call
from linkwork.kernels.layout import NOT_FINITE
from linkwork.kernels.threads import each, thread_count
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import problem, run
from linkwork.linkage.packing.splitting import split_links
from linkwork.linkage.packing.tree import Tree

THREADS_FROM = 4000  # stages beyond which branches are shared out to threads

_splits: WeakKeyDictionary[Tree, tuple[Linkage, np.ndarray]] = WeakKeyDictionary()
_plans: WeakKeyDictionary[Tree, dict[int, Plan | None]] = WeakKeyDictionary()


def solve_tree(linkage: Linkage, q, v, tau, f_ext, a, joint_wrenches=None, *, splitting: str | None = None) -> None:
    """Write the accelerations of a tree, and the wrench of every joint where there is room for it.

    Parameters
    ----------
    linkage : Linkage
        Its loops and contacts play no part.
    q, v, tau, f_ext : arrays
        Checked; f_ext (..., 6 nb), or of size 0.
    a : (..., nv) array
    joint_wrenches : (..., 6 nb) array, optional
        Of each body's joint, in the convention of `linkwork.joint_wrenches`.
    splitting : {None, "paper"}
        "paper": as if every link of more than three joints were several, fixed to each other.
    """
    if splitting == "paper":
        _solve_split(linkage, q, v, tau, f_ext, a, joint_wrenches)
        return
    if splitting is not None:
        raise unknown_name("splitting", splitting, ["paper"])
    tree = linkage.tree
    plan = plan_of(tree, thread_count()) if a.ndim == 1 and tree.stages >= THREADS_FROM else None
    if plan is not None:
        _solve_parallel(linkage, plan, q, v, tau, f_ext, a, joint_wrenches)
    elif joint_wrenches is None and not tree.loaded and not f_ext.size:
        run(linkage, ("virtual_work.virtual_work", "virtual_work"), 0, [q, v, tau], [a])
    else:
        out = np.empty((*a.shape[:-1], 6 * tree.nb)) if joint_wrenches is None else joint_wrenches
        inputs, outputs = [q, v, tau, f_ext], [a, out, np.empty_like(a)]
        run(linkage, ("virtual_work.virtual_work", "virtual_work_wrenches"), tree.table, inputs, outputs)


def respond(linkage: Linkage, q: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """(..., nv) accelerations that torques (..., nv) alone give to the tree at rest, without gravity: H⁻¹ τ."""
    a = np.empty_like(tau)
    run(linkage, ("virtual_work.virtual_work", "virtual_work"), 2, [q, linkage.tree.zeros, tau], [a])
    return a


def _solve_split(linkage, q, v, tau, f_ext, a, joint_wrenches):
    tree = linkage.tree
    if tree not in _splits:
        _splits[tree] = split_links(linkage)
    split, kept = _splits[tree]
    if f_ext.size:
        given = f_ext.reshape(*f_ext.shape[:-1], linkage.nb, 6)
        f_ext = np.zeros((*given.shape[:-2], split.nb, 6))
        f_ext[..., kept, :] = given
        f_ext = f_ext.reshape(*given.shape[:-2], 6 * split.nb)
    if joint_wrenches is None:
        solve_tree(split, q, v, tau, f_ext, a)
        return
    out = np.empty((*a.shape[:-1], 6 * split.nb))
    solve_tree(split, q, v, tau, f_ext, a, out)
    rows = out.reshape(*a.shape[:-1], split.nb, 6)[..., kept, :]
    joint_wrenches[...] = rows.reshape(joint_wrenches.shape)


class Plan(NamedTuple):
    """Stages (ascending) of the trunk, and of each thread's branches without the joints that bear them."""

    trunk: np.ndarray
    branches: list[np.ndarray]


def plan_of(tree: Tree, threads: int) -> Plan | None:
    """How to share a tree out to threads; None where its shape allows no gain."""
    plans = _plans.setdefault(tree, {})
    if threads not in plans:
        plans[threads] = _plan(tree, threads)
    return plans[threads]


def _plan(tree: Tree, threads: int) -> Plan | None:
    n = tree.stages
    parent, body = tree.parent.tolist(), tree.body.tolist()
    size = [1] * (n + 1)  # of the branch that each stage bears; the last entry is ground's
    children: list[list[int]] = [[] for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        size[parent[i]] += size[i]
        children[parent[i]].append(i)
    trunk: list[int] = []
    branches = [(-size[i], i) for i in children[-1]]
    heapq.heapify(branches)
    # Open the largest branch until none matters; a compound joint's first stage goes with its second
    while branches and (-branches[0][0] > n / (4 * threads) or body[branches[0][1]] < 0):
        _, i = heapq.heappop(branches)
        trunk.append(i)
        for child in children[i]:
            heapq.heappush(branches, (-size[child], child))
        if len(trunk) > n / 4:
            return None
    loads: list[tuple[int, int, list[np.ndarray]]] = [(0, k, []) for k in range(threads)]
    while branches:
        minus, i = heapq.heappop(branches)
        if body[i] < 0:
            trunk.append(i)
            heapq.heappush(branches, (minus + 1, children[i][0]))
            continue
        trunk.append(i)  # its own joint changes the trunk
        load, k, runs = heapq.heappop(loads)
        runs.append(np.arange(i + 1, i - minus))
        heapq.heappush(loads, (load - minus, k, runs))
    shared = [np.sort(np.concatenate(runs)) for _, _, runs in loads if runs]
    if len(trunk) > n / 2 or max(map(len, shared)) > 0.75 * n:
        return None
    return Plan(np.sort(np.array(trunk, dtype=np.int64)), shared)


def _solve_parallel(linkage, plan, q, v, tau, f_ext, a, joint_wrenches):
    tree = linkage.tree
    work = tree.work()
    loaded = int(tree.loaded or f_ext.size > 0)
    if loaded:
        total = np.empty_like(a)
        outcome = call(
            ("tree.forces", "applied_forces"), tree.model, tree.index, work, tree.table, q, v, f_ext, tau, total
        )
        if outcome:
            raise problem(linkage, outcome)
        tau = total

    def part(first: int, last: int, stages: np.ndarray) -> Any:
        arguments = (tree.model, tree.index, work, loaded, first, last, stages, q, v, tau, a)
        outcome = call(("virtual_work.virtual_work", "virtual_work_part"), *arguments)
        if outcome:
            raise problem(linkage, outcome)

    part(0, 0, plan.trunk)
    each(lambda stages: part(0, 1, stages), plan.branches, tree.stages // len(plan.branches))
    part(1, 2, plan.trunk)
    each(lambda stages: part(2, 2, stages), plan.branches, tree.stages // len(plan.branches))
    outcome = call(("virtual_work.residual_check", "residual_check"), tree.model, tree.index, work, loaded, q)
    if outcome or not np.isfinite(a.sum()):
        raise problem(linkage, outcome or NOT_FINITE)
    if joint_wrenches is not None:
        call(("tree.rnea", "write_wrenches"), tree.model, tree.index, work, joint_wrenches)
    tree.pool.append(work)
