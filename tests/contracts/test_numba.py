"""Numba's internals are behind one door, listed, and can be done without."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels.numba_ext import JIT_DISABLED, MODE, Kernel, helper
from linkwork.kernels.numba_ext.mode import PRIVATE, TRIED, obstacle

ROOT = Path(__file__).parents[2]
DOOR = ROOT / "src/linkwork/kernels/numba_ext"
PUBLIC = {"numba", "numba.types", "numba.extending"}


def imported(path):
    """(module, name) of every import of Numba or llvmlite in a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found = [(node.module, alias.name) for alias in node.names]
        else:
            continue
        yield from (pair for pair in found if pair[0].split(".")[0] in ("numba", "llvmlite"))


def run_python(code, **environment):
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run


def test_only_the_door_knows_llvm_and_only_fast_knows_private_names():
    for path in (ROOT / "src").rglob("*.py"):
        for module, name in imported(path):
            where = f"{path.relative_to(ROOT)}: {module}.{name}"
            if path.is_relative_to(DOOR / "fast"):
                listed = {private.split(".")[0] for private in PRIVATE.get(module, [])}
                assert module in PUBLIC or module == "llvmlite" or name in listed, where
            else:
                assert module in PUBLIC or (module == "llvmlite" and path.is_relative_to(DOOR)), where


def test_every_private_name_is_on_the_page():
    page = (ROOT / "docs/numba.md").read_text()
    for module, names in PRIVATE.items():
        for name in names:
            assert f"`{module}.{name}`" in page


def test_the_probe_says_what_is_missing():
    assert obstacle() is None
    assert [version for version in TRIED if obstacle(version)] == []
    assert "Numba 0.69.0 is not one of those tried, 0.66 to before 0.69" in obstacle("0.69.0")
    assert "0.65.1" in obstacle("0.65.1")
    assert obstacle("0.68.1", {"numba.core.caching": ["Gone"]}) == "Numba 0.68.1 has no numba.core.caching.Gone"
    assert obstacle("0.68.1", {"numba.core.gone": ["Name"]}) == "Numba 0.68.1 has no numba.core.gone.Name"


def test_a_numba_too_new_is_used_plainly_after_one_warning():
    code = """
import numba
numba.__version__ = "0.99.0"
import linkwork as lw
from linkwork.kernels import numba_ext
print(numba_ext.MODE)
"""
    run = run_python(code, LINKWORK_PLAIN="0")
    assert run.stdout.split() == ["plain"]
    assert run.stderr.count("linkwork runs in plain mode") == 1


KEPT = """
import sys
from linkwork.kernels import records
from linkwork.kernels.numba_ext import Kernel

def made(inner):
    def closed(what, where):
        return inner(what, where) + 1
    return closed

for kernel in (Kernel(records.status), Kernel(made(records.status), file=records.__file__)):
    sys.stdout.write(f"{kernel(3, 2)} {sum(kernel.entry.stats.cache_hits.values())} ")
"""


def kept(folder, cache):
    """A kernel of a global function and one of a closure, run by a process of its own."""
    program = folder / "program.py"
    if not program.exists():  # written once: older releases of Numba go by a source's date
        program.write_text(KEPT)
    environment = {**os.environ, "LINKWORK_CACHE_DIR": str(cache)}
    return subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_second_process_finds_what_the_first_has_compiled(tmp_path):
    assert kept(tmp_path, tmp_path).stdout.split() == ["35", "0", "36", "0"]
    assert kept(tmp_path, tmp_path).stdout.split() == ["35", "1", "36", "1"]


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_without_a_writable_folder_kernels_still_run(tmp_path):
    (tmp_path / "file").touch()
    run = kept(tmp_path, tmp_path / "file")
    assert run.stdout.split() == ["35", "0", "36", "0"]
    assert run.stderr.count("cannot keep compiled kernels") == 1


TINY = """
from linkwork.kernels.numba_ext import helper, separate

@helper
def at(row, k):
    return row[k]

@separate
def weighted(row, matrix, parts, factor, nothing):
    for k in range(row.shape[0]):
        row[k] = factor * at(parts[1], k) + matrix[k, matrix.shape[1] - 1]
    return row.shape[0] if nothing is None else 0

def once(row, matrix, parts):
    return weighted(row, matrix, parts, 2.0, None)

def twice(row, matrix, parts):
    return weighted(row, matrix, parts, 2.0, None) + weighted(row, matrix, parts, 3.0, None)
"""
CALLS_TINY = """
import sys
import numpy as np
import tiny
from linkwork.kernels.numba_ext import Kernel

row, matrix, parts = np.zeros(3), np.arange(6.0).reshape(3, 2), (np.zeros(1), np.array([10.0, 20.0, 30.0]))
for kernel in map(Kernel, (tiny.once, tiny.twice)):
    sys.stdout.write(f"{kernel(row, matrix, parts)} {row.tolist()} {sum(kernel.entry.stats.cache_hits.values())};")
"""


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain", reason="about separate programs")
def test_a_separate_algorithm_is_compiled_once_for_all_that_call_it(tmp_path):
    (tmp_path / "tiny.py").write_text(TINY)
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    for hits in (0, 1):
        run = run_python(CALLS_TINY, LINKWORK_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH=path)
        first, second = [21.0, 43.0, 65.0], [31.0, 63.0, 95.0]
        assert run.stdout == f"3 {first} {hits};6 {second} {hits};"
        kept = sorted(file.name.split(".")[0] for file in (tmp_path / "cache").rglob("*.nbc"))
        assert kept == ["once", "twice", "weighted"]


def run_prebuilt(folder, about):
    """The same kernels with a package of prebuilt ones on the path and an empty cache; what they printed."""
    (folder / "site/linkwork_kernels/about.json").write_text(json.dumps(about))
    path = os.pathsep.join([str(folder / "site"), *filter(None, sys.path)])
    cache = folder / "empty"
    environment = {"LINKWORK_CACHE_DIR": str(cache), "LINKWORK_PREBUILT": "1", "PYTHONPATH": path}
    run = subprocess.run(
        [sys.executable, folder / "program.py"], env={**os.environ, **environment}, capture_output=True, text=True
    )
    compiled = sorted(cache.rglob("*.nbc"))
    shutil.rmtree(cache, ignore_errors=True)
    return run, compiled


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain", reason="about the disk cache of the fast mode")
def test_prebuilt_kernels_are_used_where_they_fit(tmp_path):
    from llvmlite import binding

    from linkwork.kernels.numba_ext import WIDTH
    from linkwork.kernels.numba_ext.fast.prebuilt import LEVELS, triple

    level, features = "x86-64-v3", LEVELS["x86-64-v3"]
    if not all(binding.get_host_cpu_features().get(feature, False) for feature in features):
        pytest.skip("this processor has no level to build for")
    package = tmp_path / "site/linkwork_kernels"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (tmp_path / "program.py").write_text(KEPT)
    chosen = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "LINKWORK_PACK": str(WIDTH)}
    building = {**os.environ, **chosen, "LINKWORK_CACHE_DIR": str(package / level)}
    subprocess.run([sys.executable, tmp_path / "program.py"], env=building, check=True, capture_output=True)

    fits = {"numba": numba.__version__, "triple": triple()}
    run, compiled = run_prebuilt(tmp_path, fits)
    assert run.stdout.split() == ["35", "1", "36", "1"]
    assert compiled == []
    run, compiled = run_prebuilt(tmp_path, fits | {"numba": "0.1.0"})
    assert run.stdout.split() == ["35", "0", "36", "0"]
    assert run.stderr.count("linkwork-kernels is not used: it is for Numba 0.1.0") == 1
    assert len(compiled) == 2


def results():
    """One state and many, by packs of states and by rows of four, alone and along a trajectory."""
    linkage = lw.samples.random_tree(9, seed=3, base="free")
    rng = np.random.default_rng(0)
    q = np.array([linkage.random(rng) for _ in range(11)])
    v, tau = rng.normal(size=(2, 11, linkage.nv))
    found = (
        lw.forward_dynamics(linkage, q[0], v[0], tau[0]),
        lw.forward_dynamics(linkage, q, v, tau),
        lw.forward_dynamics(linkage, q[0], v[0], tau[0], method="dca"),
        lw.rollout(linkage, q, v, tau[:, None], dt=1e-3, steps=5).v,
    )
    return [array.ravel().tolist() for array in found]


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_both_modes_give_the_same_numbers():
    other = "0" if MODE == "plain" else "1"
    code = f"import json, runpy; print(json.dumps(runpy.run_path({__file__!r})['results']()))"
    found = json.loads(run_python(code, LINKWORK_PLAIN=other).stdout)
    for mine, others in zip(results(), found, strict=True):
        # Sums are fused and reordered differently.
        np.testing.assert_allclose(others, mine, rtol=0.0, atol=1e-12 * np.abs(mine).max())


@pytest.mark.skipif(MODE != "fast" or JIT_DISABLED, reason="plain mode is Numba's own way")
def test_a_helper_is_compiled_once_for_all_constants(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))

    @helper
    def scaled(x, factor):
        return x * factor

    def both(x):
        return scaled(x, 2) + scaled(x, 3)

    assert Kernel(both, file=__file__)(1.5) == 7.5
    assert len(scaled.overloads) == 1


@pytest.mark.skipif(MODE != "fast", reason="plain mode has Numba's own libraries")
def test_large_parts_that_are_called_twice_are_not_put_in_place_of_their_calls():
    from linkwork.kernels.numba_ext.fast.workshop import LARGE, large_parts

    def define(name, lines, *callees):
        calls = [f'  call void @"{callee}"(i8* %x)' for callee in callees]
        return "\n".join(["", f'define void @"{name}"(i8* %x) {{', *calls, *["  fence seq_cst"] * lines, "}", ""])

    parts = {
        "small": (10,),
        "once": (LARGE + 1,),
        "twice": (LARGE + 1,),
        "above": (10, "twice", "twice"),
        "half": (10, "once"),
    }
    text = define("entry", 5, "small", "small", "above", "above", "half", "half")
    text += "".join(define(name, lines, *callees) for name, (lines, *callees) in parts.items())
    assert large_parts(text) == {"twice", "half"}


LOADED = """
import importlib, json, sys
from pathlib import Path
from linkwork.kernels.numba_ext.cache import sources
covered = sources(importlib.import_module(sys.argv[1]).__file__)
loaded = [Path(module.__file__) for name, module in sys.modules.items() if name.startswith("linkwork.kernels.")]
print(json.dumps([str(file) for file in loaded if file not in covered and file.stem != "__init__"]))
"""


@pytest.mark.parametrize("module", ["closed.embedding", "tree.aba", "motion.march", "virtual_work.virtual_work"])
def test_a_kernel_is_compiled_anew_when_any_file_it_is_made_of_changes(module):
    """The stamp of its sources covers all that Python loads for it, one file per kind of joint among them."""
    done = subprocess.run([sys.executable, "-c", LOADED, f"linkwork.kernels.{module}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


BROKEN = """
import os, signal, sys, threading, time
from linkwork.kernels.numba_ext.fast import making
import linkwork as lw

shops, start = [], making._Elsewhere.__init__

def watched(shop, *target):
    start(shop, *target)
    shops.append(shop)
    if "killed" in sys.argv:
        os.kill(shop._process.pid, signal.SIGKILL)

making._Elsewhere.__init__ = watched
if "alone" in sys.argv:
    sys.executable = "/none/python"
print(lw.samples.chain(2).integrate([0.1, 0.2], [1.0, 2.0]).round(9).tolist(), len(shops), making.elsewhere)
if "forked" in sys.argv:
    child = os.fork()
    if child == 0:
        print(lw.mass_matrix(lw.samples.chain(2), [0.1, 0.2]).shape, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain" or sys.platform == "win32", reason="about fast mode's processes")
@pytest.mark.parametrize(
    ("how", "printed"), [("", "1 True"), ("killed", "1 False"), ("alone", "0 False"), ("forked", "1 True\n(2, 2)")]
)
def test_another_process_makes_machine_code_or_else_this_one(tmp_path, how, printed):
    """Killed at once, not to be started, or forgotten by a fork: what is compiled is there all the same, and kept."""
    (tmp_path / "broken.py").write_text(BROKEN)
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor makes all of it itself")
    environment = {**os.environ, "LINKWORK_CACHE_DIR": str(tmp_path), "LINKWORK_THREADS": "2", "LINKWORK_PREBUILT": "0"}
    command = [sys.executable, tmp_path / "broken.py", how]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert run.stdout == f"[1.1, 2.2] {printed}\n", run.stderr
    assert run.stderr == ""
    assert len(list(tmp_path.rglob("integrate*.nbc"))) == 2  # the program, and its entry from Python


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain" or sys.platform == "win32", reason="about fast mode's processes")
@pytest.mark.parametrize("threads", [1, 2])
def test_something_else_is_done_while_another_process_compiles(tmp_path, threads):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor makes all of it itself")
    code = """
from linkwork.kernels import meanwhile
import linkwork as lw

meanwhile.tasks.append(lambda: print("meanwhile"))
print(lw.samples.chain(2).integrate([0.1, 0.2], [1.0, 2.0]).round(9).tolist(), len(meanwhile.tasks))
"""
    run = run_python(code, LINKWORK_CACHE_DIR=str(tmp_path), LINKWORK_THREADS=str(threads), LINKWORK_PREBUILT="0")
    assert run.stdout == ("[1.1, 2.2] 1\n" if threads == 1 else "meanwhile\n[1.1, 2.2] 0\n"), run.stderr


@pytest.mark.internals
@pytest.mark.skipif(JIT_DISABLED or MODE == "plain", reason="about programs of the fast mode")
def test_an_interrupt_leaves_programs_that_can_be_made_later(tmp_path):
    """What was handed over and called off is handed over again by whoever needs it."""
    if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor hands nothing over")
    code = """
import time
import linkwork as lw
from linkwork.kernels.numba_ext.fast import libraries, making

make = making.Maker._make
making.Maker._make = lambda *args: (time.sleep(0.3), make(*args))[1]
load, times = libraries.load_waiting, []

def interrupted():
    times.append(1)
    if len(times) == 1 and libraries._waiting:
        raise KeyboardInterrupt
    load()

libraries.load_waiting = interrupted
arm = lw.samples.chain(2)
try:
    lw.forward_dynamics(arm, [0.1, 0.2], [0.0, 0.0])
except KeyboardInterrupt:
    print(len(libraries._waiting) > 1, any(program._made.cancelled() for program in libraries._waiting))
a = lw.forward_dynamics(arm, [0.1, 0.2], [0.0, 0.0])
print(lw.inverse_dynamics(arm, [0.1, 0.2], [0.0, 0.0], a).round(12).any())
"""
    run = run_python(code, LINKWORK_CACHE_DIR=str(tmp_path), LINKWORK_THREADS="2", LINKWORK_PREBUILT="0")
    assert run.stdout.split() == ["True", "True", "False"], run.stderr
