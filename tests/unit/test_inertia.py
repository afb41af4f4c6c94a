"""Inertias against integrals over the shape, Pinocchio, and the rules of rigid bodies."""

import math
import pickle
import warnings

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork import ArgumentError, Inertia, LinkworkWarning, Pose
from linkwork.linkage.inertia import full, physical, six


def integrate_solid(inside, half, cells=120):
    """Return volume and inertia (3, 3) about the origin of a solid of density one, on a grid of midpoints."""
    edges = [np.linspace(-h, h, cells, endpoint=False) + h / cells for h in half]
    x, y, z = np.meshgrid(*edges, indexing="ij")
    cell = np.prod([2 * h / cells for h in half])
    points = np.stack([x, y, z], axis=-1)[inside(x, y, z)]
    second = points.T @ points * cell
    return len(points) * cell, np.trace(second) * np.eye(3) - second


def in_capsule(radius, length):
    return lambda x, y, z: x * x + y * y + np.maximum(np.abs(z) - length / 2, 0) ** 2 <= radius**2


SOLIDS = {
    "box": (Inertia.box((0.4, 0.6, 1.0), density=1), lambda x, y, z: x == x, (0.2, 0.3, 0.5)),
    "sphere": (Inertia.sphere(0.7, density=1), lambda x, y, z: x * x + y * y + z * z <= 0.49, (0.7,) * 3),
    "cylinder": (
        Inertia.cylinder(0.4, 1.2, density=1),
        lambda x, y, z: x * x + y * y <= 0.16,
        (0.4, 0.4, 0.6),
    ),
    "capsule": (Inertia.capsule(0.3, 0.8, density=1), in_capsule(0.3, 0.8), (0.3, 0.3, 0.7)),
}


@pytest.mark.parametrize("shape", SOLIDS)
def test_shapes_are_the_integrals_over_their_volume(shape):
    inertia, inside, half = SOLIDS[shape]
    volume, matrix = integrate_solid(inside, half)
    # Midpoints of 120³ cells resolve a curved surface to about 1e-3.
    assert inertia.mass == pytest.approx(volume, rel=1.5e-3)
    np.testing.assert_allclose(inertia.matrix, matrix, rtol=2e-3, atol=1e-6)


def test_a_rod_is_the_limit_of_a_cylinder_and_lies_along_its_axis():
    np.testing.assert_allclose(Inertia.rod(2.0, mass=3.0).matrix, np.diag([1, 1, 0]), atol=1e-15)
    np.testing.assert_allclose(Inertia.rod(2.0, density=1.5, axis="x").matrix, np.diag([0, 1, 1]), atol=1e-15)
    thin = Inertia.cylinder(1e-6, 2.0, mass=3.0, axis=(0, 3, 0))
    np.testing.assert_allclose(thin.matrix, Inertia.rod(2.0, mass=3.0, axis="-y").matrix, atol=1e-11)
    assert Inertia.capsule(0.1, 0.3, mass=2).mass == 2


def random_inertia(rng):
    points = rng.normal(size=(5, 3))
    return sum(
        (Inertia.point(m, p) for m, p in zip(rng.uniform(0.1, 2, 5), points, strict=True)), Inertia(0.0)
    )


def to_pin(inertia):
    return pin.Inertia(inertia.mass, inertia.com.copy(), inertia.matrix.copy())


def test_sum_and_transform_are_pinocchios():
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = random_inertia(rng), random_inertia(rng)
        pose = Pose.rpy(*rng.normal(size=3), position=rng.normal(size=3))
        placed = pin.SE3(pose.rotation.copy(), pose.position.copy()).act(to_pin(a))
        moved = a.transformed(pose)
        np.testing.assert_allclose(moved.com, placed.lever, atol=1e-13)
        np.testing.assert_allclose(moved.matrix, placed.inertia, atol=1e-12)
        total, expected = a + b, to_pin(a) + to_pin(b)
        assert total.mass == pytest.approx(expected.mass)
        np.testing.assert_allclose(total.com, expected.lever, atol=1e-13)
        np.testing.assert_allclose(total.matrix, expected.inertia, atol=1e-12)


@given(st.lists(st.floats(0.0, 10.0), min_size=3, max_size=3), st.integers(0, 1000))
def test_physical_is_the_triangle_inequality_of_the_principal_moments(moments, seed):
    largest, rest = max(moments), sum(moments) - max(moments)
    if abs(largest - rest) < 1e-4 * (largest + 1e-3):
        return  # too near to the border for the slack that rounded files are given
    turn = Pose.rpy(*np.random.default_rng(seed).normal(size=3)).rotation
    matrix = turn @ np.diag(moments) @ turn.T
    assert bool(physical(*six(0.5 * (matrix + matrix.T)))) == (largest < rest)


def test_strange_inertias_warn_and_sound_ones_do_not():
    with pytest.warns(LinkworkWarning, match="principal moments"):
        Inertia(1.0, (0, 0, 0), np.diag([1, 1, 3]))
    with pytest.warns(LinkworkWarning, match="principal moments"):
        Inertia(1.0, (0, 0, 0), np.diag([-1, 1, 1]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Inertia.rod(1.0, mass=1.0)
        Inertia(0.0)
        Inertia(1e-9, (0, 0, 0), np.diag([1e-20, 1e-20, 2e-20]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Inertia(-1.0), "mass"),
        (lambda: Inertia(math.nan), "mass"),
        (lambda: Inertia("heavy"), "mass"),
        (lambda: Inertia(1.0, (0, 0)), "com"),
        (lambda: Inertia(1.0, (0, 0, math.inf)), "com"),
        (lambda: Inertia(1.0, (0, 0, 0), [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "symmetric"),
        (lambda: Inertia(1.0, (0, 0, 0), np.full((3, 3), math.nan)), "finite"),
        (lambda: Inertia(1.0, (0, 0, 0), np.eye(4)), "shape"),
        (lambda: Inertia.box((1, 1, 0), mass=1), "positive"),
        (lambda: Inertia.sphere(-1, mass=1), "positive"),
        (lambda: Inertia.sphere(1), "mass= or density="),
        (lambda: Inertia.sphere(1, mass=1, density=1), "mass= or density="),
    ],
)
def test_unusable_inertias_are_refused(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


def test_an_inertia_is_a_value():
    inertia = Inertia.box((1, 2, 3), mass=2, com=(0, 0, 1))
    again = pickle.loads(pickle.dumps(inertia))
    assert again == inertia
    assert hash(again) == hash(inertia)
    assert inertia != Inertia(2.0)
    np.testing.assert_array_equal(full(six(inertia.matrix)), inertia.matrix)
    with pytest.raises(AttributeError):
        inertia.mass = 1
    assert repr(inertia).startswith("Inertia(2 kg")
