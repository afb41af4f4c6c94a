"""Adjoints of steps on the configuration manifold, joint by joint: of q ⊕ u, and of the rate of local coordinates.

Of q₁ = q ⊕ u: λ_q = Ad(exp(−u))ᵀ λ and λ_u = J_r(u)ᵀ λ, with J_r(u) = Σ (−ad)ᵏ/(k + 1)!. A rigid motion's brackets
repeat after the fourth, so that the series ends: with T the square of the angle,

    J_r = 1 + o₁ ad + e₂ ad² + o₃ ad³ + e₄ ad⁴,   o₃ = b', o₁ = b' T − b, e₄ = (e + a')/T, e₂ = 2 e₄ T − a'

where a = sin t/t, b = (1 − cos t)/T, e = (1 − a)/T, and ' is the derivative by T. The rate k = dexp⁻¹(u) v is that of
`local_rate_stage`, whose chain of brackets is gone through backwards.

References: [Sola2018] for the right Jacobian.
"""

from linkwork.kernels.algebra.rotations import exp_quaternion, inverse_exponential_rate, screw
from linkwork.kernels.algebra.spatial import (
    Wrench,
    Xform,
    cross_motion,
    cross_wrench,
    power,
    wrench_add,
    wrench_to_parent,
)
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import add, dot, quaternion_matrix, scale
from linkwork.kernels.joints import at_rest, axes_of, joint_force, joint_velocity
from linkwork.kernels.layout import FIXED, N_STAGES
from linkwork.kernels.numba_ext import helper, load, sqrt, store, where
from linkwork.kernels.records import stage_at


@helper
def right_jacobian_numbers(t2):
    """(o₁, e₂, o₃, e₄) of J_r for a motion that turns by an angle whose square is t2."""
    small = t2 < 0.09
    T = where(small, 1.0, t2)
    t = sqrt(T)
    s, c = sincos(t)
    a, b = s / t, (1.0 - c) / T
    slope_a, slope_b = 0.5 * (c - a) / T, (0.5 * a - b) / T
    e4 = ((1.0 - a) / T + slope_a) / T
    x = t2
    a_series = -1.0 / 6.0 + x * (1.0 / 60.0 - x * (1.0 / 1680.0 - x * (1.0 / 90720.0 - x / 7983360.0)))
    b_series = 1.0 / 40320.0 - x * (1.0 / 3628800.0 - x / 479001600.0)
    b_series = 0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0 - x * b_series))
    rate = -1.0 / 24.0 + x * (1.0 / 360.0 - x * (1.0 / 13440.0 - x * (1.0 / 907200.0 - x / 95800320.0)))
    e4_series = 1.0 / 120.0 - x * (1.0 / 2520.0 - x * (1.0 / 120960.0 - x * (1.0 / 9979200.0 - x / 1245404160.0)))
    slope_a, slope_b = where(small, a_series, slope_a), where(small, rate, slope_b)
    b, e4 = where(small, b_series, b), where(small, e4_series, e4)
    return slope_b * t2 - b, 2.0 * e4 * t2 - slope_a, slope_b, e4


@helper
def scaled(s, w):
    """s w, of wrenches."""
    return Wrench(scale(s, w.f), scale(s, w.n))


@helper
def along_joint(model, i, kind, x, d):
    """S x, as a motion and as a wrench."""
    m = joint_velocity(model, i, kind, x, d, at_rest(x))
    return m, Wrench(m.v, m.w)


@helper
def step_adjoint(model, index, u, bar, q_bar, u_bar):
    """Of q₁ = q ⊕ u with the adjoint `bar` of q₁: those of q and of u; `q_bar` may be `bar` itself."""
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if axes_of(kind) == 1:
            x = load(bar, d)
            store(q_bar, d, x)
            store(u_bar, d, x)
        elif kind != FIXED:
            m, _ = along_joint(model, i, kind, u, d)
            _, w = along_joint(model, i, kind, bar, d)
            o1, e2, o3, e4 = right_jacobian_numbers(dot(m.w, m.w))
            w1 = cross_wrench(m, w)  # adᵀ = −(m ×*)
            w2 = cross_wrench(m, w1)
            w3 = cross_wrench(m, w2)
            w4 = cross_wrench(m, w3)
            out = wrench_add(wrench_add(w, scaled(-o1, w1)), wrench_add(scaled(e2, w2), scaled(-o3, w3)))
            joint_force(model, i, kind, d, wrench_add(out, scaled(e4, w4)), u_bar)
            x, s = exp_quaternion(m.w)
            X = Xform(quaternion_matrix(x.x, x.y, x.z, s), screw(m.w, m.v, False))
            joint_force(model, i, kind, d, wrench_to_parent(X, w), q_bar)


@helper
def rate_slopes(t2, c2, c4):
    """How the two numbers of `inverse_exponential_rate` change with t2."""
    small = t2 < 0.01
    T = where(small, 1.0, t2)
    # g = ½ t cot ½ t = 1 − c₂ T + c₄ T², and 2 T g' = g − g² − T/4
    g = 1.0 - c2 * T + c4 * T * T
    slope = 0.5 * (g - g * g - 0.25 * T) / T
    bend = 0.5 * (slope * (1.0 - 2.0 * g) - 0.25) / T - slope / T
    x = t2
    return (
        where(small, -x * (1.0 / 15120.0 + x / 201600.0), (bend * T - slope - c2) / T),
        where(small, -1.0 / 15120.0 - x * (1.0 / 201600.0 + x / 3991680.0), (bend - 2.0 * c4) / T),
    )


@helper
def rate_adjoint(model, index, u, v, bar, u_bar, v_bar):
    """Of k = dexp⁻¹(u) v with the adjoint `bar` of k: those of u and of v; `v_bar` may be `bar` itself."""
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if axes_of(kind) == 1:
            store(v_bar, d, load(bar, d))
            store(u_bar, d, 0.0 * load(u, d))
        elif kind != FIXED:
            x, _ = along_joint(model, i, kind, u, d)
            y, _ = along_joint(model, i, kind, v, d)
            _, w = along_joint(model, i, kind, bar, d)
            t2 = dot(x.w, x.w)
            c2, c4 = inverse_exponential_rate(t2)
            y1 = cross_motion(x, y)
            y2 = cross_motion(x, y1)
            y3 = cross_motion(x, y2)
            y4 = cross_motion(x, y3)
            slope2, slope4 = rate_slopes(t2, c2, c4)
            turn = 2.0 * (slope2 * power(y2, w) + slope4 * power(y4, w))
            # back through the brackets: of z = x × y the adjoints are y ×* z̄ of x, and −x ×* z̄ of y
            bar4 = scaled(c4, w)
            bar3 = scaled(-1.0, cross_wrench(x, bar4))
            bar2 = wrench_add(scaled(c2, w), scaled(-1.0, cross_wrench(x, bar3)))
            bar1 = wrench_add(scaled(0.5, w), scaled(-1.0, cross_wrench(x, bar2)))
            of_y = wrench_add(w, scaled(-1.0, cross_wrench(x, bar1)))
            of_x = wrench_add(cross_wrench(y3, bar4), cross_wrench(y2, bar3))
            of_x = wrench_add(of_x, wrench_add(cross_wrench(y1, bar2), cross_wrench(y, bar1)))
            of_x = Wrench(of_x.f, add(of_x.n, scale(turn, x.w)))
            joint_force(model, i, kind, d, of_x, u_bar)
            joint_force(model, i, kind, d, of_y, v_bar)
