"""Exudyn in the benchmark: long chains, as its kinematic tree and as bodies with joints.

It has no call for accelerations alone. A very short time step that begins with the accelerations of the state gives
them; what is timed is a step that does not ask for them, so that it pays for them once only.
"""

from __future__ import annotations

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree
from exudyn.utilities import RigidBodyInertia

from benchmarks.peers.rods import ACROSS, ALONG, LENGTH, MASS, Chain, state

_STEP = 1e-6  # s
_DOWN = np.array([0.0, -1.0, 0.0])  # the chain hangs along y, and its joints turn about z
_GRAVITY = 9.81 * _DOWN
_ROD = np.diag([ACROSS, ALONG, ACROSS])


def chain_tree(n: int) -> Chain:
    """Minimal coordinates and a dense mass matrix; explicit steps."""
    system = exu.SystemContainer().AddSystem()
    q, v = state(n)
    node = system.AddNode(
        NodeGenericODE2(
            numberOfODE2Coordinates=n, referenceCoordinates=[0.0] * n, initialCoordinates=list(q),
            initialCoordinates_t=list(v),
        )
    )  # fmt: skip
    system.AddObject(
        ObjectKinematicTree(
            nodeNumber=node, jointTypes=[exu.JointType.RevoluteZ] * n, linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList([LENGTH * _DOWN if k else np.zeros(3) for k in range(n)]),
            linkInertiasCOM=exu.Matrix3DList([_ROD] * n), linkMasses=[MASS] * n,
            linkCOMs=exu.Vector3DList([LENGTH / 2 * _DOWN] * n), gravity=_GRAVITY,
        )
    )  # fmt: skip
    system.Assemble()
    settings = _one_step()
    settings.timeIntegration.explicit.computeEndOfStepAccelerations = False

    def step():
        system.SolveDynamic(settings, solverType=exu.DynamicSolverType.ExplicitEuler)
        return system.systemData.GetODE2Coordinates_tt()

    return Chain(step, step)


def chain_bodies(n: int) -> Chain:
    """Redundant coordinates, constraints and a sparse solver; implicit steps."""
    system = exu.SystemContainer().AddSystem()
    inertia = RigidBodyInertia(mass=MASS, inertiaTensor=_ROD)
    angles, rates = map(np.cumsum, state(n))
    body, joint, joint_speed, nodes = system.CreateGround(), np.zeros(3), np.zeros(3), []
    for angle, rate in zip(angles, rates, strict=True):
        c, s = np.cos(angle), np.sin(angle)
        turn, along, aside = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([s, -c, 0]), np.array([c, s, 0])
        rod = system.CreateRigidBody(
            inertia=inertia, referencePosition=joint + LENGTH / 2 * along, referenceRotationMatrix=turn,
            initialVelocity=joint_speed + LENGTH / 2 * rate * aside, initialAngularVelocity=[0, 0, rate],
            gravity=_GRAVITY, returnDict=True,
        )  # fmt: skip
        system.CreateRevoluteJoint(
            itemNumbers=[body, rod["bodyNumber"]], position=joint, axis=[0, 0, 1], useGlobalFrame=True
        )
        body, joint, joint_speed = rod["bodyNumber"], joint + LENGTH * along, joint_speed + LENGTH * rate * aside
        nodes.append(rod["nodeNumber"])
    system.Assemble()
    settings = _one_step()
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse

    def step(accelerations=False):
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = accelerations
        system.SolveDynamic(settings, solverType=exu.DynamicSolverType.TrapezoidalIndex2)

    def forward():
        step(accelerations=True)
        absolute = [system.GetNodeOutput(node, exu.OutputVariableType.AngularAcceleration)[2] for node in nodes]
        return np.diff(absolute, prepend=0.0)

    return Chain(forward, step)


def _one_step():
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 1, _STEP
    settings.solution.file.write = False
    return settings
