"""`linkwork warmup`: afterwards nothing compiles. And what a user sees of a compile."""

import os
import subprocess
import sys

import pytest

from linkwork import ArgumentError
from linkwork.cli import warmup
from linkwork.kernels.numba_ext import JIT_DISABLED, MODE

OTHERS = """
import gc
import sys
import numpy as np
from numba.core.registry import CPUDispatcher
import linkwork as lw
from linkwork import examples
from linkwork.cli.simulate import simulate

def both(linkage, call):
    q, v = linkage.neutral(), np.full(linkage.nv, 0.1)
    call(linkage, q, v), call(linkage, np.stack([q] * 9), np.stack([v] * 9))

arm = lw.samples.chain(5, joint=lw.Spherical())
for linkage in (arm, lw.samples.stewart()):
    both(linkage, lw.forward_dynamics)
    both(linkage, lw.forward_dynamics_derivatives)
    both(linkage, lambda of, q, v: lw.forward_dynamics_vjp(of, q, v, v, v))
    both(linkage, lambda of, q, v: lw.solve(of, q, v))
    both(linkage, lambda of, q, v: lw.rollout(of, q, 0.0 * v, steps=3))
    for integrator in ("rk4", "semi-implicit", "implicit-midpoint"):
        lw.Simulation(linkage.copy(), dt=1e-4, integrator=integrator).run(1e-3)
both(arm, lambda of, q, v: lw.inverse_dynamics_derivatives(of, q, v, v))
both(arm, lambda of, q, v: lw.inverse_dynamics(of, q, v, v))
both(arm, lambda of, q, v: lw.gravity_torques(of, q))
both(arm, lambda of, q, v: lw.joint_wrenches(of, q, v, v))
lw.inverse_kinematics(arm, {arm.bodies[-1].name: [0.2, 0.3, 1.0]}, arm.neutral(), restarts=1)
box, q = lw.samples.dominoes(3)
lw.forward_dynamics(box, q, np.zeros(box.nv))
for linkage in (arm, lw.samples.four_bar()):
    for options in ({"measure": "displacement"}, {"measure": "acceleration"}, {"mode": "dynamics"}):
        lw.AdaptiveSimulation(linkage, dt=1e-4, **options).step()
printed, sys.stdout = sys.stdout, sys.stderr
for scene in examples.names():
    simulate(scene, {}, out=None, plots=None, picture=None, resume=False, json=False, progress=False)
sys.stdout = printed
functions = [each for each in gc.get_objects() if isinstance(each, CPUDispatcher)]
sys.stdout.write(" ".join(each.py_func.__name__ for each in functions if each.stats.cache_misses))
"""


@pytest.mark.slow
def test_after_warmup_nothing_compiles(tmp_path):
    done = subprocess.run([sys.executable, "-m", "linkwork", "warmup"], check=True, capture_output=True, text=True)
    for method in ("aba", "crba", "unit-vector"):
        assert f"forward dynamics, {method}:" in done.stdout
    after = subprocess.run([sys.executable, "-c", OTHERS], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert after.stdout == ""  # no function was missing from the disk


def test_what_needs_a_package_that_is_missing_is_left_out_unless_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)  # as if it were not installed
    needs = "contacts between two solids need coal: pip install linkwork"
    assert warmup._compile("cup-in-hand", asked=False).startswith(f"cup-in-hand: left out, {needs}")
    with pytest.raises(ArgumentError, match=needs):
        warmup._compile("cup-in-hand", asked=True)


SLOW = """
import sys
from numba import float64, int64
from linkwork.kernels.numba_ext import Kernel, compile
from linkwork.kernels.tree.integrate import integrate
compile.PATIENCE, compile.REFRESH = 0.01, 0.5
kernel, floats = Kernel(integrate), float64[::1]
sys.stdout.write(f"{compile.parts_left(kernel.entry)} ")
kernel.compile_for((floats, int64[::1], floats, int64, floats, floats, floats))
sys.stdout.write(f"{compile.parts_left(kernel.entry)}")
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_terminal_sees_what_is_compiled_and_how_much_is_left(tmp_path):
    terminal, end = os.openpty()
    environment = os.environ | {"LINKWORK_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", SLOW], env=environment, stdout=subprocess.PIPE, stderr=end, check=True)
    before, after = map(int, run.stdout.split())
    assert before > 10
    assert after < before
    shown = os.read(terminal, 100_000).decode()
    assert f"compiling integrate for this machine, once; at most {before} functions left" in shown
    assert shown.endswith("\r\x1b[K")
    os.close(terminal)
    os.close(end)


SHARED = """
from linkwork.kernels.numba_ext.fast import compiler
import linkwork as lw
compiled, keep = [], compiler._Cache.save_overload
compiler._Cache.save_overload = lambda cache, sig, data: (compiled.append(sig), keep(cache, sig, data))
lw.samples.chain(2).integrate([0.1, 0.2], [1.0, 2.0])
lw.body_poses(lw.samples.chain(2), [0.1, 0.2])
print(len(compiled))
"""


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain" or sys.platform == "win32", reason="about locks of the fast mode")
def test_processes_compile_no_program_twice(tmp_path):
    environment = os.environ | {"LINKWORK_CACHE_DIR": str(tmp_path), "LINKWORK_PREBUILT": "0"}
    command = [sys.executable, "-c", SHARED]
    runs = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    compiled = sum(int(run.communicate()[0]) for run in runs)
    assert compiled == len(list(tmp_path.rglob("*.nbc"))) > 0
