"""A bar that shows how far a sweep is, how fast, and for how long yet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(wanted: bool, total: int, done: int, workers: str, how: str) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of runs that have come."""
    if not wanted or not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    console.print(f"{total - done:,} runs by {workers}, {how}", highlight=False)
    rate = TextColumn("{task.fields[rate]}")
    columns = BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total, completed=done, rate="")

        def advance(count: int) -> None:
            progress.advance(task, count)
            speed = progress.tasks[0].speed
            progress.update(task, rate=f"{speed:,.4g} runs/s" if speed else "")

        yield advance
