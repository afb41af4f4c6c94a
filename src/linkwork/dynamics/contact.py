"""Points kept on surfaces, with friction: the forces that keep them there, and how the motion follows.

Symbols as in `contact_state`; f_n the normal force; K the coefficient of friction. In the equations of [Li],

    M q̈ + b − (j_c − j_t K) f_n = τ,   j_cᵀ q̈ = −c                                              (10), (12)
    A f_n = j_cᵀ M⁻¹ (b − τ) − c,       A = m_c − dᵀ j_t K = j_cᵀ M⁻¹ (j_c − j_t K)               (20), (21)

For several contacts j_c and j_t are matrices, K a diagonal one, and A is not symmetric. M⁻¹ is anything that answers
what generalized forces do to the accelerations, so that trees and closed linkages are treated alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.closed_methods import closed_method, torques
from linkwork.dynamics.constraints import RANK, constrained_step, constraint_matrices, loops_of, residuals
from linkwork.dynamics.contact_state import Touch, movable, on_bodies, touch
from linkwork.dynamics.energy import kinetic_energy
from linkwork.dynamics.forward import _FORWARD as FORWARD
from linkwork.dynamics.forward import _refuse_large as refuse_large
from linkwork.dynamics.forward import inverse_dynamics, mass_matrix
from linkwork.dynamics.launch import leading_shape, numbers, output, tree_of, wrenches
from linkwork.errors import ArgumentError, LinkworkError, SingularError, unknown_name
from linkwork.kernels.launch import call
from linkwork.linkage.linkage import Linkage
from linkwork.results import Jump

DEPENDENT = 1e-10  # eigenvalues of A, scaled, below which contacts are redundant
DEEP = 64  # mean depth beyond which LTDL is dearer than articulated bodies
PAPER = "extended-newton-euler"

Respond = Callable[[np.ndarray], np.ndarray]


# Forces


class Reaction(NamedTuple):
    """What the contacts do at one state."""

    a: np.ndarray  # (nv,) accelerations with it
    touch: Touch
    f_n: np.ndarray  # (n,)
    friction: np.ndarray  # (n, 3) force on each point, world axes
    push: np.ndarray  # (nv,) generalized force of all contacts
    redundant: np.ndarray  # (n,) whether a contact's force is one of several that do the same
    rank: int
    indeterminate: bool  # whether even the accelerations depend on the choice

    @property
    def forces(self) -> np.ndarray:
        """(n, 3) force on each point, world axes."""
        return self.f_n[:, None] * self.touch.normal + self.friction


def react(linkage: Linkage, q, v, tau, wrench, t: float, method: str) -> Reaction:
    """Normal and friction forces, and accelerations, of one state whose arrays have been checked."""
    point = touch(linkage, q, v, t)
    if method == PAPER:
        return _by_newton_euler(linkage, point, q, v, tau, wrench)
    a, respond = _without_contacts(linkage, q, v, tau, wrench, method)
    return _react(linkage, point, q, a, respond)


def chosen(linkage: Linkage, method: str) -> str:
    """The method that "auto" stands for: on trees M⁻¹ by sparse factors, unless they are deep."""
    tree = linkage.tree
    if method != "auto":
        return method
    return "aba" if tree.closed or tree.nonzeros > DEEP * tree.nv else "crba"


def _without_contacts(linkage: Linkage, q, v, tau, wrench, method: str) -> tuple[np.ndarray, Respond]:
    """Accelerations of the linkage without its contacts, and what further generalized forces (rows) add to them."""
    tree = linkage.tree
    if not tree.closed and method not in FORWARD:
        raise unknown_name("method", method, [*FORWARD, PAPER])
    loaded, method = bool(wrench.size) or tree.loaded, chosen(linkage, method)
    if not tree.closed and method == "crba":
        a = np.empty(tree.nv)
        return a, _by_factors(tree, FORWARD["crba"](linkage, tree, q, v, tau, wrench, a, loaded))

    def accelerate(torque: np.ndarray) -> np.ndarray:
        a = np.empty(tree.nv)
        if tree.closed:
            closed_method(method)(linkage, tree, loops_of(linkage), q, v, torque, wrench, a, False)
        else:
            FORWARD[method](linkage, tree, q, v, torque, wrench, a, loaded)
        return a

    rest = accelerate(tau)

    def respond(forces: np.ndarray) -> np.ndarray:
        out = np.empty_like(forces)
        for k, force in enumerate(forces):
            torque = tau.copy()
            torque[: tree.nv] += force
            out[k] = accelerate(torque) - rest
        return out

    return rest, respond


def _by_factors(tree, H: np.ndarray) -> Respond:
    """M⁻¹ by the factors of a packed mass matrix."""

    def respond(forces: np.ndarray) -> np.ndarray:
        out = forces.copy()
        for row in out:
            call(("tree.ltdl", "solve"), tree.index, H, row)
        return out

    return respond


def _react(linkage: Linkage, point: Touch, q: np.ndarray, free: np.ndarray, respond: Respond) -> Reaction:
    """Solve (21) for the forces of all contacts."""
    n = len(point.gap)
    able = movable(point)
    _refuse_singular(linkage, point, able)
    j_c, K = point.j_c[able], np.array([record.friction for record in linkage._contacts.records])
    rubbing = (K > 0.0) & point.sliding.any(axis=1)
    toward = respond(j_c)  # M⁻¹ j_c
    m_c = j_c @ toward.T  # (14)
    effect = toward.copy()  # M⁻¹ (j_c − j_t K)
    slides = rubbing[able]
    if slides.any():
        effect[slides] -= respond(K[able & rubbing, None] * point.j_t[able & rubbing])
    A = j_c @ effect.T  # (20)
    basis, scale = _independent(linkage, q, j_c, m_c)
    if slides.any():
        _refuse_jammed(linkage, np.flatnonzero(able), K[able], m_c, A, basis, scale)
    # With redundant contacts: as many equations as are independent, and the least forces that meet them.
    equations, null = basis.T @ (A / scale[:, None]), np.zeros((0, len(j_c)))
    if basis.shape[1] < len(j_c):
        null = np.linalg.svd(equations)[2][len(equations) :]
    f, a = np.zeros(len(j_c)), free
    for _ in range(2):  # the second time takes away the rounding of the first
        more = _least(equations, basis.T @ ((-point.c[able] - j_c @ a) / scale))
        f = f + more
        a = a + more @ effect
    moved = np.abs(null @ effect).max(initial=0.0)
    redundant = ~able
    redundant[able] = np.abs(null).max(axis=0, initial=0.0) > 1e-6
    f_n = np.zeros(n)
    f_n[able] = f
    friction = -(K * f_n)[:, None] * point.sliding
    push = point.j_c.T @ f_n - point.j_t.T @ (K * f_n)
    indeterminate = bool(moved > 1e-8 * np.abs(effect).max(initial=1e-300))
    return Reaction(a, point, f_n, friction, push, redundant, basis.shape[1], indeterminate)


def _refuse_singular(linkage: Linkage, point: Touch, able: np.ndarray) -> None:
    """Raise where a point cannot move along its normal, unless it may do without force."""
    for k in np.flatnonzero(~able):
        if linkage._contacts.records[k].singular == "raise":
            raise SingularError(
                f"contact {linkage.contacts.names[k]!r} is singular at this pose: no joint moves its point along the "
                f"normal {point.normal[k].round(6).tolist()}, so no normal force can be found; move off this pose, or "
                'constrain with singular="least-norm"'
            )


def _independent(linkage: Linkage, q: np.ndarray, j_c: np.ndarray, m_c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A basis (n, rank) of the rows of j_c, each divided by its scale, and the scales (n,)."""
    square = np.diag(m_c)
    if linkage.tree.closed and len(j_c):
        # Loops may leave a point no way to go; |j|⁴/(jᵀ M j) ≤ jᵀ M⁻¹ j says how far the tree alone would let it.
        energy = np.array([kinetic_energy(linkage, q, row) for row in j_c])  # ½ jᵀ M j
        square = np.einsum("nv,nv->n", j_c, j_c) ** 2 / (2.0 * energy)
    scale = np.sqrt(square)
    scaled = m_c / np.outer(scale, scale)
    if len(scaled) < 2:
        return np.ones((len(scaled), int((scaled > DEPENDENT).sum()))), scale
    values, vectors = np.linalg.eigh(scaled)
    return vectors[:, values > DEPENDENT * max(1.0, values[-1])], scale


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


def _by_newton_euler(linkage: Linkage, point: Touch, q, v, tau, wrench) -> Reaction:
    """The paper's procedure: everything by calls of INV, inverse dynamics with forces at the contacts; (31)–(36)."""
    tree = linkage.tree
    if tree.closed:
        raise ArgumentError(f'method="{PAPER}" is for trees; linkage {linkage.name!r} has loops: use method="auto"')
    refuse_large(linkage, tree.nv**2, 'method="auto"')
    f_ext = wrench.reshape(linkage.nb, 6) if wrench.size else np.zeros((linkage.nb, 6))
    n, still = len(point.gap), tree.zeros

    def INV(v, a, force=None, f_ext=f_ext):
        acting = f_ext if force is None else f_ext + on_bodies(linkage, q, point.r, force)
        return inverse_dynamics(linkage, q, v, a, acting)

    b = INV(v, still)
    none = np.zeros_like(f_ext)
    rest = INV(still, still, f_ext=none)  # gravity and springs, which the paper sets to zero in what follows
    M = inverse_dynamics(linkage, q, still, np.eye(tree.nv)) - rest  # a row, or column, a unit acceleration
    one = np.eye(n)[:, :, None]
    # f_n = −1 at one contact, without and with friction of K = 1; t is given, for at rest it could not be found
    j_c = np.array([INV(still, still, -e * point.normal, none) - rest for e in one]).reshape(n, tree.nv)  # (33)
    both = [INV(still, still, -e * (point.normal - point.sliding), none) - rest for e in one]  # (34)
    j_t = j_c - np.array(both).reshape(n, tree.nv)  # (35)
    try:
        factor = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise SingularError(f"linkage {linkage.name!r} can move in a way that moves no inertia") from None

    def respond(forces: np.ndarray) -> np.ndarray:
        return np.linalg.solve(factor.T, np.linalg.solve(factor, forces.T)).T

    found = _react(linkage, point._replace(j_c=j_c, j_t=j_t), q, respond((tau - b)[None])[0], respond)
    b_n = INV(v, still, found.forces)
    a = respond((tau - b_n)[None])[0]  # (36)
    return found._replace(a=a)


# The faces of the public functions


def forward(linkage: Linkage, q, v, tau, f_ext, method: str, out: np.ndarray | None, t) -> np.ndarray:
    """`forward_dynamics` of a linkage with contacts, over leading dimensions."""
    tree = tree_of(linkage)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    if tree.closed:
        tau = torques(linkage, tau)
    else:
        tau = tree.zeros if tau is None else numbers(linkage, "tau", tau, tree.nv, "nv")
    wrench, t = wrenches(linkage, f_ext), times(linkage, t)
    leading = leading_shape(q, v, tau, wrench, t)
    a = output("forward_dynamics", out, (*leading, tree.nv))
    for state, rows in _states(leading, q, v, tau, wrench, t):
        try:
            q_, v_, tau_, wrench_, (t_,) = rows
            a[state] = react(linkage, q_, v_, tau_, wrench_, float(t_), method).a
        except LinkworkError as error:
            where = state[0] if len(state) == 1 else state
            raise type(error)(f"state {where} of the batch: {error}" if state else str(error)) from None
    return a


def times(linkage: Linkage, t) -> np.ndarray:
    """Times as (..., 1)."""
    return numbers(linkage, "t", np.asarray(t)[..., None], 1, "1 entry a time")


def _states(leading: tuple[int, ...], *arrays: np.ndarray):
    """Every index of a batch and its rows of the arrays."""
    if leading == ():
        yield (), arrays
        return
    full = [np.broadcast_to(x, (*leading, x.shape[-1])) for x in arrays]
    for state in np.ndindex(leading):
        yield state, [np.ascontiguousarray(x[state]) for x in full]


def contact_wrenches(linkage: Linkage, q, v, f_n, t, f_ext) -> np.ndarray:
    """(..., nb, 6) wrenches `f_ext` and those of the contacts with normal forces f_n (..., n); friction follows v."""
    tree, n = tree_of(linkage), len(linkage.contacts)
    q = numbers(linkage, "q", q, tree.nq, "nq")
    v = numbers(linkage, "v", v, tree.nv, "nv")
    f_n, t, wrench = numbers(linkage, "contact_forces", f_n, n, "contacts"), times(linkage, t), wrenches(linkage, f_ext)
    K = np.array([record.friction for record in linkage._contacts.records])
    out = np.zeros((*leading_shape(q, v, f_n, t, wrench), linkage.nb, 6))
    if f_ext is not None:
        out += wrench.reshape(*wrench.shape[:-1], linkage.nb, 6)
    for state, (q_, v_, f_, (t_,)) in _states(out.shape[:-2], q, v, f_n, t) if n else ():
        point = touch(linkage, q_, v_, float(t_))
        out[state] += on_bodies(linkage, q_, point.r, f_[:, None] * (point.normal - K[:, None] * point.sliding))
    return out


# Keeping to the surfaces


class Gaps:
    """How far a state is off its loops and surfaces: rows of loops, then contacts; as `constraints.Residuals`."""

    def __init__(self, linkage: Linkage, q: np.ndarray, v: np.ndarray | None = None, t: float = 0.0):
        self.touch = touch(linkage, q, linkage.tree.zeros if v is None else v, t)
        self.row_error, self.rate = self.touch.gap, self.touch.rate
        self.error = np.zeros((len(self.touch.gap), 6))
        self.error[:, 0] = self.touch.gap
        if linkage.tree.closed:
            loops = residuals(linkage, q, v)
            self.row_error = np.concatenate([loops.row_error, self.row_error])
            self.rate = np.concatenate([loops.rate, self.rate])
            self.error = np.concatenate([loops.error, self.error])

    @property
    def gap(self) -> float:
        """Largest entry of the error, m or rad."""
        return float(np.abs(self.error).max(initial=0.0))


class Mend(NamedTuple):
    """A step x that is least in ½ xᵀ M x, and the forces of the contacts with M x = Jᵀ(…)."""

    x: np.ndarray
    f_n: np.ndarray


def mend(linkage: Linkage, q: np.ndarray, gaps: Gaps, h: np.ndarray) -> Mend:
    """The least step that changes the rows of `gaps` by h, loops and contacts together."""
    tree = linkage.tree
    rows = len(h) - len(gaps.touch.gap)
    x = constrained_step(linkage, q, h[:rows]).x if tree.closed else np.zeros(tree.nv)
    torque = torques(linkage, None) if tree.closed else tree.zeros
    _, respond = _without_contacts(linkage, q, tree.zeros, torque, np.empty(0), "auto")
    j_c, able = gaps.touch.j_c, movable(gaps.touch)
    f_n = np.zeros(len(j_c))
    if able.any():
        toward = respond(j_c[able])
        m_c = j_c[able] @ toward.T
        basis, scale = _independent(linkage, q, j_c[able], m_c)
        wanted = basis.T @ ((h[rows:][able] - j_c[able] @ x) / scale)
        f_n[able] = _least(basis.T @ (m_c / scale[:, None]), wanted)
        x = x + f_n[able] @ toward
    return Mend(x, f_n)


def contact_jump(linkage: Linkage, q: np.ndarray, v: np.ndarray, name: str, t: float = 0.0) -> Jump:
    """`velocity_jump` of a linkage with contacts: an inelastic, frictionless impact on all constraints."""
    gaps = Gaps(linkage, q, v, t)
    step = mend(linkage, q, gaps, -gaps.rate)
    impulses = step.f_n[:, None] * gaps.touch.normal
    matrices = constraint_matrices(linkage, q) if linkage.tree.closed else None
    if matrices is not None:
        impulse = mass_matrix(linkage, q) @ step.x - gaps.touch.j_c.T @ step.f_n
        loops = matrices.wrenches(np.linalg.lstsq(matrices.J.T, impulse, rcond=RANK)[0])
    else:
        loops = np.zeros((0, 6))
    on_contact = name in linkage.contacts
    return Jump(
        linkage,
        v=v + step.x,
        impulse=impulses[linkage.contacts.names.index(name)] if on_contact else loops[linkage.loops.names.index(name)],
        impulses=loops,
        contact_impulses=impulses,
        energy_lost=float(kinetic_energy(linkage, q, v) - kinetic_energy(linkage, q, v + step.x)),
    )
