"""YAML values that know their line, so that an error can name it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

import yaml

from linkwork.errors import DescriptionError, LinkworkError, unknown_name
from linkwork.io.safe_yaml import read_nodes


class Marked:
    """A node of a YAML file. Readers take what they expect; anything else raises with file and line."""

    __slots__ = ("file", "node", "path")

    def __init__(self, file: Path, node: yaml.Node, path: str):
        self.file, self.node, self.path = file, node, path

    @classmethod
    def read(cls, file: Path) -> Marked:
        """Compose a file into its root node."""
        return cls(file, read_nodes(file), "")

    def fail(self, message: str) -> NoReturn:
        """Raise a DescriptionError here."""
        mark = self.node.start_mark  # its name is that of the file, or of the option that gave this node
        raise DescriptionError(message, file=mark.name, line=mark.line + 1, element=self.path or None)

    def attempt(self, make: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Call `make`; what it refuses is an error of this place in the file."""
        try:
            return make(*args, **options)
        except DescriptionError:
            raise
        except LinkworkError as error:
            self.fail(str(error))

    def mapping(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> dict[str, Marked]:
        """Return the entries of a mapping with exactly these keys."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail("must be a mapping (key: value)")
        required = tuple(required)
        valid = (*required, *optional)
        entries = {}
        for key_node, node in self.node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else "?"
            if key not in valid:
                Marked(self.file, key_node, self.path).fail(str(unknown_name("key", key, valid)))
            self._enter(entries, key_node, node)
        for key in required:
            if key not in entries:
                self.fail(f"key {key!r} is missing")
        return entries

    def names(self) -> dict[str, Marked]:
        """Return the entries of a mapping whose keys are names."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail("must be a mapping (name: value)")
        entries = {}
        for key_node, node in self.node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                Marked(self.file, key_node, self.path).fail("a key must be a name")
            self._enter(entries, key_node, node)
        return entries

    def _enter(self, entries: dict[str, Marked], key_node: yaml.Node, node: yaml.Node) -> None:
        key = key_node.value
        if key in entries:
            Marked(self.file, key_node, self.path).fail(f"key {key!r} is given twice")
        entries[key] = Marked(self.file, node, f"{self.path}.{key}" if self.path else key)

    def get(self, key: str) -> Marked:
        """Return one entry of a mapping whose other keys depend on it."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail("must be a mapping (key: value)")
        found = [node for key_node, node in self.node.value if key_node.value == key]
        if not found:
            self.fail(f"key {key!r} is missing")
        return Marked(self.file, found[0], f"{self.path}.{key}" if self.path else key)

    def is_mapping(self) -> bool:
        """Whether this is a mapping."""
        return isinstance(self.node, yaml.MappingNode)

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
        if math.isinf(value) and "inf" not in written:
            self.fail(f"{self.node.value} is too large for a number")
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

    def plain(self) -> Any:
        """Return a number, a truth value or a string, whichever it is."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail("must be a single value")
        if self.node.style in ("'", '"') or self.node.tag == "tag:yaml.org,2002:str":
            try:
                return self.number() if not self.node.style else self.node.value
            except DescriptionError:
                return self.text()
        if self.node.tag == "tag:yaml.org,2002:null":
            self.fail("has no value")
        if self.node.tag == "tag:yaml.org,2002:bool":
            return self.boolean()
        value = self.number()
        return int(value) if value.is_integer() else value

    def convert(self, kind: Any) -> Any:
        """Return this as a `msgspec.Struct` or what else such a struct may hold; Any leaves it as it is.

        A struct remembers the entries it was made from in its attribute `marks`.
        """
        import msgspec

        bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
        options = [option for option in get_args(bare) if option is not type(None)]
        if len(options) == 1 and get_origin(bare) not in (list, dict, Literal):
            return self.convert(options[0])
        if bare is Any:
            return self
        if get_origin(bare) is list:
            return [entry.convert(options[0]) for entry in self.sequence()]
        if get_origin(bare) is dict:
            return {name: entry.convert(options[1]) for name, entry in self.names().items()}
        if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
            fields = msgspec.structs.fields(bare)
            required = [field.name for field in fields if field.required]
            given = self.mapping(required, [field.name for field in fields if not field.required])
            types = {field.name: field.type for field in fields}
            made = bare(**{name: entry.convert(types[name]) for name, entry in given.items()})
            made.marks = given  # pyright: ignore[reportAttributeAccessIssue]
            return made
        if get_origin(bare) is Literal:
            value = self.text()
            if value not in options:
                self.fail(str(unknown_name("value", value, options)))
            return value
        try:
            return msgspec.convert(self.text() if bare is str else self.plain(), kind)
        except msgspec.ValidationError as error:
            words = {
                "Expected": "must be",
                ", got": ", not",
                "int": "a whole number",
                "float": "a number",
                "str": "text",
            }
            self.fail(
                re.sub(
                    r"Expected|, got|\b(int|float|str)\b", lambda match: words[match[0]], str(error).replace("`", "")
                )
            )
