"""What acts on a linkage in an adaptive simulation, as kernels read it."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.adaptive import F_FORCE, F_LOOPS, F_SPRINGS, FORCE_ROW
from linkwork.quasistatics.loads import AppliedLoads


@pytest.fixture
def linkage():
    return lw.samples.random_tree(6, seed=1)


@pytest.fixture
def loads(linkage):
    loads = AppliedLoads(linkage.nv)
    loads.push(4, [0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 0.0, 0.0, 5.0])
    return loads


def packed(loads, linkage, loop_bodies=()):
    leaves = np.arange(100, 100 + linkage.tree.stages)  # any numbers
    no_springs = np.empty(0), np.empty((0, 2), np.int64)
    return loads.packed(linkage.tree, leaves, list(loop_bodies), False, False, no_springs, None)


def test_packed_forces_are_in_stage_frames(loads, linkage):
    result, stage = packed(loads, linkage), linkage.tree.stage[4]
    np.testing.assert_array_equal(result.leaves, [100 + stage])
    assert result.force_of[stage] == 0
    assert (np.delete(result.force_of, stage) == -1).all()
    np.testing.assert_allclose(result.forces[:F_FORCE], linkage.tree.align[stage].T @ [0.1, 0.2, 0.3])
    np.testing.assert_array_equal(result.forces[F_FORCE:F_LOOPS], [1.0, 2.0, 3.0, 0.0, 0.0, 5.0])
    assert not loads.changed


def test_wrenches_of_loops_are_kept_until_released(loads, linkage):
    first = packed(loads, linkage, [2, 4])
    first.forces.reshape(-1, FORCE_ROW)[:, F_LOOPS:F_SPRINGS] = 7.0  # as a kernel writes them
    again = packed(loads, linkage, [2, 4]).forces.reshape(-1, FORCE_ROW)
    assert (again[:, F_LOOPS:F_SPRINGS] == 7.0).all()
    loads.release_loops()
    assert not packed(loads, linkage, [2, 4]).forces.reshape(-1, FORCE_ROW)[:, F_LOOPS:F_SPRINGS].any()


def test_forces_taken_away_are_forgotten(loads):
    assert not loads.drop_zeros()
    loads.push(4, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert loads.forces_changed
    assert loads.drop_zeros()
    assert loads.forces == {}


def test_torques_follow_a_change_of_structure(loads):
    loads.tau[:3] = 1.0, 2.0, 3.0
    loads.carry(np.concatenate([[5, -1, 0], np.full(len(loads.tau) - 3, -1)]), 8)
    np.testing.assert_array_equal(loads.tau, [3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0])


def test_wrenches_in_world_axes(loads, linkage):
    q = linkage.random(0)
    f_ext = loads.wrenches(linkage, q)
    arm = lw.body_poses(linkage, q).rotations[4] @ [0.1, 0.2, 0.3]
    np.testing.assert_array_equal(f_ext[4, :3], [1.0, 2.0, 3.0])
    moment = np.cross(arm, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(f_ext[4, 3:], moment + np.array([0.0, 0.0, 5.0]))
    assert not np.delete(f_ext, 4, axis=0).any()
    assert AppliedLoads(linkage.nv).wrenches(linkage, q) is None


def test_a_sprung_molecule_comes_to_rest_where_forces_balance():
    """Adaptive steps of a wide tolerance end at the equilibrium, to 1e-6 and far beyond."""
    n, force = 150, np.array([0.03, 0.05, -0.04])
    linkage = lw.samples.molecule(n, seed=1)
    linkage.gravity = (0, 0, 0)
    start = linkage.random(np.random.default_rng(0))
    for joint in linkage.joints:
        linkage.add_force(lw.JointSpring(joint, 0.5, start[joint.q_slice]))
    ad = lw.AdaptiveSimulation(linkage, start, tolerance=2.0**-7, gain=1e4)
    ad.apply_force("atom50", force)
    for _ in range(60):
        ad.step()
    pushed = lw.jacobian(linkage, ad.q, "atom50")[:3].T @ force
    at_rest = lw.equilibrium(linkage, start, tau=pushed)
    assert np.abs(at_rest - start).max() > 0.05
    np.testing.assert_allclose(ad.q, at_rest, rtol=0, atol=1e-6 * np.abs(at_rest - start).max())
