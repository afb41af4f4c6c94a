"""``linkwork warmup``: compile every kernel before its first use."""

import time
from functools import partial

import numpy as np
from rich.progress import track

import linkwork as lw
from linkwork.cli.output import out


def warmup() -> None:
    """Call everything that compiles."""
    linkage = lw.Linkage(name="warmup")
    linkage.add_body("base", lw.Inertia.sphere(1.0, mass=1.0), joint=lw.Free())
    linkage.add_body("arm", lw.Inertia.cylinder(0.1, 1.0, mass=1.0), joint=lw.Revolute("x"), parent="base")
    q, v, f_ext = linkage.neutral(), np.zeros(linkage.nv), np.zeros((linkage.nb, 6))
    for name, call in track(_calls(linkage).items(), "compiling", console=out):
        start = time.perf_counter()
        call(q, v, f_ext)
        call(np.stack([q, q]), np.stack([v, v]), f_ext)
        out.print(f"{name}: {time.perf_counter() - start:.1f} s")


def _calls(linkage):
    """For each kernel a call that compiles it, of one state or of several."""
    calls = {
        "body poses": lambda q, v, f: lw.body_poses(linkage, q),
        "body velocities": lambda q, v, f: lw.body_velocities(linkage, q, v),
        "body accelerations": lambda q, v, f: lw.body_accelerations(linkage, q, v, v),
        "jacobian": lambda q, v, f: lw.jacobian(linkage, q, "arm"),
        "jacobian bias": lambda q, v, f: lw.jacobian_bias(linkage, q, v, "arm"),
        "integrate": lambda q, v, f: linkage.integrate(q, v),
        "difference": lambda q, v, f: linkage.difference(q, q),
        "kinetic energy": lambda q, v, f: lw.kinetic_energy(linkage, q, v),
        "potential energy": lambda q, v, f: lw.potential_energy(linkage, q),
        "momentum": lambda q, v, f: lw.momentum(linkage, q, v),
        "center of mass": lambda q, v, f: lw.center_of_mass(linkage, q),
        "inverse dynamics": lambda q, v, f: lw.inverse_dynamics(linkage, q, v, v),
        "inverse dynamics, f_ext": lambda q, v, f: lw.inverse_dynamics(linkage, q, v, v, f),
        "joint wrenches": lambda q, v, f: lw.joint_wrenches(linkage, q, v, v),
        "mass matrix": lambda q, v, f: lw.mass_matrix(linkage, q),
        "packed mass matrix": lambda q, v, f: lw.packed_mass_matrix(linkage, q),
        "rollout": lambda q, v, f: lw.rollout(linkage, q, v, steps=1),
        "rollout with a law": lambda q, v, f: lw.rollout(linkage, q, v, steps=1, law=_no_law()),
        "simulation": lambda q, v, f: lw.Simulation(linkage.copy(), dt=1e-3).step(),
        "simulation, closed": lambda q, v, f: lw.Simulation(lw.samples.four_bar(), dt=1e-3).step(),
        "mobility": lambda q, v, f: lw.mobility(lw.samples.four_bar(), np.zeros(3)),
        "adaptive quasi-statics": lambda q, v, f: _adaptive(),
        "LTDL": lambda q, v, f: lw.factorize(linkage, np.eye(linkage.nv)).solve(v),
    }
    for method in ("aba", "crba", "unit-vector", "virtual-work", "dca"):
        forward = partial(lw.forward_dynamics, linkage, method=method)
        calls[f"forward dynamics, {method}"] = lambda q, v, f, forward=forward: forward(q, v)
        calls[f"forward dynamics, {method}, f_ext"] = lambda q, v, f, forward=forward: forward(q, v, f_ext=f)
    bars = lw.samples.four_bar()
    rest = np.zeros((2, bars.nv))
    for method in ("aba", "virtual-work", "dca"):
        closed = partial(lw.forward_dynamics, bars, method=method)
        calls[f"forward dynamics, {method}, closed"] = lambda q, v, f, closed=closed: (
            closed(bars.neutral(), rest[0]),
            closed(bars.neutral(), rest),
        )
    return calls


def _adaptive():
    molecule = lw.samples.molecule(50)
    adaptive = lw.AdaptiveSimulation(molecule, molecule.neutral(), dt=1e-3, tolerance=1e-3)
    adaptive.apply_force("atom7", (1.0, 0.0, 0.0))
    adaptive.step()


def _no_law():
    from numba import njit

    return njit(lambda t, q, v, tau: None)
