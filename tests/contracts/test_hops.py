"""Who calls whom when public functions run: down through the layers, never back up, as docs/architecture.md says."""

import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()


def layers():
    """Layer of each top-level module, the highest first, from the contract that import-linter checks."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    listed = next(c for c in contracts if c["name"] == "Nothing flows backwards")["layers"]
    return {name.strip("() "): level for level, row in enumerate(listed) for name in re.split(r"[|:]", row)}


def hops(call):
    """Calls from one module of linkwork to another, (caller, callee), in the order in which they first happen."""
    found = {}

    def watch(frame, event, _):
        if event == "call":
            callee = frame.f_globals.get("__name__", "")
            caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back else ""
            caller, callee = (re.sub(r"(numba_ext)\..*", r"\1", name) for name in (caller, callee))  # one door
            if callee.startswith("linkwork.") and caller.startswith("linkwork.") and callee != caller:
                found[caller.removeprefix("linkwork."), callee.removeprefix("linkwork.")] = None

    call()  # what is compiled, packed or imported once is not part of a call
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(found)


def shown(found):
    """The lines of docs/architecture.md: hops from module to module, but for those that only read a linkage."""
    reads = [hop for hop in found if re.match(r"linkage\.(?!packing)|errors", hop[1])]
    return [" → ".join(hop) for hop in found if hop not in reads]


def arm_on_a_floor():
    arm = lw.samples.chain(2)
    q = np.array([0.4, 0.3])
    arm.constrain("link1", point=(0, 0, 0.1), surface=lw.Plane((0, 0, 1), 0.0), friction=0.1, name="floor")
    q = lw.close_loops(arm, q)
    return lambda: lw.forward_dynamics(arm, q, [0.0, 0.0])


def tree():
    arm, q = lw.samples.chain(7), np.full((2, 7), 0.1)
    return lambda: lw.forward_dynamics(arm, q, q)


def closed():
    bars = lw.samples.four_bar()
    q = lw.close_loops(bars, bars.neutral())
    return lambda: lw.solve(bars, q, np.zeros(bars.nv))


def motion():
    simulation = lw.Simulation(lw.samples.chain(2), [0.5, 0.0])
    return lambda: simulation.run(simulation.t + 0.01, progress=False)


def adaptive():
    simulation = lw.AdaptiveSimulation(lw.samples.chain(20), tolerance=2**-7)
    simulation.apply_force("link19", (1.0, 0.0, 0.0))
    return simulation.step


CALLS = {
    "forward_dynamics of a tree": tree,
    "solve of a closed linkage": closed,
    "forward_dynamics with a contact": arm_on_a_floor,
    "Simulation.run": motion,
    "AdaptiveSimulation.step": adaptive,
}


@pytest.mark.parametrize("name", CALLS)
def test_no_call_goes_back_up(name):
    level = layers()
    for caller, callee in hops(CALLS[name]()):
        assert level[caller.split(".")[0]] <= level[callee.split(".")[0]], f"{caller} calls {callee}"


@pytest.mark.internals
@pytest.mark.parametrize("name", CALLS)
def test_the_page_lists_the_hops(name):
    """Reading a linkage, its columns and handles, is left out of the page: only `linkage.packing` computes."""
    written = re.search(rf"^### `?{re.escape(name)}`?\n+```text\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
    assert written, f"docs/architecture.md has no hops of {name}"
    assert written[1].splitlines() == shown(hops(CALLS[name]()))
