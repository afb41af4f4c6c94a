"""How commands print."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

out = Console(highlight=False, soft_wrap=True)
notes = Console(highlight=False, soft_wrap=True, stderr=True)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    out.out(json.dumps(value, indent=2), highlight=False)


def print_pairs(title: str, pairs: dict[str, str]) -> None:
    """Print a title and lines of a name and a value."""
    out.print(f"[bold]{escape(title)}[/bold]")
    width = max(map(len, pairs), default=0)
    for name, value in pairs.items():
        out.print(escape(f"  {name:<{width}}  {value}"))


def compiling_note(summary: dict[str, Any]) -> str:
    """That a run compiled, or loaded, kernels meanwhile, where that took notable time."""
    seconds = summary["compile_time"]
    return f"; besides, {seconds:.1f} s to compile or load kernels" if seconds > 0.05 else ""


def table(*titles: str) -> Table:
    """An empty table; long names are wrapped, never cut."""
    made = Table()
    for title in titles:
        made.add_column(title, overflow="fold")
    return made
