"""Forces of the model in an adaptive simulation: springs between bodies, springs and torsion potentials in joints."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.adaptive import (
    HARMONIC,
    PERIODIC,
    S_LENGTH,
    S_POINT_A,
    S_POINT_B,
    S_STIFFNESS,
    SPLINE,
    SPRING_ROW,
    TERM_ROW,
    Potentials,
)
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.checks import array, number
from linkwork.linkage.forces import JointSpring, Spring
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.tree import Tree

Terms = list[tuple[float, ...]]  # of a joint's potential, as kernels read them, but for where splines start
FEWEST_IN_TABLE = 4


class JointPotential(NamedTuple):
    """The potential that was given to a joint: terms, and the coefficients of its spline."""

    terms: Terms
    table: np.ndarray


def joint_potential(stiffness: float | None, rest: float, periodic, table) -> JointPotential:
    """Check what a potential is made of."""
    terms: Terms = []
    if stiffness is not None:
        terms.append((HARMONIC, number(stiffness, "stiffness", minimum=0.0), number(rest, "rest"), 0.0))
    for k, term in enumerate(periodic):
        amplitude, multiplicity, phase = array(term, (3,), f"periodic[{k}] (amplitude, multiplicity, phase)")
        terms.append((PERIODIC, amplitude, multiplicity, phase))
    spline = np.empty(0)
    if table is not None:
        energies = array(table, np.shape(table), "table")
        if energies.ndim != 1 or len(energies) < FEWEST_IN_TABLE:
            raise ArgumentError(f"table must have at least {FEWEST_IN_TABLE} energies, at equal angles from -pi on")
        from scipy.interpolate import CubicSpline

        angles = np.linspace(-math.pi, math.pi, len(energies) + 1)
        spline = CubicSpline(angles, [*energies, energies[0]], bc_type="periodic").c.T.ravel()
        terms.append((SPLINE, 0.0, len(energies), 0.0))
    return JointPotential(terms, spline)


def takes_potential(linkage: Linkage, joint: int) -> bool:
    """Whether a joint has one coordinate whose rate is its velocity."""
    columns = linkage.columns
    dofs = columns.dof_slice(joint)
    return bool(RATES[int(columns.code[joint])]) and dofs.stop - dofs.start == 1


def has_model_forces(linkage: Linkage, given: dict[str, JointPotential]) -> bool:
    """Whether there are springs or potentials at all."""
    return bool(given) or any(isinstance(force, JointSpring | Spring) for force in linkage.forces)


def packed_potentials(linkage: Linkage, given: dict[str, JointPotential], armature: np.ndarray, gain: float):
    """The potentials of all degrees of freedom as kernels read them; of none, where there are none."""
    columns, terms, tables, end = linkage.columns, {}, [np.empty(0)], 0
    for force in linkage.forces:
        if isinstance(force, JointSpring):
            dofs = columns.dof_slice(columns.joint_index[force.joint])
            size = dofs.stop - dofs.start
            pairs = zip(np.broadcast_to(force.stiffness, size), np.broadcast_to(force.rest, size), strict=True)
            for d, (stiffness, rest) in zip(range(dofs.start, dofs.stop), pairs, strict=True):
                terms.setdefault(d, []).append((HARMONIC, stiffness, rest, 0.0))
    for name, potential in given.items():
        if name not in columns.joint_index:
            continue  # it has been cut
        own = [(kind, end, *rest) if kind == SPLINE else (kind, a, *rest) for kind, a, *rest in potential.terms]
        terms.setdefault(columns.dof_slice(columns.joint_index[name]).start, []).extend(own)
        tables.append(potential.table)
        end += len(potential.table)
    if not terms:
        return Potentials(np.empty(0, np.int64), np.empty((0, TERM_ROW)), np.empty(0), armature, gain)
    counts = np.zeros(linkage.nv + 1, np.int64)
    for d, own in terms.items():
        counts[d + 1] = len(own)
    rows = np.array([row for d in sorted(terms) for row in terms[d]], dtype=np.float64)
    return Potentials(np.cumsum(counts), rows, np.concatenate(tables), armature, gain)


def packed_springs(linkage: Linkage, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Springs between bodies as kernels read them, and the bodies they join, −1 for ground."""
    springs = [force for force in linkage.forces if isinstance(force, Spring)]
    rows, bodies = np.zeros((len(springs), SPRING_ROW)), np.zeros((len(springs), 2), np.int64)
    for row, ends, spring in zip(rows, bodies, springs, strict=True):
        row[S_STIFFNESS], row[S_LENGTH] = spring.stiffness, spring.rest_length
        for side, (name, point, at) in enumerate(
            ((spring.a, spring.point_a, S_POINT_A), (spring.b, spring.point_b, S_POINT_B))
        ):
            ends[side], pose = linkage._resolve(name)
            point = pose.apply(np.asarray(point))
            row[at : at + 3] = point if ends[side] < 0 else tree.align[tree.stage[ends[side]]].T @ point
    return rows, bodies
