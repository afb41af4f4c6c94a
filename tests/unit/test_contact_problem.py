"""The contact problem against its own definition, and what forces do against dense matrices."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.constraints import constraint_matrices, loops_of
from linkwork.kernels.contact.modes import CONE, LIMIT, SLIPPING
from linkwork.kernels.contact.problem import scratch_shape
from linkwork.kernels.launch import call
from linkwork.kernels.layout.loops import AXIS


def solved(G, g, mu, kind, guess=None):
    n = len(mu)
    impulses = np.zeros(3 * n) if guess is None else guess.copy()
    outcome, residual = call(
        ("contact.problem", "solve_contacts"), n, G, g, mu, kind, impulses, np.zeros(scratch_shape(n)), True
    )
    assert outcome == 0
    assert residual <= 1e-10
    return impulses


def violation(G, g, mu, kind, impulses):
    """How far forces are from the definition: cones, their duals, and what is perpendicular; of unit scale."""
    u, worst = G @ impulses + g, 0.0
    force, motion = np.abs(impulses).max(initial=1e-300), np.abs(g).max(initial=1e-300)
    for k, (m, what) in enumerate(zip(mu, kind, strict=True)):
        ln, *lt = impulses[3 * k : 3 * k + 3] / force
        un, *ut = u[3 * k : 3 * k + 3] / motion
        if what == CONE:
            shifted = un + m * np.hypot(*ut)
            worst = max(worst, np.hypot(*lt) - m * ln, m * np.hypot(*ut) - shifted, abs(ln * shifted + np.dot(lt, ut)))
        else:
            m = 0.0 if what == LIMIT else m
            worst = max(worst, -ln, -un, abs(ln * un), abs(lt[0] + m * ln), abs(lt[1]))
    return worst


def random_problem(rng, n, rank, mixed):
    J = rng.normal(size=(3 * n, rank))
    mu, kind = rng.uniform(0.0, 1.2, n) * (rng.random(n) > 0.1), np.zeros(n, dtype=np.int64)
    if mixed:
        kind[rng.random(n) < 0.2] = LIMIT
        kind[(rng.random(n) < 0.2) & (kind == CONE)] = SLIPPING
        mu[kind == SLIPPING] *= 0.3
        J[np.concatenate([3 * np.flatnonzero(kind == LIMIT) + c for c in (1, 2)])] = 0.0
    return J @ J.T, J @ rng.normal(size=rank) * 10.0 ** rng.uniform(-4, 4), mu, kind


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("share", [1.5, 1.0, 0.6, 0.3])
def test_random_problems_meet_their_definition(share, mixed):
    """500 in all, none of which may fail."""
    rng = np.random.default_rng(int(10 * share) + mixed)
    for _ in range(63):
        n = int(rng.integers(1, 25))
        problem = random_problem(rng, n, max(1, round(3 * n * share)), mixed)
        assert violation(*problem, solved(*problem)) < 1e-9


def test_many_contacts_of_a_stack():
    """Thirty boxes on each other, four points each, pushed aside: 120 contacts of which many could do the same."""
    n, rng = 30, np.random.default_rng(3)
    J = np.zeros((12 * n, 6 * n))
    for k in range(n):
        for c, (x, y) in enumerate(((0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1))):
            for row, axis in enumerate(np.eye(3)[[2, 0, 1]]):
                i = 12 * k + 3 * c + row
                J[i, 6 * k : 6 * k + 6] = np.concatenate([axis, np.cross([x, y, -0.05], axis)])
                if k > 0:
                    J[i, 6 * k - 6 : 6 * k] = -np.concatenate([axis, np.cross([x, y, 0.05], axis)])
    P = np.diag(np.tile([1.0, 1.0, 1.0, 300.0, 300.0, 150.0], n))
    free = np.tile([0.0, 0.0, -0.02, 0.0, 0.0, 0.0], n) + 0.02 * rng.normal(size=6 * n)
    problem = J @ P @ J.T, J @ free, np.full(4 * n, 0.4), np.zeros(4 * n, dtype=np.int64)
    impulses = solved(*problem)
    assert violation(*problem, impulses) < 1e-9
    after = free + P @ J.T @ impulses
    assert after @ np.linalg.solve(P, after) < free @ np.linalg.solve(P, free)


def test_one_contact_in_closed_form():
    """A block on a slope, its forces known: it sticks, slips, lifts."""
    G, kind = np.eye(3) / 2.0, np.zeros(1, dtype=np.int64)
    for angle, mu in ((0.3, 0.5), (0.6, 0.5), (0.3, 0.0)):
        g = 9.81 * np.array([-np.cos(angle), np.sin(angle), 0.0])
        held = min(np.tan(angle), mu) * np.cos(angle)
        expected = 2.0 * 9.81 * np.array([np.cos(angle), -held, 0.0])
        np.testing.assert_allclose(solved(G, g, np.array([mu]), kind), expected, atol=1e-13)
    assert not solved(G, np.array([0.1, 1.0, 0.0]), np.array([0.5]), kind).any()


def test_forces_of_least_norm_whatever_the_guess():
    """A table on four legs: the normal forces of least norm are linear over the floor."""
    legs = np.array([[0.5, 0.3], [0.5, -0.3], [-0.5, 0.3], [-0.5, -0.3]])
    J = np.zeros((12, 6))
    for k, (x, y) in enumerate(legs):
        arm = np.array([x, y, -0.4])
        for row, axis in enumerate(np.eye(3)[[2, 0, 1]]):
            J[3 * k + row] = np.concatenate([axis, np.cross(arm, axis)])
    P = np.diag([0.1, 0.1, 0.1, 1.0, 1.0, 0.5])
    G, mu, kind = J @ P @ J.T, np.full(4, 0.6), np.zeros(4, dtype=np.int64)
    load = np.array([5.0, 0.0, -98.1, 6.0, -9.0, 0.0])
    null = np.linalg.svd(J.T)[2][6:]
    rng = np.random.default_rng(0)
    for guess in (None, *(3.0 * rng.normal(size=(4, len(null))) @ null)):
        impulses = solved(G, J @ P @ load, mu, kind, guess)
        np.testing.assert_allclose(J.T @ impulses, -load, atol=1e-10)
        assert np.abs(null @ impulses).max() < 1e-9


def oracle(linkage, q, rows):
    """Rows (m, nv) to J P Jᵀ and P Jᵀ, from dense matrices."""
    H = lw.mass_matrix(linkage, q)
    W = np.eye(linkage.nv)
    if linkage.tree.closed:
        J = constraint_matrices(linkage, q).J
        _, sigma, vt = np.linalg.svd(J)
        W = vt[(sigma > 1e-9 * sigma[0]).sum() :].T
    P = W @ np.linalg.solve(W.T @ H @ W, W.T)
    return rows @ P @ rows.T, P @ rows.T


def geared():
    """A pair of arms coupled by gears, on a slider."""
    linkage = lw.Linkage(name="geared")
    linkage.add_body("base", lw.Inertia.box((1, 1, 1), mass=2.0), joint=lw.Prismatic("x"))
    linkage.add_body("left", lw.Inertia.rod(1.0, mass=1.0), joint=lw.Revolute("y"), parent="base")
    linkage.add_body(
        "right", lw.Inertia.rod(1.0, mass=1.5), joint=lw.Revolute("y"), parent="base", at=lw.Pose((0.5, 0, 0))
    )
    linkage.couplings.append(lw.Coupling("right", "left", -2.0))
    return linkage


SAMPLES = {
    "human": lambda: lw.samples.human(40),
    "tree": lambda: lw.samples.random_tree(12, seed=3),
    "five-bar": lw.samples.five_bar,
    "stewart": lw.samples.stewart,
    "four-bars": lambda: lw.samples.four_bars(3, stacked=True),
    "gears": geared,
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_what_contacts_feel_of_a_linkage(sample):
    linkage = SAMPLES[sample]()
    rng = np.random.default_rng(1)
    tree, n = linkage.tree, 5
    q = lw.close_loops(linkage, linkage.neutral() if tree.closed else linkage.random(rng))
    v = np.zeros(linkage.nv)
    bodies = [(int(a), int(b)) for a, b in rng.integers(-1, linkage.nb, size=(n, 2))]
    bodies = [(a, b if b != a else -1) if a >= 0 else (b, -1) if b >= 0 else (0, -1) for a, b in bodies]
    points, frames = (
        rng.normal(size=(n, 3)),
        np.array([np.linalg.qr(rng.normal(size=(3, 3)))[0].ravel() for _ in range(n)]),
    )
    poses = lw.body_poses(linkage, q)
    rows = np.zeros((3 * n, linkage.nv))
    for k, pair in enumerate(bodies):
        for body, sign in zip(pair, (1.0, -1.0), strict=True):
            if body >= 0:
                local = poses.rotations[body].T @ (points[k] - poses.positions[body])
                rows[3 * k : 3 * k + 3] += (
                    sign * frames[k].reshape(3, 3) @ lw.jacobian(linkage, q, linkage.bodies[body], local)[:3]
                )
    stages = np.array([[tree.stage[b] if b >= 0 else -1 for b in pair] for pair in bodies])
    G, a, impulses, x = (
        np.zeros((3 * n, 3 * n)),
        np.zeros(linkage.nv),
        rng.normal(size=3 * n),
        rng.normal(size=linkage.nv),
    )
    work, u, zero = tree.work(), np.zeros(3 * n), np.zeros(linkage.nv)
    if tree.closed:
        loops = loops_of(linkage)
        scratch, count = loops.scratch(), loops.n_rows
        call(("closed.embedding", "closed_step"), tree.model, tree.index, work, loops.plan, loops.geometry, scratch,
             q, zero, np.zeros(count), a, np.zeros(count), np.zeros(count))  # fmt: skip
        space = loops.plan, loops.geometry, scratch
    else:
        call(("tree.aba", "aba"), tree.model, tree.index, work, 0, q, v, zero, a)
        space, count = None, 0
    Y, Z = np.zeros((6, linkage.nv + count)), np.zeros((3 * n, linkage.nv + count))
    call(("contact.response", "probe"), tree.model, tree.index, work, np.zeros(AXIS * linkage.nv), space, zero, n,
         stages, points, frames, x, impulses, Y, Z, G, u, a, np.zeros(count), np.zeros(count))  # fmt: skip
    expected, add = oracle(linkage, q, rows)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(G, expected, atol=1e-10 * scale)
    np.testing.assert_allclose(a, add @ impulses, atol=1e-10 * np.abs(add @ impulses).max())
    np.testing.assert_allclose(u, rows @ x, atol=1e-12 * np.abs(rows @ x).max())
