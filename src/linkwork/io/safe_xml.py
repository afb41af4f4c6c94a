"""XML from strangers: parsed without entities or network, read by attributes that fail with file and line.

Refused before anything is built: documents above `MAX_BYTES`, any document type declaration (entities, and so
entity bombs and external files, live there), and nesting deeper than libxml2's 256 levels.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import overload

from lxml.etree import XMLParser, XMLSyntaxError, _Element, fromstring

from linkwork.errors import DescriptionError

MAX_BYTES = 64 * 2**20
"""Largest description accepted, in bytes; the largest real one known is 0.2 MB."""

LARGEST = 1e100
"""Largest number accepted where a finite one is asked for: products of three must not overflow."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|nan)", re.IGNORECASE)


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
        found = list(self.children(tag))
        if len(found) > 1:
            raise found[1].error(f"a second <{tag}>; one is allowed here")
        return found[0] if found else None

    def required(self, tag: str) -> Node:
        """The only child of this tag; none raises."""
        found = self.child(tag)
        if found is None:
            raise self.error(f"needs a <{tag}> element")
        return found

    def text(self, attribute: str) -> str:
        """A required, non-empty attribute, stripped of surrounding space."""
        value = self.element.get(attribute)
        if value is None or not value.strip():
            raise self.error(f'needs the attribute {attribute}="..."')
        return value.strip()

    def numbers(self, attribute: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """An attribute of `count` finite numbers; without a default it is required."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return self._parse(attribute, count, finite=True)

    @overload
    def number(self, attribute: str, default: float, *, finite: bool = True) -> float: ...
    @overload
    def number(self, attribute: str, default: None = None, *, finite: bool = True) -> float: ...
    def number(self, attribute: str, default: float | None = None, *, finite: bool = True) -> float:
        """An attribute of one number; ``finite=False`` admits plus and minus infinity (never NaN)."""
        if default is not None and self.element.get(attribute) is None:
            return default
        return self._parse(attribute, 1, finite=finite)[0]

    def _parse(self, attribute: str, count: int, *, finite: bool) -> tuple[float, ...]:
        text = self.text(attribute)
        shown = f'{attribute}="{shorten(text)}"'
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
