"""The packed form of a tree."""

import numpy as np

import linkwork as lw


def test_parents_come_first_in_any_order_of_adding():
    linkage = lw.samples.random_tree(200, seed=5, branching=1.0)
    tree = linkage.tree
    assert np.all(tree.parent < np.arange(tree.stages))
    assert np.all(tree.dof_parent < np.arange(tree.nv))
    assert sorted(tree.body[tree.body >= 0].tolist()) == list(range(linkage.nb))
    # depth first: what follows a stage is its child, or a child of one of its ancestors
    for i in range(1, tree.stages):
        ancestor = i - 1
        while ancestor >= 0 and ancestor != tree.parent[i]:
            ancestor = tree.parent[ancestor]
        assert ancestor == tree.parent[i]


def test_blocks_are_read_only_and_contiguous():
    tree = lw.samples.random_tree(10, seed=1).tree
    for block in (tree.model, tree.index):
        assert block.flags.c_contiguous
        assert not block.flags.writeable


def test_compound_joints_have_a_massless_first_stage():
    linkage = lw.Linkage()
    linkage.add_body("a", lw.Inertia.sphere(0.1, mass=1), joint=lw.Universal("x", "y"))
    linkage.add_body("b", lw.Inertia.sphere(0.1, mass=1), joint=lw.Cylindrical("z"), parent="a")
    tree = linkage.tree
    assert tree.stages == 4
    assert tree.body.tolist() == [-1, 0, -1, 1]
    assert tree.stage.tolist() == [1, 3]
    assert tree.first_stage.tolist() == [0, 2]


def test_a_change_of_parameters_makes_a_new_tree():
    linkage = lw.samples.chain(3)
    before = linkage.tree
    linkage.gravity = (0, 0, -1.62)
    assert linkage.tree is not before
    np.testing.assert_allclose(
        lw.gravity_torques(linkage, [1.0, 0, 0]) * 9.81 / 1.62, lw.gravity_torques(lw.samples.chain(3), [1.0, 0, 0])
    )
