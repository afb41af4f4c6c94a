"""Wrong arguments: one clear error each, that says what and where."""

import numpy as np
import pytest

import linkwork as lw

ARM = lw.samples.chain(3)
Q, V = np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6])
ROD = lw.Inertia.box((0.1, 0.1, 1.0), mass=1.0)


def free_body():
    linkage = lw.Linkage(name="loose")
    linkage.add_body("box", ROD, joint=lw.Free(), joint_name="float")
    return linkage


CALLS = {
    "forward": lambda q=Q, v=V, x=V: lw.forward_dynamics(ARM, q, v, x),
    "inverse": lambda q=Q, v=V, x=V: lw.inverse_dynamics(ARM, q, v, x),
    "velocities": lambda q=Q, v=V, x=V: lw.body_velocities(ARM, q, v),
    "energy": lambda q=Q, v=V, x=V: lw.kinetic_energy(ARM, q, v),
    "bias": lambda q=Q, v=V, x=V: lw.bias_force(ARM, q, v),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros(4), r"shape \(4,\)"),
        (np.zeros((2, 4)), r"shape \(2, 4\)"),
        (0.5, r"shape \(\)"),
        (np.array([0.1, np.nan, 0.2]), r"\[1\] is nan"),
        (np.array([0.1, 0.2, np.inf]), r"\[2\] is inf"),
        (["a", "b", "c"], "real numbers"),
        (np.array([1j, 0, 0]), "real numbers"),
        (None, "real numbers"),
    ],
)
def test_bad_arrays(call, bad, message):
    CALLS[call]()  # compiled: the fast path must refuse them, too
    for argument in ("q", "v"):
        with pytest.raises(lw.ArgumentError, match=message) as caught:
            CALLS[call](**{argument: bad})
        assert str(caught.value).startswith(argument)


def test_integers_lists_and_float32_are_taken():
    expected = lw.forward_dynamics(ARM, np.array([0.0, 1.0, 2.0]), np.zeros(3))
    for q in ([0, 1, 2], np.arange(3), np.arange(3, dtype=np.float32), np.arange(6.0)[::2] / 2):
        np.testing.assert_array_equal(lw.forward_dynamics(ARM, q, [0, 0, 0]), expected)


def test_inputs_are_never_modified_and_may_be_read_only():
    q, v = Q.copy(), V.copy()
    q.flags.writeable = v.flags.writeable = False
    np.testing.assert_array_equal(lw.forward_dynamics(ARM, q, v), lw.forward_dynamics(ARM, Q, V))


def test_nan_torque_is_named():
    with pytest.raises(lw.ArgumentError, match=r"tau\[2\] is nan"):
        lw.forward_dynamics(ARM, Q, V, np.array([0, 0, np.nan]))


@pytest.mark.parametrize("function", [lw.forward_dynamics, lw.inverse_dynamics])
def test_wrong_out(function):
    for out in (np.empty(4), np.empty(3, dtype=np.float32), [0, 0, 0], np.empty((3, 2))[:, 0]):
        with pytest.raises(lw.ArgumentError, match="out must be"):
            function(ARM, Q, V, V, out=out)


def test_out_is_used():
    out = np.empty(3)
    assert lw.forward_dynamics(ARM, Q, V, out=out) is out
    matrix = np.empty((3, 3))
    assert lw.mass_matrix(ARM, Q, out=matrix) is matrix


def test_wrong_f_ext():
    with pytest.raises(lw.ArgumentError, match=r"f_ext has shape \(3, 3\)"):
        lw.forward_dynamics(ARM, Q, V, f_ext=np.zeros((3, 3)))


def test_unknown_names_offer_the_nearest():
    with pytest.raises(lw.ArgumentError, match="link2"):
        lw.jacobian(ARM, Q, "lnk2")
    with pytest.raises(lw.ArgumentError, match="crba"):
        lw.forward_dynamics(ARM, Q, V, method="cbra")
    with pytest.raises(lw.ArgumentError, match="link1"):
        ARM.joints["link_1"]


def test_first_argument_must_be_a_linkage():
    with pytest.raises(lw.ArgumentError, match="Linkage"):
        lw.forward_dynamics("arm", Q, V)


def test_empty_linkage():
    with pytest.raises(lw.StructureError, match="no body"):
        lw.forward_dynamics(lw.Linkage(name="nothing"), [], [])


def test_massless_leaf_names_the_joint():
    linkage = lw.samples.chain(2)
    linkage.add_body("tip", lw.Inertia(0.0), joint=lw.Revolute("y"), parent="link1", joint_name="wrist")
    for method in ("aba", "crba", "unit-vector"):
        with pytest.raises(lw.SingularError, match=r"'wrist'.*'tip'"):
            lw.forward_dynamics(linkage, np.zeros(3), np.zeros(3), method=method)
    linkage.joints["wrist"].armature = 0.1  # a rotor is inertia enough
    assert np.isfinite(lw.forward_dynamics(linkage, np.zeros(3), np.zeros(3))).all()


@pytest.mark.parametrize("method", ["aba", "crba", "unit-vector"])
def test_a_massless_body_between_two_hinges_of_one_axis_is_named(method):
    """What hangs on it turns about the same axis, and so lends it no inertia: not that one is at fault."""
    linkage = lw.samples.chain(2)
    linkage.add_body("ring", lw.Inertia(0.0), joint=lw.Revolute("y"), parent="link1", joint_name="inner")
    linkage.add_body("arm", ROD, joint=lw.Revolute("y"), parent="ring", joint_name="outer")
    q, v = np.array([0.3, -0.2, 0.5, 0.7]), np.zeros(4)
    with pytest.raises(lw.SingularError, match=r"'inner'.*'ring'"):
        lw.forward_dynamics(linkage, q, v, method=method)


@pytest.mark.parametrize(
    "joint", [lw.Spherical(), lw.Free(), lw.Planar("z"), lw.Prismatic("x"), lw.Universal("x", "y")]
)
def test_massless_leaf_of_every_kind(joint):
    linkage = lw.samples.chain(1)
    linkage.add_body("tip", lw.Inertia(0.0), joint=joint, parent="link0", joint_name="wrist")
    with pytest.raises(lw.SingularError, match="'wrist'"):
        lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(linkage.nv))


def test_massless_body_in_between_is_fine():
    linkage = lw.Linkage()
    linkage.add_body("cross", lw.Inertia(0.0), joint=lw.Revolute("x"))
    linkage.add_body("arm", ROD, joint=lw.Revolute("y"), parent="cross")
    twin = lw.Linkage()
    twin.add_body("arm", ROD, joint=lw.Universal("x", "y"))
    q, v = np.array([0.3, -0.5]), np.array([1.0, 2.0])
    np.testing.assert_allclose(lw.forward_dynamics(linkage, q, v), lw.forward_dynamics(twin, q, v), rtol=1e-12)


def test_quaternion_of_wrong_length_names_the_joint():
    linkage = free_body()
    q = linkage.neutral()
    q[6] = 0.5
    for call in (
        lambda: lw.forward_dynamics(linkage, q, np.zeros(6)),
        lambda: lw.body_poses(linkage, q),
        lambda: lw.mass_matrix(linkage, q),
        lambda: linkage.integrate(q, np.zeros(6)),
        lambda: lw.kinetic_energy(linkage, q, np.zeros(6)),
    ):
        with pytest.raises(lw.ArgumentError, match=r"'float'.*unit length"):
            call()


def test_batch_errors_name_the_state():
    q = np.tile(Q, (9, 1))
    q[7, 1] = np.nan
    with pytest.raises(lw.ArgumentError, match=r"q\[7, 1\] is nan"):
        lw.forward_dynamics(ARM, q, V)
    loose = free_body()
    q = np.tile(loose.neutral(), (9, 1))
    q[6, 6] = 2.0
    with pytest.raises(lw.ArgumentError, match="state 6 of the batch"):
        lw.forward_dynamics(loose, q, np.zeros(6))


def test_shapes_that_do_not_broadcast_are_listed_without_defaults():
    linkage = lw.samples.four_bar()
    for method in ("auto", "crba", "dca"):
        with pytest.raises(lw.ArgumentError, match=r"broadcast: \(3,\) and \(2,\)$"):
            lw.forward_dynamics(linkage, np.zeros((3, 3)), np.zeros((2, 3)), method=method)


def test_shapes_that_do_not_broadcast():
    with pytest.raises(lw.ArgumentError, match=r"broadcast: \(2,\) and \(5,\)$"):
        lw.forward_dynamics(ARM, np.zeros((2, 3)), np.zeros((5, 3)))


def test_wrench_that_is_not_finite_is_named_by_body():
    f_ext = np.zeros((4, ARM.nb, 6))
    f_ext[2, 1, 5] = np.inf
    with pytest.raises(lw.ArgumentError, match=r"f_ext\[2, 1, 5\] is inf"):
        lw.forward_dynamics(ARM, np.zeros(3), np.zeros(3), f_ext=f_ext)


def test_huge_dense_matrix_is_refused():
    linkage = lw.samples.chain(50_000)
    for call in (lambda: lw.mass_matrix(linkage, linkage.neutral()),
                 lambda: lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(50_000), method="crba")):  # fmt: skip
        with pytest.raises(lw.ArgumentError, match="GiB"):
            call()


def test_stale_factors_raise():
    linkage = lw.samples.chain(3)
    factors = lw.factorize(linkage, lw.mass_matrix(linkage, Q))
    linkage.cut("link2")
    with pytest.raises(lw.StructureError, match="changed"):
        factors.solve(np.ones(3))


def test_armature_on_a_free_joint_is_refused():
    linkage = lw.Linkage()
    linkage.add_body("box", ROD, joint=lw.Free(armature=0.1), joint_name="float")
    with pytest.raises(lw.ArgumentError, match=r"'float'.*armature"):
        lw.forward_dynamics(linkage, linkage.neutral(), np.zeros(6))


def test_overflow_is_not_a_silent_nan():
    with pytest.raises(lw.ArgumentError, match="finite"):
        lw.forward_dynamics(ARM, Q, np.full(3, 1e200))


def test_what_a_body_is_made_of_is_shown():
    linkage = lw.Linkage()
    with pytest.raises(lw.ArgumentError, match=r'must be a joint type such as Revolute\("y"\), not'):
        linkage.add_body("a", ROD, joint=lw.Revolute)
    with pytest.raises(lw.ArgumentError, match=r"must be a Pose such as Pose\(\(0, 0, 1\)\), not \(0, 0, 2\)"):
        linkage.add_body("a", ROD, joint=lw.Revolute("y"), at=(0, 0, 2))


def test_what_can_be_set_is_told():
    body = lw.samples.chain(1).bodies["link0"]
    with pytest.raises(AttributeError, match=r"'mass' of a Body cannot be set; what can is .*inertia"):
        body.mass = 3.0


def test_both_lengths_of_torques_are_told():
    linkage = lw.samples.four_bar()
    with pytest.raises(lw.ArgumentError, match=r"nv \+ nv_loop = 4, or without loop joints nv = 3"):
        lw.forward_dynamics(linkage, np.zeros(3), np.zeros(3), np.zeros(5))


def test_one_independent_coordinate_needs_no_list():
    linkage = lw.samples.four_bar()
    q = lw.close_loops(linkage, linkage.neutral())
    assert lw.mobility(linkage, q, "crank").independent == lw.mobility(linkage, q, ["crank"]).independent


def test_a_misspelt_name_of_the_package_is_offered():
    with pytest.raises(AttributeError, match="forwrd_dynamics") as caught:
        lw.forwrd_dynamics  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("forwrd_dynamics", lw)  # what Python needs to offer the right one
    assert {"samples", "plots", "Simulation"} <= set(dir(lw))
    assert "Any" not in dir(lw)
