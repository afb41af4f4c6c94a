"""How solids move on surfaces: gap, slip, and the rates of both, of a ball in the frame of the surface it meets.

With c the centre of a ball of radius r, (v, a) the motion of its material point, and (v_s, a_s) that of the frame of
the surface, of angular velocity ω_s, there; ω, α those of the ball relative to that frame; C the distance from the
surface, n = ∇C its normal, H = ∇²C:

    z = v − v_s,     γ = C − r,  γ̇ = n·z,            γ̈ = n·y + zᵀH z,            y = a − a_s − 2 ω_s × z
    ρ = −r n,        u = z + ω × ρ,                  u̇ = y + α × ρ − r ω × H z

u is the velocity with which the two slip; where it stays zero the ball rolls. A ball that moves within an edge D = [d]
or a face D = [d e] of its solid, nearest at the shares s of it, has F = DᵀH D, f = n·(ω × D) + zᵀH D, and ṡ = −F⁻¹f:
γ̈ is less by fᵀF⁻¹f, H acts on z + D ṡ, and u̇ is more by ω × D ṡ.

Material of the surface that slides along it with a constant w, as far as it can, goes w − (n·w) n: u is less by that,
and u̇ more by (n·w) ṅ.

A surface that changes in its frame, C(y, t), moves along its normal, −C_t n: γ̇ is more by C_t, and with ṅ = H z + ∇C_t,
which takes the place of H z in u̇, γ̈ is more by 2 z·∇C_t + C_tt, and u̇ by C_t ṅ.

Everything is in world axes, seen from the frame of the surface.
"""

import math
from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import Xform, compose
from linkwork.kernels.algebra.storage import load_motion, load_pose, load_vec, store_pose, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, identity, mul, scale, sub, sym_mul, tmul
from linkwork.kernels.contact.distances import bent, distance, flat
from linkwork.kernels.contact.field import field_at, is_field
from linkwork.kernels.contact.nearest import nearest_spot
from linkwork.kernels.contact.points import CLEAR, tangents
from linkwork.kernels.layout import GRAVITY, N_STAGES
from linkwork.kernels.layout.contacts import D_MODE, D_SLIDING, FROM_STATE, SLIDES
from linkwork.kernels.layout.shapes import (
    AWAY,
    B_RADIUS,
    B_STAGE,
    E_ACCELERATION,
    E_FRAME,
    E_GAP,
    E_HASTE,
    E_INSIDE,
    E_POINT,
    E_SURFACE,
    E_VELOCITY,
    M_BALL,
    M_SKIPPED,
    M_SURFACE,
    NOWHERE,
    S_ACCELERATION,
    S_POSE,
    S_SLIDING,
    S_STAGE,
    S_TWIST,
    TIME,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import acceleration_at, load_xform, parent_of, velocity_at

_BEYOND = 0.25  # of an edge or face, past its border
_FLAT = 1e-9  # 1/m: where a surface bends less along an edge or face, its nearest place is not looked for


class Meetings(NamedTuple):
    """All that may touch, one row per meeting, and scratch space. See `layout.shapes`, `layout.contacts` for modes."""

    poses: Any  # (stages + 1, 12) of the stages in the world, ground's last
    balls: Any
    surfaces: Any
    meetings: Any
    modes: Any  # (n, MODE_ROW), where FROM_STATE is open
    seen: Any  # (n, EVENT_ROW)
    closed: Any  # (n) integers: the numbers of those that touch
    space: Any  # as of `kernels.motion.contact_stepping`
    fields: Any  # see `field`


@helper
def place_stages(index, work, poses, chained):
    """World poses of the stages, from `work`, which has them, or, `chained`, those in their parents."""
    n = index[N_STAGES]
    store_pose(poses[n], 0, Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0)))
    for i in range(n):
        X, parent = load_xform(work, i), parent_of(index, i)
        store_pose(poses[i], 0, compose(load_pose(poses[parent], 0), X) if chained and parent >= 0 else X)


@helper
def material(work, poses, stage, r, gravity, accelerated):
    """Velocity and acceleration, angular velocity and acceleration of the material of a stage at the world point r."""
    none = Vec3(0.0, 0.0, 0.0)
    if stage < 0:
        return none, none, none, none
    X, m = load_pose(poses[stage], 0), load_motion(work, velocity_at(stage))
    p = tmul(X.R, sub(r, X.p))
    vp = add(m.v, cross(m.w, p))
    velocity, turning = mul(X.R, vp), mul(X.R, m.w)
    if not accelerated:
        return velocity, none, turning, none
    ai = load_motion(work, acceleration_at(stage))
    acceleration = add(mul(X.R, add(add(ai.v, cross(ai.w, p)), cross(m.w, vp))), gravity)
    return velocity, acceleration, turning, mul(X.R, ai.w)


@helper
def curved(near, field, surface, X, y, w):
    """H w, of a world vector w, at the place y of the surface's frame."""
    x = tmul(X.R, w)
    return mul(X.R, sym_mul(near.H, x) if field else bent(surface, y, x))


@helper
def spot_rate(near, field, surface, X, spot, n, z, turning, n_t):
    """How the nearest place moves over its solid, D ṡ, world axes, and by how much that makes γ̈ less."""
    none = Vec3(0.0, 0.0, 0.0)
    d, e = mul(X.R, spot.d), mul(X.R, spot.e)
    dd, ee = dot(d, d), dot(e, e)
    if not dd > 0.0:
        return none, 0.0
    H_d = curved(near, field, surface, X, spot.y, d)
    F_dd, f_d = dot(d, H_d), dot(n, cross(turning, d)) + dot(z, H_d) + dot(n_t, d)
    if ee > 0.0:
        H_e = curved(near, field, surface, X, spot.y, e)
        F_ee, F_de, f_e = dot(e, H_e), dot(d, H_e), dot(n, cross(turning, e)) + dot(z, H_e) + dot(n_t, e)
        det = F_dd * F_ee - F_de * F_de
        if F_dd > _FLAT * dd and det > _FLAT * F_dd * ee:
            s_d, s_e = (F_de * f_e - F_ee * f_d) / det, (F_de * f_d - F_dd * f_e) / det
            return add(scale(s_d, d), scale(s_e, e)), -(s_d * f_d + s_e * f_e)
    if F_dd > _FLAT * dd:
        return scale(-f_d / F_dd, d), f_d * f_d / F_dd
    return none, 0.0


@helper
def frame_motion(surface, X, r):
    """`material` of the frame of a surface in that of its stage: on ground it may move."""
    v, w = load_vec(surface, S_TWIST), load_vec(surface, S_TWIST + 3)
    a, alpha, arm = load_vec(surface, S_ACCELERATION), load_vec(surface, S_ACCELERATION + 3), sub(r, X.p)
    turning = cross(w, arm)
    return add(v, turning), add(a, add(cross(alpha, arm), cross(w, turning))), w, alpha


@helper
def observe(model, work, c, k, accelerated):
    """What is seen of meeting k, from the motion in `work` and the poses: to its row of `seen`; whether it is there.

    The first tangent is along the direction of sliding, where there is one. What touches on an edge or face is followed
    some way beyond its border, so that the instant at which it passes that is found.
    """
    meeting, out, mode = c.meetings[k], c.seen[k], c.modes[k]
    i, surface = int(meeting[M_BALL]), c.surfaces[int(meeting[M_SURFACE])]
    stage, on, radius = int(c.balls[i, B_STAGE]), int(surface[S_STAGE]), c.balls[i, B_RADIUS]
    field, t = is_field(c.fields, surface), c.space[14][TIME]
    X = compose(load_pose(c.poses[on], 0), load_pose(surface, S_POSE))
    out[E_GAP] = AWAY
    if int(meeting[M_SKIPPED]) > 0:
        return False
    beyond = _BEYOND if int(mode[D_MODE]) != FROM_STATE else 0.0
    spot = nearest_spot(c.poses, c.balls, meeting, X, c.fields, surface, beyond, t)
    if spot.inside == NOWHERE:
        return False
    out[E_INSIDE] = spot.inside
    y, centre = spot.y, add(X.p, mul(X.R, spot.y))
    near = field_at(c.fields, surface, y, t)
    C, n = (near.d, near.n) if field else distance(surface, y)
    n = mul(X.R, n)
    gravity = load_vec(model, GRAVITY)
    v, a, w, alpha = material(work, c.poses, stage, centre, gravity, accelerated)
    v_s, a_s, w_s, alpha_s = material(work, c.poses, on, centre, gravity, accelerated)
    v_f, a_f, w_f, alpha_f = frame_motion(surface, X, centre)
    v_s, a_s, w_s, alpha_s = add(v_s, v_f), add(a_s, a_f), add(w_s, w_f), add(alpha_s, alpha_f)
    z, turning, rho = sub(v, v_s), sub(w, w_s), scale(-radius, n)
    belt = mul(X.R, load_vec(surface, S_SLIDING))
    u = sub(add(z, cross(turning, rho)), belt)
    u_n, slip = dot(n, z) + near.d_t, flat(u, n)
    ahead = load_vec(mode, D_SLIDING)
    s_ref = Vec3(0.0, 0.0, 0.0)
    if int(mode[D_MODE]) == SLIDES:
        s_ref = slip if dot(slip, slip) > CLEAR * CLEAR and dot(slip, ahead) > 0.0 else ahead
    t1, t2 = tangents(n, s_ref)
    out[E_GAP] = C - radius
    store_vec(out, E_POINT, add(centre, rho))
    store_vec(out, E_SURFACE, sub(add(add(v_f, cross(w_f, rho)), flat(belt, n)), scale(near.d_t, n)))
    store_vec(out, E_FRAME, n)
    store_vec(out, E_FRAME + 3, t1)
    store_vec(out, E_FRAME + 6, t2)
    out[E_VELOCITY], out[E_VELOCITY + 1], out[E_VELOCITY + 2] = u_n, dot(t1, u), dot(t2, u)
    if accelerated:
        y_rate = sub(sub(a, a_s), scale(2.0, cross(w_s, z)))
        w_rate = sub(sub(alpha, alpha_s), cross(w_s, turning))
        n_t = mul(X.R, near.n_t)
        rate, fold = spot_rate(near, field, surface, X, spot, n, z, turning, n_t)
        out[E_HASTE] = math.sqrt(dot(rate, rate) / max(dot(spot.d, spot.d), 1e-300))
        n_rate = add(curved(near, field, surface, X, y, add(z, rate)), n_t)
        roll = add(cross(w_rate, rho), scale(-radius, cross(turning, n_rate)))
        u_rate = add(add(add(y_rate, cross(turning, rate)), roll), scale(near.d_t + dot(n, belt), n_rate))
        gained = dot(z, curved(near, field, surface, X, y, z)) + 2.0 * dot(z, n_t) + near.d_tt
        out[E_ACCELERATION] = dot(n, y_rate) + gained - fold
        out[E_ACCELERATION + 1], out[E_ACCELERATION + 2] = dot(t1, u_rate), dot(t2, u_rate)
    return True


@helper
def observe_closed(model, work, c, accelerated):
    """`observe` of all meetings that touch, with stages, points and frames for `delassus`; how many there are."""
    stages, points, frames, n = c.space[0], c.space[1], c.space[2], 0
    for k in range(c.modes.shape[0]):
        if int(c.modes[k, D_MODE]) == FROM_STATE or n == stages.shape[0]:
            continue
        if not observe(model, work, c, k, accelerated):
            continue
        out = c.seen[k]
        c.closed[n] = k
        stages[n, 0] = int(c.balls[int(c.meetings[k, M_BALL]), B_STAGE])
        stages[n, 1] = int(c.surfaces[int(c.meetings[k, M_SURFACE]), S_STAGE])
        for j in range(3):
            points[n, j] = out[E_POINT + j]
        for j in range(9):
            frames[n, j] = out[E_FRAME + j]
        n += 1
    return n
