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

numba_ext.scalar = lambda array, value: value  # the kernels imported from here on must not make floats of our numbers


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
    state = (tree.model, tree.index, work, 0, counting(q), counting(v), counting(tau))
    CountingScalar.counts = Counter()
    if method == "aba":
        outcome = aba.aba(*state, a)
    elif method == "virtual-work":
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


METHODS = ("aba", "virtual-work", "crba", "unit-vector")
SIZES = (4, 8, 16, 32)
FURTHER = {"aba": (64, 128), "virtual-work": (64, 128)}  # whose operations per link tend to a limit
CASES = {
    "chain of hinges": lambda n: lw.samples.chain(n),
    "chain of ball joints": lambda n: lw.samples.chain(n, joint=lw.Spherical()),
    "star of ball joints": lambda n: lw.samples.star(n, joint=lw.Spherical()),
}


def table() -> dict[str, dict[str, dict[int, Counter[str]]]]:
    """Counts by case, method and number of links."""
    return {
        case: {method: {n: count(make(n), method) for n in SIZES + FURTHER.get(method, ())} for method in METHODS}
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
        print(f"\n{case}: operations per link (multiplications + additions + divisions)")
        print(f"{'links':>14}" + "".join(f"{n:>20}" for n in methods["aba"]))
        for method, by_size in methods.items():
            cells = []
            for n in by_size:
                c = {what: by_size[n][what] / n for what in ("*", "+", "/")}
                cells.append(f"{c['*'] + c['+'] + c['/']:6.0f} ({c['*']:.0f}+{c['+']:.0f}+{c['/']:.0f})")
            print(f"{method:>14}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    main()
