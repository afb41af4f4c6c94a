"""The graph: names, columns, revisions, copies, merging, cutting."""

import copy
import pickle
import sys

import numpy as np
import pinocchio as pin
import pytest

import linkwork as lw
from linkwork.linkage.chain import Chain
from linkwork.linkage.columns import BODY, DOF

COLUMNS = [*BODY, *DOF]


def every_joint_type():
    return [
        lw.Free(), lw.Revolute((1, 2, 3)), lw.Prismatic("y"), lw.Helical((0, 1, 1), 0.1), lw.Cylindrical("x"),
        lw.Universal("z", (1, 1, 0)), lw.Planar((1, 2, 2)), lw.Spherical(), lw.Fixed(), lw.Revolute("z"),
    ]  # fmt: skip


def random_pose(rng):
    return lw.Pose.rpy(*rng.normal(size=3), position=rng.normal(size=3))


def random_inertia(rng):
    return lw.Inertia.box(rng.uniform(0.1, 1, 3), mass=rng.uniform(0.5, 2), com=rng.normal(size=3))


def zoo(seed=0):
    """Return a random tree with every joint type."""
    rng = np.random.default_rng(seed)
    linkage = lw.Linkage(name="zoo")
    for i, joint in enumerate(every_joint_type()):
        parent = "ground" if i == 0 else f"b{rng.integers(max(0, i - 3), i)}"
        linkage.add_body(
            f"b{i}", random_inertia(rng), joint=joint, parent=parent, at=random_pose(rng), joint_name=f"j{i}"
        )
    linkage.add_frame("tip", "b9", random_pose(rng))
    linkage.add_force(lw.Spring("tip", "ground", (0, 0, 1), (1, 0, 0), stiffness=10))
    linkage.add_force(lw.JointSpring("j4", (1, 2), 0.5))
    linkage.add_force(lw.JointFriction("j9", 0.1))
    return linkage


def random_state(linkage, rng, batch=()):
    """Return q on the manifold and v."""
    q, v = rng.normal(size=(*batch, linkage.nq)), rng.normal(size=(*batch, linkage.nv))
    for joint in linkage.joints:
        if joint.nq != joint.nv:
            part = q[..., joint.q_slice][..., -4:]
            part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q, v


def assert_same(a, b):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(a.columns, column), getattr(b.columns, column), err_msg=column)
    assert a.bodies.names == b.bodies.names
    assert a.joints.names == b.joints.names
    assert [(f.name, f.body.name, f.pose) for f in a.frames] == [
        (f.name, f.body.name, f.pose) for f in b.frames
    ]
    assert a.forces == b.forces
    np.testing.assert_array_equal(a.gravity, b.gravity)


def test_layout_is_the_order_of_adding():
    linkage = zoo()
    assert (linkage.nb, linkage.nq, linkage.nv, linkage.nv_loop) == (10, 22, 20, 0)
    assert (len(linkage.loops), len(linkage.contacts)) == (0, 0)
    assert linkage.columns.q_start.tolist() == np.cumsum([0] + [j.nq for j in linkage.joints])[:-1].tolist()
    assert linkage.columns.v_start.tolist() == np.cumsum([0] + [j.nv for j in linkage.joints])[:-1].tolist()
    assert (linkage.columns.parent < np.arange(10)).all()
    neutral = linkage.neutral()
    assert neutral.nonzero()[0].tolist() == [6, linkage.joints["j7"].q_slice.stop - 1]
    assert set(neutral) == {0.0, 1.0}


def test_names_indices_and_membership():
    linkage = zoo()
    assert linkage.bodies["b3"] == linkage.bodies[3] == linkage.bodies[-7]
    assert [body.name for body in linkage.bodies[2:4]] == ["b2", "b3"]
    assert "b3" in linkage.bodies
    assert "tip" not in linkage.bodies
    assert linkage.bodies[3] in linkage.bodies
    assert linkage.bodies[3] not in zoo().bodies
    assert linkage.bodies["b9"].frames == [linkage.frames["tip"]]
    assert linkage.bodies["b1"] in linkage.bodies["b1"].parent.children
    with pytest.raises(IndexError, match="10"):
        linkage.bodies[10]
    with pytest.raises(lw.ArgumentError, match="by name or index"):
        linkage.bodies[1.5]
    for thing in (
        linkage,
        linkage.bodies,
        linkage.bodies[0],
        linkage.ground,
        linkage.frames[0],
        linkage.columns,
    ):
        assert 0 < len(repr(thing)) < 200


def test_a_frame_is_accepted_as_parent_and_its_pose_composes():
    linkage = lw.Linkage()
    linkage.add_body("a", joint=lw.Revolute("z"))
    frame = linkage.add_frame("tool", "a", lw.Pose.rpy(0, 0, np.pi / 2, position=(1, 0, 0)))
    linkage.add_frame("nail", "tool", lw.Pose((1, 0, 0)))
    for i, parent in enumerate((frame, "tool", "nail")):
        linkage.add_body(f"on{i}", joint=lw.Fixed(), parent=parent, at=lw.Pose((2, 0, 0)))
    np.testing.assert_allclose(linkage.columns.at_position[1:], [(1, 2, 0), (1, 2, 0), (1, 3, 0)], atol=1e-15)
    assert linkage.columns.parent.tolist() == [-1, 0, 0, 0]


def add(linkage, name="new", **options):
    return linkage.add_body(name, **({"joint": lw.Fixed()} | options))


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda z: add(z, "b3"), "already"),
        (lambda z: add(z, "tip"), "already"),
        (lambda z: add(z, "ground"), "world"),
        (lambda z: add(z, ""), "non-empty"),
        (lambda z: add(z, joint_name="j3"), "already"),
        (lambda z: add(z, parent="b33"), "did you mean 'b3'"),
        (lambda z: add(z, parent="new"), "unknown"),
        (lambda z: add(z, parent=zoo().bodies[1]), "another linkage"),
        (lambda z: add(z, parent=3), "unknown"),
        (lambda z: add(z, joint=lw.Revolute), "joint type such as Revolute"),
        (lambda z: add(z, inertia=1.0), "Inertia"),
        (lambda z: add(z, at=(0, 0, 1)), "Pose"),
        (lambda z: z.add_frame("b3", "b1"), "already"),
        (lambda z: z.add_frame("f", "b1", (0, 0, 1)), "Pose"),
        (lambda z: z.joints["j99"], "did you mean 'j9'"),
        (lambda z: z.cut("nope"), "unknown joint"),
        (lambda z: setattr(z, "gravity", (0, 0)), "gravity"),
        (lambda z: setattr(z, "gravity", (0, 0, np.nan)), "finite"),
        (lambda z: z.ground.inertia, "ground"),
        (lambda z: setattr(z.bodies[0], "inertia", 2.0), "Inertia"),
        (lambda z: z.add(zoo()), "prefix"),
        (lambda z: z.save("zoo.txt"), ".urdf, .sdf, .yaml, .yml"),
    ],
)
def test_bad_input_raises_one_clear_error_and_changes_nothing(attempt, message):
    linkage = zoo()
    with pytest.raises(lw.ArgumentError, match=message):
        attempt(linkage)
    assert_same(linkage, zoo())
    assert (linkage.revision, linkage.parameters_revision) == (zoo().revision, zoo().parameters_revision)


def test_revisions_count_and_drop_the_packed_tree():
    linkage = zoo()
    seen = (linkage.revision, linkage.parameters_revision)

    def changed(action):
        nonlocal seen
        packed = linkage.tree
        action()
        before, seen = seen, (linkage.revision, linkage.parameters_revision)
        assert linkage.tree is not packed
        assert (linkage.tree.revision, linkage.tree.parameters_revision) == seen
        return seen[0] - before[0], seen[1] - before[1]

    assert changed(lambda: add(linkage)) == (1, 0)
    assert changed(lambda: linkage.cut("j9")) == (1, 0)
    assert changed(lambda: setattr(linkage, "gravity", (0, 0, -1.62))) == (0, 1)
    assert changed(lambda: setattr(linkage.bodies[0], "inertia", lw.Inertia(3.0))) == (0, 1)
    assert changed(lambda: linkage.remove_force(linkage.forces[0])) == (0, 1)
    assert linkage.bodies[0].mass == 3.0
    for array in (linkage.gravity, linkage.columns.mass, pickle.loads(pickle.dumps(linkage)).gravity):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_copies_are_equal_and_independent():
    linkage = zoo()
    for other in (
        linkage.copy(),
        copy.copy(linkage),
        copy.deepcopy(linkage),
        pickle.loads(pickle.dumps(linkage)),
    ):
        assert_same(other, linkage)
        other.bodies[0].inertia = lw.Inertia(99.0)
        other.add_frame("more", "b0")
        other.remove_force(other.forces[0])
        add(other)
        other.cut("j9")
        assert other.bodies[0].linkage is other
    assert_same(linkage, zoo())


def test_add_bodies_equals_add_body():
    linkage = zoo()
    given = {c: getattr(linkage.columns, c) for c in BODY if c not in ("q_start", "v_start", "joint_uid")}
    bulk = lw.Linkage()
    rows = bulk.add_bodies(linkage.bodies.names, joint_names=linkage.joints.names, **given)
    assert rows == range(10)
    for column in COLUMNS:
        a, b = getattr(bulk.columns, column), getattr(linkage.columns, column)
        np.testing.assert_array_equal(a, b, err_msg=column)
    more = bulk.add_bodies(
        ["c0", "c1"], parent=[3, 10], code=lw.Universal.code, axis2=(0, 1, 0), damping=[1, 2], axis=(2, 0, 0)
    )
    assert more == range(10, 12)
    assert bulk.joints["c1"].type == lw.Universal("x", "y", damping=2)
    assert bulk.add_bodies([]) == range(12, 12)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"mass": [1, -1]}, "'q'.*negative"),
        ({"mass": [1, np.nan]}, "'q'.*finite"),
        ({"com": np.zeros((3, 3))}, "shape"),
        ({"parent": [-1, 1]}, "'q'.*earlier"),
        ({"parent": [-2, 0]}, "'p'.*earlier"),
        ({"parent": [-1.0, 0.0]}, "integers"),
        ({"code": 10}, "code"),
        ({"axis": [(0, 0, 1), (0, 0, 0)]}, "'q'.*zero"),
        ({"code": 5, "axis": (0, 0, 1)}, "parallel"),
        ({"at_rotation": 2 * np.eye(3)}, "orthonormal"),
        ({"at_rotation": np.diag([1, 1, -1])}, "reflection"),
        ({"damping": [0, -1]}, "'q'.*damping"),
        ({"lower": 1, "upper": [2, 0]}, "'q'.*limit"),
        ({"weight": 1}, "unknown column 'weight'"),
        ({"joint_names": ["p"]}, "joint names"),
        ({"joint_names": ["p", "p"]}, "twice"),
    ],
)
def test_bad_columns_are_refused(columns, message):
    linkage = lw.Linkage()
    with pytest.raises(lw.ArgumentError, match=message):
        linkage.add_bodies(["p", "q"], **columns)
    assert linkage.nb == 0


@pytest.mark.parametrize("names", [["a", "a"], ["b3"], ["tip"], ["ground"], [""], [3]])
def test_bad_names_in_bulk_are_refused(names):
    with pytest.raises(lw.ArgumentError, match="name"):
        zoo().add_bodies(names)


def test_bulk_normalises_axes_of_any_length_as_one_by_one():
    axes = [(0, 0, 1e-300), (1e300, 0, 1e300), (1, 2, 3), (0, -1, 0), (0, 0.6, 0.8)]
    linkage = lw.Linkage()
    linkage.add_bodies([f"b{i}" for i in range(5)], axis=axes)
    for axis, row in zip(axes, linkage.columns.axis, strict=True):
        np.testing.assert_allclose(row, lw.Revolute(axis).axis, rtol=1e-15, atol=0)


def test_bulk_warns_once_about_strange_inertias():
    with pytest.warns(lw.LinkworkWarning, match="1 bodies, the first 'q'"):
        lw.Linkage().add_bodies(["p", "q"], inertia=[(1, 0, 0, 1, 0, 1), (1, 0, 0, 1, 0, 3)])


def test_bulk_adding_calls_no_function_per_body():
    def calls(count):
        made, counted = lw.Linkage(), 0

        def count_calls(frame, event, argument):
            nonlocal counted
            counted += event in ("call", "c_call")

        names = [f"b{i}" for i in range(count)]
        sys.setprofile(count_calls)
        made.add_bodies(names, parent=np.arange(-1, count - 1), mass=1.0, inertia=(1, 0, 0, 1, 0, 1))
        sys.setprofile(None)
        return counted

    calls(2)  # imports what it needs
    assert calls(1000) == calls(10)


def test_merging_places_everything_by_parent_and_prefix():
    other, linkage = zoo(1), lw.Linkage()
    other.add_frame("origin", "ground", lw.Pose((0, 0, 1)))
    linkage.add_body("cart", joint=lw.Prismatic("x"))
    place = lw.Pose.rpy(0.1, 0.2, 0.3, position=(1, 2, 3))
    linkage.add_frame("deck", "cart", place)
    at = lw.Pose.rpy(-0.3, 0.5, 0, position=(0, 1, 0))
    rows = linkage.add(other, prefix="left_", parent="deck", at=at)
    assert rows == range(1, 11)
    assert linkage.joints["left_j0"].at == place @ at @ other.joints["j0"].at
    assert linkage.joints["left_j3"].at == other.joints["j3"].at
    assert linkage.joints["left_j3"].type == other.joints["j3"].type
    assert linkage.joints["left_j3"].parent.name == "left_" + other.joints["j3"].parent.name
    assert linkage.frames["left_tip"].body.name == "left_b9"
    assert linkage.frames["left_origin"].body.name == "cart"
    assert linkage.frames["left_origin"].pose == place @ at @ lw.Pose((0, 0, 1))
    spring = linkage.forces[0]
    assert (spring.a, spring.b) == ("left_tip", "cart")
    np.testing.assert_allclose(spring.point_b, (place @ at).apply((1, 0, 0)), atol=1e-15)
    assert linkage.forces[1].joint == "left_j4"
    linkage.add(linkage.copy(), prefix="twin_")
    assert linkage.nb == 22


def pinocchio_motion(linkage, q, v, name):
    """Return world pose and local velocity of a body by Pinocchio, for joints that both know."""
    model, ids = pin.Model(), {"ground": 0}
    for joint in linkage.joints:
        kind, at = joint.type, joint.at
        made = {
            lw.Free: pin.JointModelFreeFlyer,
            lw.Spherical: pin.JointModelSpherical,
            lw.Revolute: lambda k=kind: pin.JointModelRevoluteUnaligned(np.array(k.axis)),
            lw.Prismatic: lambda k=kind: pin.JointModelPrismaticUnaligned(np.array(k.axis)),
        }[type(kind)]()
        place = pin.SE3(at.rotation.copy(), at.position.copy())
        ids[joint.child.name] = model.addJoint(ids[joint.parent.name], made, place, joint.name)
    data = model.createData()
    pin.forwardKinematics(model, data, q, v)
    return data.oMi[ids[name]], data.v[ids[name]]


def test_cutting_keeps_pose_and_velocity_as_pinocchio_sees_them():
    rng = np.random.default_rng(3)
    linkage = lw.Linkage()
    kinds = [lw.Free(), lw.Revolute((1, 2, 3)), lw.Spherical(), lw.Prismatic((0, 1, 1)), lw.Revolute("y")]
    for i, kind in enumerate(kinds):
        linkage.add_body(f"b{i}", joint=kind, parent=f"b{i - 1}" if i else "ground", at=random_pose(rng))
    for i in range(1, 5):
        cut = linkage.copy()
        change = cut.cut(f"b{i}")
        q, v = random_state(linkage, rng)
        new_q, new_v = change.carry(q, v)
        for k in range(5):  # every body, those that hang on the freed one too
            before = pinocchio_motion(linkage, q, v, f"b{k}")
            after = pinocchio_motion(cut, new_q, new_v, f"b{k}")
            np.testing.assert_allclose(after[0].homogeneous, before[0].homogeneous, atol=1e-13)
            np.testing.assert_allclose(after[1].vector, before[1].vector, atol=1e-12)


@pytest.mark.parametrize("index", range(1, 10))
def test_cutting_any_joint_type_keeps_pose_and_its_rate(index):
    """The carried velocity is the rate of the carried pose: central differences along v."""
    linkage, rng = zoo(index), np.random.default_rng(index)
    q, v = random_state(linkage, rng)
    chain = Chain.to(linkage.columns, index)
    motion = chain.motion(q, v)
    h = 1e-6
    ahead, behind = (chain.motion(step(linkage, q, s * h * v), v) for s in (1, -1))
    linear = motion.rotation.T @ (ahead.position - behind.position) / (2 * h)
    spin = motion.rotation.T @ (ahead.rotation - behind.rotation) / (2 * h)
    # Error of the differences: h² times third derivatives of order 100, plus rounding 1e-16 / h.
    np.testing.assert_allclose(motion.linear, linear, atol=2e-8)
    np.testing.assert_allclose(motion.angular, (spin[2, 1], spin[0, 2], spin[1, 0]), atol=2e-8)
    change = linkage.cut(f"j{index}")
    new_q, new_v = change.carry(q, v)
    after = Chain.to(linkage.columns, index).motion(new_q, new_v)
    for a, b in zip(after, motion, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-13)


def step(linkage, q, dv):
    """Move q by dv to first order on the manifold, for the differences above."""
    from scipy.spatial.transform import Rotation

    q = q.copy()
    for joint in linkage.joints:
        part, d, kind = q[joint.q_slice], dv[joint.v_slice], joint.type
        if isinstance(kind, lw.Free):
            turn = Rotation.from_quat(part[3:])
            part[:3] += turn.apply(d[:3])
            part[3:] = (turn * Rotation.from_rotvec(d[3:])).as_quat()
        elif isinstance(kind, lw.Spherical):
            part[:] = (Rotation.from_quat(part) * Rotation.from_rotvec(d)).as_quat()
        elif isinstance(kind, lw.Planar):
            c, s = np.cos(part[2]), np.sin(part[2])
            part += (c * d[0] - s * d[1], s * d[0] + c * d[1], d[2])
        else:
            part += d
    return q


def test_a_cut_changes_names_layout_and_handles():
    linkage = zoo()
    old, body = linkage.joints["j4"], linkage.bodies["b4"]
    others = {joint.name: joint for joint in linkage.joints if joint.name != "j4"}
    change = linkage.cut(old)
    assert (change.joint, change.new_joint, change.kind) == ("j4", "b4", "cut")
    assert change.revision_after == change.revision_before + 1 == linkage.revision
    assert (linkage.nq, linkage.nv) == (22 + 5, 20 + 4)
    assert linkage.joints["b4"].type == lw.Free()
    assert linkage.joints["b4"].parent == linkage.ground
    assert linkage.joints["b4"].at == lw.Pose()
    assert body.joint == linkage.joints["b4"]
    assert "j4" not in linkage.joints
    assert all(joint.name == name for name, joint in others.items())
    assert [type(f).__name__ for f in linkage.forces] == ["Spring", "JointFriction"]
    assert [f.joint for f in change.removed_forces] == ["j4"]
    for read in (
        lambda: old.name,
        lambda: old.damping,
        lambda: linkage.cut(old),
        lambda: setattr(old, "damping", 1),
    ):
        with pytest.raises(lw.StructureError, match="cut away"):
            read()
    assert repr(old) == "Joint(cut away)"
    for where, start, gone, shift in ((change.index_map.q, 10, 2, 5), (change.index_map.v, 9, 2, 4)):
        expected = [k if k < start else -1 if k < start + gone else k + shift for k in range(len(where))]
        assert where.tolist() == expected
    with pytest.raises(lw.StructureError, match="nothing to cut"):
        linkage.cut("b4")


def test_a_cut_takes_a_free_name():
    linkage = lw.Linkage()
    linkage.add_body("a", joint=lw.Fixed(), joint_name="pin")
    linkage.add_body("b", joint=lw.Fixed(), joint_name="a", parent="a")
    assert linkage.cut("pin").new_joint == "a_free"
    assert linkage.cut("a").new_joint == "b"


def test_carry_takes_batches_and_refuses_nonsense():
    linkage, rng = zoo(), np.random.default_rng(0)
    q, v = random_state(linkage, rng, (2, 3))
    change = linkage.cut("j6")
    many = change.carry(q, v)
    one = change.carry(q[1, 2], v[1, 2])
    np.testing.assert_allclose(many[0][1, 2], one[0], atol=1e-14)
    np.testing.assert_allclose(many[1][1, 2], one[1], atol=1e-14)
    with pytest.raises(lw.ArgumentError, match="q has shape"):
        change.carry(many[0], v)
    with pytest.raises(lw.ArgumentError, match="finite"):
        change.carry(q, v * np.nan)
    with pytest.raises(lw.ArgumentError, match="quaternion"):
        change.carry(2 * q, v)
    assert "cut 'j6'" in repr(change)


def test_massless_bodies_are_legal():
    linkage = lw.Linkage()
    linkage.add_body("cross", joint=lw.Revolute("x"))
    linkage.add_body("load", lw.Inertia(1.0), joint=lw.Revolute("y"), parent="cross")
    assert linkage.bodies["cross"].inertia == lw.Inertia(0.0)


def test_names_complete_in_notebooks():
    linkage = lw.samples.four_bar()
    linkage.add_frame("tool", "coupler")
    assert linkage.bodies._ipython_key_completions_() == ["crank", "coupler", "rocker"]
    assert linkage.joints._ipython_key_completions_() == ["crank", "coupler", "rocker"]
    assert linkage.loops._ipython_key_completions_() == ["pin"]
    assert linkage.frames._ipython_key_completions_() == ["tool"]
    assert {"mass", "damping", "at_position"} <= set(dir(linkage.columns))


def test_notebooks_show_a_short_table():
    shown = lw.samples.chain(1000)._repr_html_()
    assert "nq=1000, nv=1000" in shown
    assert "<td>link0</td><td>Revolute(&#x27;y&#x27;)</td><td>ground</td><td>link0</td>" in shown
    assert "and 992 more joints" in shown
    assert len(shown) < 2000
    linkage = lw.Linkage(name="<script>")
    linkage.add_body("<b>", joint=lw.Fixed())
    assert "&lt;script&gt;" in linkage._repr_html_()
    assert "<td>&lt;b&gt;</td>" in linkage._repr_html_()


def test_all_that_is_public_is_meant_for_users():
    assert [name for name in dir(lw.Linkage()) if not name.startswith("_")] == [
        "actuators", "add", "add_bodies", "add_body", "add_force", "add_frame", "add_motors", "add_shape", "assembly",
        "bodies", "columns", "configurations", "connect", "constrain", "constrained", "contacts", "copy", "couplings",
        "cut", "difference", "dof_parents", "forces", "frames", "from_pinocchio", "gravity", "ground", "ignored",
        "integrate",
        "joints", "loops", "meet", "molecule", "name", "nb", "neutral", "nq", "nv", "nv_loop", "parameters_revision",
        "part", "random", "release", "remove_force", "revision", "save", "set_strength", "shapes", "strengths",
        "to_pinocchio", "tree", "visuals",
    ]  # fmt: skip


@pytest.mark.parametrize("sample", [lw.samples.chain, lw.samples.tree, lw.samples.star])
def test_samples_keep_every_option_of_a_joint(sample):
    hinge = lw.Revolute("y", limits=(-0.1, 0.2), damping=0.3, armature=0.1, actuated=False, coulomb=0.2, effort=5.0)
    cross = lw.Universal("x", "y", limits=[(-0.1, 0.2), (-0.3, 0.4)], damping=(0.3, 0.1))
    for joint in (hinge, cross):
        assert [each.type for each in sample(3, joint=joint).joints] == [joint] * 3
    with pytest.raises(lw.ArgumentError, match="joint must be a joint type"):
        sample(3, joint="Revolute")
