"""Arguments of derivatives that do not fit: one clear error each, by whatever function."""

import numpy as np
import pytest

import linkwork as lw


def four_bar():
    linkage = lw.samples.four_bar()
    return linkage, lw.close_loops(linkage, linkage.neutral())


def on_a_floor():
    linkage = lw.samples.chain(3)
    linkage.constrain("link2", point=(0, 0, -1), surface=lw.Plane((0, 0, 1), -2.5), friction=0.9, name="floor")
    return linkage, lw.close_loops(linkage, [0.3, 0.8, -0.4])


CASES = {"open": lambda: (lw.samples.chain(3), np.array([0.1, 0.2, 0.3])), "closed": four_bar, "point": on_a_floor}
OF_ONE_STATE = {
    "linearize": lambda linkage, q, v, tau, f_ext: lw.linearize(linkage, q, v, tau, f_ext=f_ext),
    "equilibrium": lambda linkage, q, v, tau, f_ext: lw.equilibrium(linkage, q, tau, f_ext=f_ext),
    "parameters": lw.parameter_derivatives,
    "forces": lw.constraint_force_derivatives,
}
OF_MANY = {
    "matrices": lw.forward_dynamics_derivatives,
    "products": lambda linkage, q, v, tau, f_ext: lw.forward_dynamics_vjp(linkage, q, v, tau, np.ones(3), f_ext),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", [*OF_ONE_STATE, *OF_MANY])
def test_arrays_that_do_not_fit(case, name):
    linkage, q = CASES[case]()
    v, tau, f_ext = np.zeros(3), np.zeros(3), np.zeros((3, 6))
    function = (OF_ONE_STATE | OF_MANY)[name]
    wrong = [
        (q[:2], v, tau, f_ext), (q, v, np.zeros(9), f_ext), (q, v, 1.0, f_ext), (q, v, tau, np.zeros((4, 6))),
        (q * np.nan, v, tau, f_ext), (q, v, tau * np.nan, f_ext), (q, v, tau, f_ext * np.nan), ("x", v, tau, f_ext),
        (q, v, tau + 1j, f_ext), (q, v, tau, [[1], [2, 3]]),
    ]  # fmt: skip
    if name in OF_ONE_STATE:
        many = (q[None], v, tau, f_ext), (q, v, tau[None], f_ext), (q, v, np.zeros((2, 3)), f_ext)
        wrong += [*many, (q, v, tau, f_ext[None]), (q, v, tau, np.zeros((2, 3, 6)))]
    for arguments in wrong:
        with pytest.raises(lw.ArgumentError if (name, case) != ("forces", "open") else lw.LinkworkError):
            function(linkage, *arguments)


@pytest.mark.parametrize("case", CASES)
def test_leading_dimensions_must_fit_each_other(case):
    linkage, q = CASES[case]()
    with pytest.raises(lw.ArgumentError, match="do not broadcast"):
        lw.forward_dynamics_vjp(linkage, np.tile(q, (2, 1)), np.zeros(3), None, np.zeros((3, 3)))


def test_batches_of_no_state():
    for make in CASES.values():
        linkage, q = make()
        none = np.zeros((0, 3))
        assert lw.forward_dynamics_derivatives(linkage, none, q)[0].shape == (0, 3, 3)
        assert lw.forward_dynamics_vjp(linkage, none, q, None, q)[2].shape == (0, 3)
        assert lw.inertial_regressor(linkage, none, q, q).shape == (0, 3, 3, 10)


def test_handles_stand_for_names():
    linkage, q = four_bar()
    crank = linkage.joints["crank"]
    for independent in (crank, [crank], "crank", ["crank"]):
        assert lw.linearize(linkage, q, independent=independent).names == ("crank[0]",)
    with pytest.raises(lw.ArgumentError, match="independent must be a name"):
        lw.linearize(linkage, q, independent=5)
    chain = lw.samples.chain(2)
    for hold in (chain.joints["link0"], [chain.joints["link0"]], "link0", [0]):
        assert lw.equilibrium(chain, [0.3, 0.2], hold=hold)[0] == 0.3
    for wrong in (5, ["link0", ["link1"]], None):
        with pytest.raises(lw.ArgumentError, match="hold must be a name or a list of names"):
            lw.equilibrium(chain, [0.3, 0.2], hold=wrong)
    with pytest.raises(lw.ArgumentError, match="names 1 coordinates"):
        lw.linearize(chain, [0.1, 0.2], independent=["link0", "link0"])


def test_what_is_too_large_is_told():
    box = lw.Linkage(name="box")
    box.add_body("box", lw.Inertia.box((0.2, 0.3, 0.4), mass=2.0), joint=lw.Free())
    with pytest.raises(lw.ArgumentError, match="not finite"):
        lw.parameter_derivatives(box, box.neutral(), np.zeros(6), np.full(6, 1e305))
    linkage, q = four_bar()
    with pytest.raises(lw.ArgumentError, match="not finite"), np.errstate(all="ignore"):
        lw.forward_dynamics_vjp(linkage, q, np.ones(3), None, np.full(3, 1e308))
