"""The table of methods: what it says of each is so, and "auto" is picked in one place."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.dynamics.methods import METHODS, able, pick


def on_a_sphere(n):
    arm = lw.samples.chain(n)
    arm.constrain(f"link{n - 1}", point=(0, 0, -1), surface=lw.Sphere((0.3, 0, -n - 0.2), 0.5), name="ball")
    return arm


def with_a_massless_body():
    linkage = lw.samples.chain(2)
    linkage.add_body("tip", joint=lw.Revolute("y", armature=0.1), parent="link1")
    return linkage


LINKAGES = {
    "tree": lambda: lw.samples.chain(3),
    "loop": lw.samples.four_bar,
    "contact": lambda: on_a_sphere(3),
    "massless": with_a_massless_body,
}


@pytest.mark.parametrize("kind", LINKAGES)
@pytest.mark.parametrize("name", METHODS)
def test_a_method_answers_exactly_where_the_table_says_so(kind, name):
    linkage = LINKAGES[kind]()
    q = lw.close_loops(linkage, np.array([0.6, -0.9, 0.2]) if kind == "contact" else linkage.neutral())
    v = lw.consistent_velocity(linkage, q, np.full(linkage.nv, 0.1))
    tau = np.arange(1.0, 1.0 + linkage.nv)
    if METHODS[name] not in able(linkage):
        with pytest.raises((lw.ArgumentError, lw.StructureError), match=r"is for trees|does not take them|no inverse"):
            lw.forward_dynamics(linkage, q, v, tau, method=name)
        return
    expected = lw.forward_dynamics(linkage, q, v, tau)
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v, tau, method=name), expected, atol=1e-9)
    found = lw.solve(linkage, q, v, tau, method=name)
    assert found.method == name
    np.testing.assert_allclose(found.a, expected, atol=1e-9)
    batch = lw.forward_dynamics(linkage, np.stack([q, q]), v, tau, method=name)
    np.testing.assert_allclose(batch, [expected, expected], atol=1e-9)


def test_auto():
    assert pick(lw.samples.chain(3), "auto").name == "aba"
    assert pick(lw.samples.four_bar(), "auto").name == "aba"
    assert pick(on_a_sphere(3), "auto").name == "aba"
    assert pick(on_a_sphere(200), "auto").name == "aba"  # deep: its factors are dense


@pytest.mark.parametrize("kind", LINKAGES)
def test_an_unknown_method_is_refused_alike_everywhere(kind):
    linkage = LINKAGES[kind]()
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    for function in (lw.forward_dynamics, lw.solve):
        with pytest.raises(lw.ArgumentError, match="unknown method 'abba'; did you mean 'aba'"):
            function(linkage, q, v, method="abba")


def test_repeated_solves_keep_one_context():
    linkage = lw.samples.chain(3)
    for _ in range(3):
        lw.solve(linkage, linkage.neutral(), np.zeros(3))
    assert len(linkage.tree.contexts) == 1
