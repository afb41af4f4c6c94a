"""What counts as a constraint and what as inertia is decided beside what it is made of, in units of the linkage's own.

Each test holds one trial that went wrong; `tests.fuzz` finds more of them.
"""

import re
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import LoopWorkspace, loops_of
from linkwork.kernels.closed.records import Loops
from linkwork.kernels.launch import call
from linkwork.kernels.layout import W_ACCELERATION, WORK_ROW
from tests import fuzz

METHODS = ("aba", "crba", "unit-vector", "virtual-work", "dca")
AXES = [(1, 2, 3), (0, 1, 1), (0, 0, 1)]


def door(axis, *, hinges=1):
    """A box on a hinge with any axis, and as many more hinges on the same axis."""
    linkage = lw.Linkage(name="door", gravity=(0.3, -9.0, 2.0))
    linkage.add_body("leaf", lw.Inertia.box((0.9, 0.04, 2.0), mass=20.0, com=(0.45, 0.1, 0.3)), joint=lw.Revolute(axis),
                     at=lw.Pose.axis_angle((1, -1, 2), 0.7, position=(0.2, 0.5, -0.1)))  # fmt: skip
    for k in range(1, hinges):
        add_hinge(linkage, 0.4 * k)
    return linkage


def add_hinge(linkage, along):
    joint = linkage.joints["leaf"]
    shift = lw.Pose(along * np.array(joint.type.axis))
    return linkage.connect("ground", "leaf", joint.type, at_a=joint.at @ shift, at_b=shift)


@pytest.mark.parametrize("axis", AXES)
def test_a_second_hinge_on_the_same_axis_changes_nothing(axis):
    q, v, tau = [0.4], [1.3], [2.0]
    alone = lw.forward_dynamics(door(axis), q, v, tau)
    for hinges in (2, 3):
        linkage = door(axis, hinges=hinges)
        for method in METHODS:
            found = lw.solve(linkage, q, v, tau, method=method)
            np.testing.assert_allclose(found.a, alone, rtol=1e-12)
            assert (found.rank, found.redundant) == (0, 5 * (hinges - 1))
            batch = lw.forward_dynamics(linkage, np.tile(q, (3, 1)), v, tau, method=method)
            np.testing.assert_allclose(batch, np.tile(alone, (3, 1)), rtol=1e-12)
        assert lw.mobility(linkage, q).dof == 1
        np.testing.assert_allclose(lw.consistent_velocity(linkage, q, v), v, rtol=1e-12)
        jump = lw.velocity_jump(linkage, q, v, linkage.loops[0])
        np.testing.assert_allclose(jump.v, v, rtol=1e-12)
        assert jump.energy_lost < 1e-12


@pytest.mark.parametrize("axis", AXES[:2])
def test_connecting_a_second_hinge_keeps_the_velocity(axis):
    linkage = door(axis)
    sim = lw.Simulation(linkage, [0.4], [1.3], dt=1e-3)
    joint = linkage.joints["leaf"]
    sim.connect("ground", "leaf", joint.type, at_a=joint.at, at_b=lw.Pose())
    np.testing.assert_allclose(sim.v, [1.3], rtol=1e-12)
    sim.run(0.05, progress=False)
    alone = lw.Simulation(door(axis), [0.4], [1.3], dt=1e-3)
    alone.run(0.05, progress=False)
    np.testing.assert_allclose(sim.q, alone.q, rtol=1e-10)


CHAINS = {
    "free": ["Free", "Revolute"],
    "rails": ["Prismatic"] * 4,
    "compound": ["Cylindrical", "Universal", "Spherical"],
    "cardans": ["Universal", "Universal", "Universal", "Revolute"],
    "balls": ["Spherical", "Spherical"],
}


@pytest.mark.parametrize("kinds", CHAINS.values(), ids=list(CHAINS))
def test_more_freedoms_than_the_body_at_the_end_has(kinds):
    """All methods refuse, and name the same joint, at every pose."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        linkage = lw.Linkage()
        for k, kind in enumerate(kinds):
            body = fuzz.inertia(rng) if k == len(kinds) - 1 else lw.Inertia(0.0)
            parent = f"b{k - 1}" if k else "ground"
            linkage.add_body(f"b{k}", body, joint=fuzz.joint(rng, [kind]), parent=parent, at=fuzz.pose(rng))
        q, v = fuzz.state(rng, linkage), rng.normal(size=linkage.nv)
        named = set()
        for method in ("aba", "crba", "unit-vector", "dca"):
            with pytest.raises(lw.SingularError, match="zero effective inertia") as refused:
                lw.forward_dynamics(linkage, q, v, method=method)
            named.add(re.search(r"joint '(\w+)'", str(refused.value)).group(1))
        assert named == {"b0"}


@pytest.mark.parametrize(("side", "lever"), [(1e-9, 0.0), (1e-4, 0.0), (0.1, 100.0), (1e8, 0.0)])
def test_a_planar_joint_of_any_size(side, lever):
    """A box in the plane under forces through its centre moves as a point does, and turns as Euler has it."""
    linkage = lw.Linkage(gravity=(0, 0, 0))
    body = lw.Inertia.box((side, 2 * side, side), mass=3.0, com=(lever, 0, 0))
    linkage.add_body("box", body, joint=lw.Planar("z"))
    tau = np.array([6.0, 9.0, 9.0 * lever + 0.5 * side**2])
    turning = 0.5 * side**2 / body.matrix[2][2]
    for method in ("auto", "crba", "dca"):
        a = lw.forward_dynamics(linkage, np.zeros(3), np.zeros(3), tau, method=method)
        np.testing.assert_allclose(a, [2.0, 3.0 - lever * turning, turning], rtol=1e-6 if lever else 1e-12)


def test_a_free_body_far_from_its_frame():
    linkage = lw.Linkage(gravity=(0, 0, -9.0))
    linkage.add_body("box", lw.Inertia.box((0.1, 0.2, 0.3), mass=3.0, com=(40.0, 0, 0)), joint=lw.Free())
    a = lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(6))
    np.testing.assert_allclose(a, [0, 0, -9.0, 0, 0, 0], atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_bushing_constrains_nothing(method):
    """A Free loop joint is a damper: it acts as its force would from outside."""
    linkage = lw.samples.chain(2)
    q, v = np.array([0.3, -0.5]), np.array([1.0, 2.0])
    plain = lw.forward_dynamics(linkage, q, v)
    linkage.connect("ground", "link1", lw.Free(damping=0.7), name="bushing")
    found = lw.solve(linkage, q, v, method=method)
    J = lw.jacobian(linkage, q, "link1")
    twist = np.r_[J[:3] @ v, J[3:] @ v]
    expected = plain - np.linalg.solve(lw.mass_matrix(linkage, q), J.T @ (0.7 * twist))
    np.testing.assert_allclose(found.a, expected, rtol=1e-10)
    assert found.rank == 0
    torques = lw.actuator_torques(linkage, q, v, found.a)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, torques, method=method), found.a, rtol=1e-9)


def test_motors_that_move_nothing_are_told():
    """Where all of S is rounding no torque is large enough."""
    linkage = lw.Linkage()
    box = lw.Inertia.box((0.3, 0.2, 0.1), mass=1.0, com=(0.1, 0.05, 0.02))
    linkage.add_body("held", box, joint=lw.Revolute((1, 2, 3)))
    free = lw.Revolute((3, -1, 1), actuated=False)
    linkage.add_body("swings", box, joint=free, parent="held", at=lw.Pose((0.3, 0.2, 0.1)))
    q = np.array([0.3, 0.7])
    there = lw.body_poses(linkage, q)["held"]
    linkage.connect("ground", "held", lw.Fixed(), at_a=there, at_b=lw.Pose())
    a = lw.forward_dynamics(linkage, q, np.zeros(2)) + np.array([0.0, 1.0])
    with pytest.raises(lw.SingularError, match=r"not controllable: swings\[0\]"):
        lw.actuator_torques(linkage, q, np.zeros(2), a)


@pytest.mark.parametrize("size", [1e-9, 1e-7, 1e-3, 1.0, 1e4, 1e8])
def test_a_closed_linkage_of_any_size(size):
    """A four-bar, its gravity as large as itself: angles do not know how large it is."""

    def made(size):
        linkage = lw.Linkage(gravity=(0, -9.81 * size, 0))
        turned = lw.Pose.axis_angle((1, 2, 3), 0.8)
        linkage.gravity = turned.apply(linkage.gravity)
        links = ("crank", "ground", 0.3, 0.0), ("coupler", "crank", 0.9, 0.3), ("rocker", "ground", 0.7, 0.8)
        for name, parent, length, x in links:
            body = lw.Inertia.box((length * size, 0.1 * size, 0.2 * size), mass=1.0, com=(0.5 * length * size, 0, 0))
            at = (turned if parent == "ground" else lw.Pose()) @ lw.Pose((x * size, 0, 0))
            linkage.add_body(name, body, joint=lw.Revolute("z"), parent=parent, at=at)
        q = np.array([0.7, 0.2, 1.9])
        poses = lw.body_poses(linkage, q)
        tip = lw.Pose((0.9 * size, 0, 0))
        at_b = poses["rocker"].inverse() @ poses["coupler"] @ tip
        linkage.connect("coupler", "rocker", lw.Revolute("z"), at_a=tip, at_b=at_b)
        return linkage, q

    linkage, q = made(1.0)
    v = lw.consistent_velocity(linkage, q, np.array([2.0, 0.0, 0.0]))
    expected = lw.forward_dynamics(linkage, q, v, method="crba")
    other, _ = made(size)
    assert lw.mobility(other, q).dof == 1
    np.testing.assert_allclose(lw.consistent_velocity(other, q, np.array([2.0, 0.0, 0.0])), v, rtol=1e-6)
    for method in METHODS:
        np.testing.assert_allclose(lw.forward_dynamics(other, q, v, method=method), expected, rtol=1e-6)
    moved = lw.close_loops(other, q + np.array([0.0, 1e-3, 0.0]))
    np.testing.assert_allclose(lw.body_poses(other, moved)["coupler"].apply((0.9 * size, 0, 0)) / size,
                               lw.body_poses(linkage, moved)["coupler"].apply((0.9, 0, 0)), atol=1e-9)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_the_output_may_be_an_input(method):
    linkage = lw.samples.random_tree(4, seed=3)
    q, (v, tau) = linkage.random(np.random.default_rng(0)), np.random.default_rng(1).normal(size=(2, linkage.nv))
    expected = lw.forward_dynamics(linkage, q, v, tau, method=method)
    for shape in ((1,), (5, 1)):
        for which in (0, 1):
            given = [np.tile(v, shape), np.tile(tau, shape)]
            given = [x.reshape((*shape[:-1], linkage.nv)) for x in given]
            found = lw.forward_dynamics(linkage, q, *given, method=method, out=given[which])
            np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("angle", [1e7, 1e12, 1e16, 1e18, 1e50, 1e300])
def test_huge_angles_are_rotations(angle):
    linkage = lw.samples.chain(1)
    for q in (np.array([angle]), np.full((9, 1), -angle)):
        R = lw.body_poses(linkage, q).rotations.reshape(-1, 3, 3)
        np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (len(R), 1, 1)), atol=1e-9)
        assert np.abs(lw.mass_matrix(linkage, q)).max() < 1.0


def test_couplings_are_checked():
    for wrong in (
        {"multiplier": np.nan}, {"offset": np.inf}, {"multiplier": "two"}, {"higher": "abc"}, {"higher": (1, 2, 3, 4)},
        {"higher": 2.0}, {"higher": (np.nan,)},
    ):  # fmt: skip
        with pytest.raises(lw.ArgumentError, match="Coupling"):
            lw.Coupling("link1", "link0", **wrong)
    linkage = lw.samples.chain(2)
    with pytest.raises(lw.ArgumentError, match="a coupling is a Coupling"):
        linkage.couplings.append("link1")
    with pytest.raises(lw.ArgumentError, match="a coupling is a Coupling"):
        linkage.couplings = ["link1"]
    linkage.couplings.append(lw.Coupling(linkage.joints["link1"], linkage.joints["link0"], 2))
    assert linkage.couplings[0].joint == "link1"


def test_inverse_dynamics_says_once_that_loops_bear_nothing():
    linkage = lw.samples.four_bar()
    q = linkage.neutral()
    with pytest.warns(UserWarning, match="actuator_torques"):
        lw.inverse_dynamics(linkage, q, np.zeros(3), np.zeros(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lw.inverse_dynamics(linkage, q, np.zeros(3), np.zeros(3))
        other = lw.samples.four_bar()
        lw.inverse_dynamics(other, q, np.zeros(3), np.zeros(3), tree=True)
        lw.bias_force(other, q, np.zeros(3))
        lw.forward_dynamics(other, q, np.zeros(3), method="unit-vector")


def test_torques_of_motors_for_many_states():
    linkage = lw.samples.four_bar()
    rng = np.random.default_rng(0)
    q = np.array([lw.close_loops(linkage, linkage.neutral() + np.array([0.1 * k, 0, 0])) for k in range(3)])
    v = np.array([lw.consistent_velocity(linkage, each, rng.normal(size=3)) for each in q])
    a = lw.forward_dynamics(linkage, q, v, rng.normal(size=3))
    tau = lw.actuator_torques(linkage, q, v, a)
    assert tau.shape == (3, linkage.nv + linkage.nv_loop)
    for k in range(3):
        np.testing.assert_allclose(tau[k], lw.actuator_torques(linkage, q[k], v[k], a[k]), rtol=1e-12)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, tau), a, rtol=1e-9)
    with pytest.raises(lw.ArgumentError, match="state 1 of the batch: the accelerations a would open loop"):
        lw.actuator_torques(linkage, q, v, a + np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]))


def test_coordinates_are_named_alike_and_found_by_joint():
    linkage = lw.samples.four_bar()
    q = linkage.neutral()
    mobility = lw.mobility(linkage, q, independent="crank")
    assert mobility.names[0] == "crank[0]"
    assert mobility.independent == ("crank[0]",)
    np.testing.assert_array_equal(mobility["crank"], mobility["crank[0]"])
    lw.mobility(linkage, q, independent="rocker")
    assert lw.mobility(linkage, q).independent == lw.mobility(linkage.copy(), q).independent  # without history


def test_the_accelerations_of_an_adaptive_step():
    """a after a step is what it moved by: q ⊕ gain · a is where it went."""
    chain = lw.samples.chain(40)
    chain.gravity = (0, 0, 0)
    for tolerance in (1e-3, 0.0):
        ad = lw.AdaptiveSimulation(chain, chain.neutral(), tolerance=tolerance)
        ad.apply_force("link39", (1.0, 0.3, 0.0), point=(0, 0, -1))
        for _ in range(3):
            before = ad.q
            ad.step()
            assert np.abs(ad.a).max() > 0.0
            np.testing.assert_allclose(ad.q, before + ad.gain * ad.a, rtol=0, atol=1e-15)


def test_impulses_of_small_loops_beside_large_ones():
    """Each body is stopped by a pin on a lever of its own; what one bears does not depend on how long others are."""
    linkage = lw.Linkage(gravity=(0, 0, 0))
    levers = {"large": 1e4, "small": 1e-6}
    for name, lever in levers.items():
        box = lw.Inertia.box((lever, lever, 0.1 * lever), mass=1.0)
        linkage.add_body(name, box, joint=lw.Revolute("z"))
        linkage.connect("ground", name, lw.Spherical(), at_a=lw.Pose((lever, 0, 0)), at_b=lw.Pose((lever, 0, 0)))
    linkage.add_body("slider", lw.Inertia.box((0.1, 0.1, 0.1), mass=1.0), joint=lw.Prismatic("z"))
    linkage.constrain("slider", surface=lw.Plane((0, 0, 1), 0.0), name="floor")
    jump = lw.velocity_jump(linkage, np.zeros(3), np.array([2.0, 3.0, -1.0]), "floor")
    np.testing.assert_allclose(jump.v, 0.0, atol=1e-12)
    for k, (lever, speed) in enumerate(zip(levers.values(), (2.0, 3.0), strict=True)):
        moment = (1.0 / 6.0) * lever**2 * speed  # of momentum, about the joint
        np.testing.assert_allclose(jump.impulses[k, :3], [0, -moment / lever, 0], rtol=1e-9, atol=1e-9 * moment / lever)


def test_answers_of_closed_linkages_are_checked():
    """An acceleration that does not meet the constraints is not given away, in an ordinary pose either."""
    linkage = lw.samples.four_bar()
    tree, loops, q = linkage.tree, loops_of(linkage), linkage.neutral()
    a, left, none, zero = np.empty(3), np.empty(loops.n_rows), np.empty(0), np.zeros(3)
    with LoopWorkspace(tree, loops) as (work, scratch):
        call(("closed.embedding", "closed_forward"), tree.model, tree.index, work, None, loops.plan, loops.geometry,
             scratch, q, zero, np.ones(3), none, loops.no_drive, a, left.copy(), left, np.empty(3))  # fmt: skip
        checked = tree.model, tree.index, work, Loops(loops.plan, loops.geometry, scratch), q, a, left
        assert call(("closed.checks", "is_met"), *checked)
        assert np.abs(left).max() < 1e-12
        work[WORK_ROW * tree.stage[2] + W_ACCELERATION] += 1e-3
        assert not call(("closed.checks", "is_met"), *checked)


def test_coupled_joints_that_hardly_move_are_answered():
    """Two fingers that mirror each other on an arm that swings: between them is rounding, beside what carries them."""
    linkage = lw.Linkage(name="gripper")
    linkage.add_body("arm", lw.Inertia.rod(0.5, mass=2, com=(0, 0, -0.25)), joint=lw.Revolute("y"))
    for name in ("left", "right"):
        finger = lw.Inertia.box((0.02, 0.02, 0.1), mass=0.1)
        linkage.add_body(name, finger, joint=lw.Prismatic("x"), parent="arm", at=lw.Pose((0, 0, -0.5)))
    linkage.couplings.append(lw.Coupling("right", "left", -1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of steps that are slow
        recording = lw.Simulation(linkage, [0.4, 0, 0], dt=1e-3).run(0.2, progress=False)
    np.testing.assert_allclose(recording.q[:, 1], -recording.q[:, 2], atol=1e-12)


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_a_point_that_sticks_on_a_turned_floor(size):
    """A planar arm whose tip rests on a floor: turned as a whole, what cannot move across its plane is rounding."""
    found = []
    for turn in (lw.Pose(), lw.Pose.axis_angle((1, 2, 3), 0.7)):
        arm = lw.Linkage(gravity=tuple(turn.apply((0, 0, -9.81))))
        for k in range(2):
            body = lw.Inertia(1.0, (0, 0, 0.25 * size), np.eye(3) * 0.02 * size**2)
            at = turn if k == 0 else lw.Pose((0, 0, 0.5 * size))
            arm.add_body(f"link{k}", body, joint=lw.Revolute("x"), parent=f"link{k - 1}" if k else "ground", at=at)
        floor = lw.Plane(turn.apply((0, 0, 1)), 0.0)
        arm.constrain("link1", point=(0, 0, 0.5 * size), surface=floor, friction=0.9, static_friction=0.9)
        q = [-np.pi / 2 - 0.9, 1.8]
        result = lw.solve(arm, q, [0, 0], np.array([0.1, -0.1]) * size)
        assert result.contact_modes[0].startswith("stick")
        np.testing.assert_allclose(result.a, 0.0, atol=1e-9 / size)
        found.append(np.concatenate([result.normal_forces, [np.linalg.norm(result.friction_forces)]]))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)


# Random cases that went wrong once
SEEDS = [("doors", 0), ("doors", 2), ("massless", 6), ("massless", 57), ("scales", 7), ("scales", 13), ("scales", 15),
         ("scales", 23), ("scales", 27), ("loops", 1), ("structure", 10), ("trees", 79), ("massless-loops", 501),
         ("massless-loops", 971), ("massless-loops", 1010), ("doors", 17), ("doors", 130), ("doors", 142),
         ("scales", 39), ("scales", 55), ("scales", 427), ("scales", 492),
         ("springs", 625), ("springs", 7103), ("scales", 2288)]  # fmt: skip


@pytest.mark.parametrize(("area", "seed"), SEEDS)
def test_seeds_that_were_wrong(area, seed):
    outcome, what = fuzz.run(area, seed)
    assert outcome in ("right", "refused"), what
