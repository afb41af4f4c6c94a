"""Accelerations at rest in the axes of the world: against dense algebra, and where numbers end."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.algebra.rows import Rows, as_rows, minus_outer, shifted_rows, store_inertia_rows, store_rows
from linkwork.kernels.algebra.spatial import ArticulatedInertia
from linkwork.kernels.algebra.vec3 import Mat3, Sym3
from linkwork.kernels.layout import N_BLOCK
from linkwork.kernels.layout.adaptive import KEPT
from linkwork.kernels.numba_ext import Kernel, four, lane, load4, store4, yzx
from linkwork.linkage.packing.launch import run
from linkwork.quasistatics.exact_step import at_rest
from tests import fuzz

pytestmark = pytest.mark.boundscheck
LINKAGES = {
    "all kinds": lambda: lw.samples.random_tree(30, seed=3, damping=True, branching=0.4),
    "free": lambda: lw.samples.random_tree(23, seed=4, base="free", branching=0.7),
    "molecule": lambda: lw.samples.molecule(61, seed=2),
    "one body": lambda: lw.samples.chain(1),
    "deep": lambda: lw.samples.random_tree(140, seed=1, branching=0.05),
    "bushy": lambda: lw.samples.random_tree(140, seed=1, branching=1.0),
}


@pytest.mark.nojit
@pytest.mark.parametrize("model", LINKAGES)
def test_accelerations_balance_what_acts(model):
    linkage, rng = LINKAGES[model](), np.random.default_rng(7)
    linkage.gravity = (0.3, -1.0, 2.0)
    assert (linkage.tree.index[N_BLOCK] == 0) == (model == "deep")  # both orders of the sweeps
    q, tau = linkage.random(rng), rng.normal(size=linkage.nv)
    ad = lw.AdaptiveSimulation(linkage, q)
    bodies = rng.choice(linkage.nb, (linkage.nb + 1) // 2, replace=False)
    forces, points, moments = rng.normal(size=(3, len(bodies), 3))
    ad.apply_forces(bodies, forces, points, moments=moments)
    ad.apply_torques(None, tau)
    driven = tau - lw.gravity_torques(linkage, q)
    for body, force, point, moment in zip(bodies, forces, points, moments, strict=True):
        J = lw.jacobian(linkage, q, linkage.bodies[int(body)].name, point=point)
        driven += J[:3].T @ force + J[3:].T @ moment
    H = lw.mass_matrix(linkage, q)
    a = at_rest(ad)
    # some 1e-16 for each of the bodies on the longest path
    np.testing.assert_allclose(H @ a, driven, rtol=0, atol=1e-13 * np.abs(H).max() * np.abs(a).max())


def rest(linkage, q):
    """Accelerations at rest under gravity alone."""
    n, a = linkage.tree.stages, np.empty(linkage.nv)
    inputs = [q, np.zeros(linkage.nv), np.empty(0)]
    run(linkage, ("tree.resting_aba", "resting_aba"), np.full(n, -1), inputs, [a], extra=KEPT * n)
    return a


@pytest.mark.nojit
@pytest.mark.parametrize("kinds", [["Free", "Revolute"], ["Prismatic"] * 4, ["Cylindrical", "Universal", "Spherical"]])
def test_joints_without_inertia_are_named(kinds):
    for seed in range(4):
        rng, linkage = np.random.default_rng(seed), lw.Linkage()
        for k, kind in enumerate(kinds):
            body = fuzz.inertia(rng) if k == len(kinds) - 1 else lw.Inertia(0.0)
            parent = f"b{k - 1}" if k else "ground"
            linkage.add_body(f"b{k}", body, joint=fuzz.joint(rng, [kind]), parent=parent, at=fuzz.pose(rng))
        with pytest.raises(lw.SingularError, match="joint 'b0' has zero effective inertia"):
            rest(linkage, fuzz.state(rng, linkage))


@pytest.mark.nojit
def test_massless_bodies_that_carry_others():
    rng, linkage = np.random.default_rng(0), lw.Linkage()
    for k, kind in enumerate(["Revolute", "Universal", "Prismatic", "Revolute"]):
        body, parent = fuzz.inertia(rng) if k % 2 else lw.Inertia(0.0), f"b{k - 1}" if k else "ground"
        linkage.add_body(f"b{k}", body, joint=fuzz.joint(rng, [kind]), parent=parent, at=fuzz.pose(rng))
    q = fuzz.state(rng, linkage)
    H, g = lw.mass_matrix(linkage, q), lw.gravity_torques(linkage, q)
    np.testing.assert_allclose(rest(linkage, q), -np.linalg.solve(H, g), rtol=1e-10)


def test_what_fades_along_a_chain_is_nothing_at_last():
    linkage = lw.samples.molecule(2500)
    linkage.gravity = (0, 0, 0)
    ad = lw.AdaptiveSimulation(linkage, linkage.random(np.random.default_rng(0)))
    ad.apply_force("atom2499", (1.0, 2.0, 3.0))
    a = at_rest(ad)
    least = np.abs(a[a != 0.0]).min()
    assert 1e-250 < least < 1e-100  # far above denormal numbers, far below rounding
    assert (a == 0.0).any()


@pytest.mark.nojit
def test_inertias_stay_symmetric_to_the_last_bit(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(x, out):
        J = Sym3(x[0], x[1], x[2], x[3], x[4], x[5])
        H = Mat3(x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14])
        M = Sym3(x[15], x[16], x[17], x[18], x[19], x[20])
        store_inertia_rows(out, 0, shifted_rows(load4(x, 21), as_rows(ArticulatedInertia(J, H, M))))
        u = load4(x, 25)
        J = Rows(four(x[0], x[1], x[2], 0.0), four(x[1], x[3], x[4], 0.0), four(x[2], x[4], x[5], 0.0))
        store_rows(out, 36, minus_outer(J, x[29], u, u))
        return 0

    kernel, out = Kernel(run, "test_symmetric"), np.empty(48)
    for x in np.random.default_rng(0).normal(size=(50, 30)):
        kernel(x, out)
        J, H, M, D = (out[k : k + 12].reshape(3, 4)[:, :3] for k in (0, 12, 24, 36))
        assert (J == J.T).all()
        assert (D == D.T).all()
        upper = np.triu_indices(3)
        J0, M0, H0, P = np.zeros((3, 3)), np.zeros((3, 3)), x[6:15].reshape(3, 3), np.zeros((3, 3))
        J0[upper], M0[upper] = x[:6], x[15:21]
        J0, M0 = J0 + np.triu(J0, 1).T, M0 + np.triu(M0, 1).T
        P[[2, 0, 1], [1, 2, 0]], P[[1, 2, 0], [2, 0, 1]] = x[21:24], -x[21:24]
        np.testing.assert_allclose(M, M0, rtol=0, atol=0)
        np.testing.assert_allclose(H, H0 + P @ M0, rtol=0, atol=1e-14)
        np.testing.assert_allclose(J, J0 + P @ H0.T + H0 @ P.T + P @ M0 @ P.T, rtol=0, atol=1e-13)
        np.testing.assert_allclose(D, J0 - x[29] * np.outer(x[25:28], x[25:28]), rtol=0, atol=1e-14)


@pytest.mark.nojit
def test_four_numbers_of_an_array(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    def run(x, out):
        store4(out, 1, yzx(load4(x, 2)))
        out[0] = lane(load4(x, 2), 3)
        return 0

    x, out = np.arange(6.0), np.full(6, -1.0)
    Kernel(run, "test_four")(x, out)
    assert out.tolist() == [5.0, 3.0, 4.0, 2.0, 5.0, -1.0]
