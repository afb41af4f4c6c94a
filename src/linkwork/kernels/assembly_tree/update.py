"""What moved, bears a force or has a new torque is brought up to date, and nothing else.

Every quantity of a node lives in its own frames, so only nodes above a joint that moved have changed (`update`).
`rebuild` makes everything anew, `keep_known` finds what a change of structure has left as it was.

References: [Redon2005] section 5.2.
"""

from linkwork.kernels.algebra.block6 import add_rows, clear_rows
from linkwork.kernels.algebra.spatial import Wrench, Xform, compose
from linkwork.kernels.algebra.storage import load_pose, load_vec, load_wrench, store_pose, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, identity, neg, tmul
from linkwork.kernels.assembly_tree.divide_conquer import lift_ground
from linkwork.kernels.assembly_tree.joint_potentials import pull_springs, set_torque
from linkwork.kernels.assembly_tree.main_pass import assemble, lay_out_node
from linkwork.kernels.assembly_tree.references import descend, evaluate_forces, evaluate_total, move_reference
from linkwork.kernels.assembly_tree.rigid_twins import evaluate_twin, refresh_twin
from linkwork.kernels.assembly_tree.total_acceleration import refresh_quadratic
from linkwork.kernels.assembly_tree.views import (
    ask_for,
    force_at_rest,
    get_pose,
    joint,
    part,
    parts_of,
    put_pose,
    total,
)
from linkwork.kernels.joints import integrate_stage, joint_xform, store_low
from linkwork.kernels.layout import I_KIND, I_Q, N_STAGES, OK, SINGULAR
from linkwork.kernels.layout.adaptive import (
    F_FORCE,
    F_LOOPS,
    F_MOMENT,
    F_POINT,
    F_POSE,
    F_SPRINGS,
    FORCE_ROW,
    MOVED_LAST,
    QUEUED,
    TAKEN,
    UPDATED,
)
from linkwork.kernels.layout.nodes import (
    ABOVE,
    ADAPTIVE_SOLVE_ROWS,
    KIND,
    LEAF,
    LEFT,
    OPEN,
    PLACE,
    PORT,
    PORT_EXTRA,
    RIGHT,
    RIGID,
    SOLVE,
    STAGE,
    SUM,
    TOTAL,
    TOTAL_ROWS,
)
from linkwork.kernels.numba_ext import helper, inlined, separate, separately_unrolled, unrolled
from linkwork.kernels.records import check_state, index_row, load_xform, status, store_xform

# why a node is brought up to date: it carries a force, it moved, a torque changed
FORCED, MOVED, DRIVEN = 1, 2, 4
AHEAD = 2  # nodes for whose records memory is asked ahead


@inlined
def compute(p, c, qdd):
    """Split node c: its joint's acceleration, and what surrounds its children."""
    C, now = part(p, c), total(p, c)
    if C.kind != SUM:
        descend(p, c, qdd)
        return
    for child in (C.left, C.right):
        if p.nodes[child, KIND] != LEAF:
            below = total(p, child)
            add_rows(p, below.now1, now.now1, below.off1)


@inlined
def set_pose(p, c):
    """Where the bottom body of node c stands in its top body, if it has one of its own."""
    C = part(p, c)
    if not C.has_bottom:
        return
    X = load_xform(p.work, C.stage)
    A, B = total(p, C.left), total(p, C.right)
    if A.has_bottom:
        X = compose(get_pose(p, A.inside), X)
    if B.has_bottom:
        X = compose(X, get_pose(p, B.inside))
    put_pose(p, total(p, c).inside, X)


@helper
def refresh(p, c, twins):
    """All of node c that depends on the configuration, but for its pose; whether its joint has inertia."""
    if not assemble(p, c):
        return False
    if twins is None:
        refresh_quadratic(p, c)
    else:
        refresh_twin(p, c)
    return True


@separately_unrolled
def evaluate(p, c, heavy, twins):
    """All of node c that depends on forces, at its reference."""
    evaluate_forces(p, c, heavy)
    if twins is None:
        evaluate_total(p, c, heavy)
    else:
        evaluate_twin(p, c, heavy)


@separate
def set_stage(model, work, stage, kind, q, k, heavy):
    """Where a stage stands in its parent, with lower digits for heavy loads."""
    store_xform(work, stage, joint_xform(model, stage, kind, q, k))
    if heavy:
        store_low(model, work, stage, kind, q, k)


@helper
def move(p, descent, state, a, h, loads):
    """Move the joints that were computed by h q̈, q̈ = a; their accelerations are then those that were used."""
    for i in range(descent.count[MOVED_LAST]):
        stage = p.nodes[descent.moved[i], STAGE]
        if stage >= 0:
            _, d, nv = joint(p.index, stage)
            for j in range(nv):
                state.used[d + j] = 0.0
    descent.count[MOVED_LAST] = descent.count[TAKEN]
    for i in range(descent.count[TAKEN]):
        descent.moved[i] = descent.taken[i]
        stage = p.nodes[descent.taken[i], STAGE]
        if stage >= 0:
            kind, d, nv = joint(p.index, stage)
            k = p.index[index_row(stage) + I_Q]
            for j in range(nv):
                state.step[j] = h * a[d + j]
                state.used[d + j] = a[d + j]
                state.a[d + j], state.projected[d + j] = 0.0, 0.0
            integrate_stage(kind, state.q, k, state.step, 0, state.q)
            set_stage(p.model, p.work, stage, kind, state.q, k, loads.heavy)
            if loads.potentials.first.shape[0] > 0:
                set_torque(p, descent.taken[i], loads, state.q)
    descent.count[QUEUED], descent.count[TAKEN] = 0, 0


@helper
def mark_up(nodes, mark, node, why):
    """Mark a node and all above it."""
    while node >= 0 and not mark[node] & why:
        mark[node] |= why
        node = nodes[node, ABOVE]


@helper
def in_order(nodes, marks):
    """List the marked nodes, parents first; their number."""
    root = nodes.shape[0] - 1
    if not marks.mark[root]:
        return 0
    level, n = 1, 0
    marks.stack[0] = root
    while level > 0:
        level -= 1
        c = marks.stack[level]
        marks.order[n] = c
        n += 1
        for child in (nodes[c, LEFT], nodes[c, RIGHT]):
            if child >= 0 and marks.mark[child] and nodes[child, KIND] != LEAF:
                marks.stack[level] = child
                level += 1
    return n


@inlined
def place_forces(p, c, loads):
    """World poses of the children of node c that carry forces, from its own; those of bodies to `loads`."""
    C, X = part(p, c), get_pose(p, total(p, c).pose)
    for child in (C.left, C.right):
        if child < 0:
            continue
        if child == C.right and C.stage >= 0:
            above = total(p, C.left)
            if C.left >= 0 and above.has_bottom:
                X = compose(X, get_pose(p, above.inside))
            X = compose(X, load_xform(p.work, C.stage))
        stage = p.nodes[child, STAGE]
        if p.nodes[child, KIND] != LEAF:
            put_pose(p, total(p, child).pose, X)
        elif loads.force_of[stage] >= 0:
            store_pose(loads.forces, FORCE_ROW * loads.force_of[stage] + F_POSE, X)


@helper
def act_on_bodies(p, loads):
    """All that acts on bodies, which stand where `loads` says, as the forces they need at rest."""
    pull_springs(loads)
    for leaf in loads.leaves:
        stage = p.nodes[leaf, STAGE]
        k = FORCE_ROW * loads.force_of[stage]
        R = load_pose(loads.forces, k + F_POSE).R
        f = tmul(R, load_vec(loads.forces, k + F_FORCE))
        n = add(tmul(R, load_vec(loads.forces, k + F_MOMENT)), cross(load_vec(loads.forces, k + F_POINT), f))
        for more in (F_LOOPS, F_SPRINGS):
            w = load_wrench(loads.forces, k + more)
            f, n = add(f, w.f), add(n, w.n)
        store_wrench(p.work, force_at_rest(stage), Wrench(neg(f), neg(n)))


@helper
def ground_pose():
    return Xform(identity(1.0, 0.0), Vec3(0.0, 0.0, 0.0))


@separate
def place_loads(p, marks, n, loads):
    """Let forces act on their bodies where these stand now: the first n nodes in order are those to be updated."""
    put_pose(p, total(p, p.nodes.shape[0] - 1).pose, ground_pose())
    for k in range(n):
        if marks.mark[marks.order[k]] & FORCED:
            place_forces(p, marks.order[k], loads)
    act_on_bodies(p, loads)


@helper
def update(p, descent, marks, loads, moved):
    """Bring up to date what bears a force or has a new torque, and what the last step moved, if `moved`, and all above.

    How many nodes; a negative number is −1 − the stage whose joint has no inertia.
    """
    mark, order = marks.mark, marks.order
    if moved:
        for k in range(descent.count[MOVED_LAST]):
            mark[descent.moved[k]] |= MOVED
    for node in loads.leaves:
        mark_up(p.nodes, mark, node, FORCED)
    for node in loads.driven:
        mark_up(p.nodes, mark, node, DRIVEN)
    n = in_order(p.nodes, marks)
    for k in range(n - 1, -1, -1):
        if mark[order[k]] & MOVED:
            set_pose(p, order[k])
    place_loads(p, marks, n, loads)
    for k in range(n - 1, -1, -1):
        if k >= AHEAD:
            ask_for(p, order[k - AHEAD])
        c = order[k]
        if mark[c] & MOVED:
            if not refresh(p, c, loads.twins):
                return -1 - p.nodes[c, STAGE]
            move_reference(p, c)
        evaluate(p, c, loads.heavy, loads.twins)
        mark[c] = 0
    for node in loads.leaves:
        mark[node] = 0
    descent.count[UPDATED] = n
    return n


@helper
def settle(p, order, n, qdd, loads):
    """Take what surrounds n nodes, parents first and the whole foremost, as their references, and evaluate them."""
    clear_rows(p, total(p, p.nodes.shape[0] - 1).now1)
    for k in range(n):
        compute(p, order[k], qdd)
    for k in range(n - 1, -1, -1):
        c = order[k]
        move_reference(p, c)
        evaluate(p, c, loads.heavy, loads.twins)
        if p.nodes[c, STAGE] >= 0:  # nobody has asked for accelerations
            _, d, nv = joint(p.index, p.nodes[c, STAGE])
            for j in range(d, d + nv):
                qdd[j] = 0.0


@unrolled
def rebuild(blocks, loads, q, fresh, qdd):
    """Everything anew from q: the coefficients, the forces, and references at the true surroundings; a status.

    Where `fresh` is false for a node its coefficients are those of this configuration already and are kept. `qdd` (nv)
    is overwritten.
    """
    p = parts_of(blocks)
    outcome = check_state(p.index, q)
    if outcome != OK:
        return outcome
    zero, n = Vec3(0.0, 0.0, 0.0), p.nodes.shape[0]
    for stage in range(p.index[N_STAGES]):
        at = index_row(stage)
        set_stage(p.model, p.work, stage, p.index[at + I_KIND], q, p.index[at + I_Q], loads.heavy)
        store_wrench(p.work, force_at_rest(stage), Wrench(zero, zero))
    for c in range(n):
        if p.nodes[c, KIND] == LEAF:
            continue
        if p.nodes[c, KIND] != SUM:
            set_torque(p, c, loads, q)
        if fresh[c]:
            if not refresh(p, c, loads.twins):
                return status(SINGULAR, p.nodes[c, STAGE])
            set_pose(p, c)
    put_pose(p, total(p, n - 1).pose, ground_pose())
    for c in range(n - 1, -1, -1):
        if p.nodes[c, KIND] != LEAF:
            place_forces(p, c, loads)
        if fresh[c]:
            C = part(p, c)
            clear_rows(p, C.a1)
            if C.has_bottom:
                clear_rows(p, C.f2)
    act_on_bodies(p, loads)
    lift_ground(p)
    # twice: the first time about zero, which tells the true surroundings; then about those
    for again in range(2):
        for c in range(n):
            if fresh[c]:
                evaluate(p, c, loads.heavy, loads.twins)
        if again == 0:
            clear_rows(p, total(p, n - 1).now1)
            for c in range(n - 1, -1, -1):
                if fresh[c]:
                    compute(p, c, qdd)
            for c in range(n):
                if fresh[c]:
                    move_reference(p, c)
    return OK


@helper
def as_before(old, nodes, c, same, old_stage, same_joint):
    """The old node that node c of a changed tree is, or −1: made of the same parts, by the same joint."""
    kind, stage, left, right = nodes[c, KIND], nodes[c, STAGE], nodes[c, LEFT], nodes[c, RIGHT]
    if kind == LEAF:
        return same[nodes.shape[0] + old_stage[stage]] if old_stage[stage] >= 0 else -1
    if same[right] < 0 or (left >= 0 and same[left] < 0):
        return -1
    node = old[same[right], ABOVE]
    if node < 0 or old[node, RIGHT] != same[right] or old[node, LEFT] != (same[left] if left >= 0 else -1):
        return -1
    for column in (KIND, RIGID, OPEN):
        if old[node, column] != nodes[c, column]:
            return -1
    if stage >= 0 and not (same_joint[stage] and old[node, STAGE] == old_stage[stage]):
        return -1
    return node


@helper
def keep_known(index, old, nodes, old_stage, same_joint, same, fresh, row):
    """Let each node of a changed tree that is as it was keep its record; the others get new ones from `row` on.

    Parameters: the nodes before and now, for each stage now the one it was (−1: none), whether its joint is the same;
    `same` (scratch) ends with the leaf of every stage before. Marks the others in `fresh`; rows in all.
    """
    for c in range(nodes.shape[0]):
        match = as_before(old, nodes, c, same, old_stage, same_joint)
        same[c] = match
        fresh[c] = nodes[c, KIND] != LEAF and match < 0
        for column in (PLACE, PORT, SOLVE, TOTAL):
            nodes[c, column] = old[match, column] if match >= 0 else -1
        if fresh[c]:
            row = lay_out_node(index, nodes, c, row, TOTAL_ROWS, PORT_EXTRA, ADAPTIVE_SOLVE_ROWS)
    return row
