"""Surfaces: their derivatives against differences, expressions, and all that must be refused."""

import copy
import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.linkage.autodiff import Field


def rolling(t):
    """A frame that goes round and turns, with its exact rates."""
    pose = lw.Pose.axis_angle((0.6, 0.0, 0.8), 0.7 * t, position=(0.3 * math.sin(t), 0.2 * t, 0.1 * t * t))
    twist = [0.3 * math.cos(t), 0.2, 0.2 * t, 0.42, 0.0, 0.56]
    return pose, twist, [-0.3 * math.sin(t), 0.0, 0.2, 0.0, 0.0, 0.0]


def wave(r, t):
    return r[2] - 0.1 * math.sin(2 * r[0] - t)


WAVE = lw.Surface(
    wave,
    lambda r, t: [-0.2 * math.cos(2 * r[0] - t), 0.0, 1.0],
    lambda r, t: np.diag([0.4 * math.sin(2 * r[0] - t), 0.0, 0.0]),
    rate=lambda r, t: (
        0.1 * math.cos(2 * r[0] - t), np.array([-0.2 * math.sin(2 * r[0] - t), 0, 0]), 0.1 * math.sin(2 * r[0] - t)),
)  # fmt: skip
SURFACES = {
    "plane": lw.Plane((1, 2, 2), 0.3),
    "sphere": lw.Sphere((0.1, 0.2, 0.3), 0.5),
    "sphere inside": lw.Sphere((0.1, 0.2, 0.3), 0.5, inside=True),
    "cylinder": lw.Cylinder((1, 1, 0), (0, 0.1, 0.2), 0.4),
    "torus": lw.Torus((0, 0, 0.1), (0, 1, 2), 0.8, 0.25),
    "ellipsoid": lw.Surface("x**2 + y**2/4 + (z - 0.1)**2/0.5 - 1"),
    "travelling wave": lw.Surface("z - 0.1*sin(2*x - t)*exp(-y**2)"),
    "functions": WAVE,
    "rolling torus": lw.Torus((0, 0, 0.1), (0, 1, 2), 0.8, 0.25).moving(rolling),
    "rolling wave": lw.Surface("z - 0.1*sin(2*x - t)").moving(rolling),
    "rolling, by differences": lw.Sphere((0.5, 0, 0), 0.5).moving(lambda t: rolling(t)[0]),
}


@pytest.mark.parametrize("name", SURFACES)
def test_derivatives_are_those_of_the_function(name):
    surface, rng, h = SURFACES[name], np.random.default_rng(1), 1e-5
    for _ in range(5):
        r, t = rng.uniform(-1, 1, 3), rng.uniform(0, 2)
        at = surface.local(r, t)
        up, down = ([surface.local(r + s * h * e, t) for e in np.eye(3)] for s in (1, -1))
        after, before = surface.local(r, t + h), surface.local(r, t - h)
        # central differences of exact values are off by h²/6 times third derivatives, and by 1e-16/h
        np.testing.assert_allclose(
            at.gradient, [(a.C - b.C) / (2 * h) for a, b in zip(up, down, strict=True)], atol=1e-8
        )
        np.testing.assert_allclose(
            at.hessian, [(a.gradient - b.gradient) / (2 * h) for a, b in zip(up, down, strict=True)], atol=1e-7
        )
        np.testing.assert_allclose(at.C_t, (after.C - before.C) / (2 * h), atol=1e-8)
        np.testing.assert_allclose(at.gradient_t, (after.gradient - before.gradient) / (2 * h), atol=1e-7)
        np.testing.assert_allclose(at.C_tt, (after.C_t - before.C_t) / (2 * h), atol=1e-6)
        if at.velocity is not None:  # the matter of the surface goes with it
            assert at.C_t + at.gradient @ at.velocity == pytest.approx(0, abs=1e-9)


def test_expressions_know_all_functions():
    r, t = np.array([0.3, 0.7, 0.2]), 0.4
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt"):
        value = Field(f"{name}(x*y + z)").__call__(r, t).u
        assert value == getattr(math, name)(0.3 * 0.7 + 0.2)
    assert Field("-x**2").__call__(r, t).u == -(0.3**2)
    assert Field("2**x/pi + e*t**-1 - +y").__call__(r, t).u == pytest.approx(
        2**0.3 / math.pi + math.e / 0.4 - 0.7, abs=1e-15
    )
    at = Field("x**3").__call__(np.zeros(3), 0.0)  # powers of zero have derivatives
    assert at.u == at.g[0] == at.h[0, 0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "open('x')", "x.__class__", "(lambda: x)()", "[x for x in y]", "eval(x)",
        "x if y else z", "x and y", "x < y", "x[0]", "'x'", "True", "1j", "f'{x}'", "sin(x, y)", "sin", "sin(x=1)",
        "w + 1", "x ^ 2", "x = 0", "import os", "", "x +", "(" * 150 + "x" + ")" * 150 + "*" * 3, "-" * 1900 + "x",
        "9" * 1999 + "e", "x\n+y\nz", "x := 2",
        "x" * 3000,
    ],
)  # fmt: skip
def test_expressions_that_are_not_formulas_are_refused(text):
    with pytest.raises(lw.ArgumentError):
        lw.Surface(text)


@pytest.mark.parametrize(
    "text",
    [
        "log(x)", "sqrt(x - 1)", "1/x", "(x - 1)**0.5", "exp(1000 + x)", "asin(x + 2)", "9.0**9**9 + x",
        "(0 - 2)**0.5 * y", "(0 - 2)**0.5", "1e308 * 10 + x",
    ],
)  # fmt: skip
def test_no_value_is_an_error_that_says_where(text):
    with pytest.raises(lw.ArgumentError, match=r"no value .* x = 0"):
        lw.Surface(text).local(np.zeros(3), 0.0)


@pytest.mark.parametrize("text", ["exp(700*x) - z", "z - 1e308*x*10", "z - 1e200*x*x*1e200"])
def test_what_overflows_is_an_error_and_no_warning(text):
    """Of the first only the second derivative is too large; warnings are errors here."""
    with pytest.raises(lw.ArgumentError, match=r"too large ones, at x = 1, y = 0"):
        lw.Surface(text).local(np.array([1.0, 0.0, 0.0]), 0.0)


@pytest.mark.parametrize("text", ["z + tanh(1e200*x)", "z + exp(-1e300*x*x)"])
def test_a_steep_function_is_flat_far_out(text):
    found = lw.Surface(text).local(np.array([1.0, 0.0, 0.0]), 0.0)
    assert found.gradient.tolist() == [0, 0, 1]
    assert not found.hessian.any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lw.Plane((0, 0, 0)), "direction"),
        (lambda: lw.Plane("z", np.nan), "finite"),
        (lambda: lw.Sphere((0, 0), 1), "shape"),
        (lambda: lw.Sphere((0, 0, 0), 0), "positive"),
        (lambda: lw.Cylinder("w", (0, 0, 0), 1), "axis"),
        (lambda: lw.Torus((0, 0, 0), "z", 1, -1), "minor"),
        (lambda: lw.Surface(3), "function"),
        (lambda: lw.Surface(lambda r: 0), "grad"),
        (lambda: lw.Surface("x", lambda r: r), "leave out"),
        (lambda: lw.Surface(wave, lambda r: r, lambda r: np.eye(3)), "same arguments"),
        (lambda: lw.Surface(wave, wave, wave), "rate"),
        (lambda: lw.Surface(lambda: 0, lambda r: r, lambda r: r), "must take"),
        (lambda: lw.Plane("z").moving(3), "motion"),
    ],
)
def test_surfaces_that_cannot_be_are_refused(make, message):
    with pytest.raises(lw.ArgumentError, match=message):
        make()


def sliding_block(surface):
    linkage = lw.Linkage(name="block")
    linkage.add_body("block", lw.Inertia.box((0.1, 0.1, 0.1), mass=1), joint=lw.Free())
    linkage.constrain("block", surface=surface, name="floor")
    return linkage


def unit(r):
    return np.array([0.0, 0.0, 1.0])


def flat(r):
    return np.zeros((3, 3))


@pytest.mark.parametrize(
    ("surface", "error", "message"),
    [
        (lw.Surface(lambda r: r[2], unit, lambda r: np.zeros(3)), lw.ArgumentError, r"'floor'.*hess.*shape"),
        (lw.Surface(lambda r: r[2], lambda r: np.zeros(2), flat), lw.ArgumentError, r"'floor'.*grad.*shape"),
        (lw.Surface(lambda r: np.nan, unit, flat), lw.ArgumentError, r"'floor'.*C of.*finite"),
        (lw.Surface(lambda r: r[2], lambda r: [0, 0, np.nan], flat), lw.ArgumentError, r"'floor'.*grad.*finite"),
        (lw.Surface(lambda r: "high", unit, flat), lw.ArgumentError, r"'floor'.*number"),
        (
            lw.Surface(lambda r: r[2] ** 2, lambda r: 2 * r[2] * unit(r), lambda r: np.diag([0, 0, 2.0])),
            lw.SingularError, r"'floor'.*zero",
        ),
        (lw.Surface("x**2 + y**2 + z**2"), lw.SingularError, r"'floor'.*gradient.*zero"),
        (lw.Surface("1"), lw.SingularError, r"'floor'.*gradient.*zero"),
        (lw.Sphere((0, 0, 0), 1), lw.SingularError, r"'floor'.*gradient.*zero"),
        (lw.Cylinder("z", (0, 0, 0), 1), lw.SingularError, r"'floor'.*gradient.*zero"),
        (lw.Torus((0, 0, 0), "z", 1, 0.5), lw.SingularError, r"'floor'.*gradient.*zero"),
        (lw.Surface("log(x)"), lw.ArgumentError, r"'floor'.*no value"),
        (lw.Surface(lambda r: r[2], lambda r: [0, 0, 2.0], flat), lw.ArgumentError, r"'floor'.*differences of C"),
        (lw.Surface(lambda r: r[2], unit, lambda r: np.eye(3)), lw.ArgumentError, r"'floor'.*differences of grad"),
        (lw.Plane("z").moving(lambda t: t), lw.ArgumentError, r"'floor'.*Pose"),
    ],
)  # fmt: skip
def test_bad_surfaces_are_clear_errors_where_they_are_used(surface, error, message):
    linkage = sliding_block(surface)
    with pytest.raises(error, match=message):
        lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(6))


def test_compiled_functions_are_surfaces_too():
    numba = pytest.importorskip("numba")
    C = numba.njit(lambda r: r[2] - 0.1 * r[0] ** 2)
    grad = numba.njit(lambda r: np.array([-0.2 * r[0], 0.0, 1.0]))
    hess = numba.njit(lambda r: np.array([[-0.2, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    compiled, written = sliding_block(lw.Surface(C, grad, hess)), sliding_block(lw.Surface("z - 0.1*x**2"))
    q, v = np.array([0.3, 0, 0.009, 0, 0, 0, 1.0]), np.array([1.0, 0.5, 0.06, 0, 0, 0])
    np.testing.assert_allclose(lw.forward_dynamics(compiled, q, v), lw.forward_dynamics(written, q, v), atol=1e-13)


def test_contacts_are_found_by_name_and_handle():
    linkage = sliding_block(lw.Plane("z"))
    revision = linkage.revision
    change = linkage.constrain("block", point=(0.1, 0, 0), surface=lw.Sphere((0, 0, 0), 1), friction=0.3)
    assert (change.kind, change.joint, linkage.revision) == ("constrain", "block-surface", revision + 1)
    contact = linkage.contacts["block-surface"]
    assert contact.body == linkage.bodies["block"]
    assert contact.friction == 0.3
    assert contact.surface == lw.Sphere((0, 0, 0), 1)
    assert contact in linkage.contacts
    assert "Sphere" in repr(contact)
    q, v = change.carry(linkage.neutral(), np.zeros(6))
    assert (len(q), len(v)) == (7, 6)
    for clone in (linkage.copy(), copy.deepcopy(linkage), pickle.loads(pickle.dumps(linkage))):
        assert clone.contacts.names == ["floor", "block-surface"]
        assert clone.contacts[1].surface == contact.surface
    linkage.release(contact)
    assert linkage.contacts.names == ["floor"]
    assert repr(contact) == "Contact(released)"
    with pytest.raises(lw.StructureError, match="released"):
        _ = contact.friction
    with pytest.raises(lw.ArgumentError, match="did you mean 'floor'"):
        linkage.release("flooor")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"body": "ground", "surface": lw.Plane("z")}, lw.StructureError, "never moves"),
        ({"body": "bloc", "surface": lw.Plane("z")}, lw.ArgumentError, "did you mean 'block'"),
        ({"surface": "z"}, lw.ArgumentError, "must be a Plane"),
        ({"surface": lw.Plane("z"), "friction": -1}, lw.ArgumentError, "at least 0"),
        ({"surface": lw.Plane("z"), "name": "floor"}, lw.ArgumentError, "already"),
        ({"surface": lw.Plane("z"), "name": "block"}, lw.ArgumentError, "already"),
        ({"surface": lw.Plane("z"), "point": (1, 2)}, lw.ArgumentError, "shape"),
        ({"surface": lw.Plane("z"), "singular": "ignore"}, lw.ArgumentError, "singular"),
    ],
)
def test_constraints_that_cannot_be_are_refused(options, error, message):
    linkage = sliding_block(lw.Plane("z"))
    with pytest.raises(error, match=message):
        linkage.constrain(options.pop("body", "block"), **options)
    assert linkage.contacts.names == ["floor"]


def test_contacts_are_saved_and_read_again(tmp_path):
    linkage = sliding_block(lw.Plane((1, 2, 2), 0.3))
    linkage.constrain(
        "block", surface=lw.Surface("z - 0.1*sin(x - t)"), friction=0.1, name="wave", singular="least-norm"
    )
    linkage.constrain("block", point=(0.1, 0, 0), surface=lw.Torus((0, 0, 1), "y", 1.0, 0.2, inside=True), name="ring")
    linkage.constrain("block", surface=lw.Cylinder("x", (0, 0, 1), 0.7), name="pipe")
    linkage.constrain("block", surface=lw.Sphere((0, 0.1, 1), 0.7), name="ball")
    linkage.save(tmp_path / "block.yaml")
    again = lw.load(tmp_path / "block.yaml")
    assert again.contacts.names == linkage.contacts.names
    for before, after in zip(linkage.contacts, again.contacts, strict=True):
        assert before.surface == after.surface
        assert before.point.tolist() == after.point.tolist()
        assert (before.body.name, before.friction, before.singular) == (after.body.name, after.friction, after.singular)


@pytest.mark.parametrize("surface", [WAVE, lw.Plane("z").moving(rolling)], ids=["functions", "moving"])
def test_functions_are_not_saved(surface, tmp_path):
    with pytest.raises(lw.DescriptionError, match=r"'floor'.*functions"):
        sliding_block(surface).save(tmp_path / "block.yaml")
    with pytest.raises(lw.DescriptionError, match=r"'floor'.*functions"):
        sliding_block(surface).save(tmp_path / "block.urdf")


@pytest.mark.parametrize(
    ("surface", "message"),
    [
        ("{type: Plain}", "did you mean 'Plane'"),
        ("{type: Sphere, center: [0, 0, 0]}", "radius"),
        ("{type: Sphere, center: [0, 0, 0], radius: -1}", "positive"),
        ("{type: Plane, normal: z, radius: 1}", "radius"),
        ('{type: Surface, expression: "__import__(0)"}', "unknown function"),
        ("{type: Surface}", "expression"),
    ],
)
def test_bad_contacts_in_a_file(surface, message, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(
        "linkwork: 1\nbodies:\n- {name: block, joint: {type: Free}, inertia: {mass: 1}}\n"
        f"contacts:\n- {{body: block, surface: {surface}}}\n"
    )
    with pytest.raises(lw.DescriptionError, match=message) as caught:
        lw.load(path)
    assert caught.value.line == 5
