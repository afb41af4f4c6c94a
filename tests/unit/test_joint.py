"""Joint types as values, and joint handles."""

import copy
import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.kinds import KIND_NQ, KIND_NV, KINDS, STAGES, WHOLE
from linkwork.linkage.joint import TYPES

EXAMPLES = [
    lw.Fixed(),
    lw.Revolute("y", damping=0.1, armature=0.2, limits=(-1, 2)),
    lw.Prismatic((0, 3, 4), limits=(-math.inf, 2), effort=10, velocity=3, coulomb=0.5),
    lw.Helical("-x", 0.05, actuated=False),
    lw.Cylindrical("z", damping=(0.1, 0.2), limits=((-1, 1), (-2, 2))),
    lw.Spherical(limits=((-1, 1), (-2, 2), (-math.inf, 3))),
    lw.Universal("x", (0, 1, 1), armature=(0, 0.3), actuated=(True, False)),
    lw.Gimbal("z", "x", (0, 1, 1), damping=(0.1, 0, 0), limits=((-1, 1), (-2, 2), (-math.inf, 3))),
    lw.Planar((1, 2, 3), limits=((-1, 1), (-math.inf, math.inf), (0, 1))),
    lw.Spherical(damping=0.4),
    lw.Free(actuated=True),
]


@pytest.mark.parametrize("joint", EXAMPLES, ids=lambda joint: type(joint).__name__)
def test_a_type_survives_the_columns_pickle_copy_and_repr(joint):
    linkage = lw.Linkage()
    linkage.add_body("before", joint=lw.Spherical())
    linkage.add_body("it", joint=joint)
    linkage.add_body("after", joint=lw.Revolute("x"))
    assert linkage.joints["it"].type == joint
    for again in (pickle.loads(pickle.dumps(joint)), copy.deepcopy(joint)):
        assert again == joint
        assert hash(again) == hash(joint)
    assert repr(joint).startswith(type(joint).__name__ + "(")


def test_codes_and_sizes_are_consistent():
    assert [kind.code for kind in TYPES] == list(KINDS) == list(range(len(TYPES)))
    assert [kind.nq for kind in TYPES] == KIND_NQ.tolist()
    assert [kind.nv for kind in TYPES] == KIND_NV.tolist()


def test_kernels_tell_whole_joints_by_their_first_stage_and_number_of_stages():
    several = [code for code, kind in KINDS.items() if len(kind.stages) > 1]
    assert [WHOLE[KINDS[code].stages[0].kind, STAGES[code]] for code in several] == several
    for kind in KINDS.values():
        assert all(KIND_NQ[stage.kind] == 1 for stage in kind.stages[:-1])
        assert sum(KIND_NQ[stage.kind] for stage in kind.stages) == kind.nq
        assert sum(KIND_NV[stage.kind] for stage in kind.stages) == kind.nv


def test_axes_are_normalised_and_letters_understood():
    assert lw.Revolute("-y").axis == (0, -1, 0)
    assert lw.Prismatic((0, 3, 4)).axis == pytest.approx((0, 0.6, 0.8), abs=1e-16)
    assert lw.Revolute((0, 0, 1e-300)).axis == (0, 0, 1)
    assert lw.Revolute((0, 0, 1e300)).axis == (0, 0, 1)
    assert repr(lw.Revolute("x", damping=0.5)) == "Revolute('x', damping=0.5)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lw.Revolute((0, 0, 0)), "zero"),
        (lambda: lw.Revolute((0, math.nan, 1)), "finite"),
        (lambda: lw.Revolute("w"), "'x'"),
        (lambda: lw.Revolute((1, 0)), "shape"),
        (lambda: lw.Revolute("x", damping=-1), "damping"),
        (lambda: lw.Revolute("x", damping=math.inf), "damping"),
        (lambda: lw.Revolute("x", armature=math.nan), "armature"),
        (lambda: lw.Revolute("x", damping="much"), "damping"),
        (lambda: lw.Universal("x", "y", damping=(1, 2, 3)), "2 numbers"),
        (lambda: lw.Universal("x", "-x"), "parallel"),
        (lambda: lw.Gimbal("x", "y", "-y"), "parallel"),
        (lambda: lw.Helical("x", math.nan), "pitch"),
        (lambda: lw.Revolute("x", limits=(1, -1)), "lower <= upper"),
        (lambda: lw.Revolute("x", limits=(1, 2, 3)), "limits"),
        (lambda: lw.Free(limits=(-1, 1)), "limits"),
        (lambda: lw.Spherical(limits=(-4, 1)), "within ±π"),
        (lambda: lw.Fixed(damping=1), "without degrees of freedom"),
        (lambda: lw.Revolute("x", actuated="yes"), "actuated"),
        (lambda: lw.Revolute("x", effort=-1), "effort"),
    ],
)
def test_bad_types_are_refused(make, message):
    with pytest.raises(lw.ArgumentError, match=message):
        make()


@pytest.fixture
def arm():
    linkage = lw.Linkage(name="arm")
    linkage.add_body("base", lw.Inertia(1), joint=lw.Free())
    linkage.add_body("upper", lw.Inertia(1), joint=lw.Revolute("y"), parent="base", joint_name="shoulder")
    linkage.add_body("lower", lw.Inertia(1), joint=lw.Universal("x", "y"), parent="upper", joint_name="elbow")
    linkage.add_body("other", lw.Inertia(1), joint=lw.Spherical(), parent="base")
    return linkage


def test_a_handle_knows_its_place(arm):
    elbow, shoulder = arm.joints["elbow"], arm.joints[1]
    assert (elbow.q_slice, elbow.v_slice) == (slice(8, 10), slice(7, 9))
    assert (elbow.nq, elbow.nv) == (2, 2)
    assert (elbow.parent.name, elbow.child.name) == ("upper", "lower")
    assert arm.joints["base"].parent == arm.ground
    assert shoulder.brother == arm.joints["other"]
    assert arm.joints["other"].brother is None
    assert elbow.real is None
    assert elbow == arm.bodies["lower"].joint
    assert elbow != arm.copy().joints["elbow"]
    assert len({elbow, arm.joints["elbow"], shoulder}) == 2
    assert repr(elbow) == "Joint('elbow', Universal('x', 'y'), 'upper' -> 'lower')"


def test_parameters_are_set_through_the_linkage(arm):
    elbow, before = arm.joints["elbow"], (arm.revision, arm.parameters_revision)
    elbow.damping = (0.1, 0.2)
    elbow.armature = 0.3
    elbow.limits = ((-1, 1), (-2, 2))
    elbow.actuated = (False, True)
    elbow.velocity = 5
    elbow.at = lw.Pose((1, 2, 3))
    assert (arm.revision, arm.parameters_revision) == (before[0], before[1] + 6)
    np.testing.assert_array_equal(arm.columns.damping[7:9], (0.1, 0.2))
    np.testing.assert_array_equal(elbow.armature, (0.3, 0.3))
    np.testing.assert_array_equal(elbow.limits, ((-1, 1), (-2, 2)))
    np.testing.assert_array_equal(elbow.actuated, (False, True))
    assert elbow.at == lw.Pose((1, 2, 3))
    assert not arm.columns.damping[:7].any()
    elbow.limits = None
    assert elbow.limits is None
    arm.joints["shoulder"].damping = 2
    assert arm.joints["shoulder"].damping == 2.0


@pytest.mark.parametrize(
    ("name", "value"),
    [("damping", -1), ("damping", (1, 2, 3)), ("limits", (2, 1)), ("at", (0, 0, 0)), ("actuated", 1)],
)
def test_bad_parameters_are_refused_and_change_nothing(arm, name, value):
    before = arm.parameters_revision
    with pytest.raises(lw.ArgumentError):
        setattr(arm.joints["elbow"], name, value)
    assert arm.parameters_revision == before


def test_handles_are_frozen(arm):
    joint = arm.joints["elbow"]
    for name in ("index", "uid", "linkage", "name", "type", "dampng"):
        with pytest.raises(AttributeError, match=name):
            setattr(joint, name, 1)
    with pytest.raises(lw.ArgumentError, match="limits"):
        arm.joints["other"].limits = (-1, 4)


def test_a_handle_pickles_with_its_linkage(arm):
    linkage, joint, body = pickle.loads(pickle.dumps((arm, arm.joints["elbow"], arm.bodies["lower"])))
    assert joint.linkage is linkage
    assert joint == linkage.joints["elbow"]
    assert body.joint == joint


def test_child_and_brother_walk_the_whole_tree():
    """As in [Nakamura2000]; and after a cut the pointers are those of the new structure."""
    linkage = lw.samples.tree(200, branching=3)
    ground = linkage.bodies[0].parent
    while ground.parent is not None:
        ground = ground.parent
    seen, waiting = [], [ground.child]
    while waiting:
        body = waiting.pop()
        if body is not None:
            seen.append(body.name)
            assert body.brother is None or body.brother.parent == body.parent
            waiting += [body.brother, body.child]
    assert sorted(seen) == sorted(linkage.bodies.names)
    assert ground.brother is None
    name = next(body.child.name for body in linkage.bodies if body.child is not None)
    linkage.cut(linkage.bodies[name].joint.name)
    assert linkage.bodies[name].parent.index < 0
    assert name in [body.name for body in ground.children]
