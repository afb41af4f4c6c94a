"""Two checkouts of linkwork side by side: the time of each case in both, and whether their results are the same.

    python benchmarks/revisions.py OLD NEW [--rounds 15] [--threads 1] [--case closed] [--turn 0.03]

Each checkout has one process for the whole run. In every round both repeat a case for a while, one after the other, in
changing order, so that a busy machine slows both alike; with one thread it is processor time that counts. The ratio is
the median of the rounds' ratios, new over old; beside it is the ratio of the best times. Robots come from the package
example-robot-data; without it, samples stand in for them.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

ROBOTS = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
PANDA, TALOS = ROBOTS / "panda_description/urdf/panda.urdf", ROBOTS / "talos_data/robots/talos_full_v2.urdf"
BATCH, CLOSED_BATCH = 4096, 256
STEPS = 50  # of the simulations whose results are compared
BURST = 1e-3  # s, of repeated calls
SITTING = 5  # rounds after which a case is made anew: where its arrays happen to lie changes its time


class Case:
    """What is timed, and what gives the result (by default the same)."""

    def __init__(self, call: Callable[[], object], result: Callable[[], np.ndarray] | None = None):
        self.call, self.result = call, result or call


def cases(lw) -> Iterator[tuple[str, Callable[[], Case]]]:
    """Every case by name; what it needs is made when it is called for."""
    robots = {
        "panda": lambda: lw.load(PANDA) if PANDA.exists() else lw.samples.chain(7),
        "talos": lambda: lw.load(TALOS, base="free") if TALOS.exists() else lw.samples.human(40),
    }
    for name, make in robots.items():
        for what in ("aba", "rnea", "crba"):
            yield f"one call, {what}, {name}", lambda make=make, what=what: _dynamics(lw, make(), what)
            yield f"batch, {what}, {name}", lambda make=make, what=what: _dynamics(lw, make(), what, BATCH)
        yield f"one call, virtual-work, {name}", lambda make=make: _dynamics(lw, make(), "virtual-work")
        yield f"one call, poses, {name}", lambda make=make: _poses(lw, make())
        yield f"batch, poses, {name}", lambda make=make: _poses(lw, make(), BATCH)
    closed = {
        "four_bar": lw.samples.four_bar,
        "stewart": lw.samples.stewart,
        "four_bars(10)": lambda: lw.samples.four_bars(10),
    }
    for name, make in closed.items():
        yield f"closed, one call, {name}", lambda make=make: _closed(lw, make())
        yield f"closed, batch, {name}", lambda make=make: _closed(lw, make(), CLOSED_BATCH)
        yield f"closed, simulation step, {name}", lambda make=make: _simulation(lw, make)
    for name, make in (("panda", robots["panda"]), ("four_bar", lw.samples.four_bar)):
        yield f"derivatives, {name}", lambda make=make: _derivatives(lw, make())
        yield f"derivatives, inverse, {name}", lambda make=make: _derivatives(lw, make(), "inverse")
        yield f"derivatives, vjp, {name}", lambda make=make: _derivatives(lw, make(), "vjp")
        yield f"derivatives, batch, {name}", lambda make=make: _derivatives(lw, make(), "forward", CLOSED_BATCH)
        yield f"derivatives, rollout, {name}", lambda make=make: _gradient(lw, make())
    for integrator in ("semi-implicit", "rk4"):
        yield f"rollout, {integrator}, panda", lambda i=integrator: _rollout(lw, robots["panda"](), i)
    yield "simulation step, panda", lambda: _simulation(lw, robots["panda"])
    torques = "torques" if "torques" in inspect.signature(lw.Simulation).parameters else "forces"  # its older name
    acting = {"controller": {"controller": lambda sim: -0.1 * sim.v}, "torques": {torques: lambda t, q, v: -0.1 * v}}
    for name, options in acting.items():
        yield f"simulation step, panda, {name}", lambda options=options: _simulation(lw, robots["panda"], **options)
    for scene in ("li-two-link", "box-on-belt", "high-bar"):
        yield f"simulation step, {scene}", lambda scene=scene: _scene(lw, scene)
    yield "divide and conquer, 5,000 joints", lambda: _dynamics(lw, lw.samples.tree(5000), "dca")
    yield "adaptive step, 20,000 atoms", lambda: _adaptive(lw)


def _state(linkage, *shape):
    rng = np.random.default_rng(0)
    q, (v, tau) = linkage.random(rng), 0.1 * rng.normal(size=(2, linkage.nv))
    return [np.tile(x, (*shape, 1)) if shape else x for x in (q, v, tau)]


def _dynamics(lw, linkage, what, *shape):
    q, v, x = _state(linkage, *shape)
    if what == "crba":
        out = np.empty((*shape, linkage.nv, linkage.nv))
        return Case(lambda: lw.mass_matrix(linkage, q, out=out))
    out = np.empty_like(v)
    if what == "rnea":
        return Case(lambda: lw.inverse_dynamics(linkage, q, v, x, out=out))
    return Case(lambda: lw.forward_dynamics(linkage, q, v, x, method=what, out=out))


def _poses(lw, linkage, *shape):
    q = _state(linkage, *shape)[0]
    return Case(lambda: lw.body_poses(linkage, q).positions)


def _closed(lw, linkage, *shape):
    q, tau = lw.close_loops(linkage, linkage.neutral()), np.ones(linkage.nv)
    v = lw.consistent_velocity(linkage, q, 0.1 * np.ones(linkage.nv))
    q, v, tau = (np.tile(x, (*shape, 1)) if shape else x for x in (q, v, tau))
    return Case(lambda: lw.forward_dynamics(linkage, q, v, tau))


def _derivatives(lw, linkage, what="forward", *shape):
    q = lw.close_loops(linkage, linkage.neutral()) if len(linkage.loops) else _state(linkage)[0]
    q, v, tau = (np.tile(x, (*shape, 1)) if shape else x for x in (q, np.zeros(linkage.nv), np.ones(linkage.nv)))
    if what == "vjp":
        return Case(lambda: lw.forward_dynamics_vjp(linkage, q, v, tau, tau), lambda: np.concatenate(
            [x.ravel() for x in lw.forward_dynamics_vjp(linkage, q, v, tau, tau)]
        ))  # fmt: skip
    call = getattr(lw, f"{what}_dynamics_derivatives")
    return Case(lambda: call(linkage, q, v, tau), lambda: np.stack(call(linkage, q, v, tau)))


def _gradient(lw, linkage):
    q = lw.close_loops(linkage, linkage.neutral()) if len(linkage.loops) else _state(linkage)[0]
    done = lw.rollout(linkage, q, np.zeros(linkage.nv), steps=100, dt=1e-3)
    ones = np.ones(linkage.nv)
    return Case(lambda: done.vjp(ones, ones), lambda: np.asarray(done.vjp(ones, ones)[0]))


def _rollout(lw, linkage, integrator):
    q, v, tau = _state(linkage, 256)
    return Case(lambda: lw.rollout(linkage, q, v, 0.01 * tau[:, None], 1e-3, 20, integrator=integrator).q)


def _simulation(lw, make, **options):
    def fresh():
        linkage = make()
        q = linkage.neutral()
        q = lw.close_loops(linkage, q) if len(linkage.loops) else q
        return lw.Simulation(linkage, q, dt=1e-3, record_every=10**9, **options)

    return _stepped(fresh)


def _scene(lw, name):
    from linkwork import examples

    return _stepped(lw.load_scene(examples.files(name)[0]).simulation)


def _stepped(fresh):
    """A simulation that is timed step by step, and another that gives the result after a number of steps."""

    def result():
        other = fresh()
        for _ in range(STEPS):
            other.step()
        return np.concatenate([other.q, other.v])

    return Case(fresh().step, result)


def _adaptive(lw):
    linkage = lw.samples.molecule(20_000)

    def fresh():
        made = lw.AdaptiveSimulation(linkage, linkage.neutral(), dt=1e-3, tolerance=2**-11)
        made.apply_force("atom7000", (1.0, 0.0, 0.0))
        return made

    def result():
        other = fresh()
        for _ in range(5):
            other.step()
        return other.q

    return Case(fresh().step, result)


def serve(clock: Callable[[], float]) -> None:
    """Answer requests on stdin, one JSON object per line: prepare a case, or repeat it for a number of seconds."""
    import linkwork as lw

    known, case = dict(cases(lw)), None
    print(json.dumps(list(known)), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "prepare" in request:
            try:
                case = known[request["prepare"]]()
                case.call()
                np.save(request["path"], case.result())
                answer = None
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"
        else:
            answer = best_time(case.call, request["seconds"], clock)
        print(json.dumps(answer), flush=True)


def best_time(call: Callable[[], object], seconds: float, clock: Callable[[], float]) -> float:
    """The best mean of a call among bursts of about a millisecond, repeated for this many seconds."""
    start = clock()
    call()
    count = max(1, int(BURST / max(clock() - start, 1e-7)))
    best, end = np.inf, clock() + seconds
    while best == np.inf or clock() < end:
        start = clock()
        for _ in range(count):
            call()
        best = min(best, (clock() - start) / count)
    return best


class Checkout:
    """A process that uses one checkout."""

    def __init__(self, path: Path, threads: int):
        environment = os.environ | {"PYTHONPATH": str(path / "src"), "LINKWORK_THREADS": str(threads)}
        command = [sys.executable, __file__, "--serve", "cpu" if threads == 1 else "wall"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env=environment, text=True, **pipes)
        self.cases = self._answer()

    def ask(self, **request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a process has ended: run the program with --serve cpu to see why")
        return json.loads(line)

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def compare(old: Checkout, new: Checkout, name: str, rounds: int, seconds: float, folder: Path) -> str:
    """One row of the table."""
    pair, files = (old, new), (folder / "old.npy", folder / "new.npy")
    times = np.empty((rounds, 2))
    for k in range(rounds):
        if k % SITTING == 0:
            for checkout, file in zip(pair, files, strict=True):
                failure = checkout.ask(prepare=name, path=str(file))
                if failure:
                    return failure
        for side in (0, 1) if k % 2 else (1, 0):
            times[k, side] = pair[side].ask(seconds=seconds)
    (was, now), (best_was, best_now) = 1e6 * np.median(times, axis=0), times.min(axis=0)
    ratio = np.median(times[:, 1] / times[:, 0])
    return f"{was:12.2f} {now:12.2f} {ratio:9.3f} {best_now / best_was:9.3f}  {_same(*map(np.load, files))}"


def _same(x: np.ndarray, y: np.ndarray) -> str:
    if x.shape == y.shape and x.tobytes() == y.tobytes():
        return "equal to the last bit"
    return f"differ by {np.abs(x - y).max() / np.abs(x).max():.1e}" if x.shape == y.shape else "differ in shape"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turn", type=float, default=0.03, help="seconds for which a case is repeated in a round")
    parser.add_argument("--case", default="", help="only cases whose name has this in it")
    given = parser.parse_args()
    old, new = (Checkout(path.resolve(), given.threads) for path in (given.old, given.new))
    print(f"{'':38} {'old µs':>12} {'new µs':>12} {'new/old':>9} {'of best':>9}  results")
    with tempfile.TemporaryDirectory() as folder:
        for name in old.cases:
            if given.case in name:
                row = compare(old, new, name, given.rounds, given.turn, Path(folder))
                print(f"{name:38} {row}", flush=True)
    old.close()
    new.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(time.process_time if sys.argv[2] == "cpu" else time.perf_counter)
    else:
        main()
