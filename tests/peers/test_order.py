"""States between our order and Pinocchio's, on every robot: by the centre of mass and the kinetic energy."""

import warnings

import numpy as np
import pytest

import linkwork as lw

pin = pytest.importorskip("pinocchio")


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_states_of_real_robots(urdf, base):
    if urdf.stem == "ur3":  # an include file without links
        with pytest.raises(lw.DescriptionError, match="has no <link>"):
            lw.load(urdf)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.LinkworkWarning)
        ours = lw.load(urdf, base=base)
    if ours.nv == 0:
        return
    model = pin.buildModelFromUrdf(str(urdf), *((pin.JointModelFreeFlyer(),) if base == "free" else ()))
    data = model.createData()
    order = lw.order_map(ours, list(model.names)[1:])
    rng = np.random.default_rng(ours.nv)
    q, v = ours.random(rng), rng.normal(size=ours.nv)
    q_pin, v_pin = ours.to_pinocchio(model, q, v)
    assert np.array_equal(v_pin, order.to_theirs(v))
    pin.computeKineticEnergy(model, data, q_pin, v_pin)
    if sum(body.mass for body in ours.bodies) > 0.0 and base == "free":
        com = pin.centerOfMass(model, data, q_pin)
        np.testing.assert_allclose(lw.center_of_mass(ours, q), com, atol=1e-9)
    energy = lw.kinetic_energy(ours, q, v)
    assert energy == pytest.approx(data.kinetic_energy, rel=1e-9, abs=1e-12)
    q_back, v_back = ours.from_pinocchio(model, q_pin, v_pin)
    np.testing.assert_array_equal(v_back, v)
    np.testing.assert_allclose(np.sin(0.5 * ours.difference(q, q_back)), 0.0, atol=1e-12)
    if model.nq == ours.nq:
        np.testing.assert_array_equal(order.to_theirs(q), q_pin)
        np.testing.assert_array_equal(order.to_ours(q_pin), q)


def test_batches_planar_and_continuous_joints():
    model = pin.Model()
    arm = lw.Linkage(name="arm")
    body = lw.Inertia.box((1, 2, 3), mass=2.0, com=(0.1, 0.2, 0.3))
    kinds = [
        ("car", lw.Planar("z"), pin.JointModelPlanar()), ("wheel", lw.Revolute("z"), pin.JointModelRUBZ()),
        ("ball", lw.Spherical(), pin.JointModelSpherical()), ("rail", lw.Prismatic("x"), pin.JointModelPX()),
    ]  # fmt: skip
    parent = 0
    for name, kind, theirs in kinds:
        parent = model.addJoint(parent, theirs, pin.SE3(np.eye(3), np.array([0.0, 0.0, 1.0])), name)
        model.appendBodyToJoint(parent, pin.Inertia(2.0, body.com, body.matrix), pin.SE3.Identity())
        arm.add_body(name, body, joint=kind, parent=arm.bodies[-1] if arm.nb else "ground", at=lw.Pose((0, 0, 1)))
    rng = np.random.default_rng(0)
    q, v = np.array([arm.random(rng) for _ in range(3)]), rng.normal(size=(3, arm.nv))
    q_pin, v_pin = arm.to_pinocchio(model, q, v)
    assert q_pin.shape == (3, model.nq)
    for one, fast, mine, speed in zip(q_pin, v_pin, q, v, strict=True):
        energy = pin.computeKineticEnergy(model, model.createData(), one, fast)
        assert energy == pytest.approx(lw.kinetic_energy(arm, mine, speed), rel=1e-12)
    np.testing.assert_allclose(arm.from_pinocchio(model, q_pin), q, atol=1e-14)


def test_what_does_not_fit_is_named():
    arm = lw.samples.chain(3)
    model = pin.Model()
    with pytest.raises(lw.ArgumentError, match="joint 'link0' is not in the Pinocchio model"):
        arm.to_pinocchio(model, arm.neutral())
    with pytest.raises(lw.ArgumentError, match="did you mean"):
        lw.order_map(arm, ["link"])
    with pytest.raises(lw.ArgumentError, match="twice"):
        lw.order_map(arm, ["link1", "link1"])
    with pytest.raises(lw.ArgumentError, match="shape"):
        lw.order_map(arm, ["link1"]).to_theirs(np.zeros(7))
