"""``linkwork warmup``: compile kernels before their first use, all of them or those of some scenes."""

import io
import multiprocessing
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import numpy as np
from rich.progress import Progress

import linkwork as lw
from linkwork import examples
from linkwork.cli import find
from linkwork.cli.output import out
from linkwork.kernels.threads import thread_count

FIRST = ("forward dynamics, aba", "simulation, closed")  # what many others call


def warmup(scenes: Sequence[str] = ()) -> None:
    """Run these scenes; or, without any, the shipped ones and everything else that compiles."""
    if scenes:
        first, rest = [], list(scenes)
        for scene in scenes:
            find.find(scene)
    else:
        first, rest = list(FIRST), [name for name in (*_calls(_linkage()), *examples.names()) if name not in FIRST]
    os.environ["LINKWORK_PREBUILT"] = "0"  # of the processes below: compile for this machine what is only prebuilt
    with Progress(console=out) as progress:
        task = progress.add_task("compiling", total=len(first) + len(rest))
        with ProcessPoolExecutor(thread_count(), multiprocessing.get_context("spawn")) as pool:
            for jobs in (first, rest):
                for done in as_completed([pool.submit(_compile, job) for job in jobs]):
                    job, seconds = done.result()
                    progress.advance(task)
                    out.print(f"{job}: {seconds:.1f} s")


def _compile(job: str) -> tuple[str, float]:
    """Compile what one job needs, in a process of its own; its name, and how long that took."""
    start, linkage = time.perf_counter(), _linkage()
    call = _calls(linkage).get(job)
    if call is None:
        _run(job)
    else:
        q, v, f_ext = linkage.neutral(), np.zeros(linkage.nv), np.zeros((linkage.nb, 6))
        call(q, v, f_ext)
        call(np.stack([q, q]), np.stack([v, v]), f_ext)
    return job, time.perf_counter() - start


def _run(scene: str) -> None:
    """Run a scene as `linkwork simulate` does, and keep nothing of it but what was compiled."""
    from linkwork.cli.simulate import simulate

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        simulate(scene, {}, out=Path(folder) / "run.h5", plots=None, picture=None, resume=False, json=False)


def _linkage() -> lw.Linkage:
    linkage = lw.Linkage(name="warmup")
    linkage.add_body("base", lw.Inertia.sphere(1.0, mass=1.0), joint=lw.Free())
    linkage.add_body("arm", lw.Inertia.cylinder(0.1, 1.0, mass=1.0), joint=lw.Revolute("x"), parent="base")
    return linkage


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
        "gravity torques": lambda q, v, f: lw.gravity_torques(linkage, q),
        "joint wrenches": lambda q, v, f: lw.joint_wrenches(linkage, q, v, v),
        "mass matrix": lambda q, v, f: lw.mass_matrix(linkage, q),
        "packed mass matrix": lambda q, v, f: lw.packed_mass_matrix(linkage, q),
        "rollout": lambda q, v, f: lw.rollout(linkage, q, v, steps=1),
        "rollout with a controller": lambda q, v, f: lw.rollout(linkage, q, v, steps=1, controller=_no_torque()),
        "rollout, closed": lambda q, v, f: lw.rollout(lw.samples.four_bar(), np.zeros(3), np.zeros(3), steps=1),
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
    adaptive.joint_wrenches("atom7")
    moving = lw.AdaptiveSimulation(molecule, dt=1e-3, tolerance=1e-3, mode="dynamics")
    moving.apply_force("atom7", (1.0, 0.0, 0.0))
    moving.step()
    assert moving.kinetic_energy > 0.0


def _no_torque():
    from numba import njit

    return njit(lambda t, q, v, tau: None)
