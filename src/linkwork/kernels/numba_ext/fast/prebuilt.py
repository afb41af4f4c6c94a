"""Kernels that were compiled elsewhere: the package linkwork-kernels, where one is installed that fits this machine.

The package ``linkwork_kernels`` holds ``about.json``, which names the release of Numba and the target triple that it
was made with, and one folder per level of the x86-64 instruction set, laid out as a cache folder.
`tools/build_kernels.py` makes it. Levels are those of the x86-64 psABI; a processor that lacks a feature of a level
never sees its code.
"""

import functools
import importlib.util
import json
import os
import sys
from pathlib import Path

import numba
from llvmlite import binding

_V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
LEVELS = {"x86-64-v4": _V4, "x86-64-v3": _V3}  # best first, with the features they need


@functools.cache
def prebuilt():
    """(folder, level) of the best prebuilt kernels for this machine; None where there are none."""
    if os.environ.get("LINKWORK_PREBUILT", "1") == "0":
        return None
    found = importlib.util.find_spec("linkwork_kernels")
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(next(iter(found.submodule_search_locations)))
    try:
        about = json.loads((folder / "about.json").read_text())
        made_with = about["numba"], about["triple"]
    except (OSError, ValueError, KeyError) as problem:
        return _ignore(f"about.json cannot be read ({problem!r})")
    if made_with != (numba.__version__, triple()):
        here = f"this is {numba.__version__} on {triple()}"
        return _ignore(f"it is for Numba {made_with[0]} on {made_with[1]}, and {here}")
    has = binding.get_host_cpu_features()
    for level, features in LEVELS.items():
        if (folder / level).is_dir() and all(has.get(feature, False) for feature in features):
            return folder / level, level
    return _ignore("this processor lacks what it needs")


def triple():
    """The target of code for this machine."""
    return binding.get_process_triple()


def key(signature, level):
    """What prebuilt code for arguments of these types is found by, in an index of Numba's."""
    return signature, (triple(), level, "")


def _ignore(reason):
    print(f"linkwork: the installed package linkwork-kernels is not used: {reason}", file=sys.stderr)
