"""The assembly tree: what it must contain, how deep it may be, how few handles its nodes have."""


import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.layout.nodes import ABOVE, FIRST, HEIGHT, JOIN, KIND, LEAF, LEFT, PLACE, RIGHT, STAGE


def bush(n, seed):
    """Every body hangs on any earlier one, all alike."""
    parent = (np.random.default_rng(seed).random(n) * np.arange(n)).astype(np.int64)
    parent[0] = -1
    linkage = lw.Linkage()
    linkage.add_bodies([f"b{i}" for i in range(n)], parent=parent, mass=1.0, inertia=(1, 0, 0, 1, 0, 1))
    return linkage


def boundary_bodies(assembly, node):
    """Bodies of a node that are joined to something outside it, counted from the linkage itself."""
    rows = assembly.nodes[assembly.nodes[node, FIRST] : node + 1]
    leaves = set(rows[rows[:, KIND] == LEAF, STAGE].tolist())
    inside = set(rows[(rows[:, KIND] != LEAF) & (rows[:, STAGE] >= 0), STAGE].tolist())  # joints that are in it
    parent = assembly.tree.parent
    touched = {stage for stage in leaves if stage not in inside}
    touched |= {int(parent[s]) for s in range(len(parent)) if s not in inside and int(parent[s]) in leaves}
    # parts that only hang, on a body that is not among them
    touched |= {int(parent[s]) for s in inside if int(parent[s]) not in leaves}
    return touched


SMALL = [
    lambda: lw.samples.chain(17),
    lambda: lw.samples.tree(23, branching=3),
    lambda: lw.samples.star(9),
    lambda: lw.samples.millipede(3),
    lambda: lw.samples.molecule(60, seed=4),
    lambda: lw.samples.random_tree(25, seed=5),
    lambda: lw.samples.random_tree(12, seed=6, base="free", joints=("Universal", "Cylindrical", "Fixed")),
    lambda: bush(40, 2),
]


@pytest.mark.parametrize("make", SMALL)
def test_every_body_and_joint_is_in_it_once(make):
    assembly = make().assembly()
    nodes, stages = assembly.nodes, np.arange(assembly.tree.stages)
    leaf = nodes[:, KIND] == LEAF
    assert sorted(nodes[leaf, STAGE]) == stages.tolist()
    assert sorted(nodes[~leaf & (nodes[:, STAGE] >= 0), STAGE]) == stages.tolist()
    for node in range(len(nodes)):
        children = assembly.children(node)
        assert all(child < node and nodes[child, ABOVE] == node for child in children)
        assert nodes[node, FIRST] == (nodes[children[0], FIRST] if children else node)
        assert nodes[node, HEIGHT] == (1 + max(nodes[c, HEIGHT] for c in children) if children else 0)


@pytest.mark.parametrize("make", SMALL)
def test_no_node_touches_more_than_two_bodies_outside(make):
    assembly = make().assembly()
    for node in range(len(assembly)):
        assert len(boundary_bodies(assembly, node)) <= 2
    assert set(assembly.handles) <= {1, 2}


@pytest.mark.parametrize("make", SMALL)
def test_a_joint_joins_a_part_to_the_part_that_carries_it(make):
    assembly = make().assembly()
    nodes, parent = assembly.nodes, assembly.tree.parent
    for node in np.flatnonzero(nodes[:, KIND] == JOIN):
        stage = nodes[node, STAGE]
        for side, body in ((LEFT, parent[stage]), (RIGHT, stage)):
            child = nodes[node, side]
            rows = nodes[nodes[child, FIRST] : child + 1]
            assert body in rows[rows[:, KIND] == LEAF, STAGE]


def turns(linkage, seed):
    """All joints in a random order that is allowed: whichever has its turn."""
    rng, order, parent = np.random.default_rng(seed), [], linkage.columns.parent
    names = linkage.joints.names
    left, top = np.bincount(parent + 1, minlength=linkage.nb + 1)[1:], np.arange(linkage.nb)
    bottom, waiting = np.where(left > 0, np.arange(linkage.nb), -1), set(range(linkage.nb))
    while waiting:
        may = [j for j in sorted(waiting) if bottom[j] < 0 or (
            left[bottom[j]] == 1 and parent[j] >= 0 and left[parent[j]] == 1)]  # fmt: skip
        j = int(rng.choice(may))
        waiting.remove(j)
        order.append(names[j])
        if parent[j] >= 0:
            left[parent[j]] -= 1
            if left[parent[j]] == 0:
                t = top[parent[j]]
                bottom[t] = bottom[j]
                if bottom[j] >= 0:
                    top[bottom[j]] = t
    return order


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", SMALL)
def test_a_chosen_order_gives_the_same_accelerations(make, seed):
    linkage = make()
    state = np.random.default_rng(seed)
    q, v, tau = linkage.random(state), state.normal(size=linkage.nv), state.normal(size=linkage.nv)
    expected = lw.forward_dynamics(linkage, q, v, tau, method="dca")
    order = turns(linkage, seed)
    chosen = linkage.assembly(order)
    assert linkage.assembly() is chosen
    test_every_body_and_joint_is_in_it_once(lambda: linkage)
    test_no_node_touches_more_than_two_bodies_outside(lambda: linkage)
    test_a_joint_joins_a_part_to_the_part_that_carries_it(lambda: linkage)
    a = lw.forward_dynamics(linkage, q, v, tau, method="dca")
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_joints_are_taken_in_the_order_given():
    linkage = lw.samples.chain(6)
    names = linkage.joints.names
    down, up = linkage.assembly(names[1:] + names[:1]), linkage.assembly(names[::-1])
    for assembly in (down, up):
        assert assembly.depth == 6  # five joins one above the other, and the one to ground
    taken = [[a.label(k) for k in range(len(a)) if a.children(k)] for a in (down, up)]
    assert taken == [names[1:] + names[:1], names[::-1]]
    assert (down.handles == 2).sum() == 4  # all but the leaves and the last two: the tip is still to come
    assert (up.handles == 2).sum() == 0  # the articulated-body algorithm itself


def test_a_chosen_order_serves_loops_copies_and_adaptive_steps():
    linkage = lw.samples.four_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    expected = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), method="dca")
    names = linkage.joints.names
    automatic, chosen = linkage.assembly().nodes, linkage.assembly(names[::-1]).nodes
    assert not np.array_equal(automatic[:, :PLACE], chosen[:, :PLACE])
    linkage.gravity = linkage.gravity  # a change of parameters, not of structure
    for each in (linkage, linkage.copy()):
        a = lw.forward_dynamics(each, q, np.zeros(linkage.nv), method="dca")
        np.testing.assert_allclose(a, expected, rtol=1e-11, atol=1e-11)
        np.testing.assert_array_equal(each.assembly().nodes[:, :PLACE], chosen[:, :PLACE])
    molecule = lw.samples.molecule(80, seed=3)
    accelerations = []
    for order in (None, turns(molecule, 1)):
        molecule.assembly(order)
        ad = lw.AdaptiveSimulation(molecule, tolerance=0.0)
        ad.apply_force("atom40", (1, 2, 3))
        ad.step()
        accelerations.append(ad.a)
    np.testing.assert_allclose(*accelerations, rtol=0, atol=1e-10 * np.abs(accelerations[0]).max())


def test_a_change_of_structure_ends_the_choice():
    linkage = lw.samples.chain(64)
    assert linkage.assembly(linkage.joints.names[::-1]).depth == 64
    linkage.cut("link32")
    assert linkage.assembly().depth < 20


def test_an_order_that_cannot_be_is_refused():
    linkage = lw.samples.tree(7)  # body 0 carries 1 and 2, 1 carries 3 and 4, 2 carries 5 and 6
    j = linkage.joints.names
    before = linkage.assembly()
    for order, message in (
        (j[1:], f"'{j[0]}' is not in it"),
        ([*j, j[2]], f"'{j[2]}' is in it more than once"),
        (["elbow", *j], "unknown joint 'elbow'"),
        (j, f"'{j[0]}' comes too early .*: take all but one of '{j[1]}' and '{j[2]}'"),
        ([j[3], j[1], *j[4:], j[2], j[0]], f"'{j[1]}' comes too early .* take '{j[4]}', or '{j[2]}', before it"),
        ([*j[3:], j[1], j[0], j[2]], f"'{j[0]}' comes too early .* to ground; take '{j[2]}' before it"),
    ):
        with pytest.raises(lw.ArgumentError, match=message):
            linkage.assembly(order)
    assert linkage.assembly() is before
    light = lw.samples.chain(4)
    light.bodies[2].inertia = lw.Inertia(0.0)
    j = light.joints.names
    with pytest.raises(lw.ArgumentError, match=f"'{j[2]}' comes too early .* too little inertia .* take '{j[3]}'"):
        light.assembly([j[1], j[2], j[3], j[0]])


def test_depth_stays_logarithmic():
    assert lw.samples.chain(50_000).assembly().depth <= 18
    assert lw.samples.millipede().assembly().depth <= 20
    for seed, branching in ((0, 0.3), (1, 0.1), (2, 0.7)):
        assert lw.samples.molecule(50_000, seed=seed, branching=branching).assembly().depth <= 30
    for seed in range(4):
        assert bush(50_000, seed).assembly().depth <= 30
    assert lw.samples.star(10_001).assembly().depth <= 3 * np.log2(10_000)


@pytest.mark.slow
def test_depth_for_a_million_joints():
    assert lw.samples.molecule(1_000_000).assembly().depth <= 40


def test_follows_changes_of_structure():
    linkage = lw.samples.chain(12)
    before = linkage.assembly()
    assert linkage.assembly() is before
    linkage.cut("link5")
    after = linkage.assembly()
    assert after is not before
    assert len(after.children(len(after) - 1)) == 2  # two pieces hang on ground now
    q = linkage.random(1)
    v = np.zeros(linkage.nv)
    np.testing.assert_allclose(
        lw.forward_dynamics(linkage, q, v, method="dca"), lw.forward_dynamics(linkage, q, v), atol=1e-10
    )


def test_a_drawing_shows_every_node():
    pytest.importorskip("matplotlib").use("Agg")
    assembly = lw.samples.tree(7).assembly()
    ax = lw.draw_assembly(assembly)
    assert sorted(text.get_text() for text in ax.texts) == sorted(map(assembly.label, range(len(assembly))))
    with pytest.raises(lw.ArgumentError, match="too large to draw"):
        lw.draw_assembly(lw.samples.chain(500).assembly())


def test_samples_can_be_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    for linkage in (lw.samples.bicycle_chain(30), lw.samples.millipede(2), lw.samples.molecule(50)):
        ax = lw.draw(linkage)
        (lines,) = ax.collections
        ax.figure.canvas.draw()  # projects them onto the page
        assert len(lines.get_segments()) == 2 * linkage.nb - 1  # one to each parent, one to each centre of mass


def test_sizes_of_the_paper():
    millipede = lw.samples.millipede(1000)
    assert (millipede.nb, millipede.nv) == (13_000, 12_999)
    assert lw.samples.millipede(1000, base="free").nv == 12_999 + 6
    assert lw.samples.molecule(500, seed=1).nv == 500


def test_bonds_of_the_molecule_are_tetrahedral():
    linkage = lw.samples.molecule(200, seed=2, branching=0.5)
    poses = lw.body_poses(linkage, linkage.random(0))
    bond = poses.rotations[:, :, 2]
    parent = linkage.columns.parent
    for i in range(1, 200):
        assert bond[i] @ bond[parent[i]] == pytest.approx(1 / 3, abs=1e-12)
        for j in range(1, i):
            if parent[j] == parent[i]:
                assert bond[i] @ bond[j] == pytest.approx(-1 / 3, abs=1e-12)
