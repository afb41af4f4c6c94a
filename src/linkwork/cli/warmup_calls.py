"""Calls that compile every kernel, for ``linkwork warmup``: those of all scenes that ship come besides."""

import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.kernels.threads import WORTH_A_THREAD, each
from linkwork.quasistatics.exact_step import at_rest

Call = Callable[[], object]


def calls() -> dict[str, Call]:
    """For each kind of computation a call that compiles it, for one state and for several."""
    return _of_trees() | _of_loops() | _of_motion() | _of_contacts_and_the_rest()


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
            lw.jacobian_derivative(linkage, q, v, "arm"),
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
    f = np.zeros((bars.nb, 6))
    found: dict[str, Callable[..., object]] = {
        f"forward dynamics, {method}, closed": partial(
            _unloaded_and_loaded, partial(lw.forward_dynamics, bars, method=method), f
        )
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


def _of_contacts_and_the_rest() -> dict[str, Call]:
    def touching() -> None:
        box, q = lw.samples.box_on_belt()
        _both(box, lambda q, v: lw.forward_dynamics(box, q, v))()
        lw.rollout(box, np.stack([q, q]), np.zeros((2, box.nv)), steps=2)
        for linkage in (lw.samples.chain(3), lw.samples.five_bar()):
            _on_surface(linkage)

    found: dict[str, Call] = {
        "contacts": touching,
        "threads": lambda: each(abs, [1, 2], WORTH_A_THREAD),
        "adaptive quasi-statics": _adaptive,
        "adaptive dynamics": partial(_adaptive_dynamics, lw.samples.molecule(50), "atom7"),
        "adaptive, closed": _adaptive_closed,
    }
    return found | {"molecules": _molecule} if find_spec("gemmi") else found


def _on_surface(linkage: lw.Linkage) -> None:
    """Forces where a point of a body stays on a ball."""
    body, q = linkage.bodies[-1], linkage.neutral()
    at = lw.body_poses(linkage, q)[body.name].position
    linkage.constrain(body, point=(0.0, 0.0, 0.0), surface=lw.Sphere(at - (1.0, 0.0, 0.0), 1.0))
    _both(linkage, lambda q, v: (lw.forward_dynamics(linkage, q, v), lw.solve(linkage, q, v)))()


DIGLYCINE = {  # Å, from N to C: enough for two torsions and a clash
    1: {"N": (0.0, 0.0, 0.0), "CA": (1.46, 0.0, 0.0), "C": (2.0, 1.42, 0.0), "O": (1.25, 2.4, 0.0)},
    2: {"N": (3.33, 1.53, 0.0), "CA": (3.98, 2.83, 0.0), "C": (5.5, 2.7, 0.0), "O": (6.05, 1.6, 0.0)},
}


def _molecule() -> None:
    """Forces on atoms, and what they do to torsions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "diglycine.pdb"
        rows = [(residue, *atom) for residue, atoms in DIGLYCINE.items() for atom in atoms.items()]
        path.write_text("".join(
            f"ATOM  {k:5}  {name:3} GLY A{residue:4}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           {name[0]}\n"
            for k, (residue, name, (x, y, z)) in enumerate(rows, 1)
        ))  # fmt: skip
        linkage = lw.load(path)
    forces = lw.LightForces(linkage)
    forces.energy_and_torques(linkage.neutral())
    lw.Simulation(linkage, dt=1e-3, torques=forces, thermostat=lw.Langevin(300.0, 1.0, seed=0)).step()
    lw.Fixman(linkage, 300.0, forces)(0.0, linkage.neutral(), np.zeros(linkage.nv))


def _adaptive() -> None:
    molecule = lw.samples.molecule(50)
    for measure in ("displacement", "acceleration"):
        adaptive = lw.AdaptiveSimulation(molecule, molecule.neutral(), dt=1e-3, tolerance=1e-3, measure=measure)
        adaptive.apply_force("atom7", (1.0, 0.0, 0.0))
        adaptive.step()
        adaptive.joint_wrenches("atom7")
        at_rest(adaptive)


def _adaptive_closed() -> None:
    bars = lw.samples.four_bars(3)
    for measure in ("displacement", "acceleration"):
        lw.AdaptiveSimulation(bars, dt=1e-3, tolerance=1e-3, measure=measure).step()
    _adaptive_dynamics(bars, bars.bodies[0].name)


def _adaptive_dynamics(linkage: lw.Linkage, body: str) -> None:
    moving = lw.AdaptiveSimulation(linkage, dt=1e-3, tolerance=1e-3, mode="dynamics")
    moving.apply_force(body, (1.0, 0.0, 0.0))
    moving.step()
    assert moving.kinetic_energy > 0.0


def _no_torque():
    from numba import njit

    return njit(lambda t, q, v, tau: None)
