"""Featherstone, "Dynamics and Control of Humanoid Robots", lecture slides: CRBA and branch-induced sparsity.

The slides' algorithms are written out here, from the page, on lists; the library is held against them.
"""

import numpy as np
import pytest

import linkwork as lw

# The slide "Sparse Factorization": seven bodies, λ = (0, 1, 1, 2, 2, 3, 3) counted from 1.
PARENTS = [-1, 0, 0, 1, 1, 2, 2]


def seven_bodies() -> lw.Linkage:
    rng = np.random.default_rng(7)
    linkage = lw.Linkage(name="seven")
    for k, parent in enumerate(PARENTS):
        inertia = lw.Inertia.box(rng.uniform(0.1, 0.4, size=3), mass=rng.uniform(0.5, 2.0), com=rng.normal(size=3))
        on = "ground" if parent < 0 else f"body{parent + 1}"
        at = lw.Pose(rng.normal(size=3))
        linkage.add_body(f"body{k + 1}", inertia, joint=lw.Revolute(rng.normal(size=3)), parent=on, at=at)
    return linkage


def factorized(H, parents):
    """The slide's LTDL(H, λ), in place, and how many entries H_ij it updates for each k."""
    H, updates = H.copy(), []
    for k in range(len(H) - 1, -1, -1):
        count, i = 0, parents[k]
        while i >= 0:
            a = H[k, i] / H[k, k]
            j = i
            while j >= 0:
                H[i, j] -= H[k, j] * a
                count += 1
                j = parents[j]
            H[k, i] = a
            i = parents[i]
        updates.append(count)
    return H, updates[::-1]


def operations_to_solve(parents):
    """Multiplications and divisions of factorising H and solving with both factors, over ancestors only."""
    total = 0
    for k in range(len(parents)):
        depth, i = 0, parents[k]
        while i >= 0:
            depth, i = depth + 1, parents[i]
        total += depth * (depth + 1) // 2 + depth  # the update and the division
        total += 2 * depth + 1  # both triangles, and D
    return total


def test_the_seven_body_example():
    """The pattern of the slide: 17 nonzeros in the lower triangle, the same in H and in its factors."""
    linkage = seven_bodies()
    assert linkage.dof_parents.tolist() == PARENTS
    H = lw.mass_matrix(linkage, linkage.random(np.random.default_rng(1)))
    drawn = np.array([[1, 1, 1, 1, 1, 1, 1], [1, 1, 0, 1, 1, 0, 0], [1, 0, 1, 0, 0, 1, 1], [1, 1, 0, 1, 0, 0, 0],
                      [1, 1, 0, 0, 1, 0, 0], [1, 0, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0, 1]])  # fmt: skip
    np.testing.assert_array_equal(H != 0.0, drawn)
    factors = lw.factorize(linkage, H)
    assert factors.nonzeros == 17
    np.testing.assert_array_equal(factors.L != 0.0, np.tril(drawn))
    rows, columns = factors.pattern
    np.testing.assert_array_equal(np.sort(7 * rows + columns), np.flatnonzero(np.tril(drawn).ravel()))


def test_the_slides_factorization():
    """H = Lᵀ D L and H = Rᵀ R, and "updating only 6 elements when k = 7": 3 + 2 + 1 over two ancestors, itself too."""
    linkage = seven_bodies()
    H = lw.mass_matrix(linkage, linkage.random(np.random.default_rng(2)))
    expected, updates = factorized(H, PARENTS)
    factors = lw.factorize(linkage, H)
    np.testing.assert_allclose(factors.D, np.diag(expected), rtol=1e-13)
    np.testing.assert_allclose(factors.L, np.tril(expected, -1) + np.eye(7), rtol=0, atol=1e-13)
    np.testing.assert_allclose(factors.L.T @ np.diag(factors.D) @ factors.L, H, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(factors.root.T @ factors.root, H, rtol=1e-12, atol=1e-13)
    assert updates[6] + 2 + 1 == 6, "three updates, two quotients, and H_77 itself, which is read"


@pytest.mark.parametrize("joint", [lw.Spherical(), lw.Free(), lw.Universal("x", "y")])
def test_the_expanded_parent_array(joint):
    """A joint of several degrees of freedom counts as so many joints on one another."""
    linkage = seven_bodies()
    linkage.add_body("hand", lw.Inertia.sphere(0.1, mass=1.0), joint=joint, parent="body3")
    linkage.add_body("tool", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Revolute("x"), parent="hand")
    first = linkage.joints["hand"].v_slice.start
    expected = [*PARENTS, 2, *range(first, first + joint.nv)]
    assert linkage.dof_parents.tolist() == expected
    H = lw.mass_matrix(linkage, linkage.random(np.random.default_rng(3)))
    full, _ = factorized(H, expected)
    np.testing.assert_allclose(lw.factorize(linkage, H).L, np.tril(full, -1) + np.eye(len(H)), rtol=0, atol=1e-12)


def test_costs_grow_with_n_d_and_n_d_squared():
    """CRBA computes only nonzeros, O(n·d) of them; LTDL needs O(n·d²): counted on balanced trees and chains."""
    for branching in (1, 2, 3):
        for levels in (3, 5, 7):
            parents = [-1]
            level = [0]
            for _ in range(levels - 1):
                level = [parents.append(p) or len(parents) - 1 for p in level for _ in range(branching)]
            n, d = len(parents), levels
            linkage = lw.Linkage(name="tree")
            for k, p in enumerate(parents):
                on = "ground" if p < 0 else f"b{p}"
                linkage.add_body(f"b{k}", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Revolute("x"), parent=on)
            nonzeros = len(lw.packed_mass_matrix(linkage, linkage.neutral()))
            assert n <= nonzeros <= n * d
            assert operations_to_solve(parents) <= n * (d * d / 2 + 4 * d)


def test_a_factor_of_four_on_a_humanoid():
    """"for a typical humanoid … reduced by approximately a factor of 4": a figure of 40 joints on a free base."""
    parents = lw.samples.human(dof=40).dof_parents.tolist()
    dense = list(range(-1, len(parents) - 1))  # what a chain of as many joints costs
    assert operations_to_solve(dense) / operations_to_solve(parents) == pytest.approx(3.99, abs=0.01)
