"""Divide and conquer against the articulated-body algorithm and against dense solves."""

import itertools

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.divide_conquer import subtrees

JOINTS = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def state(linkage, seed):
    rng = np.random.default_rng(seed)
    return (linkage.random(rng), *rng.normal(size=(2, linkage.nv)))


def difference(linkage, seed=0, **options):
    q, v, tau = state(linkage, seed)
    a = lw.forward_dynamics(linkage, q, v, tau, **options)
    return np.abs(lw.forward_dynamics(linkage, q, v, tau, method="dca", **options) - a).max() / np.abs(a).max()


def dense(linkage, q, v, tau):
    """Accelerations by the mass matrix, which shares nothing with the assembly tree."""
    return np.linalg.solve(lw.mass_matrix(linkage, q), tau - lw.bias_force(linkage, q, v))


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("kind", [*JOINTS, None])
def test_every_joint_type(kind, base):
    for seed in range(100):
        joints = None if kind is None else (kind,)
        linkage = lw.samples.random_tree(
            2 + seed % 7, seed=seed, joints=joints, base=base, damping=True, branching=0.2 + 0.5 * (seed % 2)
        )
        if linkage.nv:
            q, v, tau = state(linkage, seed)
            a = dense(linkage, q, v, tau)
            np.testing.assert_allclose(
                lw.forward_dynamics(linkage, q, v, tau, method="dca"), a, rtol=0, atol=1e-8 * np.abs(a).max()
            )


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_small_linkage_of_all_joints():
    linkage = lw.samples.random_tree(6, seed=12, base="free")
    assert difference(linkage) < 1e-10


def test_free_joint_between_bodies():
    linkage = lw.samples.chain(3)
    box = lw.Inertia.box((0.1, 0.2, 0.3), mass=2.0)
    linkage.add_body("loose", box, joint=lw.Free(), parent="link1", at=lw.Pose((1, 0, 0)))
    linkage.add_body("on_it", box, joint=lw.Revolute("x"), parent="loose")
    q, v, tau = state(linkage, 3)
    np.testing.assert_allclose(
        lw.forward_dynamics(linkage, q, v, tau, method="dca"), dense(linkage, q, v, tau), rtol=1e-10, atol=1e-10
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: lw.samples.chain(50_000),
        lambda: lw.samples.millipede(),
        lambda: lw.samples.molecule(50_000),
        lambda: lw.samples.molecule(50_000, seed=1, branching=0.7),
    ],
)
def test_large_linkages(make):
    assert difference(make()) < 1e-10


@pytest.mark.parametrize("seed", [0, 1])
def test_bushes_under_gravity_and_torques(seed):
    # 1e-7 is what inverse inertias can promise here; acceleration in, force out does as well as on a chain
    linkage = lw.samples.random_tree(3_000, seed=seed, joints=("Revolute", "Spherical"), branching=1.0)
    assert difference(linkage, seed) < 1e-10


def test_long_chain_of_spherical_joints():
    assert difference(lw.samples.chain(2_000, joint=lw.Spherical())) < 1e-9


def test_forces_and_force_elements():
    linkage = lw.samples.random_tree(9, seed=7, damping=True)
    linkage.add_force(lw.Spring("body2", "body7", (0.1, 0, 0), (0, 0.2, 0), 40.0, 3.0, 0.1))
    f_ext = np.random.default_rng(1).normal(size=(linkage.nb, 6))
    assert difference(linkage, f_ext=f_ext) < 1e-10


def test_batches_broadcast():
    linkage = lw.samples.random_tree(5, seed=2)
    rng = np.random.default_rng(0)
    q, v = linkage.random(rng), rng.normal(size=(3, 1, linkage.nv))
    tau = rng.normal(size=(4, linkage.nv))
    a = lw.forward_dynamics(linkage, q, v, tau)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, tau, method="dca"), a, rtol=1e-9, atol=1e-9)


def test_one_thread_or_two_give_the_same():
    linkage = lw.samples.molecule(5_000)
    q, v, tau = state(linkage, 0)
    try:
        lw.set_threads(1)
        one = lw.forward_dynamics(linkage, q, v, tau, method="dca")
        lw.set_threads(2)
        two = lw.forward_dynamics(linkage, q, v, tau, method="dca")
    finally:
        lw.set_threads(None)
    np.testing.assert_array_equal(one, two)


def test_the_number_of_threads_may_change_in_the_midst_of_a_call(monkeypatch):
    """Scratch is there for so many as there were at the start."""
    linkage = lw.samples.molecule(5_000)
    q, v, tau = state(linkage, 0)
    reference = lw.forward_dynamics(linkage, q, v, tau, method="dca")
    monkeypatch.setattr("linkwork.kernels.threads.WORTH_A_THREAD", 1)
    counts = itertools.cycle([2, 8])
    monkeypatch.setattr("linkwork.dynamics.divide_conquer.thread_count", lambda: next(counts))
    lw.set_threads(8)
    try:
        for _ in range(5):
            np.testing.assert_array_equal(lw.forward_dynamics(linkage, q, v, tau, method="dca"), reference)
    finally:
        lw.set_threads(None)


def test_pieces_cover_the_tree_evenly():
    nodes = lw.samples.molecule(20_000).assembly().nodes
    pieces, top = subtrees(nodes, 2)
    sizes = [end - begin for begin, end in pieces]
    covered = np.zeros(len(nodes), dtype=int)
    for begin, end in [*pieces, *top]:
        covered[begin:end] += 1
    assert (covered == 1).all()
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) < 0.2 * len(nodes)
    assert len(top) < 60


def test_massless_bodies_within_a_chain():
    linkage = lw.Linkage()
    rod = lw.Inertia.rod(1.0, mass=1.0, com=(0, 0, -0.5))
    for i in range(8):
        inertia = None if i in (1, 2, 5) else rod
        linkage.add_body(
            f"b{i}", inertia, joint=lw.Revolute("xyz"[i % 3]), parent=f"b{i - 1}" if i else "ground",
            at=lw.Pose((0.1, 0.2, -1.0)),
        )  # fmt: skip
    assert difference(linkage) < 1e-10


def test_massless_leaf_is_named():
    linkage = lw.samples.chain(3)
    linkage.add_body("tip", joint=lw.Revolute("x"), parent="link2")
    with pytest.raises(lw.SingularError, match="'tip'"):
        lw.forward_dynamics(linkage, np.zeros(4), np.zeros(4), method="dca")


def test_records_take_less_than_4_kb_a_joint():
    for linkage in (lw.samples.chain(5_000), lw.samples.molecule(5_000)):
        difference(linkage)
        assembly = linkage.assembly()
        total = assembly.pool[0].nbytes + assembly.nodes.nbytes + 8 * linkage.tree.work_size
        assert total < 4096 * linkage.nv


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "stewart", "bricard"])
def test_loop_joints(name):
    """Closed linkages, redundant rows included, against the sweep that eliminates loops where they close."""
    linkage = getattr(lw.samples, name)()
    rng = np.random.default_rng(1)
    q = lw.close_loops(linkage, linkage.neutral())
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau = rng.normal(size=linkage.nv)
    a = lw.forward_dynamics(linkage, q, v, tau)
    np.testing.assert_allclose(
        lw.forward_dynamics(linkage, q, v, tau, method="dca"), a, atol=1e-9 * np.abs(a).max(), rtol=0
    )
    solution = lw.solve(linkage, q, v, tau, method="dca")
    np.testing.assert_allclose(solution.a, a, atol=1e-9 * np.abs(a).max(), rtol=0)
