"""What a virtual link costs beside re-rooting, when a chain that floats takes hold of the ground.

    python benchmarks/re_rooting.py [--links 10 40 160 1000] [--rounds 20]

[Nakamura2000] holds it by a loop joint, a virtual link, and keeps the tree; the other way is to describe the chain anew
from where it is held, so that no loop is left. Both are the same chain in the same state, and must move alike. Times of
forward dynamics are the best of some rounds in turns, of this thread; a change is the next call included.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import linkwork as lw

LENGTH, MASS = 0.4, 1.0


def held(n: int) -> lw.Linkage:
    """From the held end down: the tree after re-rooting."""
    return lw.samples.chain(n, length=LENGTH, mass=MASS)


def floating(n: int) -> lw.Linkage:
    """From the free end up: the tree of a chain that floats."""
    linkage, rod = lw.Linkage(name=f"floating chain of {n}"), held(1).bodies[0].inertia
    inertia = lw.Inertia(rod.mass, -rod.com, rod.matrix)
    for k in range(n):
        parent, at = ("ground", lw.Pose()) if k == 0 else (f"link{k - 1}", lw.Pose((0, 0, LENGTH)))
        linkage.add_body(f"link{k}", inertia, joint=lw.Revolute("y") if k else lw.Free(), parent=parent, at=at)
    return linkage


def take_hold(linkage: lw.Linkage) -> None:
    """The virtual link: the upper end on a hinge of the ground."""
    last = linkage.bodies[linkage.nb - 1]
    linkage.connect("ground", last, lw.Revolute("y"), at_b=lw.Pose((0, 0, LENGTH)), name="hold")


def same_state(rooted: lw.Linkage, q: np.ndarray, loose: lw.Linkage) -> np.ndarray:
    """The coordinates of the floating chain where the other has q."""
    poses, out = lw.body_poses(rooted, q), loose.neutral()
    tip = lw.Pose(poses.positions[-1], poses.rotations[-1]) @ lw.Pose((0, 0, -LENGTH))
    out[:7] = np.concatenate([tip.position, tip.quaternion])
    out[7:] = -q[:0:-1]
    return out


def best(calls: dict, rounds: int) -> dict[str, float]:
    """Seconds of each call, in turns."""
    found = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.thread_time()
            call()
            found[name] = min(found[name], time.thread_time() - start)
    return found


def measure(n: int, rounds: int) -> None:
    """Both chains of n links, checked against each other, then timed; one line."""
    rooted, loose = held(n), floating(n)
    take_hold(loose)
    q = np.random.default_rng(n).normal(size=n) * 0.3
    q_loose, v, v_loose = same_state(rooted, q, loose), np.zeros(n), np.zeros(loose.nv)
    a, a_loose = lw.forward_dynamics(rooted, q, v), lw.forward_dynamics(loose, q_loose, v_loose)
    error = np.abs(a_loose[6:] + a[:0:-1]).max() / np.abs(a).max()
    if not error < 1e-7:
        raise SystemExit(f"{n} links: the two differ by {error:.1e}")

    def reconnect():
        loose.cut("hold")
        take_hold(loose)
        lw.forward_dynamics(loose, q_loose, v_loose)

    calls = {"rooted": lambda: lw.forward_dynamics(rooted, q, v)}
    calls["virtual"] = lambda: lw.forward_dynamics(loose, q_loose, v_loose)
    changes = {"rooted": lambda: lw.forward_dynamics(held(n), q, v), "virtual": reconnect}
    call, change = best(calls, rounds), best(changes, max(3, rounds // 4))
    ratio = call["virtual"] / call["rooted"]
    print(f"{n:5} {1e6 * call['rooted']:33.1f} {1e6 * call['virtual']:14.1f} {ratio:7.2f}"
          f" {1e3 * change['rooted']:26.2f} {1e3 * change['virtual']:14.2f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, nargs="+", default=[10, 40, 160, 1000])
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    print("links   forward dynamics, µs: re-rooted   virtual link   ratio     change, ms: re-rooted   virtual link")
    for n in given.links:
        measure(n, given.rounds)


if __name__ == "__main__":
    main()
