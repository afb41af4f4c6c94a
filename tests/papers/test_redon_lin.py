"""[Redon2005] S. Redon and M. C. Lin, "An efficient, error-bounded approximation algorithm ...": equations (1) to (9).

Written down in NumPy as printed, handle by handle, against the compiled method: the acceleration of every joint, and
the articulated-body equation and the total acceleration of every node of the assembly tree. All spatial vectors are
about the world's origin, in world axes, linear part first: one frame for all handles, and (3) holds as printed.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.nodes import HANG, KIND, LEAF, LEFT, RIGHT, STAGE


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


@dataclass
class Node:
    """An articulated body: a handle for every joint that is not yet made, six rows each, in the order of `handles`."""

    handles: list[int]
    Phi: np.ndarray
    b: np.ndarray
    Psi: np.ndarray
    p: np.ndarray
    eta: float = 0.0
    joint: int = -1
    parts: tuple = ()
    joints: set[int] = field(default_factory=set)

    def split(self, handle):
        """Rows of one handle, and those of all others."""
        k = 6 * self.handles.index(handle)
        one = np.arange(k, k + 6)
        return one, np.setdiff1d(np.arange(6 * len(self.handles)), one)


def leaf(body, handles, inertia, force):
    inverse, n = np.linalg.inv(inertia), len(handles)
    zero = np.zeros((6 * n, 6 * n))
    return Node(handles, np.tile(inverse, (n, n)), np.tile(inverse @ force, n), zero, np.zeros(6 * n))  # (3)


NOTHING = Node([-1], np.zeros((6, 6)), np.zeros(6), np.zeros((6, 6)), np.zeros(6))  # what a root has in A's place


def terms(A, B, joint, S, Q):
    """V, W, β, γ of section 3.1.1 and U, R of section 4.2, and the rows of the handles in A and B."""
    two, one = A.split(joint), B.split(joint)
    Phi_2A, Phi_1B = A.Phi[np.ix_(two[0], two[0])], B.Phi[np.ix_(one[0], one[0])]
    V = np.linalg.inv(Phi_2A + Phi_1B)
    inverse = np.linalg.inv(S.T @ V @ S)
    W = V - V @ S @ inverse @ S.T @ V
    beta = A.b[two[0]] - B.b[one[0]]
    gamma = W @ beta + V @ S @ inverse @ Q
    return V, W, beta, gamma, inverse @ S.T @ V, inverse @ (Q - S.T @ V @ beta), two, one


def assemble(A, B, joint, S, Q):
    """The main pass for one node: (2), and (9) for the total acceleration."""
    _, W, _, gamma, U, R, (a2, a1), (b1, b2) = terms(A, B, joint, S, Q)
    at = lambda M, rows, columns: M[np.ix_(rows, columns)]  # noqa: E731
    Phi_12A, Phi_21A, Phi_12B, Phi_21B = (
        at(A.Phi, a1, a2), at(A.Phi, a2, a1), at(B.Phi, b1, b2), at(B.Phi, b2, b1)
    )  # fmt: skip
    Phi_21 = Phi_21B @ W @ Phi_21A  # (2)
    Phi = np.block(
        [[at(A.Phi, a1, a1) - Phi_12A @ W @ Phi_21A, Phi_21.T], [Phi_21, at(B.Phi, b2, b2) - Phi_21B @ W @ Phi_12B]]
    )
    b = np.concatenate([A.b[a1] - Phi_12A @ gamma, B.b[b2] + Phi_21B @ gamma])

    both = at(A.Psi, a2, a2) + at(B.Psi, b1, b1)
    Y = U.T @ U + W @ both @ W
    Z = 2 * U.T @ R + W @ (A.p[a2] - B.p[b1]) - 2 * W @ both @ gamma
    Psi_12A, Psi_21A, Psi_12B, Psi_21B = (
        at(A.Psi, a1, a2), at(A.Psi, a2, a1), at(B.Psi, b1, b2), at(B.Psi, b2, b1)
    )  # fmt: skip
    Psi_1 = at(A.Psi, a1, a1) + Phi_12A @ Y @ Phi_21A - (Phi_12A @ W @ Psi_21A + Psi_12A @ W @ Phi_21A)  # (9)
    Psi_2 = at(B.Psi, b2, b2) + Phi_21B @ Y @ Phi_12B - (Phi_21B @ W @ Psi_12B + Psi_21B @ W @ Phi_12B)
    Psi_21 = -Phi_21B @ Y @ Phi_21A + Phi_21B @ W @ Psi_21A + Psi_21B @ W @ Phi_21A
    p = np.concatenate([A.p[a1] - Phi_12A @ Z - 2 * Psi_12A @ gamma, B.p[b2] + Phi_21B @ Z + 2 * Psi_21B @ gamma])
    eta = A.eta + B.eta + R @ R + gamma @ both @ gamma - gamma @ (A.p[a2] - B.p[b1])
    handles = [h for h in A.handles if h != joint] + [h for h in B.handles if h != joint]
    Psi = np.block([[Psi_1, Psi_21.T], [Psi_21, Psi_2]])
    return Node(handles, Phi, b, Psi, p, eta, joint, (A, B), {joint} | A.joints | B.joints)


class ByThePaper:
    """Accelerations of a tree of hinges and slides on ground, on the assembly tree that linkwork chose."""

    def __init__(self, linkage, q, tau, force):
        columns, poses = linkage.columns, lw.body_poses(linkage, q)
        R, x = poses.rotations, poses.positions
        self.S, self.Q, self.frames = [], [], []
        inertia, children = [], [[] for _ in range(linkage.nb)]
        for k in range(linkage.nb):
            joint, axis = linkage.joints[k], R[k] @ columns.axis[k]
            slides = isinstance(joint.type, lw.Prismatic)
            self.S.append(np.hstack([axis, 0 * axis] if slides else [np.cross(x[k], axis), axis])[:, None])
            self.Q.append(tau[joint.v_slice])
            own = linkage.bodies[k].inertia
            C, m = skew(x[k] + R[k] @ own.com), own.mass
            about_com = R[k] @ own.matrix @ R[k].T
            inertia.append(np.block([[m * np.eye(3), -m * C], [m * C, about_com - m * C @ C]]))
            self.frames.append((R[k], x[k]))
            if columns.parent[k] >= 0:
                children[columns.parent[k]].append(k)
        a_g = np.hstack([linkage.gravity, np.zeros(3)])
        assembly = linkage.assembly()
        stage_body, nodes = assembly.tree.body, []
        for row in assembly.nodes:
            body = int(stage_body[row[STAGE]])
            if row[KIND] == LEAF:
                nodes.append(leaf(body, [body, *children[body]], inertia[body], force[body]))
            else:
                A, B = (nodes[row[LEFT]] if row[KIND] != HANG else NOTHING), nodes[row[RIGHT]]
                if row[KIND] == HANG:  # the root: gravity as an acceleration of all that falls, b₁ + a_g
                    B.b[B.split(body)[0]] += a_g
                    A = Node([body], A.Phi, A.b, A.Psi, A.p)
                nodes.append(assemble(A, B, body, self.S[body], self.Q[body]))
        self.root, self.a, self.total, self.part = nodes[-1], np.zeros(linkage.nv), {}, {}
        self.go_down(self.root, np.zeros(0))

    def go_down(self, C, f):
        """The back-substitution pass: (4), (5), (6), (7), and (8) at every node."""
        if C.joint < 0:
            return
        self.total[C.joint], self.part[C.joint] = f @ C.Psi @ f + f @ C.p + C.eta, C  # (8)
        A, B = C.parts
        S, Q = self.S[C.joint], self.Q[C.joint]
        V, W, beta, gamma, _, _, (a2, a1), (b1, b2) = terms(A, B, C.joint, S, Q)
        f_1A, f_2B = f[: len(a1)], f[len(a1) :]
        drive = A.Phi[np.ix_(a2, a1)] @ f_1A - B.Phi[np.ix_(b1, b2)] @ f_2B
        self.a[C.joint] = (np.linalg.inv(S.T @ V @ S) @ (Q - S.T @ V @ (drive + beta)))[0]  # (4); (6) at the root
        f_1B = W @ drive + gamma  # (5); (7)
        f_A, f_B = np.empty(len(A.b)), np.empty(len(B.b))
        f_A[a1], f_A[a2], f_B[b1], f_B[b2] = f_1A, -f_1B, f_1B, f_2B
        self.go_down(A, f_A)
        self.go_down(B, f_B)


def sample(kind, n, seed):
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(
        n, seed=rng, joints=("Revolute", "Prismatic"), branching={"serial": 0.0, "branched": 0.4}[kind]
    )
    force = np.zeros((n, 6))
    force[n // 2, :3], force[n - 1, :3] = rng.normal(size=(2, 3))
    return linkage, linkage.random(rng), rng.normal(size=linkage.nv), force


def to_own_frame(frame):
    """From spatial motions about the world's origin to those in a body's frame."""
    R, x = frame
    return np.block([[R.T, -R.T @ skew(x)], [np.zeros((3, 3)), R.T]])


CASES = [("serial", 9, 0), ("serial", 30, 1), ("branched", 9, 2), ("branched", 30, 3), ("branched", 60, 4)]


@pytest.mark.parametrize(("kind", "n", "seed"), CASES)
def test_accelerations_and_total_accelerations_are_the_papers(kind, n, seed):
    linkage, q, tau, force = sample(kind, n, seed)
    x = lw.body_poses(linkage, q).positions
    about_origin = np.hstack([force[:, :3], np.cross(x, force[:, :3])])
    paper = ByThePaper(linkage, q, tau, about_origin)
    for method in ("aba", "dca"):
        a = lw.forward_dynamics(linkage, q, 0 * tau, tau, force, method=method)
        np.testing.assert_allclose(paper.a, a, rtol=0, atol=1e-9 * np.abs(a).max())
    whole = a @ a
    assert len(paper.total) == n  # every node but the leaves has its own joint

    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, measure="acceleration")
    for k in range(n):
        ad.apply_force(linkage.bodies[k], force[k, :3])
        ad.apply_torque(linkage.joints[k], tau[k])
    for k, C in paper.part.items():
        inside = sum(a[j] ** 2 for j in C.joints)
        assert paper.total[k] == pytest.approx(inside, abs=1e-8 * whole)  # (8) is the sum over what is inside
        found = ad.subassembly(linkage.joints[k])
        assert found.total == pytest.approx(inside, rel=1e-9, abs=1e-12 * whole)
        assert len(found.bodies) == len(C.joints) + (C is not paper.root)


@pytest.mark.parametrize(("kind", "n", "seed"), [CASES[1], CASES[3], CASES[4]])
def test_articulated_body_equations_are_the_papers(kind, n, seed):
    """(1) of every part with one or two handles: ours is the same relation, solved for f₁ and a₂."""
    linkage, q, tau, force = sample(kind, n, seed)
    paper = ByThePaper(linkage, q, tau, 0 * force)
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, measure="acceleration")
    two = 0
    for k, C in paper.part.items():
        if C is paper.root:
            continue
        found = ad.subassembly(linkage.joints[k])
        top = C.split(linkage.bodies[found.top].index)[0]
        X1 = to_own_frame(paper.frames[linkage.bodies[found.top].index])
        inverse = np.linalg.inv(found.I)
        Phi_1 = X1 @ C.Phi[np.ix_(top, top)] @ X1.T
        np.testing.assert_allclose(inverse, Phi_1, rtol=0, atol=1e-9 * np.abs(Phi_1).max())
        if found.bottom is None:
            n_handles = len(C.handles)  # all of them on one body, which moves as one
            np.testing.assert_allclose(C.Phi, np.tile(C.Phi[:6, :6], (n_handles, n_handles)), atol=1e-9)
            continue
        two += 1
        other = C.split(C.handles[0 if C.handles[1] == linkage.bodies[found.top].index else 1])[0]
        X2 = to_own_frame(paper.frames[linkage.bodies[found.bottom].index])
        Phi_21 = X2 @ C.Phi[np.ix_(other, top)] @ X1.T
        Phi_2 = X2 @ C.Phi[np.ix_(other, other)] @ X2.T
        np.testing.assert_allclose(found.T @ inverse, Phi_21, rtol=0, atol=1e-9 * np.abs(Phi_21).max())
        ours = found.T @ inverse @ found.T.T + found.Phi
        np.testing.assert_allclose(ours, Phi_2, rtol=0, atol=1e-9 * np.abs(Phi_2).max())
    assert two > n // 10


def test_the_papers_gravity_is_an_acceleration_upwards():
    """After (7) gravity is b₁ − a_g: true for the acceleration of a ground that rises, not for that of what falls."""
    linkage, q, tau, force = sample("serial", 6, 5)
    expected = lw.forward_dynamics(linkage, q, 0 * tau, tau)
    np.testing.assert_allclose(ByThePaper(linkage, q, tau, 0 * force).a, expected, atol=1e-9 * np.abs(expected).max())
    linkage.gravity = -linkage.gravity
    assert np.abs(ByThePaper(linkage, q, tau, 0 * force).a - expected).max() > 0.1
