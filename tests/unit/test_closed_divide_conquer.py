"""Loop joints and couplings in divide and conquer, against the articulated-body sweep and dense solves."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import loops_of

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def compare(linkage, q, seed=0, *, other="auto", wrenches=True, tolerance=1e-9):
    """Accelerations, loop forces, rank and residual of two methods, motors and forces included."""
    rng = np.random.default_rng(seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau = rng.normal(size=linkage.nv + linkage.nv_loop)
    f_ext = rng.normal(size=(linkage.nb, 6))
    found, expected = (lw.solve(linkage, q, v, tau, f_ext, method=method) for method in ("dca", other))
    scale = max(1.0, np.abs(expected.a).max())
    np.testing.assert_allclose(found.a, expected.a, rtol=0, atol=tolerance * scale)
    np.testing.assert_array_equal(lw.forward_dynamics(linkage, q, v, tau, f_ext, method="dca"), found.a)
    assert (found.rank, found.redundant) == (expected.rank, expected.redundant)
    assert found.residual < 1e-8 * scale
    if wrenches:
        size = max(1.0, np.abs(expected.loop_wrenches).max(initial=0.0))
        np.testing.assert_allclose(found.loop_wrenches, expected.loop_wrenches, rtol=0, atol=1e-7 * size)
    return found


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_of_loop_joint(kind):
    for seed in range(13):
        linkage, q = lw.samples.random_closed(9, joint=kind, loops=1 + seed % 3, seed=seed, damping=seed % 2 == 1)
        compare(linkage, q, seed)


@pytest.mark.parametrize("seed", range(8))
def test_many_overlapping_loops_against_the_dense_method(seed):
    linkage, q = lw.samples.random_closed(40, joint="Spherical", loops=12, seed=seed)
    compare(linkage, q, seed, other="crba")


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "slider_crank", "stewart", "bricard"])
def test_mechanisms(name):
    """Redundant rows included: the planar ones have three, Bricard's has one."""
    linkage = getattr(lw.samples, name)()
    q = lw.close_loops(linkage, linkage.neutral())
    compare(linkage, q)
    compare(linkage, q, other="crba")


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("kind", ["Revolute", "Universal", "Fixed"])
def test_couplings_and_a_doubled_loop(kind):
    linkage, q = lw.samples.random_closed(5, joint=kind, loops=2, seed=700, damping=True)
    linkage.add_body("a", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Revolute("x"), parent="body0")
    linkage.add_body("b", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Helical("z", 0.3), parent="a")
    linkage.add_body("c", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Prismatic("y"), parent="body1")
    linkage.couplings.append(lw.Coupling("b", of="a", multiplier=2.0))  # one above the other
    linkage.couplings.append(lw.Coupling("c", of="a", multiplier=-0.5))
    loop = linkage.loops[0]
    linkage.connect(loop.parent, loop.real, loop.type, at_a=loop.at_a, at_b=loop.at_b, name="again")
    q = np.concatenate([q, [0.1, 0.2, -0.05]])
    solution = compare(linkage, q)
    assert solution.redundant >= 6 - loop.nv
    compare(linkage, q, other="crba")


def test_a_free_loop_joint_holds_nothing():
    linkage = lw.samples.chain(5)
    q, v = linkage.neutral() + 0.1, np.ones(5)
    before = lw.forward_dynamics(linkage, q, v)
    linkage.connect("link1", "link4", lw.Free())
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, method="dca"), before, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("stacked", [True, False])
def test_stacks_of_four_bars(stacked):
    for count in (2, 30, 1000):
        linkage = lw.samples.four_bars(count, stacked=stacked)
        q, rng = linkage.neutral(), np.random.default_rng(count)
        v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
        a = lw.forward_dynamics(linkage, q, v)
        found = lw.forward_dynamics(linkage, q, v, method="dca")
        np.testing.assert_allclose(found, a, rtol=0, atol=1e-9 * np.abs(a).max())


def test_rows_grow_with_the_loops_and_not_with_their_square():
    """What rows cost is what they take of the buffer: linear for local loops, wherever they stand."""
    for stacked, most in ((True, 15), (False, 5)):
        taken = []
        for count in (100, 1000):
            linkage = lw.samples.four_bars(count, stacked=stacked)
            lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(linkage.nv), method="dca")
            plan = loops_of(linkage).assembly_plan
            assert plan.most == most
            taken.append(plan.rows)
        assert taken[1] < 11 * taken[0]


def test_loops_on_a_hub_end_with_their_leg():
    """A body with many legs, each bound to it by a loop: no two loops meet."""
    linkage, box = lw.Linkage(), lw.Inertia.box((0.1, 0.2, 0.3), mass=1.0)
    linkage.add_body("hub", box, joint=lw.Free())
    for k in range(30):
        linkage.add_body(f"thigh{k}", box, joint=lw.Spherical(), parent="hub", at=lw.Pose.axis_angle("z", 0.2 * k))
        linkage.add_body(f"shin{k}", box, joint=lw.Universal("x", "y"), parent=f"thigh{k}", at=lw.Pose((1, 0, 0)))
    poses = lw.body_poses(linkage, linkage.neutral())
    for k in range(30):
        there = poses["hub"].inverse() @ poses[f"shin{k}"] @ lw.Pose((0.2, 0.3, 0.1))
        ends = ("hub", f"shin{k}") if k % 2 else (f"shin{k}", "hub")
        frames = (there, lw.Pose((0.2, 0.3, 0.1)))
        linkage.connect(*ends, lw.Spherical(), at_a=frames[1 - k % 2], at_b=frames[k % 2])
    compare(linkage, linkage.neutral())
    assert loops_of(linkage).assembly_plan.most == 3


def ring(n, joint=None):
    """A polygon of n unit rods in the x–z plane, and where it is one: closed on ground by one more hinge."""
    linkage = lw.samples.chain(n, joint=joint)
    turn = lw.Pose.axis_angle("y", 2 * np.pi / n).quaternion
    q = np.full(n, 2 * np.pi / n) if linkage.nq == n else np.tile(turn, n)
    end = lw.body_poses(linkage, q)[f"link{n - 1}"] @ lw.Pose((0.0, 0.0, -1.0))
    assert np.abs(end.position).max() < 1e-7
    linkage.connect(
        "ground", f"link{n - 1}", lw.Revolute("y"), at_a=end, at_b=lw.Pose((0.0, 0.0, -1.0)), name="closing"
    )
    return linkage, q


def test_a_ring_of_50_000_joints():
    linkage, q = ring(50_000)
    tau = np.random.default_rng(0).normal(size=linkage.nv)
    a = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), tau)
    found = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), tau, method="dca")
    np.testing.assert_allclose(found, a, rtol=0, atol=1e-9 * np.abs(a).max())
    plan = loops_of(linkage).assembly_plan
    assert (plan.special >= 0).sum() <= linkage.assembly().depth + 1  # all but these nodes are those of a chain


def test_a_ring_moving():
    for joint in (lw.Revolute("y"), lw.Spherical()):
        compare(*ring(300, joint))


def test_connect_and_cut_change_what_is_planned():
    linkage, q = ring(40)
    v = np.zeros(linkage.nv)
    closed = lw.forward_dynamics(linkage, q, v, method="dca")
    linkage.cut("closing")
    hanging = lw.forward_dynamics(linkage, q, v, method="dca")
    np.testing.assert_allclose(hanging, lw.forward_dynamics(linkage, q, v), rtol=0, atol=1e-9 * np.abs(hanging).max())
    assert np.abs(hanging - closed).max() > 1.0
    pose = lw.body_poses(linkage, q)
    linkage.connect("link3", "link30", lw.Spherical(), at_a=pose["link3"].inverse() @ pose["link30"])
    compare(linkage, q)


def test_one_thread_or_two_give_the_same():
    linkage = lw.samples.four_bars(800)
    q, tau = linkage.neutral(), np.random.default_rng(1).normal(size=linkage.nv)
    found = []
    try:
        for threads in (1, 2):
            lw.set_threads(threads)
            found.append(lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), tau, method="dca"))
    finally:
        lw.set_threads(None)
    np.testing.assert_array_equal(*found)


def test_batches():
    linkage = lw.samples.stewart()
    rng = np.random.default_rng(2)
    states = []
    for dq, v in rng.normal(size=(3, 2, linkage.nv)):
        q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.1 * dq))
        states.append((q, lw.consistent_velocity(linkage, q, v)))
    q, v = (np.array(part) for part in zip(*states, strict=True))
    np.testing.assert_allclose(
        lw.forward_dynamics(linkage, q, v, method="dca"), lw.forward_dynamics(linkage, q, v), rtol=1e-9, atol=1e-9
    )


def test_contacts_are_refused():
    linkage = lw.samples.four_bar()
    linkage.constrain("coupler", surface=lw.Plane((0, 0, 1), 0.0))
    with pytest.raises(lw.StructureError, match="contacts"):
        lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(3), method="dca")


def test_couplings_of_any_two_joints_of_a_chain():
    """A coupling may enter at the very joint by which two parts are put together."""
    rng = np.random.default_rng(0)
    for n in (3, 4, 7):
        for one in range(n):
            for other in set(range(n)) - {one}:
                linkage = lw.samples.random_tree(n, seed=n, joints=("Revolute",), branching=0.0)
                linkage.couplings.append(lw.Coupling(f"body{one}", of=f"body{other}", multiplier=2.0, offset=0.0))
                q = lw.close_loops(linkage, linkage.random(rng))
                v = lw.consistent_velocity(linkage, q, rng.normal(size=n))
                a, b = (lw.forward_dynamics(linkage, q, v, np.ones(n), method=m) for m in ("dca", "crba"))
                assert np.abs(a - b).max() < 1e-9 * np.abs(b).max()


MASSLESS = {  # joints one after the other, each with a massless body
    "hinge": [lw.Revolute("x")],
    "screw": [lw.Helical("x", 0.4)],
    "slider": [lw.Prismatic((1, 2, 1))],
    "two hinges": [lw.Revolute("y"), lw.Revolute("z")],
    "universal": [lw.Universal("x", "z")],
    "ball": [lw.Spherical()],
}
HOLDING = (lw.Fixed(), lw.Revolute("y"), lw.Universal("x", "y"), lw.Spherical())


def with_massless_legs(joints, kind, seed):
    """A random tree with massless legs on it, each held at its end: by a body, ground, or the leg before."""
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(6, seed=rng, base="free" if seed % 3 == 0 else "fixed")
    ends = []
    for leg in range(1 + seed % 2):
        ends.append(f"body{rng.integers(6)}")
        for k, joint in enumerate(joints):
            at = lw.Pose.axis_angle(rng.normal(size=3), rng.normal()) @ lw.Pose(0.5 * rng.normal(size=3))
            linkage.add_body(f"leg{leg}{k}", lw.Inertia(0.0), joint=joint, parent=ends[-1], at=at)
            ends[-1] = f"leg{leg}{k}"
    q = linkage.random(rng)
    poses = lw.body_poses(linkage, q)
    for leg, end in enumerate(ends):
        other = ("ground", f"body{rng.integers(6)}", ends[leg - 1] if leg else "ground")[seed // 2 % 3]
        at_b = lw.Pose(0.3 * rng.normal(size=3))
        at_a = poses[end] @ at_b
        if other != "ground":
            at_a = poses[other].inverse() @ at_a
        linkage.connect(other, end, kind, at_a=at_a, at_b=at_b)
    return linkage, q


@pytest.mark.parametrize(
    ("joints", "kind"), [(joints, kind) for joints in MASSLESS for kind in HOLDING[: 3 if joints == "ball" else 4]]
)
def test_massless_bodies_that_loops_hold(joints, kind):
    """They have no inertia of their own where they are hung; the rows of the loops move them."""
    for seed in range(8):
        linkage, q = with_massless_legs(MASSLESS[joints], kind, seed)
        compare(linkage, q, seed, other="crba")


def test_a_massless_body_that_loops_leave_free_is_named():
    for seed in range(8):  # between two balls it spins
        linkage, q = with_massless_legs([lw.Spherical()], lw.Spherical(), seed)
        with pytest.raises(lw.SingularError, match=r"zero effective inertia.*'leg[01]0'"):
            lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), method="dca")


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_mechanisms_with_massless_links():
    for name, lights in (("four_bar", ["rocker"]), ("four_bar", ["coupler", "rocker"]), ("slider_crank", ["rod"])):
        linkage = getattr(lw.samples, name)()
        for light in lights:
            linkage.bodies[light].inertia = lw.Inertia(0.0)
        compare(linkage, lw.close_loops(linkage, linkage.neutral()), other="crba")


def test_massless_followers_of_couplings():
    """The coupling alone moves them: their inertia is the leader's."""
    linkage = lw.samples.chain(3)
    linkage.add_body("vane", lw.Inertia(0.0), joint=lw.Revolute("x"), parent="link1")
    linkage.add_body("flap", lw.Inertia(0.0), joint=lw.Prismatic("y"), parent="vane")
    linkage.couplings.append(lw.Coupling("vane", of="link2", multiplier=-0.5))
    linkage.couplings.append(lw.Coupling("flap", of="vane", multiplier=2.0))
    q = lw.close_loops(linkage, np.full(5, 0.3))
    compare(linkage, q, other="crba")


def test_many_massless_links_stay_local():
    """Rockers without mass, on several threads: no axis goes further than its loop, and no digit is lost."""
    found = []
    for mass in (0.0, 1e-9):
        linkage = lw.samples.four_bars(700)
        for k in range(700):
            linkage.bodies[f"rocker{k}"].inertia = lw.Inertia(mass, (0.2, 0, 0), mass * np.eye(3))
        found.append(lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(linkage.nv), method="dca"))
        if mass == 0.0:
            plan = loops_of(linkage).assembly_plan
            assert plan.axes == 700
            assert plan.most <= 18  # three more than with mass
    assert np.abs(found[0] - found[1]).max() < 1e-6 * np.abs(found[1]).max()
