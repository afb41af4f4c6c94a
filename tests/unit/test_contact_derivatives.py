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
