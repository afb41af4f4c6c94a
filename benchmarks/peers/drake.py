"""Drake in the benchmark: its continuous plant without contact, call by call."""

from __future__ import annotations

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    MultibodyForces,
    RevoluteJoint,
    SpatialInertia,
    UnitInertia,
)

from benchmarks.peers.contender import LOOP, Contender, loop
from benchmarks.peers.robots import Robot, bare_urdf
from benchmarks.peers.rods import ACROSS, ALONG, LENGTH, MASS, Chain, state


class _Same:
    """A robot as Drake has it, and the first states in its order and axes.

    Drake's velocity of a free base is (ω, v) in world axes, ours (v, ω) in its own: its velocities are T times ours,
    T orthogonal, and so are its torques.
    """

    def __init__(self, robot: Robot):
        self.plant = plant = MultibodyPlant(0.0)
        (instance,) = Parser(plant).AddModelsFromString(bare_urdf(robot.path), "urdf")
        if not robot.free:
            root = plant.get_body(plant.GetBodyIndices(instance)[0])
            plant.WeldFrames(plant.world_frame(), root.body_frame())
        plant.Finalize()
        self.context = plant.CreateDefaultContext()
        joints = [plant.get_joint(k) for k in plant.GetJointIndices()]
        joints = sorted((j for j in joints if j.num_velocities()), key=lambda joint: joint.velocity_start())
        names = ["root_joint" if joint.num_velocities() == 6 else joint.name() for joint in joints]
        order_q, order = robot.order(names)
        q = robot.q[:LOOP, order_q]
        self.T = np.zeros((LOOP, len(order), len(order)))
        self.T[:, np.arange(len(order)), order] = 1.0
        if robot.free:
            q[:, :7] = q[:, [6, 3, 4, 5, 0, 1, 2]]  # wxyz, then the place
            R = robot.base_rotations()[:LOOP]
            self.T[:, :6] = 0.0
            self.T[:, :3, order[3:6]] = R
            self.T[:, 3:6, order[:3]] = R
        v = self.to(robot.v)
        self.state, self.tau = np.hstack([q, v]), self.to(robot.tau)
        self.carried = np.zeros_like(v)  # its acceleration of the base is that of the world's axes: ours and ω × v
        if robot.free:
            self.carried[:, 3:6] = np.cross(v[:, :3], v[:, 3:6])

    def to(self, x: np.ndarray) -> np.ndarray:
        """Velocities or torques of the first states in its order and axes."""
        return np.einsum("bij,bj->bi", self.T, x[:LOOP])

    def back(self, x: np.ndarray) -> np.ndarray:
        """Accelerations or torques in ours."""
        return np.einsum("bji,bj->bi", self.T, x)


def forward(robot: Robot) -> list[Contender]:
    """Time derivatives of a state."""
    d = _Same(robot)
    applied = d.plant.get_applied_generalized_force_input_port().FixValue(d.context, d.tau[0])
    derivatives = d.plant.AllocateTimeDerivatives()

    def one(k):
        d.plant.SetPositionsAndVelocities(d.context, d.state[k])
        applied.GetMutableData().get_mutable_value().SetFromVector(d.tau[k])
        d.plant.CalcTimeDerivatives(d.context, derivatives)
        return derivatives.CopyToVector()[d.plant.num_positions() :]

    return [loop("Drake CalcTimeDerivatives", one, lambda x: d.back(x - d.carried))]


def inverse(robot: Robot) -> list[Contender]:
    """Inverse dynamics; gravity is an external force that is found first."""
    d = _Same(robot)
    forces, vdot = MultibodyForces(d.plant), d.to(robot.a) + d.carried

    def one(k):
        d.plant.SetPositionsAndVelocities(d.context, d.state[k])
        d.plant.CalcForceElementsContribution(d.context, forces)
        return d.plant.CalcInverseDynamics(d.context, vdot[k], forces)

    return [loop("Drake CalcInverseDynamics", one, d.back)]


def matrix(robot: Robot) -> list[Contender]:
    """Dense mass matrices."""
    d = _Same(robot)

    def one(k):
        d.plant.SetPositionsAndVelocities(d.context, d.state[k])
        return d.plant.CalcMassMatrix(d.context)

    return [loop("Drake CalcMassMatrix", one, lambda H: d.T.transpose(0, 2, 1) @ H @ d.T)]


def chain(n: int) -> Chain:
    """Forward dynamics of the hinged rods."""
    plant = MultibodyPlant(0.0)
    centre = np.array([0, 0, -LENGTH / 2])
    about_centre = UnitInertia(ACROSS / MASS, ACROSS / MASS, ALONG / MASS)
    rod = SpatialInertia(MASS, centre, about_centre.ShiftFromCenterOfMass(centre))
    parent, place = plant.world_body(), RigidTransform()
    for k in range(n):
        child = plant.AddRigidBody(f"rod{k}", rod)
        end = plant.AddFrame(FixedOffsetFrame(f"end{k}", parent.body_frame(), place))
        plant.AddJoint(RevoluteJoint(f"joint{k}", end, child.body_frame(), [0, 1, 0]))
        parent, place = child, RigidTransform([0, 0, -LENGTH])
    plant.Finalize()
    context, derivatives = plant.CreateDefaultContext(), plant.AllocateTimeDerivatives()
    both = np.concatenate(state(n))

    def forward():
        plant.SetPositionsAndVelocities(context, both)  # set anew, so that nothing is cached
        plant.CalcTimeDerivatives(context, derivatives)
        return derivatives.CopyToVector()[n:]

    return Chain(forward, forward)
