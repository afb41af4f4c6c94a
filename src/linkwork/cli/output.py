"""How commands print."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


class Printer:
    """A console of rich's, which is imported when something is first printed to it."""

    def __init__(self, stderr: bool = False):
        self._stderr = stderr

    @cached_property
    def console(self) -> Console:
        """What rich prints to."""
        from rich.console import Console

        return Console(highlight=False, soft_wrap=True, stderr=self._stderr)

    def print(self, *objects: Any) -> None:
        """Print texts with markup, tables and the like."""
        self.console.print(*objects)


out, notes = Printer(), Printer(stderr=True)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    typer.echo(json.dumps(value, indent=2))


def print_pairs(title: str, pairs: dict[str, str]) -> None:
    """Print a title, bold on a terminal, and lines of a name and a value."""
    typer.secho(title, bold=True)
    width = max(map(len, pairs), default=0)
    for name, value in pairs.items():
        typer.echo(f"  {name:<{width}}  {value}")


def compiling_note(summary: dict[str, Any]) -> str:
    """That a run compiled, or loaded, kernels meanwhile, where that took notable time."""
    seconds = summary["compile_time"]
    return f"; besides, {seconds:.1f} s to compile or load kernels" if seconds > 0.05 else ""


def table(*titles: str) -> Table:
    """An empty table; long names are wrapped, never cut."""
    from rich.table import Table

    made = Table()
    for title in titles:
        made.add_column(title, overflow="fold")
    return made
