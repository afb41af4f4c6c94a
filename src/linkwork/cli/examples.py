"""``linkwork examples``: the scenes that ship."""

from __future__ import annotations

import shutil
from pathlib import Path

from rich.markup import escape

import linkwork as lw
from linkwork import examples
from linkwork.cli.output import out, print_json
from linkwork.io.marked import Marked


def show(*, json: bool) -> None:
    """List all examples."""
    found = {name: _about(name) for name in examples.names()}
    if json:
        print_json({"examples": found})
        return
    width = max(map(len, found))
    for name, about in found.items():
        out.print(f"[bold]{name:<{width}}[/bold]  {escape(about)}")
    out.print("\nRun one: linkwork simulate NAME.   Copy one out to change it: linkwork examples NAME")


def copy(name: str, folder: Path) -> None:
    """Copy the files of an example; an existing file is never replaced."""
    files = examples.files(name)
    for file in files:
        if (folder / file.name).exists():
            raise lw.ArgumentError(f"{folder / file.name} exists; give another folder with --to")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copyfile(file, folder / file.name)
            out.print(escape(str(folder / file.name)))
    except OSError as error:
        raise lw.ArgumentError(f"cannot write to {folder}: {error.strerror}") from None


def _about(name: str) -> str:
    return Marked.read(examples.files(name)[0]).get("description").text()
