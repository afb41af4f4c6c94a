"""Surface constraints around any method: the forces that keep points on surfaces, and how the motion follows.

Symbols as in `contact_state`. In the equations of [Li],

    M q̈ + b − (j_c − j_t K) f_n = τ,   j_cᵀ q̈ = −c                                              (10), (12)
    A f_n = j_cᵀ M⁻¹ (b − τ) − c,       A = m_c − dᵀ j_t K = j_cᵀ M⁻¹ (j_c − j_t K)               (21), (20)

For several contacts j_c and j_t are matrices, K a diagonal one, and A is not symmetric. M⁻¹ is whatever answers what
generalized forces do to the accelerations, so that trees and closed linkages are treated alike.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.constraints import (
    Residuals,
    constrained_step,
    constraint_matrices,
    on_bodies_by_loops,
    reach,
    residuals,
    shared_forces,
)
from linkwork.dynamics.contact_modes import find_modes, tangents
from linkwork.dynamics.contact_state import IMMOBILE, Reaction, Touch, movable, on_bodies, touch
from linkwork.dynamics.energy import kinetic_energy
from linkwork.dynamics.inverse import joint_impulses, mass_matrix
from linkwork.dynamics.problem import NO_WRENCHES, NOTHING, Outcome, Problem, Solver, each_state, torques
from linkwork.errors import SingularError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.contacts import D_ANCHOR, D_ANCHORED, SLIDES, STICKS
from linkwork.linkage.linkage import Linkage
from linkwork.results import Jump

DEPENDENT = 1e-10  # eigenvalues of m_c, scaled, below which contacts are redundant

Respond = Callable[[np.ndarray], np.ndarray]  # generalized forces, one row each, to the accelerations that they add


@functools.cache
def around(solver: Solver) -> Solver:
    """A method that answers with contacts, made of one that does not know of them."""

    @each_state
    def with_contacts(problem: Problem) -> Outcome:
        linkage, tree, q, v, tau, _, a = problem[:7]
        point = touch(linkage, q, v, float(problem.t[0]), problem.modes)
        reaction = react(linkage, point, q, *without_contacts(problem, solver))
        if problem.details and tree.closed:  # once more, for the forces in the loops
            pushed = tau.copy()
            pushed[: tree.nv] += reaction.push
            return solver(problem._replace(tau=pushed))._replace(reaction=reaction)
        a[:] = reaction.a
        return Outcome(a, reaction=reaction)

    return with_contacts


def without_contacts(problem: Problem, solver: Solver) -> tuple[np.ndarray, Respond]:
    """Accelerations of the linkage without its contacts, and what further generalized forces add to them."""
    tree, tau = problem.tree, problem.tau

    def answer(tau: np.ndarray) -> Outcome:
        return solver(problem._replace(tau=tau, a=np.empty(tree.nv), details=False))

    free = answer(tau)

    def respond(forces: np.ndarray) -> np.ndarray:
        out = forces.copy()
        for row in out:
            if free.factors is not None:
                call(("tree.ltdl", "solve"), tree.index, free.factors, row)
            else:
                torque = tau.copy()
                torque[: tree.nv] += row
                row[:] = answer(torque).a - free.a
        return out

    return free.a, respond


def react(linkage: Linkage, point: Touch, q: np.ndarray, free: np.ndarray, respond: Respond) -> Reaction:
    """Solve (21) for the forces of all contacts; `free` are the accelerations without them."""
    n = len(point.gap)
    able = movable(point)
    _refuse_singular(linkage, point, able)
    K = np.array([record.friction for record in linkage._contacts.records])
    if (point.doing != SLIDES).any():
        point = find_modes(linkage, point, able, K, free, respond)
    sticks = point.doing == STICKS
    j_c = point.j_c[able]
    rubbing = (K > 0.0) & point.sliding.any(axis=1) & ~sticks
    toward = respond(j_c)  # (16): d = M⁻¹ j_c
    m_c = j_c @ toward.T  # (14)
    effect = toward.copy()  # M⁻¹ (j_c − j_t K)
    slides = rubbing[able]
    if slides.any():
        effect[slides] -= respond(K[able & rubbing, None] * point.j_t[able & rubbing])
    basis, scale = _independent(linkage, q, j_c, m_c)
    if sticks.any():
        return _hold(linkage, point, q, able, sticks, free, respond, toward, effect, basis)
    A = j_c @ effect.T  # (20)
    if slides.any():
        _refuse_jammed(linkage, np.flatnonzero(able), K[able], m_c, A, basis, scale)
    # With redundant contacts: as many equations as are independent, and the least forces that meet them.
    equations, null = basis.T @ (A / scale[:, None]), np.zeros((0, len(j_c)))
    if basis.shape[1] < len(j_c):
        null = np.linalg.svd(equations)[2][len(equations) :]
    f, a = np.zeros(len(j_c)), free
    for _ in range(2):  # (21), and again for the rounding of the first time
        more = _least(equations, basis.T @ ((-point.c[able] - j_c @ a) / scale))
        f = f + more
        a = a + more @ effect
    moved = np.abs(null @ effect).max(initial=0.0)
    f_n = np.zeros(n)
    f_n[able] = f
    friction = -(K * f_n)[:, None] * point.sliding
    push = point.j_c.T @ f_n - point.j_t.T @ (K * f_n)  # (10)
    indeterminate = bool(moved > 1e-8 * np.abs(effect).max(initial=1e-300))
    redundant = _redundant(able, null)
    return Reaction(a, point, f_n, friction, push, sticks, redundant, basis.shape[1], indeterminate)


def _redundant(able: np.ndarray, null: np.ndarray) -> np.ndarray:
    """(n,) contacts whose forces are not determined: those that cannot move, and those in a null vector of (21)."""
    redundant = ~able
    redundant[able] = np.abs(null).max(axis=0, initial=0.0) > 1e-6
    return redundant


def _hold(linkage, point: Touch, q, able, sticks, free, respond: Respond, toward, effect, normals) -> Reaction:
    """`react` where points stick: each of them has two equations more, that it does not move along its surface.

    `toward` and `effect` are the accelerations that unit normal forces add, without and with the friction of points
    that slide; `normals` is a basis of the normal rows.
    """
    n, held = len(point.gap), np.flatnonzero(able & sticks)
    t = tangents(point)[held].reshape(-1, 3)  # two of each
    along = np.einsum("mc,mcv->mv", t, point.J[held].repeat(2, axis=0))
    rows = np.concatenate([point.j_c[able], along])
    bias = np.concatenate([point.c[able], np.einsum("mc,mc->m", t, point.bias[held].repeat(2, axis=0))])
    held_back = respond(along)
    scale = reach(linkage, q, rows)
    fixed = np.sqrt(np.einsum("mv,mv->m", along, along)) <= IMMOBILE * point.reach[held].repeat(2)
    scale[len(rows) - len(along) :][fixed] = np.inf  # what is there is rounding
    basis = _basis(rows @ np.concatenate([toward, held_back]).T, scale)
    effect = np.concatenate([effect, held_back])
    equations = basis.T @ (rows @ effect.T / scale[:, None])
    f, a = np.zeros(len(rows)), free
    for _ in range(2):
        more = _least(equations, basis.T @ ((-bias - rows @ a) / scale))
        f, a = f + more, a + more @ effect
    m = int(able.sum())
    K = np.array([record.friction for record in linkage._contacts.records])
    f_n, friction = np.zeros(n), np.zeros((n, 3))
    f_n[able] = f[:m]
    friction = -(K * f_n)[:, None] * point.sliding
    friction[held] = np.einsum("kj,kjc->kc", f[m:].reshape(-1, 2), t.reshape(-1, 2, 3))
    push = point.j_c.T @ f_n + np.einsum("ncv,nc->v", point.J, friction)  # (10)
    null = np.zeros((0, m)) if normals.shape[1] == m else np.linalg.svd(normals.T)[2][normals.shape[1] :]
    return Reaction(a, point, f_n, friction, push, sticks, _redundant(able, null), normals.shape[1], False)


def _refuse_singular(linkage: Linkage, point: Touch, able: np.ndarray) -> None:
    """Raise where a point cannot move along its normal, unless it is allowed to bear no force."""
    for k in np.flatnonzero(~able):
        if linkage._contacts.records[k].singular == "raise":
            raise SingularError(
                f"contact {linkage.contacts.names[k]!r} is singular at this pose: no joint moves its point along the "
                f"normal {point.normal[k].round(6).tolist()}, so no normal force can be found; move off this pose, or "
                'constrain with singular="least-norm"'
            )


def _independent(linkage: Linkage, q: np.ndarray, j_c: np.ndarray, m_c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A basis (n, rank) of the rows of j_c, each divided by its scale, and the scales (n,)."""
    scale = reach(linkage, q, j_c) if linkage.tree.closed and len(j_c) else np.sqrt(np.diag(m_c))
    return _basis(m_c, scale), scale


def _basis(m_c: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """(n, rank) of rows with J M⁻¹ Jᵀ = m_c, each divided by its scale."""
    scaled = m_c / np.outer(scale, scale)
    if len(scaled) < 2:
        return np.ones((len(scaled), int((scaled > DEPENDENT).sum())))
    values, vectors = np.linalg.eigh(scaled)
    return vectors[:, values > DEPENDENT * max(1.0, values[-1])]


def _least(equations: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The least solution of independent equations."""
    if equations.shape[0] == equations.shape[1]:
        return right / equations[0] if len(right) == 1 else np.linalg.solve(equations, right)
    return np.linalg.lstsq(equations, right, rcond=None)[0]


def _refuse_jammed(linkage, contacts, K, m_c, A, basis, scale) -> None:
    """Raise where friction is so large that the surface cannot hold the point by any normal force: A ≤ 0.

    Of several contacts A is singular where all K are divided by an eigenvalue of m_c⁻¹ (m_c − A); beyond 1 that lies
    between no friction and what is asked for.
    """
    if len(A) == 1:
        worst = 1.0 - A[0, 0] / m_c[0, 0] if basis.size else 0.0
    else:
        inner = basis.T @ (m_c / np.outer(scale, scale)) @ basis
        rubbed = basis.T @ ((m_c - A) / np.outer(scale, scale)) @ basis
        values = np.linalg.eigvals(np.linalg.solve(inner, rubbed))
        worst = values.real[np.abs(values.imag) <= 1e-9 * np.abs(values)].max(initial=0.0)
    if worst < 1.0 - 1e-9:
        return
    names = [linkage.contacts.names[k] for k in contacts]
    if len(names) == 1:
        what = f"contact {names[0]!r} jams: A = m_c − dᵀ j_t K = {A[0, 0]:.4g} ≤ 0 with friction K = {K[0]:g}"
        limit = f"it must be below {K[0] / worst:.6g} in this state"
    else:
        what = f"contacts {', '.join(map(repr, names))} jam with friction K = {[float(k) for k in K]}"
        limit = f"they must be below {1.0 / worst:.6g} of that in this state"
    raise SingularError(f"{what}: no normal force can keep to the surface against its own friction; {limit}")


class Gaps(Residuals):
    """How far a state is off its loops and surfaces: rows of loops, then contacts."""

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray | None = None, t: float = 0.0):
        self.touch = touch(linkage, q, linkage.tree.zeros if v is None else v, t)
        self.row_error, self.rate = self.touch.gap, self.touch.rate
        self.error = np.zeros((len(self.touch.gap), 6))
        self.error[:, 0] = self.touch.gap
        self.units = np.ones_like(self.error)  # m
        if linkage.tree.closed:
            loops = residuals(linkage, q, v)
            self.row_error = np.concatenate([loops.row_error, self.row_error])
            self.rate = np.concatenate([loops.rate, self.rate])
            self.units = np.concatenate([np.broadcast_to(loops.units, loops.error.shape), self.units])
            self.error = np.concatenate([loops.error, self.error])


def mend(linkage: Linkage, q, gaps: Gaps, h: np.ndarray, solver: Solver) -> tuple[np.ndarray, np.ndarray]:
    """The step x, least in ½ xᵀ M x, that changes the rows of `gaps` by h, and the contacts' forces f_n for it."""
    tree = linkage.tree
    rows = len(h) - len(gaps.touch.gap)
    x = constrained_step(linkage, q, h[:rows]).x if tree.closed else np.zeros(tree.nv)
    at_rest = Problem(linkage, tree, q, tree.zeros, torques(linkage, None), NOTHING, NOTHING)
    _, respond = without_contacts(at_rest, solver)
    j_c, able = gaps.touch.j_c, movable(gaps.touch)
    f_n = np.zeros(len(j_c))
    if able.any():
        toward = respond(j_c[able])
        m_c = j_c[able] @ toward.T
        basis, scale = _independent(linkage, q, j_c[able], m_c)
        wanted = basis.T @ ((h[rows:][able] - j_c[able] @ x) / scale)
        f_n[able] = _least(basis.T @ (m_c / scale[:, None]), wanted)
        x = x + f_n[able] @ toward
    return x, f_n


def hold_still(linkage: Linkage, q, v, t: float, modes: np.ndarray, solver: Solver) -> np.ndarray:
    """The velocity nearest to v, measured by the mass matrix, with which points that stick do not move."""
    point, rows = _sticking(linkage, q, v, t, modes)
    along = np.einsum("mc,mc->m", rows.tangent, point.slip[rows.k])
    return v + _least_step(linkage, q, rows, np.concatenate([point.rate, along]), solver)


def put_back(linkage: Linkage, q, t: float, modes: np.ndarray, solver: Solver) -> np.ndarray:
    """The coordinates nearest to q with which points are on their surfaces, and where they stick."""
    for _ in range(8):
        point, rows = _sticking(linkage, q, linkage.tree.zeros, t, modes)
        anchored = modes[rows.k, D_ANCHORED] != 0.0
        away = point.r[rows.k] - modes[rows.k, D_ANCHOR : D_ANCHOR + 3]
        along = np.where(anchored, np.einsum("mc,mc->m", rows.tangent, away), 0.0)
        wrong = np.concatenate([point.gap, along])
        if np.abs(wrong).max(initial=0.0) <= 1e-13:
            break
        q = linkage.integrate(q, _least_step(linkage, q, rows, wrong, solver))
    return q


class _Rows(NamedTuple):
    """Rows (m, nv) of the points' normals, then of two tangents of each that sticks; which, and the tangents."""

    J: np.ndarray
    k: np.ndarray
    tangent: np.ndarray


def _sticking(linkage: Linkage, q, v, t: float, modes: np.ndarray) -> tuple[Touch, _Rows]:
    point = touch(linkage, q, v, t, modes)
    held = np.flatnonzero(point.doing == STICKS).repeat(2)
    t_ = tangents(point)[held[::2]].reshape(-1, 3)
    J = np.concatenate([point.j_c, np.einsum("mc,mcv->mv", t_, point.J[held])])
    return point, _Rows(J, held, t_)


def _least_step(linkage: Linkage, q, rows: _Rows, wrong: np.ndarray, solver: Solver) -> np.ndarray:
    tree = linkage.tree
    at_rest = Problem(linkage, tree, q, tree.zeros, torques(linkage, None), NOTHING, NOTHING)
    _, respond = without_contacts(at_rest, solver)
    toward = respond(rows.J)
    return shared_forces(rows.J @ toward.T, -wrong, reach(linkage, q, rows.J)) @ toward


def contact_jump(linkage: Linkage, q: np.ndarray, v: np.ndarray, name: str, t: float, solver: Solver) -> Jump:
    """`velocity_jump` of a linkage with contacts: an inelastic, frictionless impact on all constraints."""
    gaps = Gaps(linkage, q, v, t)
    x, f_n = mend(linkage, q, gaps, -gaps.rate, solver)
    impulses, loops = f_n[:, None] * gaps.touch.normal, NO_WRENCHES
    if linkage.tree.closed:
        matrices = constraint_matrices(linkage, q)
        impulse = mass_matrix(linkage, q) @ x - gaps.touch.j_c.T @ f_n
        loops = matrices.wrenches(matrices.rows().forces(impulse))
    acting = on_bodies(linkage, q, gaps.touch.r, impulses)
    if linkage.tree.closed:
        acting += on_bodies_by_loops(linkage, q, loops)
    on_contact = name in linkage.contacts
    return Jump(
        linkage,
        v=v + x,
        impulse=impulses[linkage.contacts.names.index(name)] if on_contact else loops[linkage.loops.names.index(name)],
        impulses=loops,
        contact_impulses=impulses,
        joint_impulses=joint_impulses(linkage, q, x, acting),
        energy_lost=float(kinetic_energy(linkage, q, v) - kinetic_energy(linkage, q, v + x)),
    )
