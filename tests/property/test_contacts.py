"""Points on surfaces: against dense equations, conservation of energy, closed forms; many contacts; closed linkages."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import constraint_matrices
from linkwork.dynamics.contact_state import touch
from tests.reference import Reference, skew


def swing(t):
    """A frame that turns about y and rises."""
    return lw.Pose.axis_angle((0, 1, 0), 0.3 * np.sin(t), position=(0.1 * t, 0, 0.05 * t**2))


# Each is placed through a point p with a normal near n, so that it can be put wherever a body's point happens to be.
SURFACES = {
    "Plane": lambda p, n: lw.Plane(n, n @ p),
    "Sphere": lambda p, n: lw.Sphere(p - 0.7 * n, 0.7),
    "Cylinder": lambda p, n: lw.Cylinder(np.cross(n, [0.3, 0.5, 0.8]), p - 0.6 * n, 0.6),
    "Torus": lambda p, n: lw.Torus(
        p - 0.3 * n - 0.8 * (0.6 * n + 0.8 * across(n)), 0.8 * n - 0.6 * across(n), 0.8, 0.3),
    "expression": lambda p, n: lw.Surface(f"{plane(p, n)} + 0.3*sin(x - {p[0]})*(y - {p[1]})"),
    "functions": lambda p, n: lw.Surface(
        lambda r: n @ (r - p) + 0.4 * (r - p) @ (r - p), lambda r: n + 0.8 * (r - p), lambda r: 0.8 * np.eye(3)
    ),
    "moving": lambda p, n: lw.Sphere(p - 0.7 * n, 0.7).moving(swing),
    "moving expression": lambda p, n: lw.Surface(f"{plane(p, n)} + 0.2*sin(x + 2*t) - 0.2*sin({p[0]})"),
}  # fmt: skip


def plane(p, n):
    return " + ".join(f"{n[k]}*({'xyz'[k]} - {p[k]})" for k in range(3))


def across(n):
    u = np.cross(n, [0.2, -0.7, 0.4])
    return u / np.linalg.norm(u)


def point_of(linkage, q, body, point):
    poses = lw.body_poses(linkage, q)
    return poses.positions[body] + poses.rotations[body] @ point


def put(linkage, q, body, surface, rng, friction=0.0, normal=None, **options):
    """Constrain a random point of a body to a surface through where it is."""
    point = rng.normal(scale=0.3, size=3)
    n = rng.normal(size=3) if normal is None else np.asarray(normal)
    made = SURFACES[surface](point_of(linkage, q, body, point), n / np.linalg.norm(n))
    linkage.constrain(linkage.bodies[body], point=point, surface=made, friction=friction, **options)


def numerical(surface, r, t):
    """∇C, ∇²C and the derivatives in time, from values of C alone: central differences of fourth order."""

    def C(x):
        return surface.local(x[:3], x[3]).C

    x, h = np.array([*r, t]), 5e-4

    def first(f, e):
        return (8 * (f(x + h * e) - f(x - h * e)) - (f(x + 2 * h * e) - f(x - 2 * h * e))) / (12 * h)

    def second(e):
        return (16 * (C(x + h * e) + C(x - h * e)) - (C(x + 2 * h * e) + C(x - 2 * h * e)) - 30 * C(x)) / (12 * h * h)

    unit = np.eye(4)
    gradient = np.array([first(C, e) for e in unit])
    hessian = np.zeros((4, 4))
    for i in range(4):
        hessian[i, i] = second(unit[i])
        for j in range(i):
            both, apart = second((unit[i] + unit[j]) / 2), second((unit[i] - unit[j]) / 2)
            hessian[i, j] = hessian[j, i] = both - apart
    return gradient, hessian


def dense(linkage, q, v, tau, t=0.0, f_ext=None, velocities=None):
    """a and f_n from one dense system, with derivatives of C taken numerically and everything else from `Reference`."""
    reference = Reference(linkage, q, v)
    H, b = reference.equations(f_ext)
    rows, columns, right = [], [], []
    for k, contact in enumerate(linkage.contacts):
        i = contact.body.index
        arm = reference.R[i] @ contact.point
        J = reference.J[i, :3] - skew(arm) @ reference.J[i, 3:]
        w, al = reference.twist[i, 3:], reference.bias[i, 3:]
        bias = reference.bias[i, :3] + np.cross(al, arm) + np.cross(w, np.cross(w, arm))
        gradient, hessian = numerical(contact.surface, reference.p[i] + arm, t)
        size = np.linalg.norm(gradient[:3])
        n, rate = gradient[:3] / size, np.array([*(J @ v), 1.0])
        of_surface = -gradient[3] / size * n if velocities is None or velocities[k] is None else velocities[k]
        slip = J @ v - of_surface
        slip -= (n @ slip) * n
        speed = np.linalg.norm(slip)
        direction = slip / speed if speed > 1e-9 else np.zeros(3)
        rows.append(n @ J)
        columns.append((n - contact.friction * direction) @ J)
        right.append(-(n @ bias) - rate @ hessian @ rate / size)
    J_n, B = np.array(rows), np.array(columns).T
    m = len(rows)
    system = np.block([[H, -B], [J_n, np.zeros((m, m))]])
    solution = np.linalg.solve(system, np.concatenate([tau - b, right]))
    return solution[: linkage.nv], solution[linkage.nv :]


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("seed", range(6))
def test_every_surface_equals_a_dense_solve(surface, seed):
    """On random trees with every joint type, with friction where the point slides."""
    rng = np.random.default_rng(100 + seed)
    linkage = lw.samples.random_tree(8, seed=rng, base=("fixed", "free")[seed % 2], damping=seed % 3 == 0)
    q, v, tau = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    put(linkage, q, 7, surface, rng, friction=0.15 * (seed % 3))
    f_ext = rng.normal(size=(linkage.nb, 6)) if seed % 2 else None
    # q is on the surface at t = 0; a moving one is looked at where it is then
    v = lw.consistent_velocity(linkage, q, v)
    contact = linkage.contacts[0]
    own = contact.surface.local(point_of(linkage, q, 7, contact.point), 0.0).velocity
    a, f_n = dense(linkage, q, v, tau, f_ext=f_ext, velocities=[own])
    scale = max(1.0, np.abs(a).max())
    for method in ("auto", "aba", "crba", "unit-vector", "virtual-work", "extended-newton-euler"):
        try:
            found = lw.solve(linkage, q, v, tau, f_ext, method=method)
        except lw.StructureError:  # universal joints have a massless stage that the virtual-work method may refuse
            assert method == "virtual-work"
            continue
        # 1e-7 is more than differences of C to fourth order need: (5e-4)⁴ times sixth derivatives, and 1e-16/(5e-4)²
        np.testing.assert_allclose(found.a, a, atol=1e-7 * scale)
        np.testing.assert_allclose(found.normal_forces, f_n, atol=1e-7 * max(1.0, abs(f_n[0])))
        assert found.residual <= 1e-9 * scale
        # INV: the torques that go with these accelerations and normal forces are those that were given
        back = lw.inverse_dynamics(linkage, q, v, found.a, f_ext, contact_forces=found.normal_forces)
        np.testing.assert_allclose(back, tau, atol=1e-8 * scale)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_several_contacts_on_30_degrees_of_freedom(count, seed):
    rng = np.random.default_rng(seed)
    linkage = lw.samples.random_tree(24, seed=rng, base="free", branching=0.5, joints=("Revolute",), damping=True)
    for k in range(24, 25):
        linkage.add_body(f"body{k}", lw.Inertia.sphere(0.1, mass=1), joint=lw.Revolute("x"), parent=f"body{k - 1}")
    assert linkage.nv == 30
    q, tau = linkage.random(rng), rng.normal(size=30)
    bodies = rng.choice(np.arange(6, 25), size=count, replace=False)
    for k, body in enumerate(bodies):
        put(linkage, q, int(body), list(SURFACES)[(k + seed) % 4], rng, friction=(0.0, 0.1, 0.2, 0.05)[k])
    v = lw.consistent_velocity(linkage, q, rng.normal(size=30))
    a, f_n = dense(linkage, q, v, tau)
    found = lw.solve(linkage, q, v, tau)
    scale = max(1.0, np.abs(a).max())
    np.testing.assert_allclose(found.a, a, atol=1e-7 * scale)
    np.testing.assert_allclose(found.normal_forces, f_n, atol=1e-7 * max(1.0, np.abs(f_n).max()))
    assert found.residual <= 1e-9
    assert (found.rank, found.redundant, found.redundant_contacts, found.indeterminate) == (count, 0, (), False)
    paper = lw.solve(linkage, q, v, tau, method="extended-newton-euler")
    np.testing.assert_allclose(paper.a, found.a, atol=1e-9 * scale)
    # all joint wrenches: what the joints and the contacts do to each body is its mass times its acceleration
    check_newton(linkage, q, v, found)


def check_newton(linkage, q, v, found):
    """Newton's law for the whole linkage: forces of roots and contacts change the momentum."""
    poses, gravity = lw.body_poses(linkage, q), linkage.gravity
    total = found.friction_forces.sum(axis=0)
    for contact, f_n in zip(linkage.contacts, found.normal_forces, strict=True):
        at = contact.surface.local(point_of(linkage, q, contact.body.index, contact.point), 0.0)
        total = total + f_n * at.gradient / np.linalg.norm(at.gradient)
    change = np.zeros(3)
    for body in linkage.bodies:
        if body.joint.parent.name == "ground":
            total = total + poses.rotations[body.index] @ found.joint_wrenches[body.index, :3]
        com = np.array(body.inertia.com)
        J = lw.jacobian(linkage, q, body, com)[:3]
        acceleration = J @ found.a + lw.jacobian_bias(linkage, q, v, body, com)[:3]
        change += body.inertia.mass * (acceleration - gravity)
    np.testing.assert_allclose(total, change, atol=1e-8 * max(1.0, np.abs(change).max()))


def table(frictions, legs=4):
    """A rigid table on a floor: three legs hold it, four are one too many."""
    linkage = lw.Linkage(name="table")
    linkage.add_body("table", lw.Inertia.box((1, 1, 0.1), mass=8.0), joint=lw.Free())
    corners = [(0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, -0.5, 0), (0.5, -0.5, 0)][:legs]
    for k, (corner, friction) in enumerate(zip(corners, frictions, strict=True)):
        linkage.constrain("table", point=corner, surface=lw.Plane("z"), friction=friction, name=f"leg{k}")
    return linkage


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_redundant_contacts_give_the_least_forces_and_say_so():
    linkage = table([0.0] * 4)
    found = lw.solve(linkage, linkage.neutral(), np.zeros(6))
    np.testing.assert_allclose(found.normal_forces, 8 * 9.81 / 4, rtol=1e-12)
    np.testing.assert_allclose(found.a, 0, atol=1e-12)
    assert (found.rank, found.redundant, found.indeterminate) == (3, 1, False)
    assert found.redundant_contacts == ("leg0", "leg1", "leg2", "leg3")
    assert found.residual <= 1e-9


def test_equal_friction_with_a_common_direction_is_determined():
    linkage = table([0.3] * 4)
    v = np.array([1.0, 0, 0, 0, 0, 0])
    found = lw.solve(linkage, linkage.neutral(), v)
    assert found.redundant == 1
    assert not found.indeterminate
    assert found.a[0] == pytest.approx(-0.3 * 9.81, rel=1e-12)
    np.testing.assert_allclose(found.a[1:], 0, atol=1e-10)
    assert found.normal_forces.sum() == pytest.approx(8 * 9.81)
    assert found.residual <= 1e-9
    unconstrained = lw.solve(table([0.3] * 3, legs=3), linkage.neutral(), v)
    np.testing.assert_allclose(unconstrained.a, found.a, atol=1e-10)


def test_unequal_friction_on_redundant_contacts_is_flagged():
    linkage = table([0.3, 0.1, 0.2, 0.05])
    found = lw.solve(linkage, linkage.neutral(), [1.0, 0, 0, 0, 0, 0])
    assert found.indeterminate
    assert found.redundant == 1
    assert found.residual <= 1e-9
    # turning as well: equal friction, but no common direction
    assert lw.solve(table([0.3] * 4), linkage.neutral(), [1.0, 0, 0, 0, 0, 1.0]).indeterminate
    assert not lw.solve(table([0.3, 0.1, 0.2], legs=3), linkage.neutral(), [1.0, 0, 0, 0, 0, 1.0]).indeterminate


@pytest.mark.parametrize("count", [2, 3, 4])
def test_redundant_contacts_on_30_degrees_of_freedom(count):
    """The same point twice on the same plane, beside others."""
    rng = np.random.default_rng(count)
    linkage = lw.samples.random_tree(24, seed=rng, base="free", joints=("Revolute",))
    linkage.add_body("last", lw.Inertia.sphere(0.1, mass=1), joint=lw.Revolute("x"), parent="body23")
    q, tau = linkage.random(rng), rng.normal(size=30)
    for k in range(count - 1):
        put(linkage, q, 10 + 4 * k, "Plane", rng, name=f"contact{k}")
    once = linkage.copy()
    again = linkage.contacts[0]
    linkage.constrain(again.body, point=again.point, surface=again.surface, name="again")
    v = lw.consistent_velocity(linkage, q, np.ones(30))
    found = lw.solve(linkage, q, v, tau)
    assert (found.rank, found.redundant) == (count - 1, 1)
    assert found.redundant_contacts == ("contact0", "again")
    assert found.residual <= 1e-9
    assert found.normal_forces[0] == pytest.approx(found.normal_forces[-1], rel=1e-9)
    # the second contact changes nothing but the share of each
    alone = lw.solve(once, q, v, tau)
    np.testing.assert_allclose(found.a, alone.a, atol=1e-9 * np.abs(alone.a).max())
    assert found.normal_forces[[0, -1]].sum() == pytest.approx(alone.normal_forces[0], rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("surface", ["Plane", "Torus", "moving"])
def test_closed_linkages_with_contacts(seed, surface):
    """Loops of every joint type and a contact together, against one dense solve."""
    joint = ("Revolute", "Spherical", "Prismatic", "Universal", "Cylindrical", "Planar", "Helical", "Fixed")[seed]
    rng = np.random.default_rng(seed)
    linkage, q = lw.samples.random_closed(10, joint=joint, loops=1, seed=seed)
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    free = linkage.copy()
    put(linkage, q, 9, surface, rng, friction=0.1)
    v = lw.consistent_velocity(linkage, q, v)
    tau = rng.normal(size=linkage.nv)
    point = touch(linkage, q, v)
    assert np.abs(point.gap).max() < 1e-12
    loops = constraint_matrices(free, q, v)
    assert np.abs(loops.J @ v).max() < 1e-9  # both hold at once
    assert np.abs(point.rate).max() < 1e-9
    H, b = Reference(free, q, v).equations()
    B = (point.j_c - 0.1 * point.j_t).T
    J = np.vstack([loops.J, point.j_c])
    system = np.block([[H, -loops.J.T, -B], [J, np.zeros((len(J), len(J)))]])
    right = np.concatenate([tau - b, loops.bias, -point.c])
    expected = np.linalg.lstsq(system, right, rcond=1e-11)[0]  # a loop may have redundant rows; a is unique
    found = lw.solve(linkage, q, v, tau)
    scale = max(1.0, np.abs(expected[: linkage.nv]).max())
    np.testing.assert_allclose(system @ expected, right, atol=1e-8 * scale)
    np.testing.assert_allclose(found.a, expected[: linkage.nv], atol=1e-8 * scale)
    np.testing.assert_allclose(found.normal_forces, expected[-1:], atol=1e-8 * scale)
    assert found.residual <= 1e-9 * scale
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, tau), found.a, atol=1e-8 * scale)


@pytest.mark.parametrize("joints", ["chain", "tree"])
def test_large_linkages(joints):
    """A contact at the end of thousands of bodies: articulated bodies where the tree is deep, factors elsewhere."""
    linkage = lw.samples.chain(2000, length=0.01) if joints == "chain" else lw.samples.tree(4000, length=0.1)
    rng = np.random.default_rng(0)
    q, tau = 0.01 * rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    put(linkage, q, linkage.nb - 1, "Plane", rng, friction=0.1, normal=(0.3, 0, 1))
    v = lw.consistent_velocity(linkage, q, 0.1 * rng.normal(size=linkage.nv))
    found = lw.solve(linkage, q, v, tau)
    assert found.residual <= 1e-9 * np.abs(found.a).max()
    back = lw.inverse_dynamics(linkage, q, v, found.a, contact_forces=found.normal_forces)
    np.testing.assert_allclose(back, tau, atol=1e-9 * np.abs(found.a).max())
