"""Energies, momentum and centre of mass, in one sweep.

References: [Featherstone2008] section 2.10 for the kinetic energy of a body.
"""

from linkwork.kernels.algebra.spatial import inertia_mul, power
from linkwork.kernels.algebra.storage import load_motion, load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, dot, mul, scale
from linkwork.kernels.layout import (
    GRAVITY,
    N_STAGES,
    N_V,
    OK,
    T_ANGULAR,
    T_KINETIC,
    T_LINEAR,
    T_MASS,
    T_MOMENT,
    T_POTENTIAL,
)
from linkwork.kernels.numba_ext import helper, load, scalar, store
from linkwork.kernels.records import (
    armature_at,
    check_sizes,
    finite,
    load_inertia,
    load_xform,
    velocity_at,
)
from linkwork.kernels.tree.kinematics import velocities_and_poses


@helper
def totals(model, index, work, option, q, v, out):
    """Kinetic energy, potential energy, momentum, angular momentum about the origin, mass, mass times its centre."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    zero = scalar(q, 0.0)
    kinetic, mass = zero, 0.0
    linear = angular = moment = Vec3(zero, zero, zero)
    for i in range(index[N_STAGES]):
        I = load_inertia(model, i)  # noqa: E741
        X = load_xform(work, i)
        m = load_motion(work, velocity_at(i))
        h = inertia_mul(I, m)
        kinetic = kinetic + 0.5 * power(m, h)  # not +=: interpreted packs are arrays, and these share one
        f = mul(X.R, h.f)
        linear = add(linear, f)
        angular = add(angular, add(mul(X.R, h.n), cross(X.p, f)))
        moment = add(moment, add(mul(X.R, I.h), scale(I.m, X.p)))
        mass += I.m
    for d in range(index[N_V]):
        kinetic = kinetic + 0.5 * load(model, armature_at(index, d)) * load(v, d) * load(v, d)
    potential = -dot(load_vec(model, GRAVITY), moment)
    store(out, T_KINETIC, kinetic)
    store(out, T_POTENTIAL, potential)
    store_vec(out, T_LINEAR, linear)
    store_vec(out, T_ANGULAR, angular)
    store(out, T_MASS, mass)
    store_vec(out, T_MOMENT, moment)
    return finite(kinetic + potential)
