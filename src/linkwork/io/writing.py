"""What the writers of XML have in common: numbers, addresses, and what the format has no words for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from lxml.etree import _Element, tostring
from numpy.typing import ArrayLike

from linkwork.errors import DescriptionError


def numbers(values: ArrayLike) -> str:
    """Shortest text that gives the same floats back."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


def address(uri: str | None, file: str | None, folder: str) -> str:
    """A mesh's or texture's address for a description in `folder`."""
    if file is None or (uri is not None and "://" in uri):
        return uri or ""
    relative = os.path.relpath(file, folder).replace(os.sep, "/")
    return file if relative.startswith("../../") else relative  # as far as a reader follows it


def write_document(make: Callable[[], _Element], path: Path) -> None:
    """Write the XML document that a function makes."""
    try:
        data = tostring(make(), pretty_print=True, xml_declaration=True, encoding="utf-8")
    except ValueError as problem:  # a name with characters that XML cannot hold
        raise DescriptionError(f"cannot be written: {problem}", file=path) from None
    path.write_bytes(data)
