"""XML from strangers: parsed without entities or network, read by attributes that fail with file and line.

Refused before anything is built: documents above `MAX_BYTES`, any document type declaration (entities, and so
entity bombs and external files, live there), and nesting deeper than libxml2's 256 levels.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from lxml.etree import XMLParser, XMLSyntaxError, _Element, fromstring

from linkwork.errors import DescriptionError

MAX_BYTES = 64 * 2**20
"""Largest description accepted, in bytes; the largest real one known is 0.2 MB."""

LARGEST = 1e100
"""Largest number accepted where a finite one is asked for: products of three must not overflow."""


_PLAIN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(rf"{_PLAIN}|[+-]?(?:inf|nan)", re.IGNORECASE)
_BOOLEANS = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True, slots=True)
class Node:
    """One element of a document, with what an error message needs to point at it."""

    element: _Element
    file: str

    @property
    def tag(self) -> str:
        """The element's tag, ``{namespace}local`` where it has a namespace."""
        return self.element.tag

    @property
    def line(self) -> int:
        """The line on which the element starts (libxml2 stops counting at 65,535)."""
        return self.element.sourceline

    @property
    def label(self) -> str:
        """The element from its outermost named parent down, as in ``<joint name="elbow"><axis>``."""
        parts: list[str] = []
        element: _Element | None = self.element
        while element is not None:
            name = element.get("name")
            parts.append(f"<{element.tag}>" if name is None else f'<{element.tag} name="{shorten(name)}">')
            element = element.getparent()
        return "".join(reversed(parts[:-1] or parts))

    def error(self, message: str) -> DescriptionError:
        """A `DescriptionError` that points at this element; the caller raises it."""
        return DescriptionError(message, file=self.file, line=self.line, element=self.label)

    def children(self, tag: str | None = None) -> Iterator[Node]:
        """The child elements in order, all or those of one tag."""
        for child in self.element.iterchildren(tag if tag is not None else "*"):
            yield Node(child, self.file)

    def child(self, tag: str) -> Node | None:
        """The only child of this tag, or None; several of them raise."""
        found = self.element.iterchildren(tag)
        first = next(found, None)
        if first is None:
            return None
        for second in found:
            raise Node(second, self.file).error(f"a second <{tag}>; one is allowed here")
        return Node(first, self.file)

    def required(self, tag: str) -> Node:
        """The only child of this tag; none raises."""
        found = self.child(tag)
        if found is None:
            raise self.error(f"needs a <{tag}> element")
        return found

    def text(self, attribute: str) -> str:
        """A required, non-empty attribute, stripped of surrounding space."""
        value = (self.element.get(attribute) or "").strip()
        if not value:
            raise self.error(f'needs the attribute {attribute}="..."')
        return value

    def numbers(self, attribute: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """An attribute of `count` finite numbers; without a default it is required."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return self.floats(self.text(attribute), count, attribute=attribute)

    @overload
    def number(self, attribute: str, default: float, *, finite: bool = True) -> float: ...
    @overload
    def number(self, attribute: str, default: None = None, *, finite: bool = True) -> float: ...
    def number(self, attribute: str, default: float | None = None, *, finite: bool = True) -> float:
        """An attribute of one number; ``finite=False`` admits plus and minus infinity (never NaN)."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return self.floats(self.text(attribute), 1, attribute=attribute, finite=finite)[0]

    def content(self) -> str:
        """The element's own text, which must not be empty."""
        text = (self.element.text or "").strip()
        if not text:
            raise self.error("is empty; it needs a value")
        return text

    def words(self, tag: str, default: str | None = None) -> str | None:
        """The text of the only child of this tag."""
        node = self.child(tag)
        return default if node is None else node.content()

    def values(self, tag: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """`count` finite numbers, the text of the only child of this tag; without a default it is required."""
        node = self.child(tag) if default is not None else self.required(tag)
        return default if node is None else node.floats(node.content(), count)  # pyright: ignore[reportReturnType]

    def value(self, tag: str, default: float | None = None, *, finite: bool = True) -> float:
        """One number, likewise; ``finite=False`` admits plus and minus infinity (never NaN)."""
        node = self.child(tag) if default is not None else self.required(tag)
        return default if node is None else node.floats(node.content(), 1, finite=finite)[0]  # pyright: ignore[reportReturnType]

    def flag(self, tag: str, *, default: bool = False) -> bool:
        """True or false, the text of the only child of this tag."""
        node = self.child(tag)
        return default if node is None else node.boolean(node.content())

    def boolean(self, text: str) -> bool:
        """`text`, which stands in this element, as true or false."""
        if text.lower() not in _BOOLEANS:
            raise self.error(f"{shorten(text)!r} is neither true nor false")
        return _BOOLEANS[text.lower()]

    def floats(self, text: str, count: int, *, attribute: str | None = None, finite: bool = True) -> tuple[float, ...]:
        """`text`, which stands in this element, or in an attribute of it, as `count` numbers."""
        # Almost always plain numbers; Python would take 1_000, the digits of other scripts, inf and nan, too.
        if text.isascii() and not ("_" in text or "n" in text or "N" in text):
            try:
                plain = tuple(map(float, text.split()))
                if len(plain) == count and max(map(abs, plain)) <= LARGEST:
                    return plain
            except ValueError:
                pass  # below: what is wrong with it
        shown = repr(shorten(text)) if attribute is None else f'{attribute}="{shorten(text)}"'
        if "${" in text or "$(" in text:
            raise self.error(f"{shown} is an unexpanded xacro expression; run the file through xacro first")
        words = text.split()
        if len(words) != count:
            raise self.error(f"{shown} has {len(words)} values where {count} {'is' if count == 1 else 'are'} expected")
        for word in words:
            if _NUMBER.fullmatch(word) is None:
                raise self.error(f"{shown}: {shorten(word)!r} is not a number")
        values = tuple(float(word) for word in words)
        if any(math.isnan(value) or (finite and math.isinf(value)) for value in values):
            raise self.error(f"{shown} is not finite")
        if finite and any(abs(value) > LARGEST for value in values):
            raise self.error(f"{shown} is beyond {LARGEST:g}")
        return values


def parse(path: str | os.PathLike[str], *, max_bytes: int | None = None) -> Node:
    """Read the XML document at `path` and return its root element.

    Parameters
    ----------
    path
        The file. It is read whole, once.
    max_bytes
        Largest size accepted; default `MAX_BYTES`.

    Raises
    ------
    DescriptionError
        The file cannot be read, is too large, not well-formed, nested too deeply or declares a document type.
    """
    file = os.fspath(path)
    data = _read(file, MAX_BYTES if max_bytes is None else max_bytes)
    parser = XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = fromstring(data, parser)
    except XMLSyntaxError as problem:
        raise _refusal(file, *_explain(problem, data)) from None
    except (ValueError, LookupError) as problem:  # an encoding that lxml does not know
        raise _refusal(file, f"not readable as XML: {problem}") from None
    if root.getroottree().docinfo.doctype:
        message = "a document type declaration (<!DOCTYPE ...>) is refused: entities are not needed here; remove it"
        raise _refusal(file, message, _doctype_line(data) or 1)
    return Node(root, file)


def unread(root: Node, table: Mapping[str, Sequence[str]], *, transparent: Sequence[str] = ()) -> Iterator[Unread]:
    """Find the elements and attributes that are not read.

    Parameters
    ----------
    root : Node
    table
        What is read: each element by its path below the root, as in ``link/inertial``, with its attributes.
    transparent
        Tags that paths leave out, because they nest.
    """
    pending = [(child, "") for child in root.element]  # comments and instructions are no part of it: see `parse`
    while pending:
        element, path = pending.pop()
        if element.tag not in transparent:
            path += element.tag
            read = table.get(path)
            if read is None:
                yield Unread(_shown(path), Node(element, root.file))
                continue
            for key in element.attrib:
                if key not in read:
                    yield Unread(f"{key}= of {_shown(path)}", Node(element, root.file))
            path += "/"
        pending += [(child, path) for child in element]


def _shown(path: str) -> str:
    return f"<{path.replace('/', '><')}>"


class Unread(NamedTuple):
    """An element or attribute that is not read: its kind, and the element."""

    what: str
    node: Node


def listed(found: Iterable[Unread], file: str) -> list[str]:
    """Say what was not read, in one line per kind, with the first line and, where it is another one, the file."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for what, node in found:
        kinds.setdefault((what, node.file), []).append(node.line)
    return [
        f"{what}: {len(lines)} not read, first at {place(other, min(lines), file)}"
        for (what, other), lines in sorted(kinds.items())
    ]


def place(file: str, line: int, main: str) -> str:
    """A line of a file, which is named unless it is the main one."""
    return f"line {line}" if file == main else f"line {line} of {os.path.basename(file)}"


def shorten(text: str, length: int = 48) -> str:
    """`text` cut to a length fit for an error message."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _read(file: str, max_bytes: int) -> bytes:
    try:
        with open(file, "rb") as stream:
            data = stream.read(max_bytes + 1)
    except OSError as problem:
        raise _refusal(file, f"cannot be read: {problem.strerror or problem}", None) from None
    if len(data) > max_bytes:
        raise _refusal(file, f"larger than the {max_bytes:,} bytes accepted (linkwork.io.safe_xml.MAX_BYTES)")
    if not data.strip():
        raise _refusal(file, "the file is empty")
    return data


def _refusal(file: str, message: str, line: int | None = 1) -> DescriptionError:
    return DescriptionError(message, file=file, line=line, element="document")


def _explain(problem: XMLSyntaxError, data: bytes) -> tuple[str, int]:
    """libxml2's words and line, or ours where it speaks of parser options or counts inside an entity."""
    message, line = re.sub(r", line \d+, column \d+$", "", problem.msg or ""), problem.lineno or 1
    if "depth" in message:
        return "nested more deeply than 256 elements", line
    if "entity" in message.lower():
        return f"entities are refused ({message})", _doctype_line(data) or line
    return f"not well-formed XML: {message}", line


def _doctype_line(data: bytes) -> int | None:
    place = data.find(b"<!DOCTYPE")
    return None if place < 0 else 1 + data.count(b"\n", 0, place)
