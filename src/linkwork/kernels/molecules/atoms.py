"""From joint coordinates to atoms, and from forces on atoms to joints.

``atoms`` lists them, four numbers each: the stage that carries it, and its place x, y, z in that stage's frame.

Symbols: (R, p) the world pose of a stage; f, n the force and moment on a stage about its origin, world axes.
"""

from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import add_wrench, load_vec, load_wrench, store_vec, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, mul, sub, tmul
from linkwork.kernels.joints import joint_force
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.numba_ext import helper, scalar
from linkwork.kernels.records import all_finite, body_of, check_state, force_at, load_xform, stage_at
from linkwork.kernels.tree.kinematics import world_poses

ATOM_ROW = 4


@helper
def atom_positions(model, index, work, atoms, q, out):
    """World position (n × 3) of every atom; leaves the poses of stages in the work space."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    world_poses(model, index, work, q)
    for k in range(atoms.shape[0] // ATOM_ROW):
        X = load_xform(work, int(atoms[ATOM_ROW * k]))
        store_vec(out, 3 * k, add(X.p, mul(X.R, load_vec(atoms, ATOM_ROW * k + 1))))
    return OK


@helper
def atom_torques(model, index, work, atoms, q, forces, tau, wrenches):
    """What forces (n × 3) on atoms do: torques −∂E/∂q at joints, and the wrench (nb × 6) on each body about its origin.

    Both are in the form of `forward_dynamics`: its `tau` and its `f_ext`; one or the other, not both.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    n = index[N_STAGES]
    world_poses(model, index, work, q)
    z = scalar(q, 0.0)
    for i in range(n):
        store_wrench(work, force_at(i), Wrench(Vec3(z, z, z), Vec3(z, z, z)))
    # Pass 1: the forces on a body's atoms, summed about its origin
    for k in range(atoms.shape[0] // ATOM_ROW):
        i = int(atoms[ATOM_ROW * k])
        f = load_vec(forces, 3 * k)
        arm = mul(load_xform(work, i).R, load_vec(atoms, ATOM_ROW * k + 1))
        add_wrench(work, force_at(i), Wrench(f, cross(arm, f)))
    for i in range(n):
        body = body_of(index, i)
        if body >= 0:
            store_wrench(wrenches, 6 * body, load_wrench(work, force_at(i)))
    # Pass 2: a joint feels its body and all that hangs on it
    for i in range(n - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        X = load_xform(work, i)
        w = load_wrench(work, force_at(i))
        joint_force(model, i, kind, d, Wrench(tmul(X.R, w.f), tmul(X.R, w.n)), tau)  # τ = Sᵀ w
        if parent >= 0:
            arm = sub(X.p, load_xform(work, parent).p)
            add_wrench(work, force_at(parent), Wrench(w.f, add(w.n, cross(arm, w.f))))
    return all_finite(tau, index[N_V])
