"""Which coordinates of a closed linkage can lead, and how the others follow them.

Symbols, of [Nakamura2000]: θ_J all coordinates, those of tree joints first; J_C the constraints on them;
θ_G the generalized (independent) ones and θ_S the others; J_S and J_G their columns of J_C; W_J = dθ_J/dθ_G.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.arguments import names_of
from linkwork.dynamics.constraints import RANK, constraint_matrices, independent_columns, loops_of, without_units
from linkwork.errors import ArgumentError, unknown_name
from linkwork.kernels.layout.kinds import KIND_NV
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import tree_of
from linkwork.linkage.packing.lengths import length_of

NEARLY = 1e-6  # singular values below this share of the largest count as nearly zero
KEPT = 10.0  # a previous choice is kept while its smallest singular value is within this factor of the best choice's


class Partition(NamedTuple):
    """θ_J = (θ_S, θ_G) at one pose: (11)–(18), as indices into θ_J."""

    names: list[str]
    independent: np.ndarray
    dependent: np.ndarray
    redundant: np.ndarray  # rows of J_C
    singular: np.ndarray
    J_C: np.ndarray
    W_J: np.ndarray
    h: np.ndarray  # θ̈_J at θ̈_G = 0
    condition: float


def partition(
    linkage: Linkage,
    q: np.ndarray,
    v: np.ndarray | None = None,
    *,
    independent: str | Joint | Sequence[str | Joint] | None = None,
    previous: Sequence[str] | None = None,
    surfaces: np.ndarray | None = None,
) -> Partition:
    """Choose the generalized coordinates, or take those named `independent`, and express all others by them.

    Those named `previous` are kept while they are nearly as good as the best choice. `surfaces` (contacts, nv) are
    further rows of J_C, those of surface constraints; the bias is then of loops alone.
    """
    loops = loops_of(linkage)
    J_C, made, bias = extended_constraints(linkage, q, v)  # (10), (11)
    if surfaces is not None:
        J_C = np.concatenate([J_C, np.pad(surfaces, ((0, 0), (0, loops.nv)))])
        made = np.concatenate([made, np.tile(length_of(linkage.tree) / loops.units, (len(surfaces), 1))])
        bias = np.concatenate([bias, np.zeros(len(surfaces))])
    names, units = coordinate_names(linkage), loops.units
    scaled, rows, scale = without_units(J_C, made, units)
    best, free = independent_columns(scaled, scale)  # (12), (13)
    dependent = np.sort(best)
    if independent is not None:
        dependent = _complement(linkage, names, independent, len(free))
    elif previous is not None and len(best):
        kept = np.setdiff1d(np.arange(len(names)), list(_places(names, previous)))
        if len(kept) == len(best) and KEPT * _smallest(scaled[:, kept]) > _smallest(scaled[:, dependent]):
            dependent = kept
    leading = np.setdiff1d(np.arange(len(names)), dependent)
    J_S = scaled[:, dependent]  # (14)
    _, sigma, vt = np.linalg.svd(J_S, full_matrices=False) if J_S.size else (None, np.ones(1), np.zeros((1, 0)))
    if independent is not None and sigma[-1] <= RANK * max(sigma[0], scale):
        raise ArgumentError(
            f"{[names[k] for k in leading]} cannot be the independent coordinates at this pose: they do not decide "
            f"the others; for example {[names[k] for k in np.sort(free)]} can"
        )
    W_J, h = np.zeros((len(names), len(leading))), np.zeros(len(names))
    W_J[leading, np.arange(len(leading))] = 1.0
    if J_S.size:
        solved = np.linalg.lstsq(J_S, np.column_stack([-scaled[:, leading], bias / rows]), rcond=RANK)[0]
        solved *= units[dependent, None]
        W_J[dependent], h[dependent] = solved[:, :-1] / units[leading], solved[:, -1]  # (17), (18)
    weak = vt[sigma < NEARLY * sigma[0]]
    singular = dependent[np.abs(weak).max(axis=0) > 0.1] if len(weak) else np.zeros(0, dtype=np.int64)
    redundant = np.sort(independent_columns(scaled.T, scale)[1])
    return Partition(names, leading, dependent, redundant, singular, J_C, W_J, h, float(sigma[0] / sigma[-1]))


def _smallest(matrix: np.ndarray) -> float:
    """Its smallest singular value."""
    return float(np.linalg.svd(matrix, compute_uv=False)[-1])


def extended_constraints(
    linkage: Linkage, q: np.ndarray, v: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """J_C (rows, nv + nv_loop), six rows per loop joint in `at_b`; what it is made of; the bias of J_C θ̈_J = bias."""
    tree, loops = tree_of(linkage), loops_of(linkage)
    whole = constraint_matrices(linkage, q, v, whole=True)
    J, made = np.zeros((2, 6 * len(loops.names), tree.nv + loops.nv))
    J[:, : tree.nv], made[:, : tree.nv] = whole.J, whole.made
    for k in range(loops.joints):
        mine = slice(loops.v_start[k], loops.v_start[k] + 6 - loops.rows[k])
        J[6 * k : 6 * k + 6, tree.nv :][:, mine] = -whole.S[mine].T
    made[:, tree.nv :] = np.abs(J[:, tree.nv :])
    full = np.column_stack([J, whole.bias])
    joints = full[: 6 * loops.joints].reshape(loops.joints, 2, 3, full.shape[1])
    full[: 6 * loops.joints] = np.einsum("nij,nkjc->nkic", loops.align, joints).reshape(6 * loops.joints, full.shape[1])
    axes = made[: 6 * loops.joints].reshape(-1, 3, made.shape[1])
    axes[:] = axes.max(axis=1, keepdims=True, initial=0.0)
    kept = np.r_[0 : 6 * loops.joints, 6 * loops.joints : len(full) : 6]  # a coupling has one row
    return full[kept, :-1], made[kept], full[kept, -1]


def coordinate_names(linkage: Linkage) -> list[str]:
    """Labels "joint[k]" of θ_J, tree joints in the order of v, then loop joints."""
    columns = linkage.columns
    tree = [f"{columns.joint_names[i]}[{k}]" for i, nv in enumerate(KIND_NV[columns.code]) for k in range(nv)]
    names = linkage.loops.names
    return tree + [f"{names[i]}[{k}]" for i, record in enumerate(linkage._loops.records) for k in range(record.nv)]


def _places(names: list[str], chosen: str | Joint | Sequence[str | Joint]) -> set[int]:
    """The coordinates that a user named: "joint[k]", or "joint" where it has one."""
    place = {name: k for k, name in enumerate(names)}
    place |= {name[:-3]: k for k, name in enumerate(names) if name.endswith("[0]") and name[:-3] + "[1]" not in place}
    labels = names_of("independent", chosen)
    for label in labels:
        if label not in place:
            raise unknown_name("coordinate", label, place)
    return {place[label] for label in labels}


def _complement(
    linkage: Linkage, names: list[str], chosen: str | Joint | Sequence[str | Joint], dof: int
) -> np.ndarray:
    """The coordinates beside those that a user named."""
    places = _places(names, chosen)
    if len(places) != dof:
        count = len(names_of("independent", chosen))
        raise ArgumentError(
            f"linkage {linkage.name!r} has {dof} degrees of freedom at this pose: name as many independent "
            f"coordinates, not {count}"
        )
    return np.setdiff1d(np.arange(len(names)), list(places))
