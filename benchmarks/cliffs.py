"""What ordinary things cost in a simulation: each scene's step beside its bare evaluations of forward dynamics.

    python benchmarks/cliffs.py [--steps 2000] [--rounds 3] [--base CHECKOUT] [--only four-bar]

A step of rk4 is four evaluations of forward dynamics. *Bare* is the time of those alone, called in a compiled loop that
does nothing else, surfaces and drives left out; of slider-cranks with point masses it is that of a box, which other
revisions can compute too. A callback of Python's is counted apart, by what it adds to a call. Times are processor time,
the best of several rounds taken in turns. ``--base`` runs the same scenes with another checkout of linkwork, in
another process, and prints its times beside.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

import linkwork as lw
from linkwork.dynamics.constraints import loops_of
from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.tree.aba import aba

RATIO, CALLBACK = 2.0, 4.0  # budgets: of a step over its bare evaluations, and µs of a call of Python's
BUDGETS = {"driven four-bar": 16.0, "Li's two-link arm on a floor": 15.0}  # µs per step
EXAMPLES = Path(lw.__file__).parent / "examples"


class Scene(NamedTuple):
    """A simulation to be made, the linkage whose evaluations are its bare cost, and calls of Python's per step."""

    make: Callable[[], Any]
    bare: Callable[[], tuple[Any, np.ndarray]] | None = None
    calls: int = 0


@njit
def bare_tree(count, model, index, work, q, v, tau, a):
    for _ in range(count):
        aba(model, index, work, 0, q, v, tau, a)


@njit
def bare_closed(count, model, index, work, table, plan, geometry, scratch, q, v, tau, loop_tau, a, force, left, total):
    for _ in range(count):
        closed_forward(
            model, index, work, table, plan, geometry, scratch, False, q, v, tau, tau[:0], loop_tau, a, force, left,
            total,
        )  # fmt: skip


def bare_call(linkage, q: np.ndarray, count: int) -> Callable[[], object]:
    """`count` evaluations of forward dynamics at rest."""
    tree, zero = linkage.tree, np.zeros(linkage.nv)
    work, a = np.empty(tree.work_size), np.zeros(linkage.nv)
    if not tree.closed:
        return lambda: bare_tree(count, tree.model, tree.index, work, q, zero, zero, a)
    loops = loops_of(linkage)
    rows, scratch = np.zeros(loops.n_rows), np.zeros(loops.scratch_size)
    blocks = (tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, scratch)
    rest = (np.zeros(loops.nv), a, rows, rows.copy(), zero.copy())
    return lambda: bare_closed(count, *blocks, q, zero, zero, *rest)


def slider_crank(point: bool):
    """A crank, a rod and a slider that is a point mass, or a box."""
    linkage = lw.Linkage(name="slider-crank")
    linkage.add_body("crank", lw.Inertia.rod(0.3, mass=1.0, axis="x"), joint=lw.Revolute("y"))
    linkage.add_body(
        "rod", lw.Inertia.rod(1.0, mass=1.0, axis="x"), joint=lw.Revolute("y"), parent="crank", at=lw.Pose((0.3, 0, 0))
    )
    slider = lw.Inertia(2.0, (0, 0, 0), np.zeros((3, 3))) if point else lw.Inertia.box((0.1, 0.1, 0.1), mass=2.0)
    linkage.add_body("slider", slider, joint=lw.Revolute("y"), parent="rod", at=lw.Pose((1.0, 0, 0)))
    linkage.connect("ground", "slider", lw.Prismatic("x"), name="guide")
    return linkage, lw.close_loops(linkage, [0.7, -0.9, 0.2])


def driven(linkage, q, joint: str, text: str, function: Callable):
    """A simulation with a driven joint; of a revision that does not read text, by a function."""
    sim = lw.Simulation(linkage, q, dt=1e-3)
    try:
        sim.drive(joint, text)
    except Exception:
        sim.drive(joint, function)
    return sim


def scene(name: str) -> Any:
    return lw.load_scene(EXAMPLES / f"{name}.yaml")


def without_contacts(name: str):
    linkage = scene(name).linkage.copy()
    for contact in list(linkage.contacts.names):
        linkage.release(contact)
    return linkage, scene(name).q


def loaded_four_bar():
    """A four-bar with a spring and dry friction."""
    linkage = lw.samples.four_bar()
    linkage.add_force(lw.Spring("ground", "coupler", (0, 0, 1.5), (0.5, 0, 0), stiffness=20.0, damping=0.1))
    linkage.add_force(lw.JointFriction("rocker", 0.01))
    return linkage


def arm():
    """Seven hinges, each free to turn three radians to either side."""
    linkage = lw.samples.chain(7)
    for joint in linkage.joints:
        joint.limits = (-3.0, 3.0)
    return linkage


def scenes() -> dict[str, Scene]:
    """All scenes by name."""
    half = np.full(7, 0.3)
    pd = lw.PD(20.0, 2.0, np.zeros(7))
    bar, bar_q = lw.samples.high_bar()
    hold = np.zeros(bar.nv)

    def slider_drive():
        linkage, q = slider_crank(point=True)
        start = float(q[0])
        motion = f"{start!r} + 0.3*t**2", lambda t: (start + 0.3 * t * t, 0.6 * t, 0.6)
        return driven(linkage, q, "crank", *motion)

    return {
        "driven four-bar": Scene(
            lambda: driven(
                lw.samples.four_bar(),
                None,
                "crank",
                "0.5*sin(t)**2",
                lambda t: (0.5 * np.sin(t) ** 2, np.sin(t) * np.cos(t), np.cos(2 * t)),
            )
        ),
        "four-bar, torques as text": Scene(lambda: scene("four-bar").simulation()),
        "five-bar, two drives": Scene(lambda: scene("five-bar").simulation()),
        "slider-crank with a point mass": Scene(
            lambda: lw.Simulation(*slider_crank(point=True), dt=1e-3), lambda: slider_crank(point=False)
        ),
        "the same, driven": Scene(slider_drive, lambda: slider_crank(point=False)),
        "four-bar with spring and friction": Scene(lambda: lw.Simulation(loaded_four_bar(), dt=1e-3)),
        "Li's two-link arm on a floor": Scene(
            lambda: scene("li-two-link").simulation(), lambda: without_contacts("li-two-link")
        ),
        "polishing a ball": Scene(lambda: scene("polishing").simulation(), lambda: without_contacts("polishing")),
        "high bar, a Python controller": Scene(
            lambda: lw.Simulation(bar.copy(), bar_q, dt=1e-3, controller=lambda sim: hold), calls=1
        ),
        "arm with PD and limits": Scene(lambda: lw.Simulation(arm(), half, dt=1e-3, controller=pd)),
        "robot arm, PD as text": Scene(lambda: scene("robot-arm").simulation()),
        "Stewart platform, torques as text": Scene(lambda: scene("stewart").simulation()),
        "arm, torques(t, q, v) of Python": Scene(
            lambda: lw.Simulation(lw.samples.chain(7), half, dt=1e-3, torques=lambda t, q, v: np.zeros(7)), calls=4
        ),
    }


def processor_seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measure(made: Scene, steps: int, rounds: int) -> tuple[float, float]:
    """µs per step of the simulation, and of its bare evaluations."""
    sim = made.make()
    linkage, q = (sim.linkage, sim.q) if made.bare is None else made.bare()
    bare = bare_call(linkage, q, 4 * steps)
    bare()
    sim.run(sim.t + 20 * sim.dt, progress=False)
    first = processor_seconds(lambda: sim.run(sim.t + 20 * sim.dt, progress=False)) / 20
    steps_now = min(steps, max(20, int(1.0 / max(first, 1e-6))))  # about a second at most
    taken, least = np.inf, np.inf
    for _ in range(rounds):
        taken = min(taken, processor_seconds(lambda: sim.run(sim.t + steps_now * sim.dt, progress=False)) / steps_now)
        least = min(least, processor_seconds(bare) / steps)
    return 1e6 * taken, 1e6 * least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--base", type=Path, help="another checkout of linkwork, to be measured in the same run")
    parser.add_argument("--only", default="", help="only scenes whose name contains this")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = {name: made for name, made in scenes().items() if options.only in name}
    found = {name: measure(made, options.steps, options.rounds) for name, made in chosen.items()}
    if options.json:
        print(json.dumps(found))
        return
    before = other_checkout(options) if options.base else {}
    print(f"{'µs per step of rk4':36s} {'base':>8s} {'now':>8s} {'bare':>8s} {'ratio':>6s}")
    for name, (taken, bare) in found.items():
        calls = chosen[name].calls
        was = f"{before[name][0]:8.1f}" if name in before else f"{'':8s}"
        line = f"{name:36s} {was} {taken:8.1f} {bare:8.1f} {taken / bare:6.2f}"
        if calls:
            each = (taken - bare) / calls
            print(f"{line}   {each:.1f} µs per call above (budget {CALLBACK:g})")
        else:
            budget = f", {BUDGETS[name]:g} µs" if name in BUDGETS else ""
            print(f"{line}   (budget {RATIO:g}{budget})")


def other_checkout(options: argparse.Namespace) -> dict[str, list[float]]:
    """The same scenes with another revision."""
    command = [sys.executable, __file__, "--json", f"--steps={options.steps}", f"--rounds={options.rounds}"]
    environment = os.environ | {"PYTHONPATH": str(options.base / "src")}
    out = subprocess.run([*command, f"--only={options.only}"], env=environment, check=True, capture_output=True)
    return json.loads(out.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
