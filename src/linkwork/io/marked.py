"""YAML values that know their line, so that an error can name it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import yaml

from linkwork.errors import ArgumentError, DescriptionError, unknown_name

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Marked:
    """A node of a YAML file. Readers take what they expect; anything else raises with file and line."""

    __slots__ = ("file", "node", "path")

    def __init__(self, file: Path, node: yaml.Node, path: str):
        self.file, self.node, self.path = file, node, path

    @classmethod
    def read(cls, file: Path) -> Marked:
        """Compose a file into its root node."""
        try:
            with file.open(encoding="utf-8") as stream:
                node = yaml.compose(stream, Loader=Loader)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            raise DescriptionError(f"not valid YAML: {error.problem}", file=file, line=line) from None
        except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
            raise DescriptionError(f"cannot be read: {error}", file=file) from None
        if node is None:
            raise DescriptionError("the file is empty", file=file)
        return cls(file, node, "")

    def fail(self, message: str) -> NoReturn:
        """Raise a DescriptionError here."""
        line = self.node.start_mark.line + 1
        raise DescriptionError(message, file=self.file, line=line, element=self.path or None)

    def attempt(self, make: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Call `make`; what it refuses is an error of this place in the file."""
        try:
            return make(*args, **options)
        except ArgumentError as error:
            self.fail(str(error))

    def mapping(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> dict[str, Marked]:
        """Return the entries of a mapping with exactly these keys."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail("must be a mapping (key: value)")
        required, entries = tuple(required), {}
        valid = (*required, *optional)
        for key_node, node in self.node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else "?"
            here = Marked(self.file, key_node, self.path)
            if key not in valid:
                here.fail(str(unknown_name("key", key, valid)))
            if key in entries:
                here.fail(f"key {key!r} is given twice")
            entries[key] = Marked(self.file, node, f"{self.path}.{key}" if self.path else key)
        for key in required:
            if key not in entries:
                self.fail(f"key {key!r} is missing")
        return entries

    def get(self, key: str) -> Marked:
        """Return one entry of a mapping whose other keys depend on it."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail("must be a mapping (key: value)")
        found = [node for key_node, node in self.node.value if key_node.value == key]
        if not found:
            self.fail(f"key {key!r} is missing")
        return Marked(self.file, found[0], f"{self.path}.{key}" if self.path else key)

    def is_sequence(self) -> bool:
        """Whether this is a list."""
        return isinstance(self.node, yaml.SequenceNode)

    def sequence(self) -> list[Marked]:
        """Return the entries of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail("must be a list")
        return [Marked(self.file, node, f"{self.path}[{i}]") for i, node in enumerate(self.node.value)]

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value:
            self.fail("must be a string")
        return self.node.value

    def number(self) -> float:
        """Return a float; 1e-3 is one too, though YAML 1.1 takes it for a string."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail("must be a number")
        written = self.node.value.lower()
        try:
            value = float(written.replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError:
            self.fail(f"must be a number, not {self.node.value!r}")
        if math.isnan(value):
            self.fail("must be a number, not NaN")
        return value

    def boolean(self) -> bool:
        """Return true or false."""
        if self.node.tag != "tag:yaml.org,2002:bool":
            self.fail("must be true or false")
        return self.node.value.lower() in ("true", "yes", "on")

    def numbers(self) -> Any:
        """Return a number, or nested lists of numbers."""
        if isinstance(self.node, yaml.SequenceNode):
            return [entry.numbers() for entry in self.sequence()]
        return self.number()

    def strings(self) -> list[str]:
        """Return a list of strings."""
        return [entry.text() for entry in self.sequence()]
