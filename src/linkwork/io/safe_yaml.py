"""YAML text as nodes with lines; refused are tags, alias bombs and endless nesting, which no description needs."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import yaml

from linkwork.errors import DescriptionError

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 100  # levels; libyaml's composer recurses, and ends the process at some 100,000
MOST = 20_000_000  # values, those that aliases repeat included; a million bodies have about as many


def read_nodes(file: Path) -> yaml.Node:
    """Compose a file into its root node."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DescriptionError(f"cannot be read: {error.strerror}", file=file) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        message = "cannot be read: this is not UTF-8 text; save the file in that encoding"
        raise DescriptionError(message, file=file, line=line) from None
    node = compose(text, file)
    if node is None:
        raise DescriptionError("the file is empty", file=file, line=1)
    return node


def compose(text: str, file: Any) -> yaml.Node | None:
    """Compose text into its root node; `file` is what errors name."""
    stream = io.StringIO(text)
    stream.name = str(file)  # pyright: ignore[reportAttributeAccessIssue]
    try:
        _check(text, file)
        return yaml.compose(stream, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        written = text.splitlines()[line - 1 : line]
        hint = "; an expression in braces needs quotes" if written and re.search(r"\w\[\w", written[0]) else ""
        raise DescriptionError(f"not valid YAML: {error.problem}{hint}", file=file, line=line) from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise DescriptionError(f"not valid YAML: {error.reason}", file=file, line=line) from None


def _check(text: str, file: Any) -> None:
    """Refuse what must not be composed, event by event."""
    depth = total = 0
    starts: list[tuple[str | None, int]] = []  # of the open collections: anchor, number of values before
    sizes: dict[str, int] = {}

    def refuse(event: yaml.Event, message: str) -> None:
        raise DescriptionError(message, file=file, line=event.start_mark.line + 1)

    for event in yaml.parse(text, Loader=Loader):
        tag = getattr(event, "tag", None)
        if tag is not None:
            refuse(event, f"the YAML tag {tag!r} is not allowed: a description holds plain values")
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in starts):
                refuse(event, f"the alias *{event.anchor} repeats what it is part of")
            total += sizes.get(event.anchor, 1)
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            total, depth = total + 1, depth + 1
            starts.append((event.anchor, total - 1))
            if depth > DEEPEST:
                refuse(event, f"nested more than {DEEPEST} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            anchor, before = starts.pop()
            if anchor:
                sizes[anchor] = total - before
        if total > MOST:
            refuse(event, f"more than {MOST:,} values, counting those that aliases repeat")
