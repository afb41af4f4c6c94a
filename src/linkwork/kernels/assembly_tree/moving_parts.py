"""The joints that move, the others held, at the present velocities: exact accelerations, the nearest ones, the error.

Nodes of the assembly tree are *open*, their joints move, or part of a part that is *held*: nothing moves in it, and its
record is up to date, with the six columns of `rotating_parts`. Of open nodes nothing is kept but where they stand. So

- `spread` takes velocities from the ground to the tops of the parts held, through the open nodes,
- `exact_pass` joins the parts held as they are, articulated, at their angular velocities, by divide and conquer: the
  true accelerations of the joints that move, and what surrounds each part held,
- `look_at_parts` tells what each of these would do if it were not held, D, κ and N, and so what holding it costs,
- `project` joins them as rigid bodies, as in `projection`: the accelerations nearest to the true ones in which
  the others are held, and the error E.

`exact_pass` works with spatial accelerations, as all of divide and conquer does: those of a part held are its classical
ones less ω × v of its top and bottom bodies.
"""

from linkwork.kernels.algebra.block6 import (
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    get_motion,
    get_wrench,
    place,
    put,
    put_inertia,
    put_motion,
    put_wrench,
    sub_rows,
)
from linkwork.kernels.algebra.spatial import (
    Motion,
    gyroscopic,
    inertia_mul,
    motion_add,
    motion_to_child,
    power,
    wrench_add,
)
from linkwork.kernels.algebra.storage import load_motion, load_wrench, store_motion, store_sym
from linkwork.kernels.algebra.vec3 import Vec3, cross
from linkwork.kernels.assembly_tree.divide_conquer import bias, down_node
from linkwork.kernels.assembly_tree.main_pass import assemble
from linkwork.kernels.assembly_tree.moving_loops import SIX, enter_rows, lower_rows, place_rows, raise_rows
from linkwork.kernels.assembly_tree.projection import opened_parts
from linkwork.kernels.assembly_tree.rigid_twins import squared, twin_inertia
from linkwork.kernels.assembly_tree.rotating_parts import less, products, spin, turning_at
from linkwork.kernels.assembly_tree.total_acceleration import ALL_JOINTS, noise_of
from linkwork.kernels.assembly_tree.views import axis, force_at_rest, get_pose, joint, part, scratch, twin
from linkwork.kernels.joints import joint_bias, joint_velocity
from linkwork.kernels.layout import GRAVITY
from linkwork.kernels.layout.adaptive import TAKEN
from linkwork.kernels.layout.nodes import FIRST, KIND, LEAF, MATRIX, STAGE, SUM
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import armature_at, damping_at, load_inertia, load_xform


@helper
def still():
    zero = Vec3(0.0, 0.0, 0.0)
    return Motion(zero, zero)


@inlined
def own_node(h, taken, m, k):
    """The node of the linkage that is number k among those opened and held."""
    return taken[k] if k < m else h.nodes[k, FIRST]


@inlined
def to_bottom(p, c, x):
    """A motion of the top body of part c, seen at its bottom body, nothing moving inside."""
    return motion_to_child(get_pose(p, twin(p, c).inside), x)


@helper
def spread(p, h, descent, rate, motion):
    """What joint velocities, or any rates, make of the top body of every part, and of bottom bodies beyond these."""
    taken, m, top, bottom = descent.taken, descent.count[TAKEN], motion.top, motion.bottom
    for k in range(m - 1, -1, -1):
        C = part(h, k)
        if not C.has_bottom:
            continue
        kind, d, _ = joint(p.index, C.stage)
        x = still()
        if C.solves and C.left < m:
            x = motion_to_child(load_xform(p.work, C.stage), load_motion(bottom, SIX * C.left))
        x = joint_velocity(p.model, C.stage, kind, rate, d, x)
        if part(h, C.right).has_bottom:
            x = to_bottom(p, own_node(h, taken, m, C.right), x)
            if C.right < m:
                x = motion_add(x, load_motion(bottom, SIX * C.right))
        store_motion(bottom, SIX * k, x)
    store_motion(top, 0, still())
    for k in range(m):
        C = part(h, k)
        x = load_motion(top, SIX * k)
        if C.left >= 0:
            store_motion(top, SIX * C.left, x)
        if C.kind != SUM:
            if C.solves:
                x = to_bottom(p, own_node(h, taken, m, C.left), x)
                if C.left < m:
                    x = motion_add(x, load_motion(bottom, SIX * C.left))
            kind, d, _ = joint(p.index, C.stage)
            x = joint_velocity(p.model, C.stage, kind, rate, d, motion_to_child(load_xform(p.work, C.stage), x))
        store_motion(top, SIX * C.right, x)


@helper
def size_of(p, h, descent, held, rate, motion):
    """rateᵀ M rate of rates that have just been spread."""
    m, sum_ = descent.count[TAKEN], 0.0
    for own in range(m, m + held):
        x = load_motion(motion.top, SIX * own)
        sum_ += power(x, inertia_mul(twin_inertia(p, h.nodes[own, FIRST]), x))
    for k in range(m):
        stage = h.nodes[k, STAGE]
        if stage >= 0:
            _, d, nv = joint(p.index, stage)
            for j in range(d, d + nv):
                sum_ += p.model[armature_at(p.index, j)] * rate[j] * rate[j]
    return sum_


@inlined
def convective(x):
    """ω × v: by how much the classical acceleration of a body is above the spatial one."""
    return Motion(cross(x.w, x.v), Vec3(0.0, 0.0, 0.0))


@inlined
def set_moving(p, h, own, first, x):
    """Write the part that is node `own` among those opened as it is, articulated, its top body moving by x."""
    H, c = part(h, own), h.nodes[own, FIRST]
    if p.nodes[c, KIND] == LEAF:
        inertia, stage = load_inertia(p.model, p.nodes[c, STAGE]), p.nodes[c, STAGE]
        put_inertia(p, H.I, inertia)
        clear_rows(p, H.a1)
        put_wrench(p, H.f1, wrench_add(load_wrench(p.work, force_at_rest(stage)), gyroscopic(inertia, x)))
        return
    C, columns, w = part(p, c), spin(first, c), scratch(p)
    clear_rows(p, w.y)
    store_sym(p.flat, place(w.y, 0), products(x.w))
    copy_rows(p, H.I, C.I, MATRIX)
    put_motion(p, H.a1, less(get_motion(p, C.a1), convective(x)))
    put_wrench(p, H.f1, get_wrench(p, C.f1))
    add_tmv(p, H.f1, columns.H, w.y, 1.0)
    if H.has_bottom:
        copy_rows(p, H.T, C.T, 2 * MATRIX)
        copy_rows(p, H.f2, C.f2)
        put_motion(p, H.a2, less(get_motion(p, C.a2), convective(to_bottom(p, c, x))))
        add_tmv(p, H.a2, columns.K, w.y, 1.0)


@inlined
def start_moving(p, h, k, c, loads, motion, dt):
    """Joint of open node k, c in the linkage: its bias, and its force less what damping and stiffness will take.

    Forces are those at the end of the step: that of a potential changes by −V″ (dt q̇ + dt² q̈) and that of a damper by
    −dt · damping · q̈. What goes with q̈ is in the armature.
    """
    C, H, v = part(p, c), part(h, k), motion.v
    kind, d, nv = joint(p.index, C.stage)
    own = load_motion(motion.top, SIX * H.right)
    put_motion(p, H.bias, joint_bias(p.model, C.stage, kind, v, d, own, still()))
    for j in range(nv):
        drag = p.model[damping_at(p.index, d + j)]
        drag += (p.model[armature_at(p.index, d + j)] - loads.potentials.armature[d + j]) / dt
        Q = load(p.flat, axis(p.model, C.stage, kind, C.axes, j).Q) - drag * v[d + j]
        store(p.flat, axis(p.model, C.stage, kind, H.axes, j).Q, Q)


@helper
def exact_pass(p, opened, descent, held, loads, state, motion, dt):
    """True accelerations of the joints that move, to `state.a`, and what surrounds the parts held.

    −1, or the stage of a joint without inertia.
    """
    h, taken, m, rows = opened_parts(p, opened), descent.taken, descent.count[TAKEN], motion.rows
    place_rows(p, opened, state.q, rows, motion, dt)
    for own in range(m, m + held):
        set_moving(p, h, own, motion.spins, load_motion(motion.top, SIX * own))
        enter_rows(h, rows, own)
    for k in range(m - 1, -1, -1):
        H = part(h, k)
        clear_rows(p, H.a1)
        if H.has_bottom:
            clear_rows(p, H.f2)
        if H.kind != SUM:
            start_moving(p, h, k, taken[k], loads, motion, dt)
        if not assemble(h, k):
            return H.stage
        bias(h, k, state.a)
        raise_rows(h, rows, k, state.a)
    ground = part(h, 0).a1
    clear_rows(p, ground)
    for i in range(3):
        put(p, ground, i, -p.model[GRAVITY + i])
    for k in range(m):
        lower_rows(h, rows, k)
        down_node(h, k, state.a)
        keep_surroundings(p, h, k, taken[k], load_motion(motion.top, SIX * k))
    return -1


@inlined
def keep_surroundings(p, h, k, c, x):
    """What surrounds the open node k, c in the linkage, as its reference, should it be closed."""
    H, C = part(h, k), part(p, c)
    put_motion(p, C.a1, motion_add(get_motion(p, H.a1), convective(x)))
    if C.has_bottom:
        copy_rows(p, C.f2, H.f2)


@inlined
def look_at_part(p, h, own, motion):
    """What part `own` of those held would do if it were not: D, κ, N now; what holding it costs, and its noise."""
    H, c, x = part(h, own), h.nodes[own, FIRST], load_motion(motion.top, SIX * own)
    C, R, w = part(p, c), twin(p, c), scratch(p)
    put_motion(p, w.d, convective(x))
    sub_rows(p, R.now1, H.a1, C.a1)
    add_scaled(p, R.now1, 1.0, w.d)
    if C.has_bottom:
        sub_rows(p, R.now2, H.f2, C.f2)
    D, kappa, N, rounding = turning_at(p, motion.spins, c, products(x.w))
    put_wrench(p, R.D_now, D)
    if R.has_bottom:
        put_motion(p, R.kappa_now, kappa)
    N = max(N, 0.0)
    store(p.flat, R.N_now, N)
    cost = max(N - squared(twin_inertia(p, c), D), 0.0)
    return cost, rounding + noise_of(p, c, ALL_JOINTS)


@helper
def forget_motion(p, c):
    """Nothing moves in part c: D, κ and N are zero."""
    R = twin(p, c)
    clear_rows(p, R.D_now)
    store(p.flat, R.N_now, 0.0)
    if R.has_bottom:
        clear_rows(p, R.kappa_now)
