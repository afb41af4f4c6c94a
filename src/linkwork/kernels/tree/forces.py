"""Forces that act on a linkage: wrenches from outside, springs, joint springs, dry friction in joints.

``table`` lists the force elements: a header (how many of each), then a row each.

- spring: stage and point on either side (stage −1 is ground), stiffness, damping, rest length;
- joint spring: degree of freedom, coordinate, stiffness, rest;
- dry friction: degree of freedom, size, speed at which it is fully there.
"""

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_vec, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.joints import as_vec
from linkwork.kernels.layout import I_BODY, N_STAGES, N_V, OK, W_VELOCITY, WORK_ROW, WRONG_SIZE
from linkwork.kernels.numba_ext.jit import helper
from linkwork.kernels.numba_ext.pack import load, scalar, sqrt, store, where
from linkwork.kernels.records import applied_at, check_state, index_row, load_xform, status
from linkwork.kernels.tree.kinematics import velocities_and_poses

N_SPRINGS, N_JOINT_SPRINGS, N_FRICTIONS = 0, 1, 2
TABLE_HEADER, SPRING_ROW, JOINT_SPRING_ROW, FRICTION_ROW = 3, 11, 4, 3


@helper
def has_forces(table):
    """Whether there are any force elements."""
    return table[N_SPRINGS] + table[N_JOINT_SPRINGS] + table[N_FRICTIONS] > 0.0


@helper
def applied_forces(model, index, work, table, q, v, f_ext, tau, total):
    """Write every wrench on a stage, in its own frame, into the work space, and τ plus forces in joints to `total`."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or tau.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    velocities_and_poses(model, index, work, q, v)
    given = f_ext.shape[0] > 0
    z = scalar(q, 0.0)
    for i in range(index[N_STAGES]):
        body = index[index_row(i) + I_BODY]
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
        d, k = int(table[row]), int(table[row + 1])
        x = table[row + 2] * (table[row + 3] - load(q, k))
        store(total, d, load(total, d) + x)
        row += JOINT_SPRING_ROW
    for _ in range(int(table[N_FRICTIONS])):
        d, speed = int(table[row]), table[row + 2]
        x = load(v, d)
        store(total, d, load(total, d) - table[row + 1] * x / sqrt(x * x + speed * speed))
        row += FRICTION_ROW
    return OK


@helper
def spring_end(index, work, stage, point, q):
    """World position and velocity of a spring's end, point given in its stage's frame."""
    z = scalar(q, 0.0)
    if stage < 0:
        return as_vec(q, point), Vec3(z, z, z)
    X = load_xform(work, stage)
    m = load_motion(work, WORK_ROW * stage + W_VELOCITY)
    return add(X.p, mul(X.R, point)), mul(X.R, add(m.v, cross(m.w, point)))


@helper
def push(index, work, stage, point, f):
    """Add the world force f at a point of a stage."""
    if stage >= 0:
        g = tmul(load_xform(work, stage).R, f)
        add_wrench(work, applied_at(index, stage), Wrench(g, cross(point, g)))


@helper
def pull(index, work, table, row, q):
    """One spring: pulls its ends together by k (length − rest) + c · rate; nothing where they coincide."""
    a, b = int(table[row]), int(table[row + 1])
    pa, pb = load_vec(table, row + 2), load_vec(table, row + 5)
    xa, va = spring_end(index, work, a, pa, q)
    xb, vb = spring_end(index, work, b, pb, q)
    e = sub(xb, xa)
    length = sqrt(dot(e, e))
    e = scale(1.0 / where(length > 0.0, length, 1.0), e)
    f = scale(table[row + 8] * (length - table[row + 10]) + table[row + 9] * dot(e, sub(vb, va)), e)
    push(index, work, a, pa, f)
    push(index, work, b, pb, scale(-1.0, f))


@helper
def spring_energy(model, index, work, table, q, v, out):
    """Energy stored in springs and joint springs."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    velocities_and_poses(model, index, work, q, v)
    energy = scalar(q, 0.0)
    row = TABLE_HEADER
    for _ in range(int(table[N_SPRINGS])):
        xa, _va = spring_end(index, work, int(table[row]), load_vec(table, row + 2), q)
        xb, _vb = spring_end(index, work, int(table[row + 1]), load_vec(table, row + 5), q)
        e = sub(xb, xa)
        x = sqrt(dot(e, e)) - table[row + 10]
        energy += 0.5 * table[row + 8] * x * x
        row += SPRING_ROW
    for _ in range(int(table[N_JOINT_SPRINGS])):
        x = load(q, int(table[row + 1])) - table[row + 3]
        energy += 0.5 * table[row + 2] * x * x
        row += JOINT_SPRING_ROW
    store(out, 0, energy)
    return OK
