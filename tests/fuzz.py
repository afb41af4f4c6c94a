"""Random linkages against the dense engine of `tests.reference`: ``python -m tests.fuzz --cases 1000 --area doors``.

Every area draws a kind of linkage and a state from a seed; every method, `mobility` and `consistent_velocity` answer,
and are compared. Where the reference finds a motion without inertia all methods must raise `SingularError`, and name
the same joint. Prints, for each area, how many cases were right, refused, undecided (so near to a singular pose that
the reference cannot tell) and wrong, the worst error, and the seeds that were wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small

import numpy as np

import linkwork as lw
from linkwork.dynamics.methods import able
from linkwork.samples.closed import random_motion
from linkwork.samples.open import random_joint
from tests.reference import Maximal, Singular, Undecided, kinds_of

TOLERANCE = 1e-6  # of the largest acceleration
TREE_JOINTS = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical")
SLIDES = {"Fixed": [], "Revolute": [0], "Prismatic": [1], "Helical": [0], "Cylindrical": [1, 0], "Universal": [0, 0],
          "Planar": [1, 1, 0], "Spherical": [0, 0, 0], "Free": [1, 1, 1, 0, 0, 0]}  # fmt: skip
LOOP_JOINTS = (*TREE_JOINTS, "Fixed", "Free")


class Case(NamedTuple):
    """A linkage, one state of it, torques, its size, and the reference in this pose."""

    linkage: lw.Linkage
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    length: float = 1.0
    pose: Maximal | None = None


def pose(rng, size=1.0):
    quaternion = rng.normal(size=4)
    return lw.Pose(rng.normal(scale=size, size=3), quaternion / np.linalg.norm(quaternion))


def inertia(rng, size=1.0):
    box = lw.Inertia.box(size * rng.uniform(0.1, 0.5, size=3), mass=float(rng.uniform(0.5, 2.0)))
    return box.transformed(pose(rng, 0.2 * size))


def joint(rng, kinds, size=1.0, **options):
    kind = str(rng.choice(kinds))
    if kind == "Fixed":
        return lw.Fixed()
    if kind == "Helical":
        return lw.Helical(rng.normal(size=3), size * float(rng.normal(scale=0.1)), **options)
    return random_joint(kind, rng, **options)


def tree(rng, bodies, kinds=TREE_JOINTS, *, size=1.0, massless=0.0, damping=False):
    """A random tree; each body is massless with this chance, unless it is an end."""
    linkage = lw.Linkage(gravity=9.81 * size * rng.normal(size=3))
    parents = [int(rng.integers(-1, k)) if rng.random() < 0.4 else k - 1 for k in range(bodies)]
    for k, parent in enumerate(parents):
        light = k in parents[k + 1 :] and rng.random() < massless
        options = {"damping": float(rng.uniform(0, 0.5)) * size**2} if damping else {}
        linkage.add_body(
            f"b{k}", lw.Inertia(0.0) if light else inertia(rng, size), joint=joint(rng, kinds, size, **options),
            parent="ground" if parent < 0 else f"b{parent}", at=pose(rng, 0.5 * size),
        )  # fmt: skip
    return linkage


def state(rng, linkage, size=1.0):
    """A random pose, what slides by about the size, and velocities that keep loops closed if there are any."""
    return linkage.integrate(linkage.neutral(), units(linkage, size) * rng.normal(size=linkage.nv))


def units(linkage, size):
    """The size where a degree of freedom slides, 1 where it turns."""
    out = []
    for kind in kinds_of(linkage):
        out += [size if slides else 1.0 for slides in SLIDES[type(kind).__name__]]
    return np.array(out)


def connect(rng, linkage, q, kind, *, size=1.0, ends=None, **options):
    """Close a loop at the pose q by a joint of this kind between two random bodies."""
    a, b = ends or (rng.choice(linkage.nb + 1, size=2, replace=False) - 1)
    made = joint(rng, [kind], size, **options)
    poses, at_a, moved = lw.body_poses(linkage, q), pose(rng, 0.3 * size), random_motion(made, rng)
    if isinstance(made, lw.Prismatic | lw.Cylindrical | lw.Planar | lw.Free):
        moved = lw.Pose(size * moved.position, moved.rotation)
    where = [lw.Pose() if k < 0 else poses[linkage.bodies[int(k)].name] for k in (a, b)]
    names = ["ground" if k < 0 else linkage.bodies[int(k)].name for k in (a, b)]
    linkage.connect(*names, made, at_a=at_a, at_b=where[1].inverse() @ where[0] @ at_a @ moved)


def finish(rng, linkage, q, size=1.0):
    """The case, at a velocity that its constraints allow, as the reference finds it."""
    v, dense = units(linkage, size) * rng.normal(size=linkage.nv), None
    if linkage.tree.closed or len(linkage.contacts):
        dense = Maximal(linkage, q, np.zeros(linkage.nv), length=size)
        v = dense.nearest(v)
    tau = size**2 / units(linkage, size) * rng.normal(size=linkage.nv)  # as of masses of 1 kg, within a second
    return Case(linkage, q, v, tau, size, dense)


def trees(rng):
    linkage = tree(rng, int(rng.integers(1, 8)), (*TREE_JOINTS, "Free", "Fixed"), damping=True)
    return finish(rng, linkage, state(rng, linkage))


def massless(rng):
    """One massive body behind joints with more freedoms than it has, or nearly as many."""
    chains = [["Free", "Revolute"], ["Prismatic"] * 4, ["Cylindrical", "Universal", "Spherical"],
              ["Universal"] * 3 + ["Revolute"], ["Spherical"] * 2, ["Revolute"] * 5, ["Revolute", "Spherical"],
              ["Prismatic"] * 3 + ["Spherical"], ["Planar", "Universal"],
              ["Free", "Prismatic", "Revolute"]]  # fmt: skip
    kinds = chains[rng.integers(len(chains))]
    if rng.random() < 0.3:
        kinds = list(rng.choice(TREE_JOINTS, size=rng.integers(2, 4)))
    linkage = lw.Linkage(gravity=rng.normal(size=3))
    for k, kind in enumerate(kinds):
        last = k == len(kinds) - 1
        linkage.add_body(f"b{k}", inertia(rng) if last else lw.Inertia(0.0), joint=joint(rng, [kind]),
                         parent=f"b{k - 1}" if k else "ground", at=pose(rng))  # fmt: skip
    return finish(rng, linkage, state(rng, linkage))


def doors(rng):
    """A loop joint that repeats a tree joint: a second hinge, a third bearing, another rail."""
    linkage = tree(rng, int(rng.integers(1, 5)), ("Revolute", "Prismatic", "Cylindrical", "Helical", "Planar"))
    q = state(rng, linkage)
    poses = lw.body_poses(linkage, q)
    for _ in range(int(rng.integers(1, 3))):
        body = linkage.bodies[int(rng.integers(linkage.nb))]
        kind, at = body.joint.type, body.joint.at
        parent = lw.Pose() if body.parent.index < 0 else poses[body.parent.name]
        along = getattr(kind, "axis", getattr(kind, "normal", None))
        shift = lw.Pose(rng.normal() * np.array(along) * (not isinstance(kind, lw.Planar)))
        if rng.random() < 0.3:
            shift = lw.Pose()
        start = parent @ at @ shift  # the joint's frame on the parent, moved along the axis
        if isinstance(kind, lw.Prismatic):
            start = start @ lw.Pose(rng.normal(size=3))
        at_b = poses[body.name].inverse() @ start
        linkage.connect(body.parent.name, body.name, kind, at_a=at @ shift if not isinstance(kind, lw.Prismatic) else
                        parent.inverse() @ start, at_b=at_b)  # fmt: skip
    return finish(rng, linkage, q)


def loops(rng):
    linkage = tree(rng, int(rng.integers(2, 8)), (*TREE_JOINTS, "Free"), damping=True)
    q = state(rng, linkage)
    for _ in range(int(rng.integers(1, 4))):
        kind = str(rng.choice(LOOP_JOINTS))
        connect(rng, linkage, q, kind, damping=float(rng.uniform(0, 0.5)))
    return finish(rng, linkage, q)


def planar_chain(rng, bodies, size, turned):
    """Hinges with parallel axes, sometimes sliders across them, all turned at random, and a pose of it."""
    linkage = lw.Linkage(gravity=9.81 * size * rng.normal(size=3))
    for k in range(bodies):
        slides = rng.random() < 0.2
        along = np.r_[rng.normal(size=2), 0.0]
        place = size * np.r_[rng.normal(scale=0.5, size=2), rng.normal()]
        at = lw.Pose.axis_angle((0, 0, 1), rng.normal(), position=place)
        linkage.add_body(f"b{k}", inertia(rng, size), joint=lw.Prismatic(along) if slides else lw.Revolute("z"),
                         parent=f"b{k - 1}" if k else "ground", at=turned @ at if k == 0 else at)  # fmt: skip
    return linkage, state(rng, linkage, size)


def planar_loop(rng, linkage, q, size, turned, ends):
    """A hinge across the plane that closes it at the pose q."""
    poses = lw.body_poses(linkage, q)
    names = ["ground" if k < 0 else f"b{k}" for k in ends]
    where = [lw.Pose() if k < 0 else poses[name] for k, name in zip(ends, names, strict=True)]
    world = turned @ lw.Pose(size * rng.normal(size=3))
    linkage.connect(*names, lw.Revolute("z"), at_a=where[0].inverse() @ world, at_b=where[1].inverse() @ world)


def overconstrained(rng, size=1.0):
    """Planar mechanisms in space, some loops closed twice over."""
    turned = pose(rng, size)
    bodies = int(rng.integers(3, 7))
    linkage, q = planar_chain(rng, bodies, size, turned)
    planar_loop(rng, linkage, q, size, turned, (-1, bodies - 1))
    for _ in range(int(rng.integers(0, 3))):
        a, b = np.sort(rng.choice(bodies + 1, size=2, replace=False) - 1)
        kind = str(rng.choice(["Revolute", "Cylindrical", "Planar", "repeat"]))
        if kind == "repeat":
            loop = linkage.loops[0]
            linkage.connect(loop.parent.name, loop.real.name, loop.type, at_a=loop.at_a, at_b=loop.at_b)
        elif kind == "Revolute":
            planar_loop(rng, linkage, q, size, turned, (int(a), int(b)))
    return finish(rng, linkage, q, size)


def couplings(rng):
    linkage = tree(rng, int(rng.integers(2, 7)), ("Revolute", "Prismatic", "Helical"), damping=True)
    q = state(rng, linkage)
    for _ in range(int(rng.integers(1, 3))):
        i, j = rng.choice(linkage.nb, size=2, replace=False)
        ratio = float(rng.choice([rng.normal(), 1.0, -1.0]))
        higher = rng.normal(size=rng.integers(0, 4)) if rng.random() < 0.5 else ()
        value = np.polynomial.Polynomial([0.0, ratio, *higher])(q[j])
        linkage.couplings.append(lw.Coupling(f"b{i}", f"b{j}", ratio, float(q[i] - value), higher))
    if rng.random() < 0.4:
        connect(rng, linkage, q, str(rng.choice(TREE_JOINTS)))
    return finish(rng, linkage, q)


def springs(rng):
    case = loops(rng) if rng.random() < 0.5 else trees(rng)
    linkage = case.linkage
    for _ in range(int(rng.integers(1, 4))):
        a, b = rng.choice(["ground", *linkage.bodies.names], size=2, replace=False)
        linkage.add_force(lw.Spring(str(a), str(b), rng.normal(size=3), rng.normal(size=3), *rng.uniform(0, 9, size=3)))
    for each in linkage.joints:
        if isinstance(each.type, lw.Revolute | lw.Prismatic | lw.Universal) and rng.random() < 0.4:
            linkage.add_force(lw.JointSpring(each.name, float(rng.uniform(0, 9)), float(rng.normal())))
    return case


def scales(rng):
    """Closed linkages from 1e-9 to 1e8 m."""
    size = 10.0 ** int(rng.integers(-9, 9))
    if rng.random() < 0.4:
        return overconstrained(rng, size)
    linkage = tree(rng, int(rng.integers(2, 6)), TREE_JOINTS, size=size)
    q = state(rng, linkage, size)
    if rng.random() < 0.8:
        connect(rng, linkage, q, str(rng.choice(LOOP_JOINTS)), size=size)
    return finish(rng, linkage, q, size)


def massless_loops(rng):
    linkage = tree(rng, int(rng.integers(2, 7)), TREE_JOINTS, massless=0.4)
    q = state(rng, linkage)
    for _ in range(int(rng.integers(1, 3))):
        connect(rng, linkage, q, str(rng.choice(LOOP_JOINTS)))
    return finish(rng, linkage, q)


def surfaces(rng):
    """Points on planes and spheres, frictionless."""
    linkage = tree(rng, int(rng.integers(1, 6)), (*TREE_JOINTS, "Free"))
    q = state(rng, linkage)
    poses = lw.body_poses(linkage, q)
    for _ in range(int(rng.integers(1, 3))):
        body = linkage.bodies[int(rng.integers(linkage.nb))].name
        point = rng.normal(scale=0.5, size=3)
        r = poses[body].apply(point)
        centre = r + rng.normal(size=3)
        surface = lw.Sphere(centre, float(np.linalg.norm(r - centre)))
        if rng.random() < 0.5:
            n = rng.normal(size=3)
            n /= np.linalg.norm(n)
            surface = lw.Plane(n, float(n @ r))
        linkage.constrain(body, surface=surface, point=point, friction=0.0)
    return finish(rng, linkage, q)


def structure(rng):
    """Joints connected and cut, the state carried along."""
    case = loops(rng)
    linkage, q = case.linkage, case.q
    for _ in range(int(rng.integers(1, 4))):
        floats = [each.parent.index < 0 and isinstance(each.type, lw.Free) for each in linkage.joints]
        held = [name for name, loose in zip(linkage.joints.names, floats, strict=True) if not loose]
        if rng.random() < 0.5 and (held or len(linkage.loops)):
            change = linkage.cut(str(rng.choice([*held, *linkage.loops.names])))
            q, _ = change.carry(q, np.zeros(len(change.index_map.v)))
        else:
            connect(rng, linkage, q, str(rng.choice(LOOP_JOINTS)))
    return finish(rng, linkage, q)


AREAS: dict[str, Callable[[np.random.Generator], Case]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        trees, massless, doors, loops, overconstrained, couplings, springs, scales, massless_loops, surfaces, structure,
    )
}  # fmt: skip


class Wrong(Exception):  # noqa: N818
    """What was wrong."""


def joint_named(error: Exception) -> str:
    """The joint that an error names."""
    found = re.search(r"joint '([^']*)'", str(error))
    return found.group(1) if found else ""


def check(case: Case) -> float:
    """The largest error of any answer, relative; raises `Wrong`, `Singular` (rightly refused) or `Undecided`."""
    linkage, q, v, tau, size, pose = case
    dense = Maximal(linkage, q, v, length=size, same_pose=pose)
    unit = units(linkage, size)
    try:
        expected = dense.accelerations(tau)
    except Singular:
        check_refused(case)
        raise
    names = [method.name for method in able(linkage)]
    worst = 0.0
    for name in names:
        try:
            answers = {"call": lw.forward_dynamics(linkage, q, v, tau, method=name)}
            count = 3 if name == "aba" else 1  # others take one state after the other
            answers["batch"] = lw.forward_dynamics(linkage, np.tile(q, (count, 1)), v, tau, method=name)[-1]
            answers["solve"] = lw.solve(linkage, q, v, tau, method=name).a
        except lw.LinkworkError as error:
            raise Wrong(f"{name}: {type(error).__name__}: {error}") from None
        for how, a in answers.items():
            worst = max(worst, compare(f"{name} ({how})", a / unit, expected / unit))
    if linkage.tree.closed and not len(linkage.contacts):
        free = dense.freedom()
        found = lw.mobility(linkage, q).dof
        if found != free:
            raise Wrong(f"mobility: {found} degrees of freedom, not {free}")
        other = unit * np.cos(np.arange(linkage.nv))
        nearest = dense.nearest(other) / unit
        worst = max(worst, compare("consistent_velocity", lw.consistent_velocity(linkage, q, other) / unit, nearest))
        if len(linkage.loops):
            jump = lw.velocity_jump(linkage, q, other, linkage.loops[0])
            worst = max(worst, compare("velocity_jump", jump.v / unit, nearest))
        if not any(isinstance(kind, lw.Free) for kind in kinds_of(linkage)):  # which have no motor
            found = lw.forward_dynamics(linkage, q, v, lw.actuator_torques(linkage, q, v, expected))
            worst = max(worst, compare("actuator_torques", found / unit, expected / unit))
    return worst


def compare(what: str, found: np.ndarray, expected: np.ndarray) -> float:
    error = float(np.abs(found - expected).max(initial=0.0) / (1.0 + np.abs(expected).max(initial=0.0)))
    if not error <= TOLERANCE:
        raise Wrong(f"{what}: off by {error:.3g}")
    return error


def check_refused(case: Case) -> None:
    """Every method must refuse, for the same joint."""
    linkage, q, v, tau = case[:4]
    named = {}
    for method in able(linkage):
        try:
            a = lw.forward_dynamics(linkage, q, v, tau, method=method.name)
        except lw.SingularError as error:
            named[method.name] = joint_named(error)
        except lw.LinkworkError as error:
            raise Wrong(f"{method.name}: {type(error).__name__}: {error}") from None
        else:
            raise Wrong(f"{method.name}: {np.abs(a).max():.3g} where a motion has no inertia")
    if not linkage.tree.closed and len(set(named.values())) > 1:
        raise Wrong(f"different joints named: {named}")


def run(area: str, seed: int) -> tuple[str, float | str]:
    """What became of one case: "right", "refused", "undecided" or "wrong", with its error."""
    try:
        return "right", check(AREAS[area](np.random.default_rng(seed)))
    except Singular:
        return "refused", 0.0
    except Undecided:
        return "undecided", 0.0
    except Wrong as wrong:
        return "wrong", str(wrong)
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100, help="in each area")
    parser.add_argument("--area", action="append", choices=list(AREAS), help="may be repeated; default: all")
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    parser.add_argument("--show", type=int, default=5, help="wrong cases to print in each area")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    failures = 0
    for area in options.area or AREAS:
        began = time.perf_counter()
        counts, worst, shown = dict.fromkeys(("right", "refused", "undecided", "wrong"), 0), (0.0, -1), []
        for seed in range(options.seed, options.seed + options.cases):
            outcome, what = run(area, seed)
            counts[outcome] += 1
            if outcome == "wrong":
                shown.append(f"  seed {seed}: {what}")
            elif isinstance(what, float):
                worst = max(worst, (what, seed))
        failures += counts["wrong"]
        text = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        took = time.perf_counter() - began
        line = f"{area}: {text}; worst error {worst[0]:.1e} (seed {worst[1]}); {took:.0f} s"
        print("\n".join([line, *shown[: options.show]]), flush=True)  # noqa: T201
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
