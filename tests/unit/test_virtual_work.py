"""Virtual work against dense solves, Newton-Euler and the articulated-body algorithm; its limits and its options."""

import numpy as np
import pytest

import linkwork as lw
import linkwork.dynamics.virtual_work as virtual_work
from linkwork.linkage.packing.splitting import split_links


def state(linkage, rng, speed=1.0):
    return linkage.random(rng), speed * rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)


def with_wrenches(linkage, q, v, tau, f_ext=None, **options):
    """Accelerations and joint wrenches of one call."""
    a, wrenches = np.empty(linkage.nv), np.empty(6 * linkage.nb)
    f_ext = np.empty(0) if f_ext is None else f_ext.ravel()
    virtual_work.solve_tree(linkage, q, v, tau, f_ext, a, wrenches, **options)
    return a, wrenches.reshape(-1, 6)


def relative(found, expected):
    return np.abs(found - expected).max(initial=0.0) / np.abs(expected).max(initial=1e-300)


@pytest.mark.parametrize("branching", [0.0, 0.7], ids=["serial", "branched"])
@pytest.mark.parametrize("decade", range(10))
def test_random_trees_of_every_joint_type(branching, decade):
    """200 seeds in all: a dense solve of the mass matrix, and reactions by Newton-Euler from its result."""
    for seed in range(10 * decade, 10 * decade + 10):
        rng = np.random.default_rng(seed)
        base = "free" if seed % 3 == 0 else "fixed"
        linkage = lw.samples.random_tree(
            int(rng.integers(2, 30)), seed=rng, base=base, branching=branching, damping=seed % 2 == 0
        )
        if linkage.nv == 0:
            continue
        q, v, tau = state(linkage, rng)
        f_ext = rng.normal(size=(linkage.nb, 6))
        a, wrenches = with_wrenches(linkage, q, v, tau, f_ext)
        dense = np.linalg.solve(lw.mass_matrix(linkage, q), tau - lw.bias_force(linkage, q, v, f_ext))
        assert relative(a, dense) < 1e-9
        assert relative(wrenches, lw.joint_wrenches(linkage, q, v, dense, f_ext)) < 1e-8


def link_residuals(linkage, q, v, a, wrenches):
    """What is left of Newton's and Euler's equations of each link, (15) of the paper, in world axes at its origin."""
    columns, poses = linkage.columns, lw.body_poses(linkage, q)
    R, p = poses.rotations, poses.positions
    twist, rate = lw.body_velocities(linkage, q, v), lw.body_accelerations(linkage, q, v, a)
    w, dw, mass = twist[:, 3:], rate[:, 3:], columns.mass[:, None]
    c = np.einsum("nij,nj->ni", R, columns.com)
    acceleration = rate[:, :3] + np.cross(dw, c) + np.cross(w, np.cross(w, c)) - linkage.gravity
    inertia = np.zeros((linkage.nb, 3, 3))
    inertia[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]] = columns.inertia
    inertia[:, [1, 2, 2], [0, 0, 1]] = columns.inertia[:, [1, 2, 4]]
    inertia = R @ inertia @ R.transpose(0, 2, 1)
    spin = np.einsum("nij,nj->ni", inertia, dw) + np.cross(w, np.einsum("nij,nj->ni", inertia, w))
    force, moment = (np.einsum("nij,nj->ni", R, wrenches[:, k : k + 3]) for k in (0, 3))
    left_f = mass * acceleration - force
    left_n = spin + np.cross(c, mass * acceleration) - moment
    child = np.flatnonzero(columns.parent >= 0)
    parent = columns.parent[child]
    np.add.at(left_f, parent, force[child])
    np.add.at(left_n, parent, moment[child] + np.cross(p[child] - p[parent], force[child]))
    return np.abs(left_f).max(), np.abs(left_n).max()


@pytest.mark.parametrize("joint", [lw.Revolute("y"), lw.Spherical(), lw.Universal("x", "y")], ids=str)
@pytest.mark.parametrize("n", [1_000, 10_000])
def test_long_chains_obey_the_equations_of_motion(n, joint):
    """Link by link, relative to the largest force or moment in a joint, for a chain that falls and turns."""
    chain = lw.samples.chain(n, joint=joint)
    q, v, tau = state(chain, np.random.default_rng(n))
    a, wrenches = with_wrenches(chain, q, v, tau)
    largest = np.abs(wrenches).max()
    force, moment = link_residuals(chain, q, v, a, wrenches)
    assert force < 1e-8 * largest
    assert moment < 1e-8 * largest


@pytest.mark.parametrize("n", [1_000, 10_000])
def test_long_chains_obey_lagranges_equations(n):
    """In joint coordinates, relative to the largest term.

    No method can do much better: a unit in the last place of each joint acceleration moves all that hangs below, and
    by itself leaves a residual of this order.
    """
    chain = lw.samples.chain(n)
    q, v, tau = state(chain, np.random.default_rng(n))
    a = lw.forward_dynamics(chain, q, v, tau, method="virtual-work")
    residual = np.abs(lw.inverse_dynamics(chain, q, v, a) - tau).max()
    assert residual < 1e-8 * np.abs(lw.bias_force(chain, q, v)).max()


@pytest.mark.parametrize("scale", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("n", [1_000, 10_000])
def test_plane_chains_bear_loads_across_their_plane(n, scale):
    """Across its plane a chain of hinges is one body, n³ times as stiff as a link: the digits of that must be kept."""
    chain = lw.samples.chain(n)
    rng = np.random.default_rng(n)
    q, v, tau = (scale * rng.normal(size=n) for _ in range(3))
    f_ext = np.zeros((n, 6))
    f_ext[-1, :3] = (1.0, 3.0, 0.0)  # in world axes; y is across
    a, wrenches = with_wrenches(chain, q, v, tau, f_ext)
    expected = lw.joint_wrenches(chain, q, v, a, f_ext)
    across = [1, 3, 5]  # force along the hinge, moments about the axes in the plane: rounding of a does not enter here
    assert relative(wrenches[:, across], expected[:, across]) < 1e-8
    assert relative(a, lw.forward_dynamics(chain, q, v, tau, f_ext, method="aba")) < 1e-11


@pytest.mark.parametrize("scale", [0.1, 1.0])
@pytest.mark.parametrize("make", [lw.samples.chain, lw.samples.star, lw.samples.tree], ids=["chain", "star", "tree"])
def test_sixty_four_thousand_links(make, scale):
    """In joint coordinates, relative to the largest term; straight chains are the stiffest across their plane."""
    linkage = make(64_000)
    rng = np.random.default_rng(0)
    q, v, tau = (scale * rng.normal(size=linkage.nv) for _ in range(3))
    a = lw.forward_dynamics(linkage, q, v, tau, method="virtual-work")
    residual = np.abs(lw.inverse_dynamics(linkage, q, v, a) - tau).max()
    assert residual < 1e-8 * np.abs(lw.bias_force(linkage, q, v)).max()
    assert relative(a, lw.forward_dynamics(linkage, q, v, tau, method="aba")) < 1e-11


@pytest.mark.parametrize("seed", range(5))
def test_packs_agree_with_single_states(seed):
    """More states than a pack holds, with and without wrenches from outside; a broadcast one too."""
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(12, seed=rng, base="free", damping=True)
    states = [state(linkage, rng) for _ in range(7)]
    q, v, tau = (np.stack(x) for x in zip(*states, strict=True))
    f_ext = rng.normal(size=(linkage.nb, 6))
    plain = lw.forward_dynamics(linkage, q, v, tau, method="virtual-work")
    loaded = lw.forward_dynamics(linkage, q, v, tau, f_ext, method="virtual-work")
    for k in range(7):
        single = lw.forward_dynamics(linkage, q[k], v[k], tau[k], method="virtual-work")
        np.testing.assert_allclose(plain[k], single, rtol=0, atol=1e-11 * np.abs(single).max())
        single = lw.forward_dynamics(linkage, q[k], v[k], tau[k], f_ext, method="virtual-work")
        np.testing.assert_allclose(loaded[k], single, rtol=0, atol=1e-11 * np.abs(single).max())


def test_springs_and_joint_forces_act():
    linkage = lw.samples.random_tree(8, seed=4, joints=("Revolute", "Spherical", "Universal"))
    hinge = next(joint.name for joint in linkage.joints if joint.nv == 1)
    linkage.add_force(lw.Spring("body1", "body6", stiffness=30.0, damping=2.0, rest_length=0.3))
    linkage.add_force(lw.JointSpring(hinge, 5.0, 0.2))
    q, v, tau = state(linkage, np.random.default_rng(4))
    expected = lw.forward_dynamics(linkage, q, v, tau, method="crba")
    assert relative(lw.forward_dynamics(linkage, q, v, tau, method="virtual-work"), expected) < 1e-10


def test_a_body_with_ten_thousand_children():
    star = lw.samples.star(10_001, joint=lw.Spherical())
    q, v, tau = state(star, np.random.default_rng(1))
    a, wrenches = with_wrenches(star, q, v, tau)
    # The hub's inverse inertia falls by a factor of 1e4 in as many updates: four digits and some rounding.
    assert relative(a, lw.forward_dynamics(star, q, v, tau, method="aba")) < 1e-9
    assert relative(wrenches, lw.joint_wrenches(star, q, v, a)) < 1e-8


def test_locked_joints_make_one_body_of_two():
    """Two boxes fixed together are one box; the locked joint carries what holds them together."""
    half = lw.Inertia.box((0.1, 0.1, 0.5), mass=1.0, com=(0, 0, -0.25))
    whole = lw.Inertia.box((0.1, 0.1, 1.0), mass=2.0, com=(0, 0, -0.5))
    locked, single = lw.Linkage(name="locked"), lw.Linkage(name="single")
    locked.add_body("upper", half, joint=lw.Revolute("y"))
    locked.add_body("lower", half, joint=lw.Fixed(), parent="upper", at=lw.Pose((0, 0, -0.5)))
    single.add_body("both", whole, joint=lw.Revolute("y"))
    q, v, tau = np.array([0.7]), np.array([1.3]), np.array([0.2])
    a, wrenches = with_wrenches(locked, q, v, tau)
    expected = lw.forward_dynamics(single, q, v, tau, method="aba")
    np.testing.assert_allclose(a, expected, rtol=1e-12)
    np.testing.assert_allclose(wrenches, lw.joint_wrenches(locked, q, v, a), atol=1e-11)


def test_a_linkage_of_locked_joints_only_still_has_reactions():
    post = lw.Linkage(name="post")
    post.add_body("post", lw.Inertia.box((0.1, 0.1, 1.0), mass=3.0), joint=lw.Fixed())
    _, wrenches = with_wrenches(post, np.empty(0), np.empty(0), np.empty(0))
    np.testing.assert_allclose(wrenches, [[0, 0, 3 * 9.81, 0, 0, 0]], atol=1e-13)


@pytest.mark.parametrize("armature", [1e-9, 1.0, 1e9])
def test_armature_of_any_size(armature):
    """Armature runs from a free joint to a locked one; both ends are held by the dense solve."""
    linkage = lw.samples.random_tree(6, seed=2, joints=("Revolute", "Universal", "Spherical", "Planar"))
    for joint in linkage.joints:
        joint.armature = armature
    q, v, tau = state(linkage, np.random.default_rng(2))
    dense = np.linalg.solve(lw.mass_matrix(linkage, q), tau - lw.bias_force(linkage, q, v))
    assert relative(lw.forward_dynamics(linkage, q, v, tau, method="virtual-work"), dense) < 1e-9


@pytest.mark.parametrize(
    "inertia",
    [
        lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))),
        lw.Inertia.rod(1.0, mass=1.0),
        lw.Inertia(1.0, (0, 0, 1), np.zeros((3, 3))),
    ],
    ids=["massless", "thin rod", "point mass"],
)
def test_bodies_without_inverse_inertia_are_named(inertia):
    linkage = lw.samples.chain(3)
    linkage.add_body("ghost", inertia, joint=lw.Revolute("y"), parent="link1")
    linkage.add_body("hand", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Revolute("x"), parent="ghost")
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    with pytest.raises(lw.StructureError, match="'ghost'") as raised:
        lw.forward_dynamics(linkage, q, v, method="virtual-work")
    assert "link" not in str(raised.value)
    assert 'method="aba"' in str(raised.value)
    with pytest.raises(lw.StructureError, match="'ghost'"):
        lw.forward_dynamics(linkage, np.stack([q, q]), v, method="virtual-work")
    lw.forward_dynamics(linkage, q, v, method="aba")  # which has no trouble with it


def test_a_small_body_far_from_its_joint_is_no_massless_one():
    linkage = lw.Linkage(name="far")
    linkage.add_body("arm", lw.Inertia.sphere(0.01, mass=1.0, com=(20.0, 0, 0)), joint=lw.Revolute("z"))
    a = lw.forward_dynamics(linkage, [0.0], [0.0], [1.0], method="virtual-work")
    np.testing.assert_allclose(a, 1.0 / (400.0 + 0.4 * 1e-4), rtol=1e-9)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e14])
def test_a_light_link_that_carries_heavy_ones(ratio):
    """A link loses as many digits as what hangs on it is heavier; where too few are left a joint is named."""
    chain = lw.samples.chain(5)
    full = chain.bodies["link2"].inertia
    chain.bodies["link2"].inertia = lw.Inertia(full.mass / ratio, full.com, full.matrix / ratio)
    q, v, tau = state(chain, np.random.default_rng(3))
    if ratio > 1e10:
        with pytest.raises(lw.SingularError, match=r"'link[123]'"):
            lw.forward_dynamics(chain, q, v, tau, method="virtual-work")
        return
    expected = lw.forward_dynamics(chain, q, v, tau, method="aba")
    a = lw.forward_dynamics(chain, q, v, tau, method="virtual-work")
    assert relative(a, expected) < 1e-14 * ratio


def test_links_split_as_in_the_paper():
    """A hub of n joints becomes n − 2 links with three joints each; nothing else changes."""
    star = lw.samples.star(7, joint=lw.Spherical())
    split, kept = split_links(star)
    assert split.nb == 7 + 4  # the hub has 7 joints, its own and six
    assert (split.nq, split.nv) == (star.nq, star.nv)
    assert [split.columns.body_names[k] for k in kept] == star.columns.body_names
    joints = np.bincount(split.columns.parent[split.columns.parent >= 0], minlength=split.nb) + 1
    assert joints.max() == 3
    np.testing.assert_allclose(split.columns.mass.sum(), star.columns.mass.sum())
    with pytest.raises(lw.ArgumentError, match="share"):
        split_links(star, share=0.5)


@pytest.mark.parametrize("seed", range(8))
def test_splitting_gives_the_same_motion(seed):
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(40, seed=rng, branching=0.95, damping=True)
    q, v, tau = state(linkage, rng)
    f_ext = rng.normal(size=(linkage.nb, 6))
    a, wrenches = with_wrenches(linkage, q, v, tau, f_ext)
    split_a, split_wrenches = with_wrenches(linkage, q, v, tau, f_ext, splitting="paper")
    assert relative(split_a, a) < 1e-10
    assert relative(split_wrenches, wrenches) < 1e-9
    public = lw.forward_dynamics(linkage, q, v, tau, f_ext, method="virtual-work", splitting="paper")
    np.testing.assert_array_equal(public, split_a)


def test_small_shares_cost_digits():
    """The paper leaves open how to share the mass: the less an added link gets, the fewer digits are left."""
    star = lw.samples.star(13, joint=lw.Spherical())
    q, v, tau = state(star, np.random.default_rng(0))
    expected = lw.forward_dynamics(star, q, v, tau, method="aba")
    error = {}
    for share in (None, 1e-5, 1e-7):
        split, _ = split_links(star, share)
        error[share] = relative(lw.forward_dynamics(split, q, v, tau, method="virtual-work"), expected)
    assert error[None] < 1e-12
    assert error[None] < error[1e-5] < error[1e-7]
    assert error[1e-7] > 100 * error[None]
    with pytest.raises(lw.SingularError, match="lost too many digits"):
        lw.forward_dynamics(split_links(star, 1e-10)[0], q, v, tau, method="virtual-work")


def test_solve_has_its_wrenches():
    linkage = lw.samples.random_tree(10, seed=5, base="free", damping=True)
    q, v, tau = state(linkage, np.random.default_rng(5))
    f_ext = np.random.default_rng(6).normal(size=(linkage.nb, 6))
    solution = lw.solve(linkage, q, v, tau, f_ext, method="virtual-work")
    expected = lw.solve(linkage, q, v, tau, f_ext, method="crba")
    assert relative(solution.a, expected.a) < 1e-10
    assert relative(solution.joint_wrenches, expected.joint_wrenches) < 1e-10
    assert solution.method == "virtual-work"


@pytest.mark.parametrize(
    ("make", "redundant"),
    [
        (lw.samples.four_bar, 3),
        (lw.samples.five_bar, 3),
        (lw.samples.stewart, 0),
        (lambda: lw.samples.four_bars(4), 12),
    ],
    ids=["four-bar", "five-bar", "stewart", "four-bars"],
)
def test_closed_chains_by_the_same_passes(make, redundant):
    """Against the dense null-space method, planar loops with their redundant rows included."""
    linkage = make()
    rng = np.random.default_rng(8)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.05 * rng.normal(size=linkage.nv)))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv), rng.normal(size=(linkage.nb, 6))
    solution = lw.solve(linkage, q, v, tau, f_ext, method="virtual-work")
    expected = lw.solve(linkage, q, v, tau, f_ext, method="crba")
    assert relative(solution.a, expected.a) < 1e-9
    assert relative(solution.loop_wrenches, expected.loop_wrenches) < 1e-8
    assert relative(solution.joint_wrenches, expected.joint_wrenches) < 1e-8
    assert solution.redundant == expected.redundant == redundant
    a = lw.forward_dynamics(linkage, q, v, tau, f_ext, method="virtual-work")
    np.testing.assert_array_equal(a, solution.a)


def test_options_are_checked():
    chain = lw.samples.chain(2)
    with pytest.raises(lw.ArgumentError, match="splitting belongs to"):
        lw.forward_dynamics(chain, [0, 0], [0, 0], splitting="paper")
    with pytest.raises(lw.ArgumentError, match="paper"):
        lw.forward_dynamics(chain, [0, 0], [0, 0], method="virtual-work", splitting="papre")


@pytest.mark.parametrize("seed", range(6))
def test_branches_on_threads_give_the_same_numbers(seed, monkeypatch):
    monkeypatch.setattr(virtual_work, "thread_count", lambda: 3)
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(150, seed=rng, branching=0.9, damping=True)
    q, v, tau = state(linkage, rng)
    f_ext = rng.normal(size=(linkage.nb, 6)) if seed % 2 else None
    a, wrenches = with_wrenches(linkage, q, v, tau, f_ext)
    monkeypatch.setattr(virtual_work, "THREADS_FROM", 1)
    plan = virtual_work.plan_of(linkage.tree, 3)
    assert plan is not None
    together = np.sort(np.concatenate([plan.trunk, *plan.branches]))
    np.testing.assert_array_equal(together, np.arange(linkage.tree.stages))
    shared_a, shared_wrenches = with_wrenches(linkage, q, v, tau, f_ext)
    assert relative(shared_a, a) < 1e-11
    assert relative(shared_wrenches, wrenches) < 1e-11


@pytest.mark.parametrize("make", [lw.samples.chain, lw.samples.star], ids=["chain", "star"])
def test_shapes_without_branches_stay_on_one_thread(make):
    assert virtual_work.plan_of(make(5000).tree, 2) is None


def test_an_error_on_a_thread_is_the_same_error(monkeypatch):
    monkeypatch.setattr(virtual_work, "thread_count", lambda: 2)
    monkeypatch.setattr(virtual_work, "THREADS_FROM", 1)
    linkage = lw.samples.tree(63)
    linkage.add_body("ghost", lw.Inertia.rod(1.0, mass=1.0), joint=lw.Revolute("y"), parent="link62")
    with pytest.raises(lw.StructureError, match="'ghost'"):
        lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(linkage.nv), method="virtual-work")
