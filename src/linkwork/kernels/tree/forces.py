"""Forces that act on a linkage: wrenches from outside, springs, joint springs, dry friction in joints.

``table`` lists the force elements: a header (how many of each), then one row each.

- spring: the stages of its ends (−1 for ground), the points there, stiffness, damping, rest length;
- joint spring: degree of freedom, coordinate, stiffness, rest;
- dry friction: degree of freedom, size, speed at which it is fully there.
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import add_wrench, as_vec, load_motion, load_vec, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale, sub, tmul
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.numba_ext import helper, load, scalar, separate, sqrt, store, where
from linkwork.kernels.records import applied_at, body_of, check_sizes, load_xform, velocity_at
from linkwork.kernels.tree.kinematics import velocities_and_poses

N_SPRINGS, N_JOINT_SPRINGS, N_FRICTIONS = 0, 1, 2
TABLE_HEADER, SPRING_ROW, JOINT_SPRING_ROW, FRICTION_ROW = 3, 11, 4, 3
STAGES, POINTS, STIFFNESS = 0, 2, 8  # of a spring: those of its two ends; damping and rest length follow


class Spring(NamedTuple):
    """The law of a spring between points."""

    stiffness: Any
    damping: Any
    length: Any


class JointSpring(NamedTuple):
    """What pulls a coordinate to its rest."""

    dof: Any
    coordinate: Any
    stiffness: Any
    rest: Any


@helper
def counts(table):
    """How many springs, joint springs and dry frictions there are."""
    return int(table[N_SPRINGS]), int(table[N_JOINT_SPRINGS]), int(table[N_FRICTIONS])


@helper
def spring_at(k):
    """Where the row of spring k is."""
    return TABLE_HEADER + SPRING_ROW * k


@helper
def spring_law(table, k):
    """Of spring k: how hard it pulls."""
    at = spring_at(k) + STIFFNESS
    return Spring(table[at], table[at + 1], table[at + 2])


@helper
def joint_spring(table, k):
    """The joint spring of this number."""
    row = spring_at(int(table[N_SPRINGS])) + JOINT_SPRING_ROW * k
    return JointSpring(int(table[row]), int(table[row + 1]), table[row + 2], table[row + 3])


@helper
def friction(table, k):
    """The dry friction of this number: degree of freedom, size, speed."""
    n_springs, n_joint_springs, _ = counts(table)
    row = spring_at(n_springs) + JOINT_SPRING_ROW * n_joint_springs + FRICTION_ROW * k
    return int(table[row]), table[row + 1], table[row + 2]


@helper
def friction_slope(table, k, v):
    """Of dry friction k: its degree of freedom, and how much it grows with the velocity."""
    d, size, speed = friction(table, k)
    x = load(v, d)
    square = x * x + speed * speed
    return d, size * speed * speed / (square * sqrt(square))


@helper
def has_forces(table):
    """Whether there are any force elements."""
    return table[N_SPRINGS] + table[N_JOINT_SPRINGS] + table[N_FRICTIONS] > 0.0


@helper
def is_loaded(table, f_ext):
    """Whether force elements or wrenches act; of a table that is None neither does."""
    return False if table is None else f_ext.shape[0] > 0 or has_forces(table)


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
    n_springs, n_joint_springs, n_frictions = counts(table)
    for k in range(n_springs):
        pull(index, work, table, k, q)
    for k in range(n_joint_springs):
        spring = joint_spring(table, k)
        x = spring.stiffness * (spring.rest - load(q, spring.coordinate))
        store(total, spring.dof, load(total, spring.dof) + x)
    for k in range(n_frictions):
        d, size, speed = friction(table, k)
        x = load(v, d)
        store(total, d, load(total, d) - size * x / sqrt(x * x + speed * speed))
    return OK


@helper
def end_of(table, k, end):
    """Stage and point of one end of spring k: 0 for a, 1 for b."""
    row = spring_at(k)
    return int(table[row + STAGES + end]), load_vec(table, row + POINTS + 3 * end)


@helper
def spring_end(work, table, k, end, q):
    """World position and velocity of a spring's end."""
    stage, point = end_of(table, k, end)
    z = scalar(q, 0.0)
    if stage < 0:
        return as_vec(q, point), Vec3(z, z, z)
    X = load_xform(work, stage)
    m = load_motion(work, velocity_at(stage))
    return add(X.p, mul(X.R, point)), mul(X.R, add(m.v, cross(m.w, point)))


@helper
def stretched(work, table, k, q):
    """Of a spring: the vector from end to end, its length, and the velocity of one end relative to the other."""
    xa, va = spring_end(work, table, k, 0, q)
    xb, vb = spring_end(work, table, k, 1, q)
    e = sub(xb, xa)
    return e, sqrt(dot(e, e)), sub(vb, va)


@helper
def tension(work, table, k, q):
    """Of a spring: its direction, length, tension, and the velocity of its end b relative to a."""
    e, length, rate = stretched(work, table, k, q)
    e = scale(1.0 / where(length > 0.0, length, 1.0), e)
    spring = spring_law(table, k)
    return e, length, spring.stiffness * (length - spring.length) + spring.damping * dot(e, rate), rate


@helper
def push(index, work, table, k, end, f):
    """Add the world force f at one end of a spring."""
    stage, point = end_of(table, k, end)
    if stage >= 0:
        g = tmul(load_xform(work, stage).R, f)
        add_wrench(work, applied_at(index, stage), Wrench(g, cross(point, g)))


@helper
def pull(index, work, table, k, q):
    """One spring: pulls its ends together by k (length − rest) + c · rate; nothing where they coincide."""
    e, _length, T, _rate = tension(work, table, k, q)
    f = scale(T, e)
    push(index, work, table, k, 0, f)
    push(index, work, table, k, 1, scale(-1.0, f))


@helper
def spring_energy(model, index, work, table, q, v, out):
    """Energy stored in springs and joint springs."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    energy = scalar(q, 0.0)
    n_springs, n_joint_springs, _ = counts(table)
    for k in range(n_springs):
        _e, length, _rate = stretched(work, table, k, q)
        spring = spring_law(table, k)
        x = length - spring.length
        energy += 0.5 * spring.stiffness * x * x
    for k in range(n_joint_springs):
        spring = joint_spring(table, k)
        x = load(q, spring.coordinate) - spring.rest
        energy += 0.5 * spring.stiffness * x * x
    store(out, 0, energy)
    return OK
