"""What does not depend on how a linkage is described: the world's frame, the axes of bodies, the order of adding."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from tests.strategies import AXIAL, poses, states, trees

METHODS = ("aba", "crba", "unit-vector", "virtual-work", "dca")
seeds = st.integers(0, 10_000)


@st.composite
def closed(draw):
    """A random closed linkage and a state of it."""
    linkage, q = lw.samples.random_closed(draw(st.integers(2, 7)), loops=draw(st.integers(1, 2)), seed=draw(seeds))
    v, tau = np.random.default_rng(draw(seeds)).normal(size=(2, linkage.nv))
    return linkage, (q, lw.consistent_velocity(linkage, q, v), tau)


@st.composite
def open_or_closed(draw):
    if draw(st.booleans()):
        return draw(closed())
    linkage = draw(trees())
    return linkage, draw(states(linkage))


def close(actual, expected, tolerance=1e-8):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * (1.0 + np.abs(expected).max(initial=0.0)))


def in_order(linkage, order):
    """The same linkage, its bodies added in this order as far as parents come first, its loops in reverse."""
    other, waiting = lw.Linkage(gravity=linkage.gravity), list(order)
    while waiting:
        body = linkage.bodies[next(k for k in waiting if linkage.bodies[k].parent.index not in waiting)]
        waiting.remove(body.index)
        other.add_body(body.name, body.inertia, joint=body.joint.type, parent=body.parent.name, at=body.joint.at)
    for loop in reversed(list(linkage.loops)):
        other.connect(loop.parent.name, loop.real.name, loop.type, at_a=loop.at_a, at_b=loop.at_b, name=loop.name)
    return other


def places(linkage, other, what):
    """Where each entry of q or v of the linkage stands in another with the same joints."""
    where = [np.r_[getattr(other.joints[joint.name], what)] for joint in linkage.joints]
    return np.concatenate(where).astype(int)


@given(data=st.data(), case=open_or_closed())
def test_the_order_of_adding_does_not_matter(data, case):
    linkage, (q, v, tau) = case
    other = in_order(linkage, data.draw(st.permutations(range(linkage.nb))))
    at_q, at_v = places(linkage, other, "q_slice"), places(linkage, other, "v_slice")
    q2, v2, tau2 = np.empty_like(q), np.empty_like(v), np.empty_like(tau)
    q2[at_q], v2[at_v], tau2[at_v] = q, v, tau
    close(lw.forward_dynamics(other, q2, v2, tau2)[at_v], lw.forward_dynamics(linkage, q, v, tau))
    close(lw.mass_matrix(other, q2)[np.ix_(at_v, at_v)], lw.mass_matrix(linkage, q), 1e-12)


@given(case=open_or_closed(), pose=poses())
def test_the_world_frame_does_not_matter(case, pose):
    """The whole linkage turned and moved, gravity with it, moves and strains the same."""
    linkage, (q, v, tau) = case
    moved = lw.Linkage(gravity=pose.rotation @ linkage.gravity)
    moved.add(linkage, at=pose)
    here, there = lw.solve(linkage, q, v, tau), lw.solve(moved, q, v, tau)
    close(there.a, here.a)
    close(there.joint_wrenches, here.joint_wrenches)
    close(lw.body_poses(moved, q).positions, pose.apply(lw.body_poses(linkage, q).positions), 1e-12)


@given(data=st.data(), linkage=trees(AXIAL))
def test_the_axes_of_a_bodys_frame_do_not_matter(data, linkage):
    """Turn every body's frame where it is: axes of joints, inertias and what hangs on the body turn back."""
    q, v, tau = data.draw(states(linkage))
    turned, turns = lw.Linkage(gravity=linkage.gravity), {"ground": lw.Pose()}
    for body in linkage.bodies:
        R = turns[body.name] = lw.Pose(rotation=data.draw(poses()).rotation)
        joint, back = body.joint.type, R.inverse().apply
        names = ("a", "b") if isinstance(joint, lw.Universal) else ("axis",)
        options = {name: back(getattr(joint, name)) for name in names}
        options |= {"pitch": joint.pitch} if isinstance(joint, lw.Helical) else {}
        options |= {"damping": joint.damping, "armature": joint.armature}
        inertia, at = body.inertia, turns[body.parent.name].inverse() @ body.joint.at @ R
        inertia = lw.Inertia(inertia.mass, back(inertia.com), R.rotation.T @ inertia.matrix @ R.rotation)
        turned.add_body(body.name, inertia, joint=type(joint)(**options), parent=body.parent.name, at=at)
    close(lw.forward_dynamics(turned, q, v, tau), lw.forward_dynamics(linkage, q, v, tau))
    close(lw.mass_matrix(turned, q), lw.mass_matrix(linkage, q), 1e-12)


@given(data=st.data(), linkage=trees())
def test_methods_agree_and_inverse_dynamics_gives_the_torques_back(data, linkage):
    q, v, tau = data.draw(states(linkage))
    a = lw.forward_dynamics(linkage, q, v, tau)
    for method in METHODS:
        close(lw.forward_dynamics(linkage, q, v, tau, method=method), a)
    close(lw.inverse_dynamics(linkage, q, v, a), tau)


@given(data=st.data(), linkage=trees(), count=st.integers(1, 9))
def test_a_batch_is_its_states_one_by_one(data, linkage, count):
    states_ = [data.draw(states(linkage)) for _ in range(count)]
    q, v, tau = (np.array(x) for x in zip(*states_, strict=True))
    close(lw.forward_dynamics(linkage, q, v, tau), [lw.forward_dynamics(linkage, *state) for state in states_], 1e-9)
    close(lw.inverse_dynamics(linkage, q, v, tau), [lw.inverse_dynamics(linkage, *state) for state in states_], 1e-11)
