"""Closed linkages against Pinocchio's `constraintDynamics`: accelerations and the force in each pin."""

import numpy as np
import pinocchio as pin
import pytest

import linkwork as lw


def pinocchio_of(linkage):
    """The same hinges, in our order, which is depth-first here; each loop is a point anchor."""
    model, ids = pin.Model(), {"ground": 0}
    for joint in linkage.joints:
        at = pin.SE3(joint.at.rotation, joint.at.position)
        axis = np.array(joint.type.axis)
        name = joint.child.name
        ids[name] = model.addJoint(ids[joint.parent.name], pin.JointModelRevoluteUnaligned(axis), at, joint.name)
        inertia = joint.child.inertia
        body = pin.Inertia(inertia.mass, inertia.com, inertia.matrix)
        model.appendBodyToJoint(ids[name], body, pin.SE3.Identity())
    model.gravity.linear = linkage.gravity
    loops = pin.StdVec_RigidConstraintModel()
    for loop in linkage.loops:
        places = []
        for body, at in ((loop.real, loop.at_b), (loop.parent, loop.at_a)):
            places += [ids[body.name], pin.SE3(at.rotation, at.position)]
        loops.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *places, pin.ReferenceFrame.LOCAL))
    return model, loops


@pytest.mark.parametrize("K", [1, 4, 12])
def test_stacked_four_bars(K):
    linkage = lw.samples.four_bars(K)
    model, loops = pinocchio_of(linkage)
    data, results = model.createData(), pin.StdVec_RigidConstraintData()
    for loop in loops:
        results.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, results)
    rng = np.random.default_rng(K)
    mobility = lw.mobility(linkage, linkage.neutral())
    q = lw.close_loops(linkage, linkage.neutral() + 0.1 * mobility.W @ rng.normal(size=K))
    v = lw.consistent_velocity(linkage, q, rng.normal(size=linkage.nv))
    tau = rng.normal(size=linkage.nv)
    theirs = pin.constraintDynamics(model, data, q, v, tau, loops, results, pin.ProximalSettings(1e-13, 1e-9, 30))
    solution = lw.solve(linkage, q, v, tau)
    assert np.abs(solution.a - theirs).max() < 1e-9 * np.abs(theirs).max()
    for k in range(K):
        # the frames at_b of these pins have the bodies' axes; their anchor pulls the first body the same way
        force = results[k].contact_force.linear
        assert np.abs(solution.loop_wrenches[k, :3] - force).max() < 1e-6 * max(1.0, np.abs(force).max())
