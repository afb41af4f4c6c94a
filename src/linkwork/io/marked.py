"""YAML values that know their line, so that an error can name it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_args, get_origin

import yaml

from linkwork.errors import ArgumentError, DescriptionError, LinkworkError, unknown_name
from linkwork.io.safe_yaml import read_nodes
from linkwork.linkage.expressions import Expression

T = TypeVar("T")
_NAME = re.compile(r"\b[^\W\d]\w*")
_WORDS = {"Expected": "must be", ", got": ", not", "int": "a whole number", "float": "a number", "str": "text"}


class Parameters(dict[str, float]):
    """The parameters of a file by name, and which of them its numbers were computed from."""

    def __init__(self):
        self.used: set[str] = set()


class Marked:
    """A node of a YAML file. Readers take what they expect; anything else raises with file and line.

    Numbers may be written as expressions of the file's `parameters`.
    """

    __slots__ = ("file", "node", "parameters", "path")

    def __init__(self, file: Path, node: yaml.Node, path: str, parameters: Parameters | None = None):
        self.file, self.node, self.path = file, node, path
        self.parameters = Parameters() if parameters is None else parameters

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
                self._part(key, self.path).fail("a key must be a name")
            if key.value in entries:
                self._part(key, self.path).fail(f"key {key.value!r} is given twice")
            entries[key.value] = self._part(value, f"{self.path}.{key.value}" if self.path else key.value)
        return entries

    def _part(self, node: yaml.Node, path: str) -> Marked:
        return Marked(self.file, node, path, self.parameters)

    def mapping(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> dict[str, Marked]:
        """Return the entries of a mapping with these keys and no others."""
        entries, required = self.names("key"), tuple(required)
        valid = (*required, *optional)
        for key, _ in self.node.value:
            if key.value not in valid:
                self._part(key, self.path).fail(str(unknown_name("key", key.value, valid)))
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
        return [self._part(node, f"{self.path}[{i}]") for i, node in enumerate(self.node.value)]

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value:
            self.fail("must be a string")
        return self.node.value

    def number(self) -> float:
        """Return a float, maybe computed from parameters; 1e-3 is one too, though YAML 1.1 takes it for a string."""
        value = self._literal()
        return self._computed() if value is None else value

    def _literal(self) -> float | None:
        """The number that is written here; None where it is something else."""
        if not isinstance(self.node, yaml.ScalarNode):
            self.fail("must be a number")
        written = self.node.value.lower()
        try:
            value = float(written.replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError:
            return None
        if math.isnan(value):
            self.fail("must be a number, not NaN")
        if math.isinf(value) and "inf" not in written:
            self.fail(f"{self.node.value} is too large for a number")
        return value

    def _computed(self) -> float:
        """The value of an expression of parameters."""
        text = self.node.value
        value, problem = True, "it is a truth value"
        try:
            value = self._used(text, Expression(text, self.parameters))(self.parameters)
        except ArgumentError as error:
            problem = str(error).partition("cannot be used: ")[2]
        if isinstance(value, bool):
            plain_word = not self.parameters and (text.isidentifier() or not text)
            self.fail(f"must be a number, not {text!r}{'' if plain_word else f': {problem}'}")
        return value

    def _used(self, text: str, checked: Expression) -> Expression:
        self.parameters.used.update(name for name in _NAME.findall(text) if name in self.parameters)
        return checked

    def formula(self, variables: Iterable[str]) -> str:
        """Return an expression of `variables`, with parameters replaced by their values."""
        text, variables = self.text(), tuple(variables)
        found = {name for name in _NAME.findall(text) if name in self.parameters}
        for name in found.intersection(variables):
            self.fail(f"{name} is a variable here, and a parameter too: give the parameter another name")
        self._used(text, self.attempt(Expression, text, [*self.parameters, *variables]))
        return _NAME.sub(lambda match: f"({self.parameters[match[0]]!r})" if match[0] in found else match[0], text)

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
            value = None if self.node.style else self._literal()
            return self.text() if value is None else value
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
        value = self.text() if bare is str else self.plain()
        if bare in (int, float) and isinstance(value, str):
            value = self.number()
            value = int(value) if bare is int and value.is_integer() else value
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            message = str(error).replace("`", "")
            self.fail(re.sub(r"Expected|, got|\b(int|float|str)\b", lambda match: _WORDS[match[0]], message))


def optional(entries: Mapping[str, Marked], key: str, read: Callable[[Marked], T], default: Any = None) -> T:
    """Return what `read` makes of an entry, or the default where it is not given."""
    return read(entries[key]) if key in entries else default
