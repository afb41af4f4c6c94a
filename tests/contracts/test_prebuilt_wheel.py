"""The wheel of prebuilt kernels that `tools/build_kernels.py` builds, taken into a fresh environment."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from linkwork.kernels.numba_ext import JIT_DISABLED, MODE

ROOT = Path(__file__).parents[2]
LEVEL = "x86-64-v3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.internals,
    pytest.mark.skipif(JIT_DISABLED or MODE == "plain", reason="about the disk cache of the fast mode"),
]


def processor_lacks(level):
    from llvmlite import binding

    from linkwork.kernels.numba_ext.fast.prebuilt import LEVELS

    here = binding.get_host_cpu_features()
    return not all(here.get(feature, False) for feature in LEVELS[level])


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new environment that sees this one's packages, with the wheel installed; its folder."""
    if processor_lacks(LEVEL):
        pytest.skip("this processor has no level to build for")
    folder = tmp_path_factory.mktemp("fresh")
    build = [sys.executable, ROOT / "tools/build_kernels.py", "--to", folder / "dist", "--level", LEVEL, "tumbling-box"]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("linkwork_kernels-*.whl")
    venv.create(folder / "venv", symlinks=True)
    there = folder / "venv/bin/python"
    install = [sys.executable, "-m", "pip", "--python", there, "install", "--no-deps", "--no-index"]
    subprocess.run([*install, wheel], check=True, capture_output=True)
    (site,) = (folder / "venv/lib").glob("python*/site-packages")
    (site / "outer.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT / 'src'}\n")
    return folder


def run(environment, name, *arguments, **more):
    """Run Python there with an empty cache; what it printed, what it said on stderr, and which kernels are kept."""
    cache = environment / name
    chosen = {"LINKWORK_CACHE_DIR": str(cache), "LINKWORK_PACK": "4", "LINKWORK_PREBUILT": "1", **more}
    done = subprocess.run(
        [environment / "venv/bin/python", *arguments],
        env={key: text for key, text in os.environ.items() if key != "PYTHONPATH"} | chosen,
        cwd=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr, [file.name.split(".")[0] for file in cache.rglob("*.nbc")]


def simulate(environment, name):
    """Run an example there; what it said on stderr, and which kernels it compiled."""
    return run(environment, name, "-m", "linkwork", "simulate", "tumbling-box", "--plot", "none")[1:]


def test_nothing_compiles_with_the_wheel(environment):
    said, compiled = simulate(environment, "fits")
    assert (said, compiled) == ("", [])


LONG_RUN = """
import linkwork as lw
from linkwork.kernels.numba_ext.fast import background
background.WAIT = 0.0
print(lw.samples.chain(2).integrate([0.1, 0.2], [1.0, 2.0]))
background.finish()
"""


def test_a_long_run_has_native_code_compiled_in_the_background(environment):
    printed, said, compiled = run(environment, "background", "-c", LONG_RUN, LINKWORK_BACKGROUND="1")
    assert (printed, said, compiled) == ("[1.1 2.2]\n", "", 2 * ["integrate"])  # the program, and its entry


@pytest.mark.parametrize(
    ("changed", "reason"),
    [("numba", "it is for Numba 0.1.0"), ("level", "this processor lacks what it needs")],
)
def test_a_wheel_that_does_not_fit_is_ignored_with_one_line(environment, changed, reason):
    (package,) = (environment / "venv/lib").glob("python*/site-packages/linkwork_kernels")
    about = (package / "about.json").read_text()
    if changed == "numba":
        (package / "about.json").write_text(json.dumps(json.loads(about) | {"numba": "0.1.0"}))
    else:
        (package / LEVEL).rename(package / "x86-64-v9")
    try:
        said, compiled = simulate(environment, changed)
    finally:
        (package / "about.json").write_text(about)
        if changed == "level":
            (package / "x86-64-v9").rename(package / LEVEL)
    assert said.count("linkwork-kernels is not used: ") == 1
    assert reason in said
    assert compiled
