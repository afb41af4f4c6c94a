"""Results: fields that can be seen, read by name, and refuse to be read after a change of structure."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import linkwork as lw


@pytest.fixture
def linkage():
    return lw.samples.four_bar()


def results(linkage):
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    return [
        (lw.solve(linkage, q, v), "a"),
        (lw.mobility(linkage, q), "W"),
        (lw.velocity_jump(linkage, q, v + 0.1, "pin"), "impulses"),
    ]


def test_fields_are_seen_and_cannot_be_set(linkage):
    for result, name in results(linkage):
        assert name in dir(result)
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, None)
        with pytest.raises(AttributeError, match="nonsense"):
            result.nonsense  # noqa: B018


def test_they_pickle_and_copy(linkage):
    for result, name in results(linkage):
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            np.testing.assert_array_equal(getattr(other, name), getattr(result, name))


def test_a_change_of_structure_makes_them_stale_but_not_mute(linkage):
    made = results(linkage)
    linkage.cut("pin")
    for result, name in made:
        with pytest.raises(lw.StructureError, match="has changed since this"):
            getattr(result, name)
        with pytest.raises(lw.StructureError, match="has changed since this"):
            result["pin"]
        assert repr(result).startswith(f"{type(result).__name__}(")


def test_rows_by_name(linkage):
    (solution, _), (mobility, _), (jump, _) = results(linkage)
    np.testing.assert_array_equal(solution["crank"], solution.joint_wrenches[linkage.joints["crank"].index])
    np.testing.assert_array_equal(solution["pin"], solution.loop_wrenches[0])
    np.testing.assert_array_equal(solution[linkage.loops["pin"]], solution.loop_wrenches[0])
    np.testing.assert_array_equal(mobility["pin[0]"], mobility.W_J[linkage.nv])
    np.testing.assert_array_equal(jump["pin"], jump.impulse)
    assert "pin" in solution._ipython_key_completions_()
    assert mobility._ipython_key_completions_() == list(mobility.names)
    with pytest.raises(lw.ArgumentError, match="did you mean 'crank'"):
        solution["crnk"]


def test_html_escapes_names():
    linkage = lw.samples.chain(2)
    linkage.name = "<b>"
    html = lw.solve(linkage, linkage.neutral(), np.zeros(2))._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_poses_by_name():
    linkage = lw.samples.chain(2)
    linkage.add_frame("tip", "link1", lw.Pose((0, 0, -1)))
    poses = lw.body_poses(linkage, linkage.neutral())
    assert poses._ipython_key_completions_() == ["ground", "link0", "link1", "tip"]
    np.testing.assert_allclose(poses["tip"].position, poses.positions[1] + (0, 0, -1))


def test_mobility_does_not_remember():
    """The same pose gives the same answer, whatever was asked before; an earlier choice is kept where it is passed in."""
    linkage = lw.samples.five_bar()
    q = linkage.neutral()
    first = lw.mobility(linkage, q)
    other = lw.mobility(linkage, q, ["right", "pin"])
    assert other.independent == ("right[0]", "pin[0]") != first.independent
    assert lw.mobility(linkage, q).independent == first.independent
    for previous in (other, other.independent):
        np.testing.assert_array_equal(lw.mobility(linkage, q, previous=previous).W, other.W)
    with pytest.raises(lw.ArgumentError, match="unknown coordinate"):
        lw.mobility(linkage, q, previous=["nothing"])
