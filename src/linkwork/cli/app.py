"""The subcommands of ``linkwork``, each a thin shell around public names."""

import sys
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

import linkwork as lw
from linkwork.errors import LinkworkError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
out = Console(highlight=False, soft_wrap=True)


def run():
    """Run the command line; an error of ours is one line on stderr and exit code 1, not a traceback."""
    try:
        app()
    except LinkworkError as error:
        sys.exit(f"linkwork: {error}")


@app.callback()
def _linkwork():
    """Dynamics of linkages."""


@app.command()
def info(file: Annotated[Path, typer.Argument(help="Description of a linkage, for example a URDF file.")]):
    """Show what a file describes: bodies, joints, degrees of freedom, mass, and what was ignored."""
    linkage = lw.load(file)
    table = Table()
    for title in ("body", "parent", "joint", "type", "dof", "mass (kg)"):
        table.add_column(title, overflow="fold")
    for body in linkage.bodies:
        joint = body.joint
        kind = type(joint.type).__name__
        cells = (body.name, joint.parent.name, joint.name, kind, str(joint.nv), f"{body.mass:.4g}")
        table.add_row(*map(escape, cells))
    out.print(table)
    mass = sum(body.mass for body in linkage.bodies)
    out.print(f"{escape(linkage.name)}: {linkage.nb} bodies, {linkage.nv} degrees of freedom, {mass:.6g} kg")
    for ignored in linkage.ignored:
        out.print(f"ignored: {escape(str(ignored))}")


@app.command()
def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Beside Pinocchio, MuJoCo, Drake and Exudyn.")] = False,
    robot: Annotated[list[str] | None, typer.Option(help="Of panda, g1, talos: these only.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds that the best time is taken from.")] = 12,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file too.")] = None,
):
    """Measure batches and rollouts on real robots, and chains and trees of up to a million joints."""
    from linkwork.cli.bench.report import report
    from linkwork.cli.bench.robots import FILES
    from linkwork.errors import unknown_name

    for name in robot or ():
        if name not in FILES:
            raise unknown_name("robot", name, FILES)
    report(out, peers=peers, robots=tuple(robot or FILES), rounds=rounds, path=json)


@app.command()
def warmup():
    """Compile all methods for this machine, so that the first use of each is quick."""
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
    """One call, of a state or of several, for each thing that compiles, with and without wrenches."""
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
        "LTDL": lambda q, v, f: lw.factorize(linkage, np.eye(linkage.nv)).solve(v),
    }
    for method in ("aba", "crba", "unit-vector", "virtual-work"):
        forward = partial(lw.forward_dynamics, linkage, method=method)
        calls[f"forward dynamics, {method}"] = lambda q, v, f, forward=forward: forward(q, v)
        calls[f"forward dynamics, {method}, f_ext"] = lambda q, v, f, forward=forward: forward(q, v, f_ext=f)
    return calls


def _no_law():
    from numba import njit

    return njit(lambda t, q, v, tau: None)
