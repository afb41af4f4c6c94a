"""Whole trajectories of a tree, a pack of states at a time.

The steps themselves are written for any scalar, so that they serve one state as well. Torques are found once a step
and held.

Symbols: h the time step; u the way from the start of a step, q(t) = q ⊕ u(t), so that u̇ = dexp⁻¹(u) v; a = dv/dt.

References: [HairerLubichWanner2006] section VI.3 (symplectic Euler); IV.8 (Munthe-Kaas methods), III.4.1 (dexp⁻¹).
"""

from linkwork.kernels.joints import local_rate_stage
from linkwork.kernels.layout import I_KIND, I_V, N_STAGES, N_V, NOT_FINITE, OK
from linkwork.kernels.numba_ext import (
    WIDTH,
    any_of,
    gather,
    helper,
    load,
    read_lane,
    scalar,
    scatter,
    store,
    write_lane,
)
from linkwork.kernels.records import index_row, status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.integrate import difference, integrate
from linkwork.kernels.tree.loaded import loaded_aba

SEMI_IMPLICIT, RK4 = 0, 1
# Places in the tuple of scratch arrays: the first has nq scalars, the others nv
SCRATCH = 8
_Q, _V, _A, _TOTAL, _U, _K, _DU, _DV = range(SCRATCH)


@helper
def acceleration(model, index, work, table, q, v, tau, f_ext, a, total):
    """`aba`, with forces where there are any."""
    if f_ext.shape[0] > 0 or table[0] + table[1] + table[2] > 0.0:
        return loaded_aba(model, index, work, table, q, v, tau, f_ext, a, total)
    return aba(model, index, work, 0, q, v, tau, a)


@helper
def way_rate(model, index, u, v, out):
    """out = dexp⁻¹(u) v, velocities in the child's frame."""
    for i in range(index[N_STAGES]):
        row = index_row(i)
        local_rate_stage(model, i, index[row + I_KIND], u, v, index[row + I_V], out)


@helper
def semi_implicit_step(model, index, work, table, h, q, v, tau, f_ext, scratch):
    """v += h a(q, v), then q ⊕= h v."""
    a, u = scratch[_A], scratch[_U]
    outcome = acceleration(model, index, work, table, q, v, tau, f_ext, a, scratch[_TOTAL])
    if outcome != OK:
        return outcome
    for d in range(index[N_V]):
        x = load(v, d) + h * load(a, d)
        store(v, d, x)
        store(u, d, h * x)
    return integrate(model, index, work, 0, q, u, q)


@helper
def rk4_step(model, index, work, table, h, q, v, tau, f_ext, scratch):
    """The classical Runge–Kutta method for (u, v)."""
    q_at, v_at, a, u, k, du, dv = (
        scratch[_Q], scratch[_V], scratch[_A], scratch[_U], scratch[_K], scratch[_DU], scratch[_DV],
    )  # fmt: skip
    zero = scalar(v, 0.0)
    for d in range(index[N_V]):
        store(u, d, zero)
        store(du, d, zero)
        store(dv, d, zero)
        store(v_at, d, load(v, d))
    for stage in range(4):
        outcome = integrate(model, index, work, 0, q, u, q_at)
        if outcome == OK:
            outcome = acceleration(model, index, work, table, q_at, v_at, tau, f_ext, a, scratch[_TOTAL])
        if outcome != OK:
            return outcome
        way_rate(model, index, u, v_at, k)
        share = h / 6.0 if stage == 0 or stage == 3 else h / 3.0
        reach = h if stage == 2 else 0.5 * h
        for d in range(index[N_V]):
            store(du, d, load(du, d) + share * load(k, d))
            store(dv, d, load(dv, d) + share * load(a, d))
            store(u, d, reach * load(k, d))
            store(v_at, d, load(v, d) + reach * load(a, d))
    for d in range(index[N_V]):
        store(v, d, load(v, d) + load(dv, d))
    return integrate(model, index, work, 0, q, du, q)


@helper
def add_pd(model, index, work, gains, q, v, target_q, target_v, error, tau):
    """τ += kp (target_q ⊖ q) + kd (target_v − v); `gains` holds kp, then kd."""
    outcome = difference(model, index, work, 0, q, target_q, error)
    nv = index[N_V]
    for d in range(nv):
        push = load(gains, d) * load(error, d) + load(gains, nv + d) * (load(target_v, d) - load(v, d))
        store(tau, d, load(tau, d) + push)
    return outcome


@helper
def call_law(law, t, q, v, tau, rows):
    """Let a user's law change the torques of each state of a pack by itself."""
    for w in range(WIDTH):
        read_lane(q, w, rows[0])
        read_lane(v, w, rows[1])
        read_lane(tau, w, rows[2])
        law(t, rows[0], rows[1], rows[2])
        write_lane(rows[2], tau, w)


@helper
def column(rows, step, size):
    """Where step `step` of a sequence starts; what is constant has one step."""
    return step * size if rows.shape[1] > size else 0


@helper
def finite(q, v):
    total = scalar(q, 0.0)
    for k in range(q.shape[0]):
        total += load(q, k)
    for d in range(v.shape[0]):
        total += load(v, d)
    return not any_of(total - total != 0.0)


def rollout(model, index, work, table, method, h, every, steps, gains, law, arrays, lanes, scratch, rows, begin, end):
    """Trajectories of states begin … end − 1; (status, state, step) where one fails.

    `arrays` are (B, m) rows, or one for all: q0, v0, tau, target_q, target_v, f_ext, and the outputs q and v, of every
    `every`-th step. `lanes` go with the first six of them, `rows` (nq, nv, nv) with a user's law.
    """
    q, v, tau, target_q, target_v, f_ext = lanes
    nq, nv = q.shape[0], v.shape[0]
    for first in range(begin, end, WIDTH):
        count = min(WIDTH, end - first)
        gather(arrays[0], 0, first, count, q)
        gather(arrays[1], 0, first, count, v)
        gather(arrays[5], 0, first, count, f_ext)
        scatter(q, first, count, arrays[6], 0)
        scatter(v, first, count, arrays[7], 0)
        for step in range(steps):
            gather(arrays[2], column(arrays[2], step, nv), first, count, tau)
            outcome = OK
            if gains.shape[0] > 0:
                gather(arrays[3], column(arrays[3], step, nq), first, count, target_q)
                gather(arrays[4], column(arrays[4], step, nv), first, count, target_v)
                outcome = add_pd(model, index, work, gains, q, v, target_q, target_v, scratch[_U], tau)
            if law is not None:
                call_law(law, step * h, q, v, tau, rows)
            if outcome == OK and method == RK4:
                outcome = rk4_step(model, index, work, table, h, q, v, tau, f_ext, scratch)
            elif outcome == OK:
                outcome = semi_implicit_step(model, index, work, table, h, q, v, tau, f_ext, scratch)
            if outcome == OK and not finite(q, v):
                outcome = status(NOT_FINITE, 0)
            if outcome != OK:
                return outcome, first, step
            if (step + 1) % every == 0:
                record = (step + 1) // every
                scatter(q, first, count, arrays[6], record * nq)
                scatter(v, first, count, arrays[7], record * nv)
    return OK, end, steps
