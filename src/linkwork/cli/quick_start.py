"""What the command line leaves out of the start and the end of other packages: a second that nobody gains by."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

import typer.core


def collect_garbage_rarely() -> None:
    """Imports make a hundred thousand objects that stay; Python would look through them many times meanwhile."""
    gc.set_threshold(100_000)


def leave_at_once() -> None:
    """Python would look through all objects once more before it ends, though their memory goes with the process."""
    gc.freeze()


def check_what_needs_it() -> None:
    """Leave options alone that are not given, or texts: Typer 0.29 imports pydantic to check even these."""
    build = getattr(typer.core, "build_runtime_param", None)
    if build is None:
        return

    class Check:
        def __init__(self, descriptor: Any):
            self._descriptor = descriptor

        def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
            if value is None:
                return () if param.multiple or param.nargs == -1 else None
            if self._descriptor.annotation is type(value) is str:
                return value
            return build(self._descriptor).coerce(value, param=param, ctx=ctx)

    typer.core.build_runtime_param = Check  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]


def import_matplotlib() -> None:
    """Import it without the tables of properties in its docstrings, which take a third of a second to write."""
    from matplotlib import artist

    artist.kwdoc = lambda artist: ""
    setattr(artist.Artist, "_update_set_signature_and_docstring", lambda: None)  # noqa: B010
    import_module("matplotlib.figure")
