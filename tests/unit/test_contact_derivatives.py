"""Derivatives with points on surfaces against differences: sliding, sticking, moving surfaces, loops beside them."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.contact import around
from linkwork.dynamics.problem import pose_problem
from linkwork.dynamics.tree_methods import crba
from linkwork.kernels.layout.contacts import D_MODE, MODE_ROW, STICKS
from tests.unit.test_derivatives import close, differences

SURFACES = {
    "plane": lw.Plane((0.1, 0.2, 1.0), 0.6),
    "sphere": lw.Sphere((0.1, 0.2, 0.3), 0.8),
    "cylinder": lw.Cylinder("x", (0.0, 0.1, 0.2), 0.9),
    "torus": lw.Torus((0.0, 0.0, 0.2), "z", 0.9, 0.3),
    "text": lw.Surface("z - 0.1*sin(3*x - t) - 0.2*x*y - 0.5"),
    "carried": lw.Sphere((0.1, 0.2, 0.3), 0.8).moving(
        lambda t: (lw.Pose((0.1 * t, 0, 0)), (0.1, 0, 0, 0, 0, 0.3), (0, 0.2, 0, 0.1, 0, 0))
    ),
    "belt": lw.Plane((0.0, 0.0, 1.0), 0.6).sliding((0.3, 0.1, 0.0)),
}


def arm(surface, **friction):
    linkage = lw.Linkage(name="arm")
    parent, at = "ground", lw.Pose()
    for k, joint in enumerate((lw.Revolute("z"), lw.Revolute("y"), lw.Revolute("x"), lw.Spherical())):
        inertia = lw.Inertia.box((0.1, 0.2, 0.5), mass=1.0 + k, com=(0.02, 0.03, 0.2))
        parent = linkage.add_body(f"b{k}", inertia, joint=joint, parent=parent, at=at).name
        at = lw.Pose((0.05, 0.0, 0.5))
    linkage.constrain("b3", point=(0.1, 0.05, 0.3), surface=surface, name="touch", **friction)
    return linkage


def compare(linkage, q, v, tau, forward):
    nv = linkage.nv
    dq, dv, dtau = lw.forward_dynamics_derivatives(linkage, q, v, tau)
    close(dq, differences(lambda d: forward(linkage.integrate(q, d), v, tau), nv))
    close(dv, differences(lambda d: forward(q, v + d, tau), nv))
    close(dtau, differences(lambda d: forward(q, v, tau + d), nv))
    products = lw.forward_dynamics_vjp(linkage, q, v, tau, v + 1.0)
    for product, matrix in zip(products, (dq, dv, dtau), strict=True):
        close(product, (v + 1.0) @ matrix, 1e-11)


@pytest.mark.parametrize("surface", SURFACES)
def test_a_point_that_slides(surface):
    linkage, rng = arm(SURFACES[surface], friction=0.3), np.random.default_rng(1)
    q = lw.close_loops(linkage, linkage.random(rng))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    compare(linkage, q, v, rng.normal(size=linkage.nv), lambda q, v, tau: lw.forward_dynamics(linkage, q, v, tau))


@pytest.mark.parametrize("surface", ["plane", "sphere", "torus", "text"])
def test_a_point_that_sticks(surface):
    linkage, rng = arm(SURFACES[surface], friction=0.3, static_friction=50.0), np.random.default_rng(2)
    q = lw.close_loops(linkage, linkage.random(rng))
    modes = np.zeros((1, MODE_ROW))
    modes[0, D_MODE] = STICKS  # differences in its neighbourhood stick too, whatever they slide

    def forward(q, v, tau):
        return around(crba)(pose_problem(linkage, q, v, tau, None)._replace(modes=modes)).a.copy()

    compare(linkage, q, np.zeros(linkage.nv), rng.normal(size=linkage.nv), forward)


def on_a_sphere(friction):
    """A five-bar linkage, a point of which slides on a sphere."""
    linkage, rng = lw.samples.five_bar(), np.random.default_rng(3)
    q = lw.close_loops(linkage, linkage.integrate(linkage.neutral(), 0.1 * rng.normal(size=linkage.nv)))
    point, center = (0.1, 0.0, 0.05), (0.2, 0.1, 0.3)
    place = lw.body_poses(linkage, q)["left_arm"].apply([point])[0]
    surface = lw.Sphere(place - center, np.linalg.norm(center))
    linkage.constrain("left_arm", point=point, surface=surface, friction=friction)
    return linkage, q, lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv)), rng.normal(size=linkage.nv)


def test_friction_that_begins_has_no_derivative():
    linkage = arm(lw.Plane((0, 0, 1.0), 0.6), friction=0.3)
    q = lw.close_loops(linkage, linkage.random(np.random.default_rng(1)))
    with pytest.raises(lw.SingularError, match="'touch' is about to slide from rest"):
        lw.forward_dynamics_derivatives(linkage, q, np.zeros(linkage.nv), np.full(linkage.nv, 50.0))


def planar_arm(turn):
    """Three links in one upright plane; its last stands on a floor, which holds it sideways with no joint's help."""
    linkage = lw.Linkage(name="planar")
    at = lw.Pose.rpy(0, 0, turn)
    for k in range(3):
        inertia = lw.Inertia.box((0.1, 0.1, 1.0), mass=1.0, com=(0, 0, -0.5))
        linkage.add_body(f"link{k}", inertia, joint=lw.Revolute("y"), parent=f"link{k - 1}" if k else "ground", at=at)
        at = lw.Pose((0, 0, -1))
    linkage.constrain("link2", point=(0, 0, -1), surface=lw.Plane("z", -2.5), friction=0.9, name="tip")
    return linkage, lw.close_loops(linkage, [0.3, 0.8, -0.4])


def standing_box():
    """On two points, which both hold it along the line between them."""
    linkage = lw.Linkage(name="box")
    linkage.add_body("box", lw.Inertia.box((0.2, 0.3, 0.4), mass=2.0), joint=lw.Free())
    for name, point in (("left", (0.1, 0.15, -0.2)), ("right", (-0.1, -0.15, -0.2))):
        linkage.constrain("box", point=point, surface=lw.Plane("z"), friction=5.0, name=name)
    return linkage, lw.close_loops(linkage, linkage.integrate(linkage.neutral(), [0, 0, 0.2, 0, 0, 0.3]))


@pytest.mark.parametrize("case", [lambda: planar_arm(0.0), lambda: planar_arm(0.7), standing_box])
def test_points_at_rest_that_hold_more_than_is_needed(case):
    linkage, q = case()
    nv, rest, tau = linkage.nv, np.zeros(linkage.nv), np.linspace(-0.1, 0.2, linkage.nv)

    def forward(q, tau):
        return lw.forward_dynamics(linkage, q, rest, tau)

    def forces(q, tau):
        found = lw.solve(linkage, q, rest, tau)
        return (found.normal_forces[:, None] * [[0.0, 0.0, 1.0]] + found.friction_forces).ravel()

    dq, _, dtau = lw.forward_dynamics_derivatives(linkage, q, rest, tau)
    close(dq, differences(lambda d: forward(linkage.integrate(q, d), tau), nv))
    close(dtau, differences(lambda d: forward(q, tau + d), nv))
    products = lw.forward_dynamics_vjp(linkage, q, rest, tau, rest + 1.0)
    close(products[0], dq.sum(axis=0), 1e-11)
    close(products[2], dtau.sum(axis=0), 1e-11)
    assert lw.linearize(linkage, q, rest, tau).A.shape == (2, 2)
    slopes = lw.constraint_force_derivatives(linkage, q, rest, tau)
    near = 1e-4  # the least of these forces is found to 1e-9 N
    close(slopes.contact_q.reshape(-1, nv), differences(lambda d: forces(linkage.integrate(q, d), tau), nv), near)
    close(slopes.contact_tau.reshape(-1, nv), differences(lambda d: forces(q, tau + d), nv), near)


def test_a_mass_that_changes_where_a_point_holds_a_planar_arm():
    linkage, q = planar_arm(0.7)

    def forward(mass):
        other = planar_arm(0.7)[0]
        other.bodies["link1"].inertia = lw.Inertia(mass, (0, 0, -0.5), lw.Inertia.box((0.1, 0.1, 1.0), mass=1.0).matrix)
        return lw.forward_dynamics(other, q, np.zeros(3))

    found = lw.parameter_derivatives(linkage, q, np.zeros(3)).inertia[:, 1]
    along = found[:, 0] - 0.5 * found[:, 3] + 0.25 * (found[:, 4] + found[:, 7])  # of the mass at its place
    close(along[:, None], differences(lambda d: forward(1.0 + d[0]), 1), 1e-8)
