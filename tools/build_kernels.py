"""Build the wheel linkwork-kernels: compiled kernels of linkwork for this platform, Python and release of Numba.

    python tools/build_kernels.py [--to folder] [--level x86-64-v3] [scene ...]

Run it in a clean environment where linkwork is installed, on a processor that has every level to be built: kernels are
compiled by running what ships, `linkwork warmup`, once for each level and width of packs; with names of scenes, only
what these need. Levels that this processor lacks are left out. The wheel goes to `folder`, by default ``dist``.
"""

import argparse
import base64
import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import numba
from llvmlite import binding

from linkwork import __version__
from linkwork.kernels.numba_ext.fast import turns
from linkwork.kernels.numba_ext.fast.prebuilt import LEVELS, triple

PACKS = {"x86-64-v4": ("4", "8"), "x86-64-v3": ("4",)}  # states per pack that machines of a level may choose


def compile_level(package, level, scenes):
    """Compile everything for a level, or what these scenes need, below the package's folder."""
    for pack in PACKS[level]:
        print(f"{level}, packs of {pack}", flush=True)
        chosen = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "LINKWORK_PACK": pack, "LINKWORK_PREBUILT": "0"}
        environment = os.environ | chosen | {"LINKWORK_CACHE_DIR": str(package / level)}
        subprocess.run([sys.executable, "-m", "linkwork", "warmup", *scenes], env=environment, check=True)
    (package / level / turns.NAME).unlink(missing_ok=True)


def write_wheel(root, target):
    """Pack ``root/linkwork_kernels`` into a wheel of this platform; its path."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    info = Path(f"linkwork_kernels-{__version__}.dist-info")
    files = {path.relative_to(root): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    files[info / "METADATA"] = (
        f"Metadata-Version: 2.1\nName: linkwork-kernels\nVersion: {__version__}\n"
        f"Summary: Compiled kernels of linkwork.\nRequires-Dist: numba (=={numba.__version__})\n"
    ).encode()
    files[info / "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: linkwork\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    lines = [f"{name.as_posix()},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[info / "RECORD"] = "\n".join([*lines, f"{(info / 'RECORD').as_posix()},,", ""]).encode()
    target.mkdir(parents=True, exist_ok=True)
    wheel = target / f"linkwork_kernels-{__version__}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.as_posix(), data)
    return wheel


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", help="scene files or names of examples; default: everything")
    parser.add_argument("--to", type=Path, default=Path("dist"), help="folder of the wheel")
    parser.add_argument("--level", choices=LEVELS, action="append", help="level to build; default: all")
    asked = parser.parse_args()
    here = binding.get_host_cpu_features()
    levels = [
        level
        for level, features in LEVELS.items()
        if level in (asked.level or LEVELS) and all(here.get(feature, False) for feature in features)
    ]
    if not levels:
        sys.exit("no level can be built here: this processor has none of " + ", ".join(asked.level or LEVELS))
    with tempfile.TemporaryDirectory() as root:
        package = Path(root) / "linkwork_kernels"
        package.mkdir()
        (package / "__init__.py").write_text('"""Compiled kernels of linkwork, which finds them here by itself."""\n')
        (package / "about.json").write_text(json.dumps({"numba": numba.__version__, "triple": triple()}))
        for level in levels:
            compile_level(package, level, asked.scenes)
        print(write_wheel(Path(root), asked.to))


if __name__ == "__main__":
    main()
