"""Pinocchio in the benchmark: calls one by one, and its own functions for batches with one thread."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from benchmarks.peers.contender import LOOP, Contender, loop
from benchmarks.peers.robots import Robot
from benchmarks.peers.rods import ACROSS, ALONG, LENGTH, MASS, Chain, state


class _Same:
    """A robot as Pinocchio has it: its model and data, and the states in its order."""

    def __init__(self, robot: Robot):
        root = (pin.JointModelFreeFlyer(),) if robot.free else ()
        self.model = pin.buildModelFromUrdf(str(robot.path), *root)
        self.data = self.model.createData()
        order_q, self.order = robot.order(self.model.names[1:])
        self.q = np.ascontiguousarray(robot.q[:, order_q])
        self.v, self.a, self.tau = (np.ascontiguousarray(x[:, self.order]) for x in (robot.v, robot.a, robot.tau))
        # its parallel functions take one column per state
        self.columns = [np.asfortranarray(x.T) for x in (self.q, self.v, self.a, self.tau)]

    def back(self, x: np.ndarray) -> np.ndarray:
        """Velocities, accelerations or torques in our order."""
        ours = np.empty_like(x)
        ours[..., self.order] = x
        return ours


def forward(robot: Robot) -> list[Contender]:
    """Its ABA."""
    p = _Same(robot)
    pool, (q, v, _, tau) = pin.ModelPool(p.model, 1), p.columns
    a = np.asfortranarray(np.empty_like(v))

    def parallel():
        pin.abaInParallel(1, pool, q, v, tau, a)
        return p.back(a.T)[:LOOP]

    return [
        loop("Pinocchio aba", lambda k: pin.aba(p.model, p.data, p.q[k], p.v[k], p.tau[k]), p.back, 12.0),
        Contender("Pinocchio abaInParallel", parallel, len(p.q), parallel, 8.0),
    ]


def inverse(robot: Robot) -> list[Contender]:
    """Its RNEA."""
    p = _Same(robot)
    pool, (q, v, a, _) = pin.ModelPool(p.model, 1), p.columns
    tau = np.asfortranarray(np.empty_like(v))

    def parallel():
        pin.rneaInParallel(1, pool, q, v, a, tau)
        return p.back(tau.T)[:LOOP]

    return [
        loop("Pinocchio rnea", lambda k: pin.rnea(p.model, p.data, p.q[k], p.v[k], p.a[k]), p.back, 8.0),
        Contender("Pinocchio rneaInParallel", parallel, len(p.q), parallel),
    ]


def matrix(robot: Robot) -> list[Contender]:
    """Its CRBA, which writes the upper triangle."""
    p = _Same(robot)

    def whole(upper):
        H = np.empty_like(upper)
        upper = np.triu(upper)
        H[(slice(None), *np.ix_(p.order, p.order))] = upper + np.triu(upper, 1).transpose(0, 2, 1)
        return H

    return [loop("Pinocchio crba", lambda k: pin.crba(p.model, p.data, p.q[k]), whole, 3.0)]


def nonzeros(robot: Robot) -> list[Contender]:
    """Its CRBA again: it has no packed form."""
    p = _Same(robot)

    def diagonal(H):
        return p.back(np.diagonal(H, axis1=1, axis2=2))

    return [loop("Pinocchio crba", lambda k: pin.crba(p.model, p.data, p.q[k]), diagonal, 8.0)]


def chain(n: int) -> Chain:
    """Forward dynamics of the hinged rods."""
    model = pin.Model()
    rod = pin.Inertia(MASS, np.array([0, 0, -LENGTH / 2]), np.diag([ACROSS, ACROSS, ALONG]))
    parent, place = 0, pin.SE3.Identity()
    for k in range(n):
        parent = model.addJoint(parent, pin.JointModelRY(), place, f"joint{k}")
        model.appendBodyToJoint(parent, rod, pin.SE3.Identity())
        place = pin.SE3(np.eye(3), np.array([0, 0, -LENGTH]))
    data, zero, (q, v) = pin.Data(model), np.zeros(n), state(n)  # model.createData() would take the memory twice

    def forward():
        return pin.aba(model, data, q, v, zero)

    return Chain(forward, forward)
