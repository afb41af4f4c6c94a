"""Force elements: checked when added, packed by rows and indices."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.forces import pack_forces


@pytest.fixture
def linkage():
    linkage = lw.Linkage()
    linkage.add_body("a", joint=lw.Free())
    linkage.add_body("b", joint=lw.Universal("x", "y"), parent="a", joint_name="wrist")
    linkage.add_body("c", joint=lw.Planar("z"), parent="b")
    linkage.add_frame("tip", "b", lw.Pose.rpy(0, 0, np.pi / 2, position=(1, 0, 0)))
    return linkage


def test_packing_puts_points_into_body_frames_and_options_at_their_indices(linkage):
    linkage.add_force(lw.Spring("tip", "ground", (1, 0, 0), (0, 0, 5), 100, 2, 0.5))
    linkage.add_force(lw.JointSpring("wrist", (3, 4), rest=0.1))
    linkage.add_force(lw.JointFriction(linkage.joints["wrist"], 0.2))
    linkage.add_force(lw.JointFriction("a", 0.3, speed=0.01))
    packed = pack_forces(linkage)
    assert packed.spring_bodies.tolist() == [[1, -1]]
    np.testing.assert_allclose(packed.spring_values, [[1, 1, 0, 0, 0, 5, 100, 2, 0.5]], atol=1e-15)
    assert packed.joint_spring_v.tolist() == [6, 7]
    assert packed.joint_spring_q.tolist() == [7, 8]
    assert packed.joint_spring_stiffness.tolist() == [3, 4]
    assert packed.joint_spring_rest.tolist() == [0.1, 0.1]
    assert packed.friction_v.tolist() == [6, 7, 0, 1, 2, 3, 4, 5]
    assert packed.friction_coulomb.tolist() == [0.2] * 2 + [0.3] * 6
    assert packed.friction_speed.tolist() == [1e-3] * 2 + [0.01] * 6


def test_no_forces_pack_to_empty_arrays(linkage):
    packed = pack_forces(linkage)
    assert packed.spring_bodies.shape == (0, 2)
    assert packed.spring_values.shape == (0, 9)
    assert all(len(part) == 0 for part in packed)
    assert packed.friction_v.dtype == np.int64


def test_handles_and_names_give_equal_elements(linkage):
    by_name = lw.Spring("tip", "a", stiffness=1)
    by_handle = lw.Spring(linkage.frames["tip"], linkage.bodies["a"], stiffness=1)
    assert by_name == by_handle
    assert hash(by_name) == hash(by_handle)
    assert pickle.loads(pickle.dumps(by_name)) == by_name
    assert linkage.add_force(by_name) is by_name
    linkage.remove_force(by_handle)
    assert linkage.forces == ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lw.Spring("tipp", "a"), "did you mean 'tip'"),
        (lambda: lw.Spring("a", "b", stiffness=-1), "stiffness"),
        (lambda: lw.Spring("a", "b", point_a=(0, 0)), "point_a"),
        (lambda: lw.Spring("a", "b", rest_length=np.nan), "rest_length"),
        (lambda: lw.JointSpring("wirst", 1), "did you mean 'wrist'"),
        (lambda: lw.JointSpring("wrist", (1, 2, 3)), "nv = 2"),
        (lambda: lw.JointSpring("a", 1), "Free"),
        (lambda: lw.JointSpring("c", 1), "Planar"),
        (lambda: lw.JointFriction("wrist", -1), "coulomb"),
        (lambda: lw.JointFriction("wrist", 1, speed=0), "speed"),
        (lambda: lw.JointFriction("wrist", (1, 2, 3)), "nv = 2"),
        (lambda: "spring", "JointFriction"),
    ],
)
def test_bad_forces_are_refused(linkage, make, message):
    with pytest.raises(lw.ArgumentError, match=message):
        linkage.add_force(make())
    assert linkage.forces == ()


def test_removing_an_unknown_force_is_refused(linkage):
    with pytest.raises(lw.ArgumentError, match="not a force"):
        linkage.remove_force(lw.Spring("a", "b"))


def test_a_force_that_is_appended_is_not_lost_in_silence():
    """Couplings are a list that can be appended to; forces are checked as they are added, by `add_force`."""
    with pytest.raises(AttributeError):
        lw.samples.chain(2).forces.append(lw.Spring("ground", "link1", stiffness=1.0))
