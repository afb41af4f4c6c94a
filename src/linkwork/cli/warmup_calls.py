"""Calls that compile every kernel, for ``linkwork warmup``: those of all scenes that ship come besides."""

from collections.abc import Callable
from functools import partial

import numpy as np

import linkwork as lw

Call = Callable[[], object]


def calls() -> dict[str, Call]:
    """For each kind of computation a call that compiles it, for one state and for several."""
    return _of_trees() | _of_loops() | _of_motion() | _of_contacts_and_molecules()


def _linkage() -> lw.Linkage:
    linkage = lw.Linkage(name="warmup")
    linkage.add_body("base", lw.Inertia.sphere(1.0, mass=1.0), joint=lw.Free())
    linkage.add_body("arm", lw.Inertia.cylinder(0.1, 1.0, mass=1.0), joint=lw.Revolute("x"), parent="base")
    return linkage


def _both(linkage: lw.Linkage, call: Callable[..., object]) -> Call:
    """A call with one state at rest, and with two."""

    def run() -> None:
        q, v = linkage.neutral(), np.zeros(linkage.nv)
        call(q, v)
        call(np.stack([q, q]), np.stack([v, v]))

    return run


def _of_trees() -> dict[str, Call]:
    linkage = _linkage()
    f = np.zeros((linkage.nb, 6))
    found: dict[str, Callable[..., object]] = {
        f"forward dynamics, {method}": partial(
            _unloaded_and_loaded, partial(lw.forward_dynamics, linkage, method=method), f
        )
        for method in ("aba", "crba", "unit-vector", "virtual-work", "dca")
    }
    found |= {
        "kinematics": lambda q, v: (
            lw.body_poses(linkage, q),
            lw.body_velocities(linkage, q, v),
            lw.body_accelerations(linkage, q, v, v),
            lw.jacobian(linkage, q, "arm"),
            lw.jacobian_bias(linkage, q, v, "arm"),
            linkage.integrate(q, v),
            linkage.difference(q, q),
            lw.inverse_kinematics(linkage, {"arm": [0.1, 0.0, 0.0]}, q, restarts=0),
        ),
        "energies and momentum": lambda q, v: (
            lw.kinetic_energy(linkage, q, v),
            lw.potential_energy(linkage, q),
            lw.momentum(linkage, q, v),
            lw.center_of_mass(linkage, q),
        ),
        "inverse dynamics": lambda q, v: (
            lw.inverse_dynamics(linkage, q, v, v),
            lw.inverse_dynamics(linkage, q, v, v, f),
            lw.bias_force(linkage, q, v),
            lw.gravity_torques(linkage, q),
            lw.joint_wrenches(linkage, q, v, v),
            lw.joint_wrenches(linkage, q, v, v, f),
            lw.solve(linkage, q, v),
            lw.inertial_regressor(linkage, q, v, v),
        ),
        "mass matrix": lambda q, v: (
            lw.mass_matrix(linkage, q),
            lw.packed_mass_matrix(linkage, q),
            lw.factorize(linkage, np.eye(linkage.nv)).solve(np.zeros(linkage.nv)),
        ),
        "derivatives": lambda q, v: (
            lw.forward_dynamics_derivatives(linkage, q, v),
            lw.inverse_dynamics_derivatives(linkage, q, v, v),
            lw.forward_dynamics_vjp(linkage, q, v, v, v),
        ),
    }
    return {name: _both(linkage, call) for name, call in found.items()}


def _unloaded_and_loaded(forward: Callable[..., object], f_ext: np.ndarray, q: np.ndarray, v: np.ndarray) -> None:
    forward(q, v)
    forward(q, v, f_ext=f_ext)


def _of_loops() -> dict[str, Call]:
    bars = lw.samples.four_bar()
    found: dict[str, Callable[..., object]] = {
        f"forward dynamics, {method}, closed": partial(lw.forward_dynamics, bars, method=method)
        for method in ("aba", "virtual-work", "dca")
    }
    found |= {
        "derivatives, closed": lambda q, v: (
            lw.forward_dynamics_derivatives(bars, q, v),
            lw.forward_dynamics_vjp(bars, q, v, v, v),
        ),
        "all forces, closed": lambda q, v: (lw.solve(bars, q, v), lw.actuator_torques(bars, q, v, v)),
    }
    q, v = bars.neutral(), np.zeros(bars.nv)
    return {name: _both(bars, call) for name, call in found.items()} | {
        "closing loops": lambda: (
            lw.mobility(bars, q),
            lw.consistent_velocity(bars, lw.close_loops(bars, q + 0.01), v),
            lw.loop_coordinates(bars, q, v),
            lw.linearize(bars, q),
            lw.inverse_kinematics(bars, {"crank": [0.1, 0.0, 0.1]}, q, restarts=0),
        ),
    }


def _of_motion() -> dict[str, Call]:
    made: dict[str, Call] = {}
    for kind, linkage in (("", _linkage()), (", closed", lw.samples.four_bar())):
        made[f"simulation{kind}"] = partial(_steps, linkage)
        made[f"rollout{kind}"] = partial(_rollouts, linkage)
    return made


def _rollouts(linkage: lw.Linkage) -> None:
    """One, its gradient, and one with a controller."""
    q, v = linkage.neutral(), np.zeros(linkage.nv)
    done = lw.rollout(linkage, np.stack([q, q]), np.stack([v, v]), steps=2)
    done.vjp(np.zeros((2, linkage.nv)), np.zeros((2, linkage.nv)))
    lw.rollout(linkage, q, v, steps=1)
    if not linkage.loops:
        lw.rollout(linkage, q, v, steps=1, controller=_no_torque())


def _steps(linkage: lw.Linkage) -> None:
    """A few steps of every compiled kind, and the energies that they are watched by."""
    for integrator in ("rk4", "semi-implicit", "implicit-midpoint"):
        simulation = lw.Simulation(linkage.copy(), dt=1e-3, integrator=integrator)
        simulation.run(0.01)
        simulation.recording.segments[0].energy.sum()


def _of_contacts_and_molecules() -> dict[str, Call]:
    def touching() -> None:
        box, q = lw.samples.box_on_belt()
        _both(box, lambda q, v: lw.forward_dynamics(box, q, v))()
        lw.rollout(box, np.stack([q, q]), np.zeros((2, box.nv)), steps=2)

    return {"contacts": touching, "adaptive quasi-statics": _adaptive}


def _adaptive() -> None:
    molecule = lw.samples.molecule(50)
    adaptive = lw.AdaptiveSimulation(molecule, molecule.neutral(), dt=1e-3, tolerance=1e-3)
    adaptive.apply_force("atom7", (1.0, 0.0, 0.0))
    adaptive.step()
    adaptive.joint_wrenches("atom7")
    moving = lw.AdaptiveSimulation(molecule, dt=1e-3, tolerance=1e-3, mode="dynamics")
    moving.apply_force("atom7", (1.0, 0.0, 0.0))
    moving.step()
    assert moving.kinetic_energy > 0.0


def _no_torque():
    from numba import njit

    return njit(lambda t, q, v, tau: None)
