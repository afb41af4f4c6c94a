"""Named views of the assembly tree: what travels together, and where the entries of a record are.

A view is a tuple of *addresses* (rows of the buffer, see `block6`), *places* (indices into it as a line of numbers) and
a few plain numbers. It costs nothing: what a kernel does not use of it is never computed.

A node C is described by what its surroundings see: the acceleration a₁ of its top body and the force f₂ on its bottom
body go in, the force f₁ on its top body and the acceleration a₂ of its bottom body come out,

    f₁ = I a₁ − Tᵀ f₂ + …        a₂ = T a₁ + Φ f₂ + …                                                          [1]

The terms left out are stored as values at a reference (a₁, f₂). A rigid body has no record: its inertia is in the
model, and the force it needs at rest in the work space.
"""

from collections import namedtuple

from linkwork.kernels.algebra.block6 import get, increase, place, row
from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_mat, store_vec
from linkwork.kernels.joints import component, helical
from linkwork.kernels.layout import (
    HELICAL,
    I_KIND,
    I_V,
    KIND_NV,
    REVOLUTE,
    W_FORCE,
    WORK_ROW,
)
from linkwork.kernels.layout.nodes import (
    AXIS_ROWS,
    KIND,
    LEAF,
    LEFT,
    MATRIX,
    P_POSE,
    PAIR,
    PLACE,
    PORT,
    PORT_EXTRA,
    PORT_ROWS,
    RIGHT,
    SCRATCH_ROWS,
    SOLVE,
    STAGE,
    T_NUMBERS,
    TOTAL,
    TOTAL_ROWS,
    VECTOR,
)
from linkwork.kernels.numba_ext import helper, inlined, load, prefetch, store
from linkwork.kernels.records import index_row

# A linkage, the nodes of its assembly tree, and the buffer of their records in two views (see `block6`)
Parts = namedtuple("Parts", "model index work rec flat nodes scratch")

# The record of a node: the nodes A and B that it is made of, above and below; its kind; the stage of its body or joint
# (−1: none); whether it is a leaf, has a bottom body of its own (T, Φ, f₂, a₂) and has V, as it does where A has a
# bottom. Then addresses, as in [1]: T is stored transposed, `bias` is the joint's velocity-product acceleration.
# Quasi-statics has no bias: the lower digits of f₁ are there.
Part = namedtuple("Part", "left right kind stage is_leaf has_bottom solves I a1 f1 bias axes T Phi f2 a2 V")

# The record of a node's total acceleration, see `total_acceleration`: whether there is one, which leaves do not have,
# and whether there is a bottom; Ψ and g; `now`, by how much (a₁, f₂) is off its reference now, and `off`, by how much
# it is so while the surrounding node is at its own reference; numbers (ETA …); the pose of the top body in the world,
# and of the bottom body `inside` the top body; K and T'ᵀ as `join` has left them, for gradients.
Total = namedtuple("Total", "known has_bottom Psi_1 g1 now1 off1 numbers pose Psi_12 Psi_2 g2 now2 off2 inside K T")

# The record of a node's rigid twin, see `rigid_twins`, in the place of its total acceleration: its inertia, ten
# numbers; D and κ at the reference and now; N now; the rest as in a `Total`.
Twin = namedtuple("Twin", "known has_bottom I D D_now kappa kappa_now N_now numbers now1 off1 now2 off2 inside")

# Axis k of a joint, s = α e_i + β e_j: addresses of u = I s and t = T s; places of r = 1 / (sᵀu + armature), which is 0
# where that vanishes, of the generalized force Q, and of q̈ where r is 0 or, in quasi-statics, at the reference.
Axis = namedtuple("Axis", "i alpha j beta u t r Q rest")

# Where divide and conquer works. Matrices: the part that is being hung, its I (K, seen from above), Tᵀ and Φ; any
# one, M; how x' = G₁ a₁ + G₂ f₂ and f = F₁ a₁ − F₂ f₂ depend on (a₁, f₂), see `join`. Vectors: y, a₂ of A; x_d, the
# same on B's side of the joint, if that did not move; w, the force on B; f_hat, what the joint would bear if A did
# not give way; phi, by which the force on A's bottom body falls below its reference; delta, by which x_d changes
# where A gives way and the joint moves; x_b, what a₁ is to B; d, any one; e, q̈ of the axes.
Scratch = namedtuple("Scratch", "K T Phi M G2 G1 F1 F2 y x_d w f_hat phi delta x_b d e")

# Where total accelerations are computed, after that. Matrices: Ψ of the part that is being hung; any two, M and N.
# Vectors: gradients of A and of B, those in the acceleration of A's bottom body and in the force on it; z; Ψ (ξ − ξᵣ);
# with lower digits: the force on B, w, and the same on A's bottom body, f.
TotalScratch = namedtuple(
    "TotalScratch", "Psi_1 Psi_12 Psi_2 M N g_A1 g_A2 g_B1 g_B2 g_x g_f z1 z2 Psi_d1 Psi_d2 w f"
)


@inlined
def parts_of(b):
    """The parts of a linkage from the `Blocks` that Python gives."""
    return Parts(b.model, b.index, b.work, b.buffer, b.buffer.reshape(b.buffer.size), b.nodes, b.scratch)


@inlined
def part(p, c):
    """The record of node c; c < 0 gives that of no node, which may be made but not looked at."""
    kind, solve = p.nodes[c, KIND], p.nodes[c, SOLVE]
    I, T = p.nodes[c, PLACE], p.nodes[c, PORT]  # noqa: E741
    a1, Phi = I + MATRIX, T + MATRIX
    f2 = Phi + MATRIX
    return Part(
        p.nodes[c, LEFT], p.nodes[c, RIGHT], kind, p.nodes[c, STAGE], kind == LEAF, T >= 0, solve >= 0,
        I, a1, a1 + VECTOR, a1 + 2 * VECTOR, a1 + 3 * VECTOR, T, Phi, f2, f2 + VECTOR, solve,
    )  # fmt: skip


@inlined
def total(p, c):
    """The record of the total acceleration of node c."""
    Psi_1, port, solve = p.nodes[c, TOTAL], p.nodes[c, PORT], p.nodes[c, SOLVE]
    g1, numbers, Psi_12 = Psi_1 + MATRIX, Psi_1 + T_NUMBERS, port + PORT_ROWS
    g2 = Psi_12 + 2 * MATRIX
    return Total(
        Psi_1 >= 0, port >= 0, Psi_1, g1, g1 + VECTOR, g1 + 2 * VECTOR, numbers, numbers + 1,
        Psi_12, Psi_12 + MATRIX, g2, g2 + VECTOR, g2 + 2 * VECTOR, port + P_POSE, solve + MATRIX, solve + 2 * MATRIX,
    )  # fmt: skip


@inlined
def twin(p, c):
    """The record of the rigid twin of node c."""
    t = total(p, c)
    return Twin(
        t.known, t.has_bottom, t.Psi_1, t.g1, t.Psi_1 + 2 * VECTOR, t.g2, t.Psi_12, place(t.Psi_1, 10), t.numbers,
        t.now1, t.off1, t.now2, t.off2, t.inside,
    )  # fmt: skip


@helper
def ask_for(p, c):
    """Ask for the record of node c, no leaf, ahead of its use, but for what twins leave idle."""
    nodes = p.nodes
    ask_for_rows(p, nodes[c, PLACE], nodes[c, TOTAL] + 3 * VECTOR)
    ask_for_rows(p, nodes[c, TOTAL] + MATRIX, nodes[c, TOTAL] + TOTAL_ROWS)
    if nodes[c, PORT] >= 0:
        ask_for_rows(p, nodes[c, PORT], nodes[c, PORT] + PORT_ROWS + VECTOR)
        ask_for_rows(p, nodes[c, PORT] + PORT_ROWS + 2 * MATRIX, nodes[c, PORT] + PORT_ROWS + PORT_EXTRA)
    if nodes[c, SOLVE] >= 0:
        ask_for_rows(p, nodes[c, SOLVE], nodes[c, SOLVE] + MATRIX)


@inlined
def ask_for_rows(p, begin, end):
    """Ask for the cache lines, of two rows each, from one row to another."""
    for address in range(begin, end, 2):
        prefetch(p.flat, place(address, 0))


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
    u = axes + AXIS_ROWS * k
    numbers = place(u + 2 * VECTOR, 0)
    return Axis(i, alpha, j, beta, u, u + VECTOR, numbers, numbers + 1, numbers + 2)


@inlined
def direction(model, stage, kind, k):
    if kind == HELICAL:
        slide, turn = helical.screw_of(model, stage)
        return 5, turn, 2, slide
    return component(kind, k), 1.0, (2 if kind == REVOLUTE else 5), 0.0


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


@inlined
def scratch(p):
    s, v = p.scratch, p.scratch + 8 * MATRIX
    return Scratch(
        s, s + MATRIX, s + 2 * MATRIX, s + 3 * MATRIX, s + 4 * MATRIX, s + 5 * MATRIX, s + 6 * MATRIX, s + 7 * MATRIX,
        v, v + VECTOR, v + 2 * VECTOR, v + 3 * VECTOR, v + 4 * VECTOR, v + 5 * VECTOR, v + 6 * VECTOR, v + 7 * VECTOR,
        v + 8 * VECTOR,
    )  # fmt: skip


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
    return Xform(load_mat(p.flat, place(at, 0)), load_vec(p.flat, place(at, 9)))


@inlined
def put_pose(p, at, X):
    store_mat(p.flat, place(at, 0), X.R)
    store_vec(p.flat, place(at, 9), X.p)


@helper
def force_at_rest(stage):
    """Place in the work space of the force that a stage's body needs at rest."""
    return WORK_ROW * stage + W_FORCE
