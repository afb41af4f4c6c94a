"""Work that is to be done anyway, and that may as well be done while another process compiles."""

from __future__ import annotations

from collections.abc import Callable

tasks: list[Callable[[], object]] = []


def do_one() -> None:
    """Do what was added last, where there is something."""
    if tasks:
        tasks.pop()()
