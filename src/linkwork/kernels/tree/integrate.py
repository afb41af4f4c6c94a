"""Steps on the configuration manifold: q ⊕ dv and its inverse.

Spherical: q' = q exp(dv), the rotation vector in the child's frame. Free: the whole rigid motion exp(dv), as a screw.
Planar: the same in the plane. Every other joint: plain addition.

References: [NakamuraYamane2000] eq. 39, in the link's frame; [Sola2018] eqs 134, 136, 158, 163, 172, 179.
"""

from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, quaternion_matrix, scale, sub, tmul
from linkwork.kernels.layout import FREE, I_KIND, I_Q, I_V, N_STAGES, N_V, OK, PLANAR, SPHERICAL, WRONG_SIZE
from linkwork.kernels.numba_ext import atan2, helper, load, sqrt, store, where
from linkwork.kernels.records import check_state, index_row, status
from linkwork.kernels.tree.kinematics import axes_of

_SMALL = 1e-3  # rad; below it series in the square of the angle, whose next term is below 1e-17


@helper
def exp_quaternion(w):
    """Quaternion (vector part, real part) of the rotation vector w."""
    t2 = dot(w, w)
    t = sqrt(t2)
    s, c = sincos(0.5 * t)
    small = t < _SMALL
    factor = where(small, 0.5 - t2 * (1.0 / 48.0 - t2 / 3840.0), s / where(small, 1.0, t))
    return scale(factor, w), c


@helper
def log_quaternion(u, r):
    """Rotation vector, of at most half a turn, of the quaternion (u, r)."""
    s2 = dot(u, u)
    s = sqrt(s2)
    sign = where(r < 0.0, -1.0, 1.0)
    r = sign * r
    small = s < _SMALL
    x2 = s2 / (r * r)
    series = 2.0 / r * (1.0 - x2 * (1.0 / 3.0 - x2 * (1.0 / 5.0 - x2 / 7.0)))
    return scale(sign * where(small, series, 2.0 * atan2(s, r) / where(small, 1.0, s)), u)


@helper
def quaternion_product(u, r, x, s):
    """(u, r) times (x, s)."""
    return add(add(scale(r, x), scale(s, u)), cross(u, x)), r * s - dot(u, x)


@helper
def store_quaternion(q, k, u, r):
    """Write a quaternion xyzw, brought to unit length."""
    n = 1.0 / sqrt(dot(u, u) + r * r)
    store_vec(q, k, scale(n, u))
    store(q, k + 3, n * r)


@helper
def screw(w, v, inverse):
    """V(w) v, the way of a point that moves with v while its frame turns by w; or V(w)⁻¹ v."""
    t2 = dot(w, w)
    t = sqrt(t2)
    s, c = sincos(t)
    small = t < 0.05
    safe = where(small, 1.0, t2)
    safe_t = where(small, 1.0, t)
    # (1 − cos t)/t², (t − sin t)/t³
    b = where(
        small,
        0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 * (1.0 / 40320.0 - t2 / 3628800.0))),
        (1.0 - c) / safe,
    )
    e = where(
        small,
        1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 * (1.0 / 362880.0 - t2 / 39916800.0))),
        (safe_t - s) / (safe * safe_t),
    )
    wv = cross(w, v)
    if not inverse:
        return add(v, add(scale(b, wv), scale(e, cross(w, wv))))
    # 1 − w×/2 + (1/t² − (1 + cos t)/(2 t sin t)) w×w×, the factor being (1 − a/(2b))/t² with a = sin t / t
    a = 1.0 - t2 * e
    factor = where(small, 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 / 30240.0), (1.0 - 0.5 * a / b) / safe)
    return add(sub(v, scale(0.5, wv)), scale(factor, cross(w, wv)))


@helper
def integrate_stage(kind, q, k, dv, d, out):
    """out = q ⊕ dv for one joint, whose coordinates begin at k and velocities at d; `out` may be q itself."""
    if kind == SPHERICAL:
        x, s = exp_quaternion(load_vec(dv, d))
        u, r = quaternion_product(load_vec(q, k), load(q, k + 3), x, s)
        store_quaternion(out, k, u, r)
    elif kind == FREE:
        u, r, w = load_vec(q, k + 3), load(q, k + 6), load_vec(dv, d + 3)
        step = mul(quaternion_matrix(u.x, u.y, u.z, r), screw(w, load_vec(dv, d), False))
        store_vec(out, k, add(load_vec(q, k), step))
        x, s = exp_quaternion(w)
        u, r = quaternion_product(u, r, x, s)
        store_quaternion(out, k + 3, u, r)
    elif kind == PLANAR:
        z = 0.0 * load(q, k)
        step = screw(Vec3(z, z, load(dv, d + 2)), Vec3(load(dv, d), load(dv, d + 1), z), False)
        s, c = sincos(load(q, k + 2))
        store(out, k, load(q, k) + c * step.x - s * step.y)
        store(out, k + 1, load(q, k + 1) + s * step.x + c * step.y)
        store(out, k + 2, load(q, k + 2) + load(dv, d + 2))
    else:
        for j in range(axes_of(kind)):
            store(out, k + j, load(q, k + j) + load(dv, d + j))


@helper
def integrate(model, index, work, option, q, dv, out):
    """out = q ⊕ dv."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if dv.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    for i in range(index[N_STAGES]):
        row = index_row(i)
        integrate_stage(index[row + I_KIND], q, index[row + I_Q], dv, index[row + I_V], out)
    return OK


@helper
def difference(model, index, work, option, q0, q1, out):
    """out = q1 ⊖ q0: the dv with q0 ⊕ dv = q1."""
    outcome = max(check_state(index, q0), check_state(index, q1))
    if outcome != OK:
        return outcome
    for i in range(index[N_STAGES]):
        row = index_row(i)
        kind, k, d = index[row + I_KIND], index[row + I_Q], index[row + I_V]
        if kind == SPHERICAL:
            u, r = quaternion_product(scale(-1.0, load_vec(q0, k)), load(q0, k + 3), load_vec(q1, k), load(q1, k + 3))
            store_vec(out, d, log_quaternion(u, r))
        elif kind == FREE:
            u0, r0 = load_vec(q0, k + 3), load(q0, k + 6)
            u, r = quaternion_product(scale(-1.0, u0), r0, load_vec(q1, k + 3), load(q1, k + 6))
            w = log_quaternion(u, r)
            step = tmul(quaternion_matrix(u0.x, u0.y, u0.z, r0), sub(load_vec(q1, k), load_vec(q0, k)))
            store_vec(out, d, screw(w, step, True))
            store_vec(out, d + 3, w)
        elif kind == PLANAR:
            z = 0.0 * load(q0, k)
            turn = load(q1, k + 2) - load(q0, k + 2)
            s, c = sincos(load(q0, k + 2))
            x, y = load(q1, k) - load(q0, k), load(q1, k + 1) - load(q0, k + 1)
            step = screw(Vec3(z, z, turn), Vec3(c * x + s * y, c * y - s * x, z), True)
            store(out, d, step.x)
            store(out, d + 1, step.y)
            store(out, d + 2, turn)
        else:
            for j in range(axes_of(kind)):
                store(out, d + j, load(q1, k + j) - load(q0, k + j))
    return OK
