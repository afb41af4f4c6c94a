"""Contact problems of many contacts, solved in the columns of Z, against the dense solver and laws of mechanics."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.contact.columns import COLUMN_LINES
from linkwork.kernels.contact.many import ROW_LINES
from linkwork.kernels.contact.modes import CONE, LIMIT
from linkwork.kernels.contact.problem import scratch_shape
from linkwork.kernels.launch import call
from linkwork.kernels.layout.loops import AXIS


def square_root(linkage, q, bodies, points, frames):
    """Stages, and Z of contacts of bodies (n, 2), −1 for ground, at points (n, 3) along frames (n, 9)."""
    tree, nv, n = linkage.tree, linkage.nv, len(points)
    stages = np.where(bodies < 0, -1, tree.stage[bodies]).astype(np.int64)
    work, a, zero = np.empty(tree.work_size), np.zeros(nv), np.zeros(nv)
    assert call(("tree.aba", "aba"), tree.model, tree.index, work, 0, q, zero, zero, a) == 0
    Z, G, none = np.zeros((3 * n, nv)), np.zeros((3 * n, 3 * n)), np.zeros(0)
    call(("contact.response", "probe"), tree.model, tree.index, work, np.zeros(AXIS * nv), None, zero, n, stages,
         points, frames, zero, np.zeros(3 * n), np.zeros((6, nv)), Z, G, np.zeros(3 * n), a, none, none)  # fmt: skip
    return stages, Z, G


def solve_many(linkage, stages, Z, g, mu, kind, least=False):
    """Residual, impulses and velocities; scratch space full of what must not matter."""
    n, nv = len(mu), linkage.nv
    impulses, u, rho = np.full(3 * n, np.nan), np.full(3 * n, np.nan), np.full(n, np.nan)
    spans, rows = np.full((n, 6), -7, dtype=np.int64), np.full((ROW_LINES, 3 * n), np.nan)
    columns, matrix = np.full((COLUMN_LINES, nv), np.nan), np.full((nv, nv), np.nan)
    residual = call(
        ("contact.many", "solve_many"), linkage.tree.index, n, stages, Z, g, mu, kind, impulses, spans, rows, columns,
        matrix, least, u, rho,
    )  # fmt: skip
    return residual, impulses, u


def solve_dense(G, g, mu, kind, least=False):
    n = len(mu)
    impulses, scratch = np.zeros(3 * n), np.zeros(scratch_shape(n))
    _, residual = call(("contact.problem", "solve_contacts"), n, G, g, mu, kind, impulses, scratch, least)
    return residual, impulses, G @ impulses + g


def frames_of(normals):
    first = np.cross(normals, np.roll(normals, 1, axis=1) + np.array([0.1, 0.2, 0.3]))
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.hstack([normals, first, np.cross(normals, first)])


def free_bodies(count, rng):
    linkage = lw.Linkage(name="bodies")
    for k in range(count):
        linkage.add_body(f"body{k}", lw.Inertia.box((0.2, 0.3, 0.4), mass=rng.uniform(0.5, 2)), joint=lw.Free())
    return linkage


def arms(count, rng):
    """Arms whose bodies are added in turns, so that the columns of one lie between those of others."""
    linkage = lw.Linkage(name="arms")
    for k in range(3):
        for arm in range(count):
            axis = rng.normal(size=3)
            parent = f"arm{arm}-{k - 1}" if k else "ground"
            linkage.add_body(
                f"arm{arm}-{k}", lw.Inertia.box((0.1, 0.2, 0.3), mass=1.0), parent=parent, at=lw.Pose((0.3, 0, 0)),
                joint=lw.Revolute(axis / np.linalg.norm(axis)),
            )  # fmt: skip
    return linkage


def random_contacts(linkage, n, rng):
    """`square_root` of contacts between bodies and with ground, at random."""
    bodies = np.column_stack([rng.integers(0, linkage.nb - 2, n), rng.integers(-1, linkage.nb - 2, n)])
    bodies[bodies[:, 0] == bodies[:, 1], 1] = -1
    normals = rng.normal(size=(n, 3)) + np.array([0, 0, 2.0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    points = rng.normal(scale=0.3, size=(n, 3))
    return square_root(linkage, linkage.random(rng), bodies, points, frames_of(normals))


@pytest.mark.parametrize("make", [free_bodies, arms])
@pytest.mark.parametrize("seed", range(5))
def test_forces_obey_the_law(make, seed):
    """Sixty random contacts, frictionless, rough and one-sided ones: they push, within cones, and take energy."""
    rng = np.random.default_rng(seed)
    linkage = make(10, rng)
    n, (stages, Z, G) = 60, random_contacts(linkage, 60, rng)
    np.testing.assert_allclose(Z @ Z.T, G, atol=1e-12 * np.abs(G).max())
    g, mu = Z @ rng.normal(size=linkage.nv), 0.2 * rng.integers(0, 2, n)  # as of bodies that move
    kind = np.where(rng.uniform(size=n) < 0.2, LIMIT, CONE).astype(np.int64)
    residual, impulses, u = solve_many(linkage, stages, Z, g, mu, kind)
    assert residual <= 1e-10
    np.testing.assert_allclose(u, G @ impulses + g, atol=1e-12 * np.abs(g).max())
    lam, v = impulses.reshape(n, 3), u.reshape(n, 3)
    size = np.abs(lam).max()
    assert lam[:, 0].min() >= -1e-9 * size
    assert (np.hypot(lam[:, 1], lam[:, 2]) <= np.where(kind == CONE, mu, 0) * lam[:, 0] + 1e-9 * size).all()
    assert v[:, 0].min() >= -1e-9 * np.abs(g).max()
    assert np.abs(lam[:, 0] * v[:, 0]).max() <= 1e-9 * size * np.abs(g).max()
    slip = np.hypot(v[:, 1], v[:, 2])
    rough = (kind == CONE) & (mu * lam[:, 0] > 1e-6 * size) & (slip > 1e-6 * np.abs(g).max())
    along = np.einsum("ni,ni->n", lam[:, 1:], v[:, 1:])
    np.testing.assert_allclose(along[rough], -(mu * lam[:, 0] * slip)[rough], rtol=1e-4)


@pytest.mark.parametrize("make", [free_bodies, arms])
def test_without_friction_the_velocities_are_those_of_the_dense_solver(make):
    """A convex problem: u is unique, whatever the forces."""
    rng = np.random.default_rng(9)
    linkage = make(10, rng)
    stages, Z, G = random_contacts(linkage, 60, rng)
    g, mu, kind = Z @ rng.normal(size=linkage.nv), np.zeros(60), np.zeros(60, dtype=np.int64)
    residual, _, u = solve_many(linkage, stages, Z, g, mu, kind)
    assert residual <= 1e-10
    np.testing.assert_allclose(u, solve_dense(G, g, mu, kind)[2], atol=1e-8 * np.abs(g).max())


def test_least_forces_are_those_of_the_dense_solver():
    """Sixty points under one box that stands: hyperstatic, and the least forces are a linear function of the place."""
    linkage = lw.Linkage(name="table")
    linkage.add_body("table", lw.Inertia.box((1, 1, 0.1), mass=8.0, com=(0.05, 0.1, 0)), joint=lw.Free())
    n, rng = 60, np.random.default_rng(3)
    points = np.column_stack([rng.uniform(-0.5, 0.5, (n, 2)), np.zeros(n)])
    frames, bodies = frames_of(np.tile([0, 0, 1.0], (n, 1))), np.tile([0, -1], (n, 1))
    stages, Z, G = square_root(linkage, linkage.neutral(), bodies, points, frames)
    jacobians = [lw.jacobian(linkage, linkage.neutral(), "table", point)[:3] for point in points]
    J = np.einsum("kij,kjn->kin", frames.reshape(n, 3, 3), jacobians).reshape(3 * n, 6)
    g, mu, kind = J @ np.array([0, 0, -9.81e-3, 0, 0, 0]), np.full(n, 0.5), np.zeros(n, dtype=np.int64)
    residual, impulses, u = solve_many(linkage, stages, Z, g, mu, kind, least=True)
    expected = np.zeros(3 * n)
    A = np.column_stack([np.ones(n), points[:, :2]])  # normal forces of least norm: A c, with the load's moments
    c = np.linalg.solve(A.T @ A, 8.0 * 9.81e-3 * np.array([1.0, 0.05, 0.1]))
    expected[::3] = A @ c
    assert residual <= 1e-10
    np.testing.assert_allclose(impulses, expected, atol=1e-9 * expected.max())
    np.testing.assert_allclose(impulses, solve_dense(G, g, mu, kind, least=True)[1], atol=1e-9 * expected.max())
    assert np.abs(u).max() < 1e-14


def test_a_pile_of_boxes_comes_to_rest():
    """Two layers of 25: 424 contacts in one problem. They bear the weight, and nothing creeps or is told."""
    pytest.importorskip("coal")
    linkage, q = lw.samples.pile(50)
    sim = lw.Simulation(linkage, q, dt=1e-3, record_every=10)
    sim.run(0.04, progress=False)
    there = sim.q.copy()
    sim.run(0.06, progress=False)
    assert not [event for event in sim.recording.events if "accurate" in event.what]
    assert sum(len(pair.points) for pair in sim.contacts) == 424
    on_floor = [pair.normal for pair in sim.contacts if "floor" in (pair.a, pair.b)]
    assert sum(on_floor) == pytest.approx(50 * 9.81, rel=1e-9)
    assert np.abs(sim.q - there).max() < 1e-9
    assert np.abs(sim.v).max() < 1e-9
