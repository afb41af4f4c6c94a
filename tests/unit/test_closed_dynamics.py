"""Forward dynamics of closed linkages against a dense KKT system built from public Jacobians alone."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.chain import joint_motion

TYPES = ("Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")


def loop_frame(linkage, q, loop):
    """World pose of a loop joint's frame on body b."""
    poses = lw.body_poses(linkage, q)
    return poses[loop.real] @ loop.at_b


def forbidden(linkage, q, loop):
    """(rows, 6) basis, in `at_b`, of the motions that the joint forbids, from its motion subspace by SVD."""
    joint = loop.type
    axis, axis2, pitch = joint.geometry()
    names = linkage.loops.names
    start = sum(other.nq for other in linkage.loops[: names.index(loop.name)])
    theta = lw.loop_coordinates(linkage, q)[start : start + loop.nq]
    S = np.zeros((6, joint.nv))
    for k in range(joint.nv):
        moved = joint_motion(joint.code, np.array(axis), np.array(axis2), pitch, theta, np.eye(joint.nv)[k])
        S[:3, k], S[3:, k] = moved.linear, moved.angular
    return np.linalg.svd(S, full_matrices=True)[0][:, joint.nv :].T, S


def relative_jacobian(linkage, q, loop):
    """(6, nv) velocity of the frame at_b seen from body a, in that frame's axes."""
    frame = loop_frame(linkage, q, loop)
    turn = np.kron(np.eye(2), frame.rotation.T)
    point = lw.body_poses(linkage, q)[loop.parent].inverse().apply(frame.position)
    return turn @ (lw.jacobian(linkage, q, loop.real, loop.at_b.position) - lw.jacobian(linkage, q, loop.parent, point))


def constraint_rate(linkage, q, v):
    """K V of all loops at one state."""
    return np.concatenate([forbidden(linkage, q, loop)[0] @ relative_jacobian(linkage, q, loop) @ v for loop in linkage.loops])


def kkt(linkage, q, v, tau, f_ext=None):
    """Accelerations and J of the KKT system, the bias from classical accelerations."""
    rows, bias, drive = [], [], np.zeros(linkage.nv)
    for loop in linkage.loops:
        K, S = forbidden(linkage, q, loop)
        frame = loop_frame(linkage, q, loop)
        turn = np.kron(np.eye(2), frame.rotation.T)
        point = lw.body_poses(linkage, q)[loop.parent].inverse().apply(frame.position)
        ends = []
        for body, at in ((loop.real, loop.at_b.position), (loop.parent, point)):
            V = lw.jacobian(linkage, q, body, at) @ v
            A = lw.jacobian_bias(linkage, q, v, body, at)
            A[:3] -= np.cross(V[3:], V[:3])  # spatial, from classical
            ends.append((turn @ V, turn @ A))
        (Vb, Ab), (Va, Aa) = ends
        V = Vb - Va
        c = np.concatenate([np.cross(Vb[3:], V[:3]) + np.cross(Vb[:3], V[3:]), np.cross(Vb[3:], V[3:])])
        rates = np.linalg.lstsq(S, V, rcond=None)[0] if S.size else np.zeros(0)
        if isinstance(loop.type, lw.Universal):  # its first axis turns with the second
            c[3:] -= rates[0] * rates[1] * np.cross(loop.type.b, S[3:, 0])
        J = relative_jacobian(linkage, q, loop)
        rows.append(K @ J)
        bias.append(K @ (c - Ab + Aa))
        damping = np.broadcast_to(loop.type.damping, loop.nv)
        if loop.nv:
            drive -= J.T @ S @ np.linalg.solve(S.T @ S, damping * rates)
    J, bias = np.concatenate(rows), np.concatenate(bias)
    n, m = linkage.nv, len(J)
    matrix = np.block([[lw.mass_matrix(linkage, q), -J.T], [J, np.zeros((m, m))]])
    right = np.concatenate([tau + drive - lw.bias_force(linkage, q, v, f_ext), bias])
    return np.linalg.lstsq(matrix, right, rcond=1e-12)[0][:n], J


def gap(linkage, q):
    """Largest distance and angle by which public poses miss what the joints allow: zero when closed."""
    worst = 0.0
    for loop in linkage.loops:
        a = lw.body_poses(linkage, q)[loop.parent] @ loop.at_a
        names = linkage.loops.names
        start = sum(other.nq for other in linkage.loops[: names.index(loop.name)])
        theta = lw.loop_coordinates(linkage, q)[start : start + loop.nq]
        axis, axis2, pitch = loop.type.geometry()
        moved = joint_motion(loop.type.code, np.array(axis), np.array(axis2), pitch, theta, np.zeros(loop.nv))
        error = (a @ lw.Pose(moved.position, moved.rotation)).inverse() @ loop_frame(linkage, q, loop)
        worst = max(worst, np.abs(error.position).max(), np.abs(error.rotation - np.eye(3)).max())
    return worst


def consistent_state(linkage, q, rng):
    return q, lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))


@pytest.mark.parametrize("seed", range(104))
def test_forward_dynamics_equal_a_dense_kkt_solve_and_the_loop_is_closed(seed):
    linkage, q = lw.samples.random_closed(9, joint=TYPES[seed % 8], loops=1 + seed % 3, seed=seed, damping=seed % 2 == 1)
    rng = np.random.default_rng(seed)
    # leave the pose the loops were drawn at, and close again
    q = lw.close_loops(linkage, linkage.integrate(q, 0.05 * rng.normal(size=linkage.nv)))
    assert gap(linkage, q) < 1e-12
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau, f_ext = rng.normal(size=linkage.nv), rng.normal(size=(linkage.nb, 6))
    expected, J = kkt(linkage, q, v, tau, f_ext)
    assert np.abs(J @ v).max(initial=0.0) < 1e-12
    a = lw.forward_dynamics(linkage, q, v, tau, f_ext)
    scale = max(1.0, np.abs(expected).max())
    assert np.abs(a - expected).max() < 1e-9 * scale
