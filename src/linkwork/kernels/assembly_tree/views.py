"""Named views of the assembly tree: what travels together, and where the entries of a record are.

A view is a tuple of *addresses* (rows of the buffer, see `block6`), *places* (indices into it as a line of numbers) and
a few plain numbers. It costs nothing: what a kernel does not use of it is never computed.

A node C is described by what its surroundings see: the acceleration a₁ of its top body and the force f₂ on its bottom
body go in, the force f₁ on its top body and the acceleration a₂ of its bottom body come out,

    f₁ = I a₁ − Tᵀ f₂ + …        a₂ = T a₁ + Φ f₂ + …                                                          [1]

The terms left out are stored as values at a reference (a₁, f₂). A rigid body has no record: its inertia is in the
model, and the force it needs at rest in the work space.
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.block6 import get, increase, row
from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_mat, store_vec
from linkwork.kernels.layout import (
    AXIAL,
    FREE,
    I_KIND,
    I_V,
    KIND_NV,
    M_SLIDE,
    M_TURN,
    PLANAR,
    REVOLUTE,
    W_FORCE,
    WORK_ROW,
)
from linkwork.kernels.layout.nodes import (
    AXES,
    AXIS_NUMBERS,
    AXIS_ROWS,
    AXIS_T,
    BIAS,
    FORCE,
    KIND,
    LEAF,
    LEFT,
    MATRIX,
    P_BOTTOM,
    P_FORCE,
    P_G,
    P_NOW,
    P_OFF,
    P_PHI,
    P_POSE,
    P_PSI_2,
    P_PSI_12,
    PAIR,
    PLACE,
    PORT,
    RIGHT,
    S_K,
    S_T,
    SCRATCH_MATRICES,
    SCRATCH_ROWS,
    SOLVE,
    STAGE,
    T_G,
    T_NOW,
    T_NUMBERS,
    T_OFF,
    T_POSE,
    TOP,
    TOTAL,
    VECTOR,
)
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import index_row, model_row


class Parts(NamedTuple):
    """A linkage, the nodes of its assembly tree, and the buffer of their records in two views (see `block6`)."""

    model: Any
    index: Any
    work: Any
    rec: Any
    flat: Any
    nodes: Any
    scratch: Any


@inlined
def parts_of(b):
    """The parts of a linkage from the `Blocks` that Python gives."""
    return Parts(b.model, b.index, b.work, b.buffer, b.buffer.reshape(b.buffer.size), b.nodes, b.scratch)


class Part(NamedTuple):
    """The record of a node. Lower digits of f₁ come after it: quasi-statics has no `bias`."""

    left: Any  # nodes that it is made of: the upper one, A, and the lower one, B
    right: Any
    kind: Any
    stage: Any  # of its body or joint, −1 for a sum
    is_leaf: Any
    has_bottom: Any  # whether it has T, Φ, f₂ and a₂
    solves: Any  # whether it has V: where A has a bottom
    I: Any  # noqa: E741
    a1: Any
    f1: Any
    bias: Any  # velocity-product acceleration of the joint
    axes: Any
    T: Any  # transposed
    Phi: Any
    f2: Any
    a2: Any
    V: Any


@inlined
def part(p, c):
    """The record of node c; c < 0 gives that of no node, of which only `left` … `solves` may be looked at."""
    place, port, solve, kind = p.nodes[c, PLACE], p.nodes[c, PORT], p.nodes[c, SOLVE], p.nodes[c, KIND]
    return Part(
        p.nodes[c, LEFT], p.nodes[c, RIGHT], kind, p.nodes[c, STAGE], kind == LEAF, port >= 0, solve >= 0,
        place, place + TOP, place + FORCE, place + BIAS, place + AXES,
        port, port + P_PHI, port + P_FORCE, port + P_BOTTOM, solve,
    )  # fmt: skip


class Total(NamedTuple):
    """The record of a node's total acceleration: see `total_acceleration`."""

    known: Any  # whether there is one: leaves have none
    has_bottom: Any
    Psi_1: Any
    g1: Any
    now1: Any  # by how much a₁ is off its reference now
    off1: Any  # … and while the surrounding node is at its own reference
    numbers: Any  # ETA, ALL_JOINTS, ANY_JOINT, OF_FLOATS
    pose: Any  # of the top body in the world
    Psi_12: Any
    Psi_2: Any
    g2: Any
    now2: Any  # the same of f₂
    off2: Any
    inside: Any  # pose of the bottom body in the top body
    K: Any  # what `join` has left, for gradients
    T: Any


@inlined
def total(p, c):
    at, port, solve = p.nodes[c, TOTAL], p.nodes[c, PORT], p.nodes[c, SOLVE]
    return Total(
        at >= 0, port >= 0, at, at + T_G, at + T_NOW, at + T_OFF, at + T_NUMBERS, at + T_POSE,
        port + P_PSI_12, port + P_PSI_2, port + P_G, port + P_NOW, port + P_OFF, port + P_POSE,
        solve + S_K, solve + S_T,
    )  # fmt: skip


class Axis(NamedTuple):
    """Axis k of a joint, s = α e_i + β e_j: its u = I s, its t = T s, and places of its numbers."""

    i: Any
    alpha: Any
    j: Any
    beta: Any
    u: Any
    t: Any
    r: Any  # 1 / (sᵀu + armature), 0 where that vanishes
    Q: Any  # generalized force
    rest: Any  # q̈ where r is 0; in quasi-statics, q̈ at the reference


@inlined
def joint(index, stage):
    """Kind, first degree of freedom and number of axes of a stage's joint."""
    at = index_row(stage)
    kind = index[at + I_KIND]
    return kind, index[at + I_V], KIND_NV[kind]


@inlined
def axis(model, stage, kind, axes, k):
    """Axis k of a stage's joint, whose axes begin at the address `axes`."""
    i, alpha, j, beta = direction(model, stage, kind, k)
    at = axes + AXIS_ROWS * k
    numbers = 4 * (at + AXIS_NUMBERS)
    return Axis(i, alpha, j, beta, at, at + AXIS_T, numbers, numbers + 1, numbers + 2)


@inlined
def direction(model, stage, kind, k):
    if kind == REVOLUTE:
        return 5, 1.0, 2, 0.0
    if kind == AXIAL:
        at = model_row(stage)
        return 5, load(model, at + M_TURN), 2, load(model, at + M_SLIDE)
    if kind == PLANAR:
        return (k if k < 2 else 5), 1.0, 5, 0.0
    if kind == FREE:
        return k, 1.0, 5, 0.0
    return 3 + k, 1.0, 5, 0.0


@inlined
def along(p, s, x):
    """Sᵀ x of an axis s and the vector x."""
    return s.alpha * get(p, x, s.i) + s.beta * get(p, x, s.j)


@inlined
def add_axis(p, s, x, value):
    """x + s value, written to the vector x."""
    increase(p, x, s.i, s.alpha * value)
    increase(p, x, s.j, s.beta * value)


@inlined
def take_axis(p, y, M, s):
    """y = Mᵀ s."""
    store(p.rec, y, s.alpha * load(p.rec, row(M, s.i)) + s.beta * load(p.rec, row(M, s.j)))
    store(p.rec, y + 1, s.alpha * load(p.rec, row(M, s.i) + 1) + s.beta * load(p.rec, row(M, s.j) + 1))


class Scratch(NamedTuple):
    """Where divide and conquer works: matrices, then vectors."""

    K: Any  # the part that is being hung: its I, and seen from above K; Tᵀ; Φ
    T: Any
    Phi: Any
    M: Any  # any matrix
    G2: Any  # how x' = G₁ a₁ + G₂ f₂ and f = F₁ a₁ − F₂ f₂ depend on (a₁, f₂), see `join`
    G1: Any
    F1: Any
    F2: Any
    y: Any  # a₂ of A
    x_d: Any  # the same on B's side of the joint, if that did not move
    w: Any  # force on B
    f_hat: Any  # force that the joint would bear if A did not give way
    phi: Any  # by which the force on A's bottom body falls below its reference
    delta: Any  # by which x_d changes where A gives way and the joint moves
    x_b: Any  # what a₁ is to B
    d: Any  # any vector
    e: Any  # q̈ of the axes


@inlined
def scratch(p):
    s, v = p.scratch, p.scratch + SCRATCH_MATRICES * MATRIX
    return Scratch(
        s, s + MATRIX, s + 2 * MATRIX, s + 3 * MATRIX, s + 4 * MATRIX, s + 5 * MATRIX, s + 6 * MATRIX, s + 7 * MATRIX,
        v, v + VECTOR, v + 2 * VECTOR, v + 3 * VECTOR, v + 4 * VECTOR, v + 5 * VECTOR, v + 6 * VECTOR, v + 7 * VECTOR,
        v + 8 * VECTOR,
    )  # fmt: skip


class TotalScratch(NamedTuple):
    """Where total accelerations are computed: after the scratch of divide and conquer."""

    Psi_1: Any  # of the part that is being hung
    Psi_12: Any
    Psi_2: Any
    M: Any  # any matrices
    N: Any
    g_A1: Any  # gradients of A and of B
    g_A2: Any
    g_B1: Any
    g_B2: Any
    g_x: Any  # … in the acceleration of A's bottom body, and in the force on it
    g_f: Any
    z1: Any
    z2: Any
    Psi_d1: Any  # Ψ (ξ − ξᵣ)
    Psi_d2: Any
    w: Any  # force on B, with lower digits
    f: Any  # the same on A's bottom body


@inlined
def total_scratch(p):
    s = p.scratch + SCRATCH_ROWS
    v = s + 5 * MATRIX
    return TotalScratch(
        s, s + MATRIX, s + 2 * MATRIX, s + 3 * MATRIX, s + 4 * MATRIX,
        v, v + VECTOR, v + 2 * VECTOR, v + 3 * VECTOR, v + 4 * VECTOR, v + 5 * VECTOR, v + 6 * VECTOR, v + 7 * VECTOR,
        v + 8 * VECTOR, v + 9 * VECTOR, v + 10 * VECTOR, v + 10 * VECTOR + PAIR,
    )  # fmt: skip


@inlined
def get_pose(p, at):
    return Xform(load_mat(p.flat, 4 * at), load_vec(p.flat, 4 * at + 9))


@inlined
def put_pose(p, at, X):
    store_mat(p.flat, 4 * at, X.R)
    store_vec(p.flat, 4 * at + 9, X.p)


@helper
def force_at_rest(stage):
    """Place in the work space of the force that a stage's body needs at rest."""
    return WORK_ROW * stage + W_FORCE
