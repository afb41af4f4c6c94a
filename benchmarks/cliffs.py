"""What ordinary things cost in a simulation: each scene's step beside its bare evaluations of forward dynamics.

    python benchmarks/cliffs.py [--steps 5000] [--rounds 3] [--base CHECKOUT] [--only four-bar]

Then what all forces of points on surfaces cost, `solve`, beside the accelerations alone.

A step of rk4 is four evaluations of forward dynamics. *Bare* is the time of those alone, called in a compiled loop that
does nothing else, drives and text left out; of slider-cranks with point masses it is that of a box, which other
revisions can compute too. Points on surfaces are part of forward dynamics; *free* is what its evaluations take without
them. Times are processor time, the best of several rounds taken in turns. ``--base`` runs the same scenes with another
checkout of linkwork, in another process, and prints its times beside.

What a callback of Python's takes, the user's own code apart, is what a run with one that returns at once takes longer
than the same run with a `numba.cfunc` in its place. Both make the same steps in many short rounds, taken in turns: the
difference of their best rounds, and beside it the median of the differences, which has what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import cfunc, njit, types

import linkwork as lw
from linkwork.dynamics.constraints import loops_of
from linkwork.dynamics.contact_compiled import BATCH
from linkwork.dynamics.contact_pack import packed_contacts
from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.launch import bind
from linkwork.kernels.tree.aba import aba

RATIO, CALLBACK = 2.0, 4.0  # budgets: of a step over its bare evaluations, and µs of a call of Python's
BUDGETS = {"driven four-bar": 16.0, "Li's two-link arm on a floor": 15.0}  # µs per step
ON_SURFACES = (
    "Li's two-link arm on a floor", "polishing a ball", "five-bar, a point on a plane", "five-bar, a point that rubs",
    "five-bar that rubs, PD",
)  # fmt: skip
EXAMPLES = Path(lw.__file__).parent / "examples"


class Scene(NamedTuple):
    """A simulation to be made, and the linkage whose evaluations are its bare cost."""

    make: Callable[[], Any]
    bare: Callable[[], tuple[Any, np.ndarray]] | None = None


class Times(NamedTuple):
    """µs per step: of the simulation, of its bare evaluations, of these without surfaces."""

    taken: float
    bare: float
    free: float


class Callback(NamedTuple):
    """A simulation with a callback of Python's, the same with a compiled one, and the calls per step."""

    python: Callable[[], Any]
    compiled: Callable[[], Any]
    calls: int


@njit
def bare_tree(count, model, index, work, q, v, tau, a):
    for _ in range(count):
        aba(model, index, work, 0, q, v, tau, a)


@njit
def bare_closed(count, model, index, work, table, plan, geometry, scratch, q, v, tau, loop_tau, a, force, left, total):
    for _ in range(count):
        closed_forward(
            model, index, work, table, plan, geometry, scratch, q, v, tau, tau[:0], loop_tau, a, force, left,
            total,
        )  # fmt: skip


def bare_call(linkage, q: np.ndarray, v: np.ndarray, count: int) -> Callable[[], object]:
    """`count` evaluations of forward dynamics."""
    tree, zero = linkage.tree, np.zeros(linkage.nv)
    work, a = np.empty(tree.work_size), np.zeros(linkage.nv)
    loops = loops_of(linkage) if tree.closed else None
    if len(linkage.contacts):
        space = None if loops is None else (loops.plan, loops.geometry, loops.scratch())
        points = packed_contacts(linkage).scratch(0 if loops is None else loops.n_rows)
        tau, f_ext, t = (np.zeros((1, n)) for n in (linkage.nv + linkage.nv_loop, 0, 1))
        blocks = (tree.model, tree.index, work, tree.table, space, points, q[None], v[None], tau, f_ext, t, zero)
        arguments = *blocks, np.zeros((count, linkage.nv)), a, 0, count
        function = bind(BATCH, *arguments)
        return lambda: function(*arguments)
    if loops is None:
        return lambda: bare_tree(count, tree.model, tree.index, work, q, v, zero, a)
    rows, scratch = np.zeros(loops.n_rows), loops.scratch()
    blocks = (tree.model, tree.index, work, tree.table, loops.plan, loops.geometry, scratch)
    rest = (np.zeros(loops.nv), a, rows, rows.copy(), zero.copy())
    return lambda: bare_closed(count, *blocks, q, v, zero, *rest)


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


POINTER = types.CPointer(types.float64)


@cfunc(types.void(types.float64, POINTER, POINTER, POINTER))
def nothing(t, q, v, out):
    """No torques: `out` comes as zeros."""


@cfunc(types.void(types.float64, POINTER))
def compiled_still(t, out):
    out[0], out[1], out[2] = 0.3, 0.0, 0.0


@cfunc(types.void(types.float64, POINTER))
def compiled_pose(t, out):
    for k in range(10):
        out[k] = 0.0
    out[3] = 1.0


@cfunc(types.float64(types.float64, POINTER, POINTER))
def compiled_one(t, q, v):
    return 1.0


def high_bar(**how):
    """A gymnast on a high bar."""
    linkage, q = lw.samples.high_bar()
    return lw.Simulation(linkage, q, **how)


def scene(name: str) -> Any:
    return lw.load_scene(EXAMPLES / f"{name}.yaml")


def without_contacts(linkage):
    linkage = linkage.copy()
    for contact in list(linkage.contacts.names):
        linkage.release(contact)
    return linkage


def five_bar_on_a_rail():
    """A five-bar, one point of which is kept on a smooth plane: it swings, and its energy stays."""
    linkage = lw.samples.five_bar()
    q, tip = linkage.neutral(), linkage.bodies.names[1]
    x, _, z = lw.body_poses(linkage, q)[tip].apply((0.05, 0, 0))
    rail = lw.Plane((0.3, 0, 1), (0.3 * x + z) / np.hypot(0.3, 1))
    linkage.constrain(tip, point=(0.05, 0, 0), surface=rail, name="rail")
    return lw.Simulation(linkage, q, dt=1e-3, limits="ignore")


@cfunc(types.void(types.float64, POINTER, POINTER, POINTER))
def swaying(t, q, v, out):
    out[0] = 8.0 * math.sin(3.0 * t)


def five_bar_that_rubs():
    """A five-bar that is swayed, one point of which rubs on a floor: it turns, sticks, slides, 1.4 times a second."""
    linkage, point = lw.samples.five_bar(), (0.05, 0.0, 0.0)
    q, tip = linkage.neutral(), linkage.bodies.names[1]
    floor = lw.Plane((0, 0, 1), lw.body_poses(linkage, q)[tip].apply(point)[2])
    linkage.constrain(tip, point=point, surface=floor, friction=0.1, name="floor")
    return lw.Simulation(linkage, q, dt=1e-3, limits="ignore", torques=swaying)


TURN = ["0.2*sin(t)", "0.1*sin(2*t)", "0", "1"]  # a quaternion; it need not be of length 1


def waved(joint, motion):
    """A chain of seven hinges whose base is driven."""
    linkage = lw.Linkage(name="waved")
    linkage.add_body("base", lw.Inertia.box((0.3, 0.2, 0.1), mass=2.0), joint=joint)
    linkage.add(lw.samples.chain(7), parent="base")
    sim = lw.Simulation(linkage, dt=1e-3)
    sim.drive("base", motion)
    return sim


def wagged():
    """A ball joint that is driven, and a link between its body and a cart: a closed linkage."""
    linkage = lw.Linkage(name="wagged")
    linkage.add_body("ball", lw.Inertia.box((0.2, 0.2, 0.2), mass=1.0), joint=lw.Spherical())
    linkage.add_body("cart", lw.Inertia.box((0.1, 0.1, 0.1), mass=0.5), joint=lw.Prismatic("x"), at=lw.Pose((1, 0, 0)))
    linkage.add_body("link", lw.Inertia.box((0.8, 0.1, 0.1), mass=0.3), joint=lw.Spherical(), parent="cart")
    linkage.connect("ball", "link", lw.Spherical(), at_a=lw.Pose((0.2, 0, 0)), at_b=lw.Pose((-0.8, 0, 0)), name="pin")
    sim = lw.Simulation(linkage, lw.close_loops(linkage, linkage.neutral()), dt=1e-3)
    sim.drive("ball", TURN)
    return sim


def loaded_four_bar():
    """A four-bar with a spring and dry friction."""
    linkage = lw.samples.four_bar()
    linkage.add_force(lw.Spring("ground", "coupler", (0, 0, 1.5), (0.5, 0, 0), stiffness=20.0, damping=0.1))
    linkage.add_force(lw.JointFriction("rocker", 0.01))
    return linkage


def four_bar_between_stops():
    """A four-bar whose loop joint swings from one of its limits to the other; these are springs without dampers."""
    linkage = lw.samples.four_bar()
    pin = linkage.loops["pin"]
    at_a, at_b, start = pin.at_a, pin.at_b, lw.loop_coordinates(linkage, linkage.neutral())[0]
    linkage.cut("pin")
    hinge = lw.Revolute("y", limits=(start - 0.2, start + 0.2))
    linkage.connect("ground", "rocker", hinge, at_a=at_a, at_b=at_b, name="pin")
    return lw.Simulation(linkage, dt=1e-3, limits=lw.Compliant(frequency=50.0, damping_ratio=0.0))


def four_bar_at_rest():
    """A four-bar that leans on the hard limit of its crank."""
    linkage = lw.samples.four_bar()
    start = float(linkage.neutral()[0])
    linkage.joints["crank"].limits = (start - 0.02, start + 0.02)
    sim = lw.Simulation(linkage, dt=1e-3, limits="impulsive")
    sim.run(0.1, progress=False)
    return sim


def arm():
    """Seven hinges, each free to turn three radians to either side."""
    linkage = lw.samples.chain(7)
    for joint in linkage.joints:
        joint.limits = (-3.0, 3.0)
    return linkage


def strong_arm(**how):
    """Seven hinges with motors, the fourth of which would break under a load that is far away."""
    linkage = lw.samples.chain(7)
    for joint in linkage.joints.names:
        linkage.add_force(lw.Motor(joint, effort=30.0, speed=3.0))
    linkage.set_strength("link3", 1e5)
    return lw.Simulation(linkage, np.full(7, 0.3), dt=1e-3, **how)


def motored_arm():
    """Seven hinges with motors, led by linear feedback."""
    linkage = lw.samples.chain(7)
    for joint in linkage.joints.names:
        linkage.add_force(lw.Motor(joint, effort=30.0, speed=3.0))
    law = lw.LinearFeedback(np.hstack([20.0 * np.eye(7), 2.0 * np.eye(7)]), np.zeros(7))
    return lw.Simulation(linkage, np.full(7, 0.3), dt=1e-3, controller=law)


def led_five_bar_that_rubs():
    """The five-bar that rubs, led by a controller."""
    sim = five_bar_that_rubs()
    sim.controller = lw.PD(0.0, 0.02, sim.q)
    return sim


def scenes() -> dict[str, Scene]:
    """All scenes by name."""
    half = np.full(7, 0.3)
    pd = lw.PD(20.0, 2.0, np.zeros(7))

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
        "four-bar, limits of its loop joint": Scene(four_bar_between_stops),
        "four-bar on a hard limit": Scene(four_bar_at_rest),
        "Li's two-link arm on a floor": Scene(lambda: scene("li-two-link").simulation()),
        "polishing a ball": Scene(lambda: scene("polishing").simulation()),
        "five-bar, a point on a plane": Scene(five_bar_on_a_rail),
        "five-bar, a point that rubs": Scene(five_bar_that_rubs),
        "high bar, a controller": Scene(lambda: high_bar(controller=nothing)),
        "arm with PD and limits": Scene(lambda: lw.Simulation(arm(), half, dt=1e-3, controller=pd)),
        "robot arm, PD as text": Scene(lambda: scene("robot-arm").simulation()),
        "Stewart platform, torques as text": Scene(lambda: scene("stewart").simulation()),
        "ball joint driven, text": Scene(lambda: waved(lw.Spherical(), TURN)),
        "free base driven, text": Scene(lambda: waved(lw.Free(), ["0.2*sin(t)", "0", "0.1*t", *TURN])),
        "planar base driven, steady": Scene(lambda: waved(lw.Planar("z"), [0.3, 0.1, 0.5])),
        "ball joint driven, in a loop": Scene(wagged),
        "arm with motors, linear feedback": Scene(motored_arm),
        "arm with motors and a strength, PD": Scene(lambda: strong_arm(controller=pd)),
        "five-bar that rubs, PD": Scene(led_five_bar_that_rubs),
        "arm, compiled torques(t, q, v)": Scene(lambda: lw.Simulation(lw.samples.chain(7), half, torques=nothing)),
    }


def callbacks() -> dict[str, Callback]:
    """Callbacks that return at once, by name."""
    half, none = np.full(7, 0.3), np.zeros(7)
    bar_none = np.zeros(lw.samples.high_bar()[0].nv)

    def arm_with(**how):
        return lw.Simulation(lw.samples.chain(7), half, **how)

    def watched(condition):
        sim = arm_with()
        sim.when(condition, lambda: None)
        return sim

    def led(motion):
        sim = arm_with()
        sim.drive("link0", motion)
        return sim

    def still(t):
        return 0.3, 0.0, 0.0

    def pose(t):
        return (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)

    return {
        "controller of a high bar": Callback(
            lambda: high_bar(controller=lambda sim: bar_none), lambda: high_bar(controller=nothing), 1
        ),
        "controller of an arm": Callback(
            lambda: arm_with(controller=lambda sim: none), lambda: arm_with(controller=nothing), 1
        ),
        "torques(t, q, v) of an arm": Callback(
            lambda: arm_with(torques=lambda t, q, v: none), lambda: arm_with(torques=nothing), 4
        ),
        "drive of an arm": Callback(lambda: led(still), lambda: led(compiled_still), 5),
        "drive of a ball joint": Callback(
            lambda: waved(lw.Spherical(), pose), lambda: waved(lw.Spherical(), compiled_pose), 5
        ),
        "condition(t, q, v) of an arm": Callback(
            lambda: watched(lambda t, q, v: 1.0), lambda: watched(compiled_one), 1
        ),
        "condition(sim) of an arm": Callback(lambda: watched(lambda sim: 1.0), lambda: watched(compiled_one), 1),
    }


def processor_seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measure(made: Scene, steps: int, rounds: int) -> Times:
    """µs per step."""
    sim = made.make()
    sim.run(sim.t + 20 * sim.dt, progress=False)
    linkage, q = (sim.linkage, sim.q.copy()) if made.bare is None else made.bare()
    v = sim.v.copy() if made.bare is None else np.zeros(linkage.nv)
    loops = [bare_call(linkage, q, v, 4 * steps)]
    loops += [bare_call(without_contacts(linkage), q, v, 4 * steps)] if len(linkage.contacts) else []
    first = processor_seconds(lambda: sim.run(sim.t + 20 * sim.dt, progress=False)) / 20
    taken = min(steps, max(20, int(1.0 / max(first, 1e-6))))  # steps, about a second of them at most
    for bare in loops:
        bare()
    best, best_bare = np.inf, [np.inf, np.inf]
    for _ in range(rounds):
        best = min(best, processor_seconds(lambda: sim.run(sim.t + taken * sim.dt, progress=False)) / taken)
        for k, bare in enumerate(loops):
            best_bare[k] = min(best_bare[k], processor_seconds(bare) / steps)
    return Times(1e6 * best, 1e6 * best_bare[0], 1e6 * best_bare[1])


def cost_of_a_call(made: Callback, steps: int, rounds: int) -> tuple[float, float]:
    """µs that a call of Python's takes longer than a compiled one: of the best rounds, and in the median."""
    sims, spent = (made.python(), made.compiled()), np.zeros((rounds + 1, 2))
    for k in range(rounds + 1):
        for which in (0, 1) if k % 2 else (1, 0):
            sim = sims[which]
            spent[k, which] = processor_seconds(lambda sim=sim: sim.run(sim.t + steps * sim.dt, progress=False))
    np.testing.assert_allclose(sims[0].q, sims[1].q, atol=1e-9)  # they have made the same steps
    each = 1e6 * spent[1:] / (steps * made.calls)  # the first round is that of compiling, and of memory
    return float(each[:, 0].min() - each[:, 1].min()), float(np.median(each[:, 0] - each[:, 1]))


def wall_seconds(call: Callable[[], object], count: int, rounds: int) -> float:
    """Of one call, of the best round."""
    best = np.inf
    for _ in range(rounds + 1):
        start = time.perf_counter()
        for _ in range(count):
            call()
        best = min(best, (time.perf_counter() - start) / count)
    return best


def cost_of_forces(sim, rounds: int, states: int = 512) -> tuple[float, float, float, float]:
    """µs of one call of `forward_dynamics` and of `solve`, and of a state in batches of both, of one thread."""
    sim.run(sim.t + 50 * sim.dt, progress=False)
    linkage, q, v = sim.linkage, sim.q.copy(), sim.v.copy()
    tau, many = np.zeros(linkage.nv + linkage.nv_loop), np.repeat(q[None], states, axis=0)
    spent = []
    for poses, count in ((q, 1000), (many, 3)):
        for function in (lw.forward_dynamics, lw.solve):
            each = wall_seconds(lambda poses=poses, function=function: function(linkage, poses, v, tau), count, rounds)
            spent.append(1e6 * each / (1 if poses is q else states))
    return tuple(spent)


def print_forces(only: str, rounds: int) -> None:
    """What all forces of points on surfaces cost beside the accelerations alone."""
    chosen = {name: made for name, made in scenes().items() if name in ON_SURFACES and only in name}
    if not chosen:
        return
    lw.set_threads(1)
    print("\nµs of `solve` beside `forward_dynamics`: one call, and a state of many")
    for name, made in chosen.items():
        a, forces, state_a, state = cost_of_forces(made.make(), rounds)
        line = f"{name:36s} {forces:8.1f} {a:8.1f} {forces / a:6.2f} {state:8.2f} {state_a:8.2f} {state / state_a:6.2f}"
        print(f"{line}   (budget {RATIO:g})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=5000)
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
    for name, times in found.items():
        was = f"{before[name][0]:8.1f}" if name in before else f"{'':8s}"
        line = f"{name:36s} {was} {times.taken:8.1f} {times.bare:8.1f} {times.taken / times.bare:6.2f}"
        notes = [f"budget {RATIO:g}" + (f", {BUDGETS[name]:g} µs" if name in BUDGETS else "")]
        if times.free < np.inf:
            notes.append(f"free {times.free:.1f}: {times.taken / times.free:.1f}")
        print(f"{line}   ({'; '.join(notes)})")
    called = {name: made for name, made in callbacks().items() if options.only in name}
    if called:
        print(f"\n{'µs per call of Python above a compiled one':44s}")
    for name, made in called.items():
        best, median = cost_of_a_call(made, max(options.steps // 20, 20), 20 * options.rounds)
        print(f"{name:44s} {best:8.1f}   (budget {CALLBACK:g}; median {median:.1f})")
    print_forces(options.only, options.rounds)


def other_checkout(options: argparse.Namespace) -> dict[str, list[float]]:
    """The same scenes with another revision."""
    command = [sys.executable, __file__, "--json", f"--steps={options.steps}", f"--rounds={options.rounds}"]
    environment = os.environ | {"PYTHONPATH": str(options.base / "src")}
    out = subprocess.run([*command, f"--only={options.only}"], env=environment, check=True, capture_output=True)
    return json.loads(out.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
