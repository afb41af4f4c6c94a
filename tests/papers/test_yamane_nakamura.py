"""Yamane and Nakamura, "O(N) forward dynamics computation of open kinematic chains ... principle of virtual work".

The paper's equations, written down in NumPy in world axes, link by link, against the compiled method. As printed some
of them are wrong; the tests show which.
"""

from typing import NamedTuple

import numpy as np
import pytest

import linkwork as lw
import linkwork.dynamics.virtual_work as virtual_work


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Links(NamedTuple):
    """What the paper starts from: a row a link (its origin, world axes), and the joint that bears it."""

    parent: np.ndarray
    A: np.ndarray  # spatial inertia
    t: np.ndarray  # (28), all joint torques put in: external forces − b + H_Jᵀ n_J of both sides
    X: np.ndarray  # motion of the parent's origin to that of the link
    K: list[np.ndarray]  # (9)
    K_J: list[np.ndarray]  # (10), the pseudoinverse of the joint's axes
    drift: np.ndarray  # relative acceleration with every joint acceleration zero
    torque: list[np.ndarray]


def links_of(linkage, q, v, tau, *, parents_torque=True):
    columns, poses = linkage.columns, lw.body_poses(linkage, q)
    R, p = poses.rotations, poses.positions
    twist, rate = lw.body_velocities(linkage, q, v), lw.body_accelerations(linkage, q, v, 0 * v)
    n, parent = linkage.nb, columns.parent
    A, t, X, drift = np.empty((n, 6, 6)), np.zeros((n, 6)), np.zeros((n, 6, 6)), rate.copy()
    K, K_J, torque = [], [], []
    for k in range(n):
        xx, xy, xz, yy, yz, zz = columns.inertia[k]
        inertia = R[k] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R[k].T
        m, c, w = columns.mass[k], R[k] @ columns.com[k], twist[k, 3:]
        C = skew(c)
        A[k] = np.block([[m * np.eye(3), -m * C], [m * C, inertia - m * C @ C]])
        f = m * (np.cross(w, np.cross(w, c)) - linkage.gravity)
        t[k] -= np.concatenate([f, np.cross(w, inertia @ w) + np.cross(c, f)])
        spherical = linkage.joints[k].nv == 3
        axes = R[k] if spherical else R[k] @ columns.axis[k][:, None]
        across = np.linalg.svd(axes)[0][:, axes.shape[1] :].T
        K.append(np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((len(across), 3)), across]]))
        K_J.append(np.hstack([np.zeros((axes.shape[1], 3)), np.linalg.pinv(axes)]))
        torque.append(tau[columns.v_start[k] :][: axes.shape[1]])
        t[k] += K_J[k].T @ torque[k]
        if parent[k] >= 0:
            X[k] = np.eye(6)
            X[k, :3, 3:] = -skew(p[k] - p[parent[k]])
            drift[k] -= X[k] @ rate[parent[k]]
            if parents_torque:
                t[parent[k]] -= X[k].T @ K_J[k].T @ torque[k]
    return Links(parent, A, t, X, K, K_J, drift, torque)


def path_1(links, *, as_printed=False):
    """Equations (40) and (41) from the end links to the root, by updates of each link's own inverse inertia."""
    Y = np.linalg.inv(links.A)
    alpha = np.einsum("nij,nj->ni", Y, links.t)
    stored = [None] * len(Y)
    for m in range(len(Y) - 1, -1, -1):
        p, H = links.parent[m], links.K[m]
        h = H @ links.drift[m]  # (29)
        U = H @ links.X[m] @ Y[p] if p >= 0 else np.zeros_like(H)
        H0 = H @ links.X[m]
        M = np.linalg.inv(H @ Y[m] @ H.T + U @ H0.T)  # (41)
        a = h - H @ alpha[m]
        if p >= 0 and not as_printed:
            a += H0 @ alpha[p]  # the term that the paper leaves out
        n = M @ a  # (40)
        if p >= 0:
            alpha[p] -= U.T @ n
            Y[p] -= U.T @ M @ U
        stored[m] = (U, M, n)
    return stored


def path_2(links, stored, order):
    """Constraint forces (47), link accelerations (48) and joint accelerations (49), joints taken in this order."""
    added = np.zeros_like(links.t)
    forces = [None] * len(stored)
    for m in order:
        U, M, n = stored[m]
        p, H = links.parent[m], links.K[m]
        if p >= 0:
            n = n + M @ U @ added[p]
            added[p] -= links.X[m].T @ H.T @ n
        added[m] += H.T @ n
        forces[m] = H.T @ n + links.K_J[m].T @ links.torque[m]
    rate = np.linalg.solve(links.A, (links.t + added)[..., None])[..., 0]
    joint = []
    for m, p in enumerate(links.parent):
        relative = rate[m] - (links.X[m] @ rate[p] if p >= 0 else 0.0) - links.drift[m]
        joint.append(links.K_J[m] @ relative)
    return np.concatenate(joint), np.array(forces)


def by_the_paper(linkage, q, v, tau, **options):
    links = links_of(linkage, q, v, tau)
    return path_2(links, path_1(links, **options), range(linkage.nb))


def sample(kind, n, seed):
    rng = np.random.default_rng(seed)
    joints = ("Revolute", "Spherical")
    linkage = lw.samples.random_tree(n, seed=rng, joints=joints, branching={"serial": 0.0, "branched": 0.9}[kind])
    return linkage, linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)


def error(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("kind", ["serial", "branched"])
@pytest.mark.parametrize("seed", range(5))
def test_the_compiled_method_is_the_papers(kind, seed):
    """Joint accelerations, and the force of every constraint, in world axes."""
    linkage, q, v, tau = sample(kind, 15, seed)
    a, forces = by_the_paper(linkage, q, v, tau)
    ours, wrenches = np.empty(linkage.nv), np.empty(6 * linkage.nb)
    virtual_work.solve_tree(linkage, q, v, tau, np.empty(0), ours, wrenches)
    assert error(ours, a) < 1e-10
    R = lw.body_poses(linkage, q).rotations
    in_world = np.einsum("nij,nkj->nki", R, wrenches.reshape(-1, 2, 3)).reshape(-1, 6)
    assert error(in_world, forces) < 1e-9


def test_the_printed_a_lacks_the_parents_acceleration():
    """After (32): a = h − H A⁻¹ t of the new link only; the link it is joined to accelerates as well."""
    linkage, q, v, tau = sample("serial", 8, 1)
    expected = lw.forward_dynamics(linkage, q, v, tau, method="aba")
    assert error(by_the_paper(linkage, q, v, tau)[0], expected) < 1e-11
    assert error(by_the_paper(linkage, q, v, tau, as_printed=True)[0], expected) > 0.1


def test_the_printed_t_lacks_the_next_joints_torque():
    """(28) gives a link its own joint's torque; (15) takes that of the next joint off again."""
    linkage, q, v, tau = sample("serial", 8, 2)
    expected = lw.forward_dynamics(linkage, q, v, tau, method="aba")
    links = links_of(linkage, q, v, tau, parents_torque=False)
    assert error(path_2(links, path_1(links), range(8))[0], expected) > 1e-3


def test_siblings_must_be_taken_in_reverse_too():
    """Path 2 over a star: last joined, first taken back. The paper does not say so."""
    star = lw.samples.star(6, joint=lw.Spherical())
    rng = np.random.default_rng(0)
    q, v, tau = star.random(rng), rng.normal(size=star.nv), rng.normal(size=star.nv)
    expected = lw.forward_dynamics(star, q, v, tau, method="aba")
    links = links_of(star, q, v, tau)
    stored = path_1(links)
    assert error(path_2(links, stored, [0, 1, 2, 3, 4, 5])[0], expected) < 1e-10
    assert error(path_2(links, stored, [0, 5, 4, 3, 2, 1])[0], expected) > 1e-3


@pytest.mark.slow
def test_handing_on_accelerations_keeps_digits_that_forces_lose():
    """(47) hands forces from joint to joint; the kernel hands on the parent's acceleration, which cannot drift from
    the accelerations it has given out. Rounding is a matter of luck in one state, so five of them are averaged."""
    chain = lw.samples.chain(400)
    ratios = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        q, v, tau = chain.random(rng), rng.normal(size=chain.nv), rng.normal(size=chain.nv)
        ours = lw.forward_dynamics(chain, q, v, tau, method="virtual-work")
        papers = by_the_paper(chain, q, v, tau)[0]
        residuals = [np.abs(lw.inverse_dynamics(chain, q, v, a) - tau).max() for a in (papers, ours)]
        ratios.append(residuals[0] / residuals[1])
    assert np.exp(np.mean(np.log(ratios))) > 1.5


@pytest.mark.parametrize("ends", [2, 12])
def test_the_linkages_of_figures_6_and_7(ends):
    """2 to 16 spherical joints in a row; 2 to 12 end links on one: 9 to 39 degrees of freedom."""
    assert lw.samples.star(ends + 1, joint=lw.Spherical()).nv == 3 * ends + 3
    serial = lw.samples.chain(16, joint=lw.Spherical())
    rng = np.random.default_rng(ends)
    for linkage in (serial, lw.samples.star(ends + 1, joint=lw.Spherical())):
        q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
        expected = lw.forward_dynamics(linkage, q, v, tau, method="unit-vector")
        for splitting in (None, "paper"):
            a = lw.forward_dynamics(linkage, q, v, tau, method="virtual-work", splitting=splitting)
            assert error(a, expected) < 1e-10
