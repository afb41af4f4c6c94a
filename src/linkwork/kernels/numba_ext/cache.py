"""Where compiled kernels are kept on disk, and the stamp of the sources that they were compiled from.

Numba's own stamp sees only the file of the entry point and serves stale code after an upgrade (numba#1833).
"""

import functools
import hashlib
import os
import re
import sys
from pathlib import Path

import numba

KERNELS = Path(__file__).parents[1]


def cache_folder():
    """Folder of compiled kernels: ``LINKWORK_CACHE_DIR``, or one in the user's cache folder."""
    chosen = os.environ.get("LINKWORK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "linkwork"


@functools.cache
def source_stamp(variant, *files):
    """Hash of all that kernels of `files` are compiled from: these, the kernel files they import in turn, this folder.

    `variant` tells apart what is compiled differently from the same sources.
    """
    sources, waiting = set(Path(__file__).parent.rglob("*.py")), [Path(file) for file in files]
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources.add(path)
            waiting += _read(path)[1]
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {variant}".encode())
    for path in sorted(sources):
        digest.update(path.name.encode() + _read(path)[0])
    return digest.hexdigest()[:20]


@functools.cache
def _read(path):
    """Hash of a file, and the kernel files that it imports."""
    source = path.read_bytes()
    imported = re.findall(rb"^\s*from linkwork\.kernels\.([\w.]+) import", source, re.MULTILINE)
    return hashlib.sha256(source).digest(), [_source_file(module.decode()) for module in imported]


def _source_file(module):
    """The file of a module below linkwork.kernels."""
    path = KERNELS.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def kept_folder(variant, *files):
    """Folder of what is compiled for the entry points of the first of these files."""
    home = Path(files[0]).with_suffix("")
    parts = home.relative_to(KERNELS).parts if home.is_relative_to(KERNELS) else home.parts[-1:]
    return cache_folder() / f"{'.'.join(parts)}-{source_stamp(variant, *files)}"


@functools.cache
def cannot_keep(reason):
    """Tell the user, once, that kernels are compiled again in each process."""
    print(f"linkwork: cannot keep compiled kernels in {cache_folder()}: {reason}", file=sys.stderr)
