"""Nakamura & Yamane, "Dynamics Computation of Structure-Varying Kinematic Chains", IEEE T-RA 16(2), 2000."""

import numpy as np
import pytest

import linkwork as lw


@pytest.fixture
def connected():
    """Fig. 18: a free-flying chain of two links whose end was connected to ground by a revolute joint."""
    linkage = lw.Linkage(gravity=(0, 0, 0))
    linkage.add_body("base", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Free())
    linkage.add_body(
        "link1", lw.Inertia.box((1, 1, 1), mass=1.0), joint=lw.Revolute("z"), parent="base", at=lw.Pose((0, 1, 0))
    )
    linkage.connect(
        "ground", "link1", lw.Revolute("z"), at_a=lw.Pose((0, 2, 0)), at_b=lw.Pose((0, 1, 0)), name="link1v"
    )
    return linkage


def test_constraint_matrix_45(connected):
    mobility = lw.mobility(connected, connected.neutral())
    expected = [
        [1, 0, 0, 0, 0, -2, -1, 0],
        [0, 1, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 2, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1, -1],
    ]
    assert np.array_equal(mobility.J_C, expected)
    assert mobility.rank == 6
    assert mobility.dof == 2
    assert mobility.redundant == 0


def test_sensitivity_matrices_46_to_48(connected):
    chosen = ["base[0]", "link1"]
    mobility = lw.mobility(connected, connected.neutral(), chosen)
    assert mobility.independent == ("base[0]", "link1[0]")
    H = [[0, 0], [0, 0], [0, 0], [0, 0], [0.5, -0.5], [0.5, 0.5]]
    assert np.abs(mobility.H - H).max() < 1e-15
    W = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0.5, -0.5], [0, 1]]
    assert np.abs(mobility.W - W).max() < 1e-15
    # (48) is misprinted: its first row belongs to a coordinate that is not actuated
    assert mobility.actuated == ("link1[0]", "link1v[0]")
    assert np.abs(mobility.S - [[0, 1], [0.5, 0.5]]).max() < 1e-15


def test_the_paper_s_own_choice_is_found_by_itself(connected):
    assert lw.mobility(connected, connected.neutral()).independent == ("base[0]", "link1[0]")


@pytest.mark.parametrize(
    ("sample", "joints", "rank", "dof", "redundant"),
    [
        ("four_bar", 4, 3, 1, 3),
        ("five_bar", 5, 3, 2, 3),
        ("slider_crank", 4, 3, 1, 3),
        ("stewart", 36, 30, 6, 0),
        ("bricard", 6, 5, 1, 1),
    ],
)
def test_degrees_of_freedom(sample, joints, rank, dof, redundant):
    linkage = getattr(lw.samples, sample)()
    mobility = lw.mobility(linkage, linkage.neutral())
    assert (len(mobility.names), mobility.rank, mobility.dof, mobility.redundant) == (joints, rank, dof, redundant)
    # the Bricard loop keeps its mobility away from the symmetric pose
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.2 * mobility.W[:, 0]))
    assert lw.mobility(linkage, q).dof == dof


def test_velocity_jump_35_with_the_difference_of_jacobians():
    """Two links of one chain meet: (35), with (J1 − J2)ᵀ in place of the printed J1ᵀ."""
    linkage = lw.samples.chain(6, joint=lw.Spherical())
    rng = np.random.default_rng(0)
    q, v = linkage.random(rng), rng.normal(size=linkage.nv)
    poses = lw.body_poses(linkage, q)
    linkage.connect("link1", "link5", lw.Spherical(), at_b=poses["link5"].inverse() @ poses["link1"], name="clasp")
    loop = linkage.loops["clasp"]
    frame = lw.body_poses(linkage, q)[loop.real] @ loop.at_b
    point = lw.body_poses(linkage, q)[loop.parent].inverse().apply(frame.position)
    J = lw.jacobian(linkage, q, loop.real, loop.at_b.position) - lw.jacobian(linkage, q, loop.parent, point)
    A = lw.mass_matrix(linkage, q)
    B = J @ np.linalg.solve(A, J.T)
    J_n = np.concatenate([np.zeros((3, 3)), frame.rotation])  # what a spherical joint allows
    C = J_n @ np.linalg.solve(J_n.T @ np.linalg.solve(B, J_n), J_n.T @ np.linalg.inv(B))
    expected = v - np.linalg.solve(A, J.T @ np.linalg.solve(B, (np.eye(6) - C) @ J @ v))
    jump = lw.velocity_jump(linkage, q, v, "clasp")
    assert np.abs(jump.v - expected).max() < 1e-10
    assert jump.energy_lost == pytest.approx(lw.kinetic_energy(linkage, q, v) - lw.kinetic_energy(linkage, q, expected))
