"""A progress bar for long runs, where a terminal is there to see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(
    wanted: bool | Callable[[float], object], start: float, end: float
) -> Iterator[Callable[[float], object]]:
    """Give a function to call with the time reached: the user's own, or one that moves a bar."""
    if callable(wanted):
        yield wanted
        return
    if not wanted or not sys.stderr.isatty() or end <= start:
        yield lambda t: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{start:g} s", total=end - start)
        yield lambda t: progress.update(task, completed=t - start, description=f"{t:.3f} of {end:g} s")
