"""YAML values that know their line, so that an error can name it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_args, get_origin

import yaml

from linkwork.errors import DescriptionError, LinkworkError, unknown_name
from linkwork.io.safe_yaml import read_nodes

T = TypeVar("T")
_WORDS = {"Expected": "must be", ", got": ", not", "int": "a whole number", "float": "a number", "str": "text"}


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
        """Call `make`; an error that it raises is one of this place in the file."""
        try:
            return make(*args, **options)
        except DescriptionError:
            raise
        except LinkworkError as error:
            self.fail(str(error))

    def names(self, what: str = "name") -> dict[str, Marked]:
        """Return the entries of a mapping by their keys, whatever these are."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"must be a mapping ({what}: value)")
        entries: dict[str, Marked] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                Marked(self.file, key, self.path).fail("a key must be a name")
            if key.value in entries:
                Marked(self.file, key, self.path).fail(f"key {key.value!r} is given twice")
            entries[key.value] = Marked(self.file, value, f"{self.path}.{key.value}" if self.path else key.value)
        return entries

    def mapping(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> dict[str, Marked]:
        """Return the entries of a mapping with these keys and no others."""
        entries, required = self.names("key"), tuple(required)
        valid = (*required, *optional)
        for key, _ in self.node.value:
            if key.value not in valid:
                Marked(self.file, key, self.path).fail(str(unknown_name("key", key.value, valid)))
        for key in required:
            if key not in entries:
                self.fail(f"key {key!r} is missing")
        return entries

    def get(self, key: str) -> Marked:
        """Return one entry of a mapping whose other keys depend on it."""
        entries = self.names("key")
        if key not in entries:
            self.fail(f"key {key!r} is missing")
        return entries[key]

    def kind(self, kinds: dict[str, Any], what: str, *extra: str) -> tuple[Any, dict[str, Marked]]:
        """Return the dataclass that the entry `type` names, and the other entries: its fields, and `extra` ones."""
        mark = self.get("type")
        name = mark.text()
        if name not in kinds:
            mark.fail(str(unknown_name(what, name, kinds)))
        options = fields(kinds[name])
        required = [option.name for option in options if option.default is MISSING]
        given = self.mapping(("type", *required), (*(option.name for option in options), *extra))
        del given["type"]
        return kinds[name], given

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

    def axis(self) -> Any:
        """Return the name of an axis, such as -z, or the numbers of a vector."""
        return self.numbers() if self.is_sequence() else self.text()

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
            keys = {field.name: field for field in msgspec.structs.fields(bare)}
            given = self.mapping([name for name, field in keys.items() if field.required], keys)
            made = bare(**{name: entry.convert(keys[name].type) for name, entry in given.items()})
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
            message = str(error).replace("`", "")
            self.fail(re.sub(r"Expected|, got|\b(int|float|str)\b", lambda match: _WORDS[match[0]], message))


def optional(entries: Mapping[str, Marked], key: str, read: Callable[[Marked], T], default: Any = None) -> T:
    """Return what `read` makes of an entry, or the default where it is not given."""
    return read(entries[key]) if key in entries else default
