"""Values of a YAML file replaced from outside, as by ``--set simulation.dt=1e-4``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import yaml

from linkwork.errors import ArgumentError, unknown_name
from linkwork.io.marked import Marked
from linkwork.io.safe_yaml import compose
from linkwork.io.scene_keys import KEY_TYPES
from linkwork.io.yaml_linkage import KEYS


def override(root: Marked, changes: Mapping[str, Any]) -> None:
    """Replace or add values.

    Parameters
    ----------
    root : Marked
        The file's root, changed in place.
    changes : mapping
        From a dotted key to a value; a string is read as YAML. Entries of lists are found by name or number:
        ``bodies.upper.inertia.mass``, ``wrenches.0.force``.
    """
    for key, value in changes.items():
        origin = f"{key}={value}"
        text = value if isinstance(value, str) else yaml.safe_dump(_plain(value), default_flow_style=True)
        node = compose(text, origin)
        if node is None:
            raise ArgumentError(f"{origin}: the value is missing")
        _put(root.node, key, node, key)


def refuse_new_parameters(root: Marked, changes: Iterable[str]) -> None:
    """Raise for a change of a parameter that the file does not have: nothing in it could depend on it."""
    given = root.get("parameters").names() if root.is_mapping() and "parameters" in root.names() else {}
    for key in changes:
        section, _, name = key.partition(".")
        if section == "parameters" and name and name not in given:
            raise unknown_name("parameter", name, list(given))
        if key in given and key not in (*KEYS, *KEY_TYPES):
            raise unknown_name("key", key, [f"parameters.{key}"])


def _plain(value: Any) -> Any:
    """A value with Python's own numbers and lists instead of NumPy's."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value


def _put(parent: yaml.Node, rest: str, node: yaml.Node, key: str) -> None:
    if isinstance(parent, yaml.SequenceNode):
        names = [_name(entry) or str(place) for place, entry in enumerate(parent.value)]
        place = _longest(rest, names)
        if place is None:
            place = _longest(rest, [str(place) for place in range(len(names))])
        if place is None:
            shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
            raise ArgumentError(
                f"cannot set {key!r}: the list has no {rest.split('.')[0]!r}; it has {shown or 'nothing'}"
            )
        _descend(parent.value[place], rest, names[place], node, key, lambda new: parent.value.__setitem__(place, new))
    elif isinstance(parent, yaml.MappingNode):
        names = [entry.value if isinstance(entry, yaml.ScalarNode) else "" for entry, _ in parent.value]
        place = _longest(rest, names)
        if place is None:
            name, place = rest.split(".")[0], len(names)
            new = yaml.ScalarNode("tag:yaml.org,2002:str", name, node.start_mark, node.end_mark)
            parent.value.append((new, yaml.MappingNode("tag:yaml.org,2002:map", [], node.start_mark, node.end_mark)))
            names.append(name)
        entry, child = parent.value[place]
        _descend(child, rest, names[place], node, key, lambda new: parent.value.__setitem__(place, (entry, new)))
    else:
        raise ArgumentError(f"cannot set {key!r}: what stands before {rest!r} is a single value")


def _descend(child: yaml.Node, rest: str, name: str, node: yaml.Node, key: str, replace: Any) -> None:
    further = rest[len(name) + 1 :] if rest.startswith(name) else rest.partition(".")[2]
    if further:
        _put(child, further, node, key)
    else:
        replace(node)


def _longest(rest: str, names: list[str]) -> int | None:
    """Return which name the rest of a key starts with; names may contain dots."""
    found = [k for k, name in enumerate(names) if name and (rest == name or rest.startswith(f"{name}."))]
    return max(found, key=lambda k: len(names[k]), default=None)


def _name(entry: yaml.Node) -> str | None:
    """The name that an entry of a list has."""
    if isinstance(entry, yaml.MappingNode):
        for key, value in entry.value:
            if getattr(key, "value", None) == "name" and isinstance(value, yaml.ScalarNode):
                return value.value
    return None
