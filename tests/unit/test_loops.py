"""Connecting, cutting, closing: the structure of closed linkages."""

import copy
import pickle

import numpy as np
import pytest

import linkwork as lw


def chain(n=4):
    return lw.samples.chain(n)


def test_connect_gives_a_handle_with_the_paper_s_links():
    linkage = chain()
    revision = linkage.revision
    change = linkage.connect(
        "link1", "link3", lw.Revolute("y", damping=0.2), at_b=lw.Pose((0, 0, 1)), name="pin", strength=5.0
    )
    assert (change.kind, change.joint, change.revision_before, change.revision_after) == (
        "connect",
        "pin",
        revision,
        revision + 1,
    )
    loop = linkage.loops["pin"]
    assert (loop.name, loop.nq, loop.nv, loop.strength) == ("pin", 1, 1, lw.Strength(5.0))
    assert loop.parent == linkage.bodies["link1"]
    assert loop.real == loop.child == linkage.bodies["link3"]
    assert linkage.joints["link2"].real is None
    assert loop.v_slice == slice(4, 5)
    assert linkage.nv_loop == 1
    assert loop.type == lw.Revolute("y", damping=0.2)
    assert "pin" in repr(loop)
    linkage.connect("link1", "ground", lw.Spherical(), name="ball")
    assert loop.brother == linkage.loops["ball"]
    assert loop.brother.brother is None
    assert linkage.joints["link2"].brother == loop  # the virtual link is the next child of link1


def test_frames_ground_and_default_names():
    linkage = chain()
    linkage.add_frame("tip", "link3", lw.Pose((0, 0, -1)))
    linkage.connect("ground", "tip", lw.Fixed())
    linkage.connect("ground", "tip", lw.Fixed())
    assert linkage.loops.names == ["ground-link3", "ground-link3-2"]
    assert np.array_equal(linkage.loops[0].at_b.position, (0, 0, -1))


def test_handles_and_names_survive_changes_and_raise_when_gone():
    linkage = chain(6)
    linkage.connect("link0", "link2", lw.Spherical(), name="one")
    linkage.connect("link1", "link4", lw.Spherical(), name="two")
    two, elbow = linkage.loops["two"], linkage.joints["link3"]
    linkage.cut("one")
    assert two.name == "two"
    assert elbow.name == "link3"
    linkage.cut("link2")
    assert two.real.name == "link4"
    assert elbow.v_slice == slice(8, 9)
    linkage.cut(two)
    with pytest.raises(lw.StructureError, match="cut"):
        _ = two.name
    assert repr(two) == "Loop(cut)"
    with pytest.raises(lw.ArgumentError, match="unknown joint 'two'"):
        linkage.cut("two")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda x: x.connect("link1", "link1", lw.Fixed()), "two bodies"),
        (lambda x: x.connect("link1", "nobody", lw.Fixed()), "unknown body"),
        (lambda x: x.connect("link1", "link2", lw.Fixed(), name="link0"), "already a joint"),
        (lambda x: x.connect("link1", "link2", "Revolute"), "joint type"),
        (lambda x: x.connect("link1", "link2", lw.Revolute("x", armature=1.0)), "armature"),
        (lambda x: x.connect("link1", "link2", lw.Fixed(), at_a=(0, 0, 1)), "at_a"),
        (lambda x: x.connect("link1", "link2", lw.Fixed(), strength=-1.0), "strength"),
    ],
)
def test_bad_connections_say_what_is_wrong(make, message):
    linkage = chain()
    with pytest.raises(lw.LinkworkError, match=message):
        make(linkage)
    assert not len(linkage.loops)


def test_older_derived_objects_raise():
    linkage = lw.samples.four_bar()
    q, v = linkage.neutral(), np.zeros(3)
    made = lw.mobility(linkage, q), lw.solve(linkage, q, v), lw.velocity_jump(linkage, q, v, "pin")
    assert made[0].dof == 1
    linkage.cut("pin")
    for each, name in zip(made, ("dof", "a", "v"), strict=True):
        with pytest.raises(lw.StructureError, match="has changed"):
            getattr(each, name)


def test_copies_and_pickles_have_the_loops():
    linkage = lw.samples.stewart()
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    expected = lw.forward_dynamics(linkage, q, v)
    for other in (linkage.copy(), copy.deepcopy(linkage), pickle.loads(pickle.dumps(linkage))):
        assert np.array_equal(lw.forward_dynamics(other, q, v), expected)
        other.cut("ball1")
        assert len(linkage.loops) == 5
    solution = pickle.loads(pickle.dumps(lw.solve(linkage, q, v)))
    assert np.array_equal(solution.a, expected)


def test_a_patched_tree_is_the_tree_packed_anew():
    rng = np.random.default_rng(0)
    for seed in range(40):
        linkage = lw.samples.random_tree(20, seed=seed, damping=True)
        q, v = linkage.random(rng), rng.normal(size=linkage.nv)
        for _ in range(3):
            body = int(rng.integers(20))
            if linkage.columns.code[body] == lw.Free.code:
                continue
            before = lw.body_poses(linkage, q).positions, lw.body_velocities(linkage, q, v)
            q, v = linkage.cut(linkage.joints[body].name).carry(q, v)
            assert np.abs(lw.body_poses(linkage, q).positions - before[0]).max() < 1e-13
            assert np.abs(lw.body_velocities(linkage, q, v) - before[1]).max() < 1e-12
            fresh = linkage.copy()  # a copy is packed anew
            assert np.array_equal(linkage.tree.dof_parent, fresh.tree.dof_parent)
            assert np.array_equal(linkage.tree.row_start, fresh.tree.row_start)
            tau = rng.normal(size=linkage.nv)
            a, b = (lw.forward_dynamics(each, q, v, tau) for each in (linkage, fresh))
            assert np.abs(a - b).max() < 1e-11 * np.abs(b).max()


def test_a_long_chain_is_carried_like_its_links_one_by_one():
    linkage = lw.samples.random_tree(37, seed=5, branching=0.0)
    rng = np.random.default_rng(1)
    q, v = linkage.random(rng), rng.normal(size=linkage.nv)
    before = lw.body_poses(linkage, q), lw.body_velocities(linkage, q, v)
    change = linkage.cut("body36")
    Q, V = change.carry(np.stack([q, q]), np.stack([v, 2 * v]))
    assert np.abs(lw.body_poses(linkage, Q[1]).positions - before[0].positions).max() < 1e-12
    assert np.abs(lw.body_velocities(linkage, Q[1], V[1]) - 2 * before[1]).max() < 1e-11


@pytest.mark.parametrize("sample", ["chain", "tree", "random_tree"])
def test_connect_and_cut_of_ten_thousand_bodies_pack_nothing_anew(sample, monkeypatch):
    linkage = getattr(lw.samples, sample)(10_000)
    name = "body" if sample == "random_tree" else "link"
    lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(linkage.nv))

    def packed(linkage):
        raise AssertionError("packed anew")

    monkeypatch.setattr(lw.linkage.packing.tree.Tree, "__init__", packed)
    before = linkage.columns.code[7000:7040].copy()
    linkage.connect(f"{name}5000", f"{name}5040", lw.Spherical(), name="ball")
    assert linkage.tree.closed
    linkage.cut("ball")
    assert not linkage.tree.closed
    for body in range(7000, 7040):
        linkage.cut(linkage.columns.joint_names[body])
        assert linkage.tree.nv == linkage.nv
    assert len(set(before)) == (8 if sample == "random_tree" else 1)  # every joint type but Free is cut
    monkeypatch.undo()
    fresh = linkage.copy()
    assert np.array_equal(linkage.tree.dof_parent, fresh.tree.dof_parent)
    assert np.array_equal(linkage.tree.row_start, fresh.tree.row_start)


def test_close_loops_closes_or_says_what_cannot_close():
    linkage = lw.samples.four_bar()
    rng = np.random.default_rng(0)
    for _ in range(20):
        q = lw.close_loops(linkage, 0.3 * rng.normal(size=3))
        tip = lw.body_poses(linkage, q)["rocker"].apply((0.8, 0, 0))
        assert np.abs(tip - (1, 0, 0)).max() < 1e-12
    far = lw.samples.chain(2)
    far.connect("ground", "link1", lw.Spherical(), at_a=lw.Pose((5, 0, 0)), name="reach")
    with pytest.raises(lw.StructureError, match=r"'reach'.*cannot be closed.* gap of 4 m"):
        lw.close_loops(far, [0.1, 0.2])
    with pytest.raises(lw.ArgumentError, match="one state"):
        lw.close_loops(linkage, np.zeros((2, 3)))


def test_closing_moves_as_little_as_can_be():
    """The step is least in the mass matrix: what it changes is orthogonal to every motion that is allowed."""
    linkage = lw.samples.stewart()
    rng = np.random.default_rng(2)
    q = linkage.integrate(linkage.neutral(), 1e-4 * rng.normal(size=linkage.nv))
    step = linkage.difference(q, lw.close_loops(linkage, q))
    W = lw.mobility(linkage, linkage.neutral()).W
    assert (
        np.abs(W.T @ lw.mass_matrix(linkage, q) @ step).max() < 1e-3 * np.abs(lw.mass_matrix(linkage, q) @ step).max()
    )


def test_loop_coordinates_follow_the_joint():
    linkage = lw.Linkage()
    linkage.add_body("nut", lw.Inertia.box((1, 1, 1), mass=1), joint=lw.Free())
    linkage.connect("ground", "nut", lw.Helical("x", 0.1), name="thread")
    q = linkage.neutral()
    angle = 9.0  # more than a turn: the advance tells
    q[0], q[3], q[6] = 0.1 * angle, np.sin(angle / 2), np.cos(angle / 2)
    v = np.array([0.2, 0, 0, 2.0, 0, 0])
    theta, rate = lw.loop_coordinates(linkage, q, v)
    assert theta == pytest.approx([9.0])
    assert rate == pytest.approx([2.0])
    assert np.abs(lw.consistent_velocity(linkage, q, v) - v).max() < 1e-13


def test_loops_come_along_when_one_linkage_is_added_to_another():
    apart, joined = lw.samples.four_bars(3), lw.samples.four_bars(1)
    joined.add(lw.samples.four_bars(2), prefix="more_", parent="coupler0")
    assert joined.loops.names == ["pin0", "more_pin0", "more_pin1"]
    assert joined.loops["more_pin0"].parent.name == "coupler0"
    q = joined.neutral()
    v = lw.consistent_velocity(joined, q, np.ones(joined.nv))
    # `four_bars` hangs them to the left and right in turn: the same but for the second and third
    assert lw.mobility(joined, q).dof == lw.mobility(apart, q).dof == 3
    assert lw.solve(joined, q, v).residual < 1e-12
    with pytest.raises(lw.ArgumentError, match="already"):
        joined.add(lw.samples.four_bars(1))
