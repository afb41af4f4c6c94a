"""What linkwork raises: one base class, six children, one warning."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar


class LinkworkError(Exception):
    """Base of every error that linkwork raises on purpose.

    Examples
    --------
    >>> import linkwork as lw
    >>> try:
    ...     lw.samples.chain(2).joints["knee"]
    ... except lw.LinkworkError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """


class DescriptionError(LinkworkError, ValueError):
    """An unusable description file.

    Parameters
    ----------
    message : str
        What is wrong and what to do about it.
    file, line, element : optional
        Where: the path, the line (from 1) and the name of the element.

    Examples
    --------
    >>> import linkwork as lw
    >>> with open("arm.yaml", "w") as file:
    ...     _ = file.write("bodies: 3")
    >>> try:
    ...     lw.load("arm.yaml")
    ... except lw.DescriptionError as error:
    ...     print(error)
    arm.yaml:1: key 'linkwork' is missing
    """

    def __init__(self, message: str, *, file: Any = None, line: int | None = None, element: str | None = None):
        super().__init__(message)
        self.file = None if file is None else str(file)
        self.line = line
        self.element = element

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        parts = [where, self.element, self.args[0]]
        return ": ".join(part for part in parts if part)


class StructureError(LinkworkError, RuntimeError):
    """An impossible structure, or an object made from an older one.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> solution = lw.solve(arm, [0.0, 0.0], [0.0, 0.0])
    >>> change = arm.cut("link1")
    >>> try:
    ...     solution["link1"]
    ... except lw.StructureError as error:
    ...     print(error)
    linkage 'chain of 2' has changed since this Solution was made: make a new one
    """


class SingularError(LinkworkError, RuntimeError):
    """Equations without a unique solution: a singular pose, a massless leaf, a lost rank.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia(0.0), joint=lw.Revolute("y"))
    >>> try:
    ...     lw.forward_dynamics(arm, [0.0], [0.0])
    ... except lw.SingularError as error:
    ...     print(error)
    joint 'link' has zero effective inertia: body 'link' and what hangs on it have no mass or moment along
    the joint; give them some, or give the joint armature
    """


class DivergedError(LinkworkError, RuntimeError):
    """A simulation whose state became non-finite.

    Attributes
    ----------
    time : float or None
        Simulated time of the last good state, in s.
    joint : str or None
        The joint whose coordinate diverged first.
    recording : object or None
        What was recorded so far.

    Examples
    --------
    >>> import linkwork as lw
    >>> pair = lw.samples.chain(2)
    >>> sim = lw.Simulation(pair, pair.neutral(), [0, 1e3], dt=1.0)
    >>> try:
    ...     sim.run(until=100.0)
    ... except lw.DivergedError as error:
    ...     print(error.time, error.joint)
    0.0 link0
    """

    def __init__(self, message: str, *, time: float | None = None, joint: str | None = None, recording: Any = None):
        super().__init__(message)
        self.time = time
        self.joint = joint
        self.recording = recording


class RecordingError(LinkworkError, RuntimeError):
    """A recording that can no longer be written; what is in the file and in memory is kept.

    Examples
    --------
    >>> import linkwork as lw
    >>> issubclass(lw.RecordingError, lw.LinkworkError)
    True
    """


class ArgumentError(LinkworkError, ValueError):
    """An argument of the wrong shape, kind or value, or an unknown name.

    Examples
    --------
    >>> import linkwork as lw
    >>> try:
    ...     lw.mass_matrix(lw.samples.chain(2), [0.0])
    ... except lw.ArgumentError as error:
    ...     print(error)
    q has shape (1,), but linkage 'chain of 2' has nq = 2: give (2,) or (..., 2)
    """


class LinkworkWarning(UserWarning):
    """Something usable but doubtful, such as an inertia that no rigid body can have.

    Examples
    --------
    >>> import linkwork as lw
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     flat = lw.Inertia(1.0, matrix=(1.0, 1.0, 3.0))
    >>> issubclass(told[0].category, lw.LinkworkWarning)
    True
    """


class NoSuchIndexError(ArgumentError, IndexError):
    """A position past the end of a collection."""


def unknown_name(kind: str, name: object, valid: Iterable[str]) -> ArgumentError:
    """Return the error for `name` that is not a `kind`, offering the nearest of the `valid` names."""
    names = list(valid)
    if not names:
        return ArgumentError(f"unknown {kind} {name!r}: there are none")
    # difflib is quadratic in practice: of very many names only those with the same first letter are compared.
    if len(names) > 20_000:
        names = [other for other in names if other[:1] == str(name)[:1]][:20_000]
    alike = [other for other in names if other.casefold() == str(name).casefold()]
    near = alike or difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if near:
        hint = "did you mean " + " or ".join(repr(other) for other in near) + "?"
    else:
        shown = ", ".join(repr(other) for other in names[:5])
        hint = f"valid names: {shown}{', ...' if len(names) > 5 else ''}"
    return ArgumentError(f"unknown {kind} {name!r}; {hint}")


class KnownAttributes:
    """Base of classes whose attributes people set: a name that there is not raises, instead of changing nothing.

    `_attributes` are those that are no properties. Classes that users derive may have more.
    """

    _attributes: ClassVar[tuple[str, ...]] = ()

    if not TYPE_CHECKING:  # which would let type checkers accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            kind = type(self)
            own = name.startswith("_") or hasattr(kind, name) or name in self._attributes
            if not own and kind.__module__.startswith("linkwork."):
                known = [*self._attributes, *(each for each in dir(kind) if isinstance(getattr(kind, each), property))]
                raise AttributeError(str(unknown_name(f"attribute of a {kind.__name__}", name, known)))
            super().__setattr__(name, value)
