"""Floating-point operations of each forward-dynamics method, counted by running the kernels on counting numbers.

    python benchmarks/operation_counts.py [--json]

Kernels are written for any scalar: interpreted instead of compiled they run on numbers that count what is done to
them. Operations on constants of the linkage alone are not counted; they could be done once, ahead of time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from typing import ClassVar

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports numba

import numpy as np

import linkwork as lw
from linkwork.kernels import numba_ext


def _scalar(array, value):
    """A constant beside numbers of an array, not a float of ours; beside rows of four, one of them."""
    return np.full(array.shape[1:], value or 0, dtype=object) if array.ndim > 1 else value


numba_ext.scalar = _scalar  # for the kernels imported from here on


class CountingScalar:
    """A float that counts the operations done on such floats: "+" (and −), "*", "/", and "other"."""

    counts: ClassVar[Counter[str]] = Counter()
    __slots__ = ("x",)
    __array_priority__ = 1.0

    def __init__(self, x):
        self.x = float(x)

    def __float__(self):
        return self.x

    def sqrt(self):
        return CountingScalar._count("other", np.sqrt(self.x))

    def floor(self):
        return CountingScalar._count("other", np.floor(self.x))

    def __neg__(self):
        return CountingScalar(-self.x)  # a sign costs nothing: it goes into the next operation

    def __abs__(self):
        return CountingScalar(abs(self.x))

    @staticmethod
    def _count(what, x):
        CountingScalar.counts[what] += 1
        return CountingScalar(x)


def _operator(name, what):
    def forward(self, other):
        if isinstance(other, np.ndarray):  # a row of four numbers
            return np.array([forward(self, x) for x in other.ravel()], dtype=object).reshape(other.shape)
        if type(other) is int and other == 0 and what != "/":  # what rows of six are filled up with
            return 0 if what == "*" else (-self if name == "__rsub__" else self)
        return CountingScalar._count(what, getattr(self.x, name)(float(other)))

    return forward


def _comparison(name):
    return lambda self, other: getattr(self.x, name)(float(other))


for _name, _what in {"add": "+", "sub": "+", "mul": "*", "truediv": "/"}.items():
    setattr(CountingScalar, f"__{_name}__", _operator(f"__{_name}__", _what))
    setattr(CountingScalar, f"__r{_name}__", _operator(f"__r{_name}__", _what))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(CountingScalar, f"__{_name}__", _comparison(f"__{_name}__"))


def counting(values) -> np.ndarray:
    return np.array([CountingScalar(x) for x in np.ravel(values)], dtype=object)


def count(linkage: lw.Linkage, method: str) -> Counter[str]:
    """Operations of one call, and a check of its result."""
    from linkwork.kernels.tree import aba, ltdl, unit_vector
    from linkwork.kernels.virtual_work import virtual_work

    tree, rng = linkage.tree, np.random.default_rng(0)
    q, v, tau = linkage.random(rng), rng.normal(size=tree.nv), rng.normal(size=tree.nv)
    work, zero = np.empty(tree.work_size, dtype=object), np.zeros(tree.nv)
    a, vector = counting(zero), lambda n: np.empty(n, dtype=object)
    if method == SPLIT:
        from linkwork.linkage.packing.splitting import split_links

        tree = split_links(linkage)[0].tree
        work = np.empty(tree.work_size, dtype=object)
    state = (tree.model, tree.index, work, 0, counting(q), counting(v), counting(tau))
    CountingScalar.counts = Counter()
    if method == "aba":
        outcome = aba.aba(*state, a)
    elif method == UNSPLIT:
        return without_splitting(linkage, q, v)
    elif method == "dca":
        outcome = divide_conquer(linkage.assembly(), state, a)
    elif method in ("virtual-work", SPLIT):
        outcome = virtual_work.virtual_work(*state, a)
    elif method == "crba":
        outcome = ltdl.crba_forward(*state, counting(zero), a, vector(tree.nonzeros))
    else:
        outcome = unit_vector.unit_vector(
            *state, counting(zero), a, vector(tree.nv**2), vector(tree.nv), vector(tree.nv)
        )
    expected = lw.forward_dynamics(linkage, q, v, tau, method="aba")
    if outcome or not np.allclose(a.astype(float), expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max()):
        raise SystemExit(f"{method} on {linkage.name}: wrong result")
    return CountingScalar.counts


def divide_conquer(assembly, state, a) -> int:
    """The passes of `linkwork.dynamics.divide_conquer`, on one thread."""
    from linkwork.dynamics.divide_conquer import lay_out
    from linkwork.kernels.assembly_tree import divide_conquer as passes
    from linkwork.kernels.layout.nodes import SCRATCH_ROWS, Blocks

    model, index, work, _, q, v, tau = state
    rows, n = lay_out(assembly), len(assembly.nodes)
    buffer = np.zeros((rows + SCRATCH_ROWS, 1, 4), dtype=object)
    outcome = passes.kinematics(model, index, work, 0, q, v, tau, a)
    blocks = Blocks(model, index, work, buffer, assembly.nodes, rows)
    outcome = outcome or passes.upward(blocks, v, tau, a, 0, n)
    passes.set_ground(blocks)
    return outcome or passes.downward(blocks, v, tau, a, 0, n)


def without_splitting(linkage: lw.Linkage, q, v) -> Counter[str]:
    """Virtual work as printed on a star of ball joints: (36), (37) and all of Φ⁻¹ by (43), joint by joint.

    Counted are the constraint forces alone, from links whose places, velocities and inverse inertias are known.
    """
    poses, twist = lw.body_poses(linkage, q), lw.body_velocities(linkage, q, v)
    own, H, bias = [], [], []  # of each link: its inverse inertia at the centre of mass, and what its joints see of it
    for k, body in enumerate(linkage.bodies):
        R, inertia, w = poses.rotations[k], body.inertia, twist[k, 3:]
        inverse = np.zeros((6, 6))
        inverse[:3, :3] = np.eye(3) / inertia.mass
        inverse[3:, 3:] = np.linalg.inv(R @ inertia.matrix @ R.T)
        free = inverse @ np.r_[inertia.mass * linkage.gravity, -np.cross(w, R @ inertia.matrix @ R.T @ w)]
        own.append((counting(inverse).reshape(6, 6), counting(free)))
        ends = [R @ -inertia.com] + ([R @ (linkage.joints[1].at.position - inertia.com)] if k == 0 else [])
        H.append([counting(np.hstack([np.eye(3), [np.cross(r, e) for e in np.eye(3)]])).reshape(3, 6) for r in ends])
        bias.append([counting(np.cross(w, np.cross(w, r))) for r in ends])
    CountingScalar.counts = Counter()
    (Y, free), (to_ground, to_links), (b0, b1) = own[0], H[0], bias[0]
    on_hub = [to_ground] + (linkage.nb - 1) * [-to_links]  # the hub's share of each row of Γ
    P = inverse3(to_ground @ Y @ to_ground.T)
    N = -P @ (to_ground @ free + b0)
    for k in range(1, linkage.nb):
        (Yk, free_k), (Hk,), (bk,) = own[k], H[k], bias[k]
        side = -to_links @ Y
        c = np.hstack([side @ other.T for other in on_hub[:k]])  # (32): Φ of this joint and all others
        S = side @ -to_links.T + Hk @ Yk @ Hk.T
        U = c @ P
        M = inverse3(S - U @ c.T)  # (37)
        a = to_links @ free + b1 - Hk @ free_k - bk
        n = M @ (a - c @ N)  # (36)
        N = np.concatenate([N - U.T @ n, n])  # (35)
        MU = M @ U
        P = np.block([[P + U.T @ MU, -MU.T], [-MU, M]])  # (43)
    found = CountingScalar.counts
    pull = sum(row.T @ N[3 * k : 3 * k + 3] for k, row in enumerate(on_hub))
    hub = (free + Y @ pull).astype(float)[3:]
    expected = lw.body_accelerations(linkage, q, v, lw.forward_dynamics(linkage, q, v))[0, 3:]
    if not np.allclose(hub, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max()):
        raise SystemExit(f"{UNSPLIT} on {linkage.name}: wrong result")
    return found


def inverse3(A: np.ndarray) -> np.ndarray:
    """The inverse of a symmetric 3 × 3 matrix."""
    columns = np.array([np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])], dtype=object)
    return columns.T * np.full((3, 1), 1.0 / (A[0] @ columns[0]), dtype=object)


SPLIT, UNSPLIT = "virtual-work, split links", "virtual-work, as printed"
METHODS = ("aba", "virtual-work", SPLIT, UNSPLIT, "dca", "crba", "unit-vector")
USUAL, LONG = (4, 8, 16, 32), (4, 8, 16, 32, 64, 128)
# to where operations per link tend to a limit; as printed it loses digits: errors of 1e-6 at 15 links
SIZES = {"aba": LONG, "virtual-work": LONG, SPLIT: (4, 8, 16, 32, 64), UNSPLIT: (4, 8, 12)}
CASES = {
    "chain of hinges": lambda n: lw.samples.chain(n),
    "chain of ball joints": lambda n: lw.samples.chain(n, joint=lw.Spherical()),
    "star of ball joints": lambda n: lw.samples.star(n, joint=lw.Spherical()),
}


def table() -> dict[str, dict[str, dict[int, Counter[str]]]]:
    """Counts by case, method and number of links."""
    return {
        case: {
            method: {n: count(make(n), method) for n in SIZES.get(method, USUAL)}
            for method in METHODS
            if method not in (SPLIT, UNSPLIT) or case.startswith("star")
        }
        for case, make in CASES.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print as JSON")
    counts = table()
    if parser.parse_args().json:
        sys.stdout.write(json.dumps(counts))
        return
    for case, methods in counts.items():
        print(f"\n{case}: links: operations per link (multiplications + additions + divisions)")
        for method, by_size in methods.items():
            cells = []
            for n in by_size:
                c = {what: by_size[n][what] / n for what in ("*", "+", "/")}
                cells.append(f"{n}: {c['*'] + c['+'] + c['/']:.0f} ({c['*']:.0f}+{c['+']:.0f}+{c['/']:.0f})")
            print(f"{method:>26}" + "".join(f"{cell:>24}" for cell in cells))


if __name__ == "__main__":
    main()
