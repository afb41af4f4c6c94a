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
IMPORT = re.compile(r"^\s*from linkwork\.kernels\.([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


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


def sources(*files):
    """These files and those of this folder, and the kernel files that they import in turn."""
    found, waiting = set(), [*Path(__file__).parent.rglob("*.py"), *map(Path, files)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _read(path)[1]
    return found


@functools.cache
def source_stamp(variant, *files):
    """Hash of all that kernels of `files` are compiled from; `variant` tells apart what is compiled differently."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {variant}".encode())
    for path in sorted(sources(*files)):
        digest.update(path.name.encode() + _read(path)[0])
    return digest.hexdigest()[:20]


@functools.cache
def _read(path):
    """Hash of a file, and the kernel files that it imports."""
    source = path.read_bytes()
    imported = [_source_files(*found) for found in IMPORT.findall(source.decode())]
    return hashlib.sha256(source).digest(), [path for paths in imported for path in paths]


def _source_files(module, names):
    """The file of a module below linkwork.kernels; of a package also those of its modules that are among the names."""
    path = KERNELS.joinpath(*module.split("."))
    if not path.is_dir():
        return [path.with_suffix(".py")]
    inside = (path / name for name in re.findall(r"\w+", names))
    found = (each / "__init__.py" if each.is_dir() else each.with_suffix(".py") for each in inside)
    return [path / "__init__.py", *(each for each in found if each.is_file())]


def kept_folder(variant, *files):
    """Folder of what is compiled for the entry points of the first of these files."""
    home = Path(files[0]).with_suffix("")
    parts = home.relative_to(KERNELS).parts if home.is_relative_to(KERNELS) else home.parts[-1:]
    return cache_folder() / f"{'.'.join(parts)}-{source_stamp(variant, *files)}"


@functools.cache
def cannot_keep(reason):
    """Tell the user, once, that kernels are compiled again in each process."""
    print(f"linkwork: cannot keep compiled kernels in {cache_folder()}: {reason}", file=sys.stderr)
