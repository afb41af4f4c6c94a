"""How solids move on surfaces: gap, slip, and the rates of both, of a ball in the frame of the surface it meets.

With c the centre of a ball of radius r, (v, a) the motion of its material point, and (v_s, a_s) that of the frame of
the surface, of angular velocity ω_s, there; ω, α those of the ball relative to that frame; C the distance from the
surface, n = ∇C its normal, H = ∇²C:

    z = v − v_s,     γ = C − r,  γ̇ = n·z,            γ̈ = n·y + zᵀH z,            y = a − a_s − 2 ω_s × z
    ρ = −r n,        u = z + ω × ρ,                  u̇ = y + α × ρ − r ω × H z

u is the velocity with which the two slip; where it stays zero the ball rolls. A ball that moves along an edge d of its
solid, which is nearest at the share s of it, has f_ss = dᵀH d, f_st = n·(ω × d) + zᵀH d, and ṡ = −f_st/f_ss: γ̈ is
less by f_st²/f_ss, H acts on z + ṡ d, and u̇ is more by ṡ ω × d.

A surface that changes in its frame, C(y, t), moves along its normal, −C_t n: γ̇ is more by C_t, and with ṅ = H z + ∇C_t,
which takes the place of H z in u̇, γ̈ is more by 2 z·∇C_t + C_tt, and u̇ by C_t ṅ.

Everything is in world axes, seen from the frame of the surface.
"""

import math
from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import Xform, compose
from linkwork.kernels.algebra.storage import load_motion, load_pose, load_vec, store_pose, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, identity, mul, scale, sub, sym_mul, tmul
from linkwork.kernels.contact.detect import distance, in_world, nearest
from linkwork.kernels.contact.field import field_at, is_field, nearest_share
from linkwork.kernels.contact.points import CLEAR, tangents
from linkwork.kernels.layout import GRAVITY, N_STAGES
from linkwork.kernels.layout.contacts import D_MODE, D_SLIDING, FROM_STATE, SLIDES
from linkwork.kernels.layout.shapes import (
    AWAY,
    B_POINT,
    B_RADIUS,
    B_STAGE,
    CYLINDER,
    E_ACCELERATION,
    E_FRAME,
    E_GAP,
    E_POINT,
    E_SHARE,
    E_SURFACE,
    E_VELOCITY,
    M_BALL,
    M_END,
    M_SKIPPED,
    M_SURFACE,
    NOWHERE,
    PLANE,
    S_ACCELERATION,
    S_KIND,
    S_MAJOR,
    S_POSE,
    S_SIDE,
    S_STAGE,
    S_TWIST,
    SPHERE,
    TIME,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import acceleration_at, load_xform, parent_of, velocity_at

_BEYOND = 0.25  # of an edge, past its ends


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
def bent(surface, X, y, w):
    """H w, of a world vector w, at the place y of the surface's frame."""
    kind, side = int(surface[S_KIND]), surface[S_SIDE]
    if kind == PLANE:
        return Vec3(0.0, 0.0, 0.0)
    x = tmul(X.R, w)
    z = 1.0 if kind == SPHERE else 0.0
    rho = math.sqrt(y.x * y.x + y.y * y.y + z * y.z * y.z)
    if not rho > 0.0:
        return Vec3(0.0, 0.0, 0.0)
    e = Vec3(y.x / rho, y.y / rho, z * y.z / rho)
    if kind == SPHERE or kind == CYLINDER:
        flat = Vec3(x.x, x.y, z * x.z)
        return mul(X.R, scale(side / rho, sub(flat, scale(dot(e, flat), e))))
    out = rho - surface[S_MAJOR]
    length = math.sqrt(out * out + y.z * y.z)
    if not length > 0.0:
        return Vec3(0.0, 0.0, 0.0)
    n = Vec3(out * e.x / length, out * e.y / length, y.z / length)
    outward = dot(e, x)
    around = sub(Vec3(x.x, x.y, 0.0), scale(outward, e))
    across = sub(add(scale(outward, e), Vec3(0.0, 0.0, x.z)), scale(dot(n, x), n))
    return mul(X.R, scale(side / length, add(across, scale(out / rho, around))))


@helper
def curved(near, field, surface, X, y, w):
    """`bent`, of a field too."""
    return mul(X.R, sym_mul(near.H, tmul(X.R, w))) if field else bent(surface, X, y, w)


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

    The first tangent is along the direction of sliding, where there is one. What touches on an edge is followed some
    way beyond its ends, so that the instant at which it passes one is found.
    """
    meeting, out, mode = c.meetings[k], c.seen[k], c.modes[k]
    i, end, surface = int(meeting[M_BALL]), int(meeting[M_END]), c.surfaces[int(meeting[M_SURFACE])]
    stage, on, radius = int(c.balls[i, B_STAGE]), int(surface[S_STAGE]), c.balls[i, B_RADIUS]
    field, t = is_field(c.fields, surface), c.space[14][TIME]
    X = compose(load_pose(c.poses[on], 0), load_pose(surface, S_POSE))
    centre = in_world(c.poses, c.balls, i, B_STAGE, B_POINT)
    y, edge = tmul(X.R, sub(centre, X.p)), Vec3(0.0, 0.0, 0.0)
    out[E_GAP] = AWAY
    if int(meeting[M_SKIPPED]) > 0:
        return False
    if end >= 0:
        edge = sub(in_world(c.poses, c.balls, end, B_STAGE, B_POINT), centre)
        d = tmul(X.R, edge)
        beyond = _BEYOND if int(mode[D_MODE]) != FROM_STATE else 0.0
        s = nearest_share(c.fields, surface, y, d, beyond, t) if field else nearest(surface, y, d, beyond)
        if s == NOWHERE:
            return False
        out[E_SHARE] = s
        y, centre = add(y, scale(s, d)), add(centre, scale(s, edge))
    near = field_at(c.fields, surface, y, t)
    C, n = (near.d, near.n) if field else distance(surface, y)
    n = mul(X.R, n)
    gravity = load_vec(model, GRAVITY)
    v, a, w, alpha = material(work, c.poses, stage, centre, gravity, accelerated)
    v_s, a_s, w_s, alpha_s = material(work, c.poses, on, centre, gravity, accelerated)
    v_f, a_f, w_f, alpha_f = frame_motion(surface, X, centre)
    v_s, a_s, w_s, alpha_s = add(v_s, v_f), add(a_s, a_f), add(w_s, w_f), add(alpha_s, alpha_f)
    z, turning, rho = sub(v, v_s), sub(w, w_s), scale(-radius, n)
    u = add(z, cross(turning, rho))
    u_n = dot(n, z) + near.d_t
    slip = sub(u, scale(dot(n, u), n))
    ahead = load_vec(mode, D_SLIDING)
    s_ref = Vec3(0.0, 0.0, 0.0)
    if int(mode[D_MODE]) == SLIDES:
        s_ref = slip if dot(slip, slip) > CLEAR * CLEAR and dot(slip, ahead) > 0.0 else ahead
    t1, t2 = tangents(n, s_ref)
    out[E_GAP] = C - radius
    store_vec(out, E_POINT, add(centre, rho))
    store_vec(out, E_SURFACE, sub(add(v_f, cross(w_f, rho)), scale(near.d_t, n)))
    store_vec(out, E_FRAME, n)
    store_vec(out, E_FRAME + 3, t1)
    store_vec(out, E_FRAME + 6, t2)
    out[E_VELOCITY], out[E_VELOCITY + 1], out[E_VELOCITY + 2] = u_n, dot(t1, u), dot(t2, u)
    if accelerated:
        y_rate = sub(sub(a, a_s), scale(2.0, cross(w_s, z)))
        w_rate = sub(sub(alpha, alpha_s), cross(w_s, turning))
        moved, along, fold, n_t = z, Vec3(0.0, 0.0, 0.0), 0.0, mul(X.R, near.n_t)
        if end >= 0:
            H_d, d_rate = curved(near, field, surface, X, y, edge), cross(turning, edge)
            f_ss, f_st = dot(edge, H_d), dot(n, d_rate) + dot(z, H_d) + dot(n_t, edge)
            if f_ss > 1e-9 * dot(edge, edge):
                fold = f_st * f_st / f_ss
                moved, along = sub(z, scale(f_st / f_ss, edge)), scale(-f_st / f_ss, d_rate)
        n_rate = add(curved(near, field, surface, X, y, moved), n_t)
        roll = add(cross(w_rate, rho), scale(-radius, cross(turning, n_rate)))
        u_rate = add(add(add(y_rate, along), roll), scale(near.d_t, n_rate))
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
