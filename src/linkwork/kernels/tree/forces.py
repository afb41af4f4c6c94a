"""Forces that act on a linkage: wrenches from outside, springs, joint springs, dry friction in joints.

``table`` lists the force elements: a header (how many of each), then one row each.

- spring: the stages of its ends (−1 for ground), the points there, stiffness, damping, rest length;
- joint spring: degree of freedom, coordinate, stiffness, rest;
- dry friction: degree of freedom, size, speed at which it is fully there.
"""

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import add_wrench, as_vec, load_motion, load_vec, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.numba_ext import helper, load, scalar, separate, sqrt, store, where
from linkwork.kernels.records import (
    applied_at,
    body_of,
    check_sizes,
    load_xform,
    velocity_at,
)
from linkwork.kernels.tree.kinematics import velocities_and_poses

N_SPRINGS, N_JOINT_SPRINGS, N_FRICTIONS = 0, 1, 2
TABLE_HEADER, SPRING_ROW, JOINT_SPRING_ROW, FRICTION_ROW = 3, 11, 4, 3
STAGE_A, STAGE_B, POINT_A, POINT_B, STIFFNESS, DAMPING, LENGTH = 0, 1, 2, 5, 8, 9, 10  # of a spring
J_DOF, J_COORDINATE, J_STIFFNESS, J_REST = range(4)  # of a joint spring
F_DOF, F_SIZE, F_SPEED = range(3)  # of dry friction


@helper
def has_forces(table):
    """Whether there are any force elements."""
    return table[N_SPRINGS] + table[N_JOINT_SPRINGS] + table[N_FRICTIONS] > 0.0


@separate
def applied_forces(model, index, work, table, q, v, f_ext, tau, total):
    """Write every wrench on a stage, in its own frame, into the work space, and τ plus forces in joints to `total`."""
    outcome = check_sizes(index, q, v, tau, tau)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    given = f_ext.shape[0] > 0
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        body = body_of(index, i)
        w = Wrench(Vec3(z, z, z), Vec3(z, z, z))
        if given and body >= 0:
            R = load_xform(work, i).R
            outer = load_wrench(f_ext, 6 * body)
            w = Wrench(tmul(R, outer.f), tmul(R, outer.n))
        store_wrench(work, applied_at(index, i), w)
    for d in range(index[N_V]):
        store(total, d, load(tau, d))
    row = TABLE_HEADER
    for _ in range(int(table[N_SPRINGS])):
        pull(index, work, table, row, q)
        row += SPRING_ROW
    for _ in range(int(table[N_JOINT_SPRINGS])):
        d, k = int(table[row + J_DOF]), int(table[row + J_COORDINATE])
        x = table[row + J_STIFFNESS] * (table[row + J_REST] - load(q, k))
        store(total, d, load(total, d) + x)
        row += JOINT_SPRING_ROW
    for _ in range(int(table[N_FRICTIONS])):
        d, speed = int(table[row + F_DOF]), table[row + F_SPEED]
        x = load(v, d)
        store(total, d, load(total, d) - table[row + F_SIZE] * x / sqrt(x * x + speed * speed))
        row += FRICTION_ROW
    return OK


@helper
def spring_end(work, stage, point, q):
    """World position and velocity of a spring's end, point given in its stage's frame."""
    z = scalar(q, 0.0)
    if stage < 0:
        return as_vec(q, point), Vec3(z, z, z)
    X = load_xform(work, stage)
    m = load_motion(work, velocity_at(stage))
    return add(X.p, mul(X.R, point)), mul(X.R, add(m.v, cross(m.w, point)))


@helper
def stretched(work, table, row, q):
    """Of a spring: the vector from end to end, its length, and the velocity of one end relative to the other."""
    xa, va = spring_end(work, int(table[row + STAGE_A]), load_vec(table, row + POINT_A), q)
    xb, vb = spring_end(work, int(table[row + STAGE_B]), load_vec(table, row + POINT_B), q)
    e = sub(xb, xa)
    return e, sqrt(dot(e, e)), sub(vb, va)


@helper
def push(index, work, stage, point, f):
    """Add the world force f at a point of a stage."""
    if stage >= 0:
        g = tmul(load_xform(work, stage).R, f)
        add_wrench(work, applied_at(index, stage), Wrench(g, cross(point, g)))


@helper
def pull(index, work, table, row, q):
    """One spring: pulls its ends together by k (length − rest) + c · rate; nothing where they coincide."""
    e, length, rate = stretched(work, table, row, q)
    e = scale(1.0 / where(length > 0.0, length, 1.0), e)
    f = scale(table[row + STIFFNESS] * (length - table[row + LENGTH]) + table[row + DAMPING] * dot(e, rate), e)
    push(index, work, int(table[row + STAGE_A]), load_vec(table, row + POINT_A), f)
    push(index, work, int(table[row + STAGE_B]), load_vec(table, row + POINT_B), scale(-1.0, f))


@helper
def spring_energy(model, index, work, table, q, v, out):
    """Energy stored in springs and joint springs."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    energy = scalar(q, 0.0)
    row = TABLE_HEADER
    for _ in range(int(table[N_SPRINGS])):
        _e, length, _rate = stretched(work, table, row, q)
        x = length - table[row + LENGTH]
        energy += 0.5 * table[row + STIFFNESS] * x * x
        row += SPRING_ROW
    for _ in range(int(table[N_JOINT_SPRINGS])):
        x = load(q, int(table[row + J_COORDINATE])) - table[row + J_REST]
        energy += 0.5 * table[row + J_STIFFNESS] * x * x
        row += JOINT_SPRING_ROW
    store(out, 0, energy)
    return OK
