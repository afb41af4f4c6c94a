"""Where a sweep goes: a grid of values, random draws, a table, or draws at every point of a grid.

What run i is given follows from i, and from the seed where values are drawn: not from the runs before it, nor from who
makes it. Draws come from a counter-based generator [Salmon2011], whose counter is the parameter's name and the run.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, unknown_name

LARGEST = 100_000_000  # runs of a sweep
BLOCK = 4096  # numbers that are drawn at once
_CALL = re.compile(r"\s*([a-z]+)\s*\((.*)\)\s*")


class Draw(NamedTuple):
    """A random value: its distribution, and how it is written."""

    text: str
    quantile: Callable[[np.ndarray], np.ndarray]


class _Quantile(NamedTuple):
    """The quantiles of a distribution by name; unlike a function made on the spot, it pickles."""

    name: str
    numbers: tuple[float, ...]

    def __call__(self, u: np.ndarray) -> np.ndarray:
        numbers = self.numbers
        if self.name == "normal":
            from scipy.special import ndtri

            return numbers[0] + numbers[1] * ndtri(u)
        if self.name == "choice":
            return np.array(numbers)[np.minimum((u * len(numbers)).astype(int), len(numbers) - 1)]
        low, high = numbers
        if self.name == "uniform":
            return low + (high - low) * u
        if self.name == "integers":
            return np.minimum(np.floor(low + (high - low + 1.0) * u), high)
        return np.exp(np.log(low) + (math.log(high) - math.log(low)) * u)


DISTRIBUTIONS = {  # how each is written, and what its numbers must be
    "uniform": ("uniform(low, high)", lambda low, high: low < high),
    "loguniform": ("loguniform(low, high)", lambda low, high: 0.0 < low < high),
    "normal": ("normal(mean, deviation)", lambda mean, deviation: deviation > 0.0),
    "integers": ("integers(low, high)", lambda low, high: low <= high and low == int(low) and high == int(high)),
    "choice": ("choice(a, b, ...)", lambda *values: bool(values)),
}


def drawn(given: Any) -> Draw | None:
    """A distribution, written as ``normal(0, 0.1)`` or one of SciPy's; None where it is something else."""
    if hasattr(given, "ppf"):
        return Draw(f"{getattr(getattr(given, 'dist', given), 'name', type(given).__name__)}", given.ppf)
    match = _CALL.fullmatch(given) if isinstance(given, str) else None
    if match is None:
        return None
    name, inside = match.groups()
    if name not in DISTRIBUTIONS:
        raise unknown_name("distribution", name, DISTRIBUTIONS)
    written, fits = DISTRIBUTIONS[name]
    try:
        numbers = tuple(float(part) for part in inside.split(","))
        if not all(map(math.isfinite, numbers)) or not fits(*numbers):
            raise ValueError
    except (TypeError, ValueError):
        raise ArgumentError(f"{given!r} is no distribution: write {written}, with numbers that make sense") from None
    return Draw(given, _Quantile(name, numbers))


def read_values(text: str) -> Any:
    """Values as the command line takes them: ``0:10:101``, ``1,2,5``, ``normal(0, 1)``, ``rk4,dop853``."""
    if drawn(text) is not None:
        return text
    parts = [part.strip() for part in (text.split(":") if ":" in text else text.split(","))]
    if ":" not in text and not all(parts):
        raise ArgumentError(f"{text!r} has an empty value: write 1,2,5 or 0:10:101")
    numbers = [number for part in parts if (number := _number(part)) is not None]
    if ":" not in text:
        return numbers if len(numbers) == len(parts) else parts
    if len(parts) != 3 or len(numbers) != 3 or not numbers[2].is_integer():
        raise ArgumentError(f"{text!r} is no range: write START:END:COUNT, such as 0:10:101 for 0, 0.1, ... 10")
    start, end, count = numbers
    return np.linspace(start, end, _checked(int(count)) if count >= 1 else 0)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class Axis:
    """The values that one key takes, as numbers; values that are no numbers are numbered.

    Attributes
    ----------
    numbers : (n,) array
    levels : list or None
        What the numbers stand for, where values are no numbers.
    """

    def __init__(self, key: str, values: Any):
        if isinstance(values, str | bytes | Mapping) or np.ndim(values) == 0:
            hint = f'; or a distribution, such as "{DISTRIBUTIONS["uniform"][0]}"' if isinstance(values, str) else ""
            raise ArgumentError(f"{key}: give a sequence of values, not {values!r}{hint}")
        listed = values.tolist() if isinstance(values, np.ndarray) else [_plain(value) for value in values]
        if not listed:
            raise ArgumentError(f"{key} has no values: the sweep would be empty")
        self.levels: list[Any] | None = None
        if all(type(value) in (int, float) for value in listed):
            self.numbers = np.array(listed, dtype=float)
            if not np.isfinite(self.numbers).all():
                raise ArgumentError(f"{key} has values that are not finite")
            return
        self.levels = []
        for value in listed:
            if value not in self.levels:
                self.levels.append(value)
        self.numbers = np.array([self.levels.index(value) for value in listed], dtype=float)


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


class Space:
    """All runs of a sweep.

    Parameters
    ----------
    over : mapping
        From a key to a sequence of values, of which every combination is a run, the last key varying fastest; or to a
        distribution.
    samples : int, or mapping from keys to sequences
        How often to draw, at every combination of values; or the runs themselves, as columns of a table.
    seed : int

    Attributes
    ----------
    keys : list of str
    size : int
    shape : tuple of int
        Of the grid, draws last; (size,) for a table.
    """

    def __init__(self, over: Mapping[str, Any] | None, samples: Any, seed: int):
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
            raise ArgumentError(f"seed must be a whole number from 0 to 2⁶⁴ − 1, not {seed!r}")
        self.seed, over = int(seed), dict(over or {})
        self.draws = {key: found for key, values in over.items() if (found := drawn(values)) is not None}
        self.axes = {key: Axis(key, values) for key, values in over.items() if key not in self.draws}
        self.is_table = samples is not None and not isinstance(samples, int | np.integer)
        self.repeats = 1
        if self.is_table:
            if over:
                raise ArgumentError("give over=, or samples= as a table, not both")
            self._take_table(samples)
        elif samples is not None:
            if isinstance(samples, bool) or samples < 1:
                raise ArgumentError(f"samples must be a positive number of runs, or a table, not {samples!r}")
            self.repeats = _checked(int(samples))
        elif self.draws:
            raise ArgumentError(f"{next(iter(self.draws))} is drawn at random: say how often with samples=")
        self.keys = list(over) if not self.is_table else list(self.axes)
        if not self.is_table:
            counts = [len(axis.numbers) for axis in self.axes.values()]
            self.shape: tuple[int, ...] = (*counts, *([self.repeats] if samples is not None else []))
        if not self.shape:
            raise ArgumentError("there is nothing to sweep over: give over= or samples=")
        self.size = _checked(math.prod(self.shape), self.shape)

    def _take_table(self, samples: Any) -> None:
        columns = samples.to_dict("list") if hasattr(samples, "to_dict") else samples
        if not isinstance(columns, Mapping):
            raise ArgumentError("samples must be a number, or a table: a mapping from keys to columns, or a DataFrame")
        self.axes = {str(key): Axis(str(key), values) for key, values in columns.items()}
        lengths = {key: len(axis.numbers) for key, axis in self.axes.items()}
        if len(set(lengths.values())) > 1:
            raise ArgumentError(f"the columns of samples have different lengths: {lengths}")
        self.shape = (next(iter(lengths.values()), 0),)

    def numbers(self, runs: np.ndarray) -> np.ndarray:
        """(n, keys) what these runs are given, values that are no numbers being numbered."""
        found = np.empty((len(runs), len(self.keys)))
        places = np.unravel_index(runs, self.shape)
        for column, key in enumerate(self.keys):
            if key in self.draws:
                found[:, column] = self.draws[key].quantile(_uniform(self.seed, key, runs))
            else:
                axis = 0 if self.is_table else list(self.axes).index(key)
                found[:, column] = self.axes[key].numbers[places[axis]]
        return found

    def changes(self, numbers: np.ndarray) -> dict[str, Any]:
        """What one run is given, by key; one row of `numbers`."""
        return {key: self.value(key, x) for key, x in zip(self.keys, numbers.tolist(), strict=True)}

    def value(self, key: str, number: float) -> Any:
        """The value that a number stands for."""
        axis = self.axes.get(key)
        return number if axis is None or axis.levels is None else axis.levels[int(number)]

    @property
    def described(self) -> dict[str, Any]:
        """What tells this space from others, as plain values."""
        axes = {key: {"digest": zlib.crc32(axis.numbers.tobytes()), "levels": axis.levels}
                for key, axis in self.axes.items()}  # fmt: skip
        draws = {key: draw.text for key, draw in self.draws.items()}
        return {"axes": axes, "draws": draws, "shape": list(self.shape), "seed": self.seed, "table": self.is_table}


def _uniform(seed: int, key: str, runs: np.ndarray) -> np.ndarray:
    """A number between 0 and 1 for each run, the same whoever asks."""
    found, blocks = np.empty(len(runs)), runs // BLOCK
    for block in np.unique(blocks):
        bits = np.random.Philox(key=seed, counter=[0, 0, zlib.crc32(key.encode()), int(block)])
        here = blocks == block
        found[here] = np.random.Generator(bits).random(BLOCK)[runs[here] % BLOCK]
    return found + 2.0**-54  # never 0, whose quantile may be infinite


def _checked(count: int, shape: Sequence[int] = ()) -> int:
    if count > LARGEST:
        product = " = " + " × ".join(f"{n:,}" for n in shape) if len(shape) > 1 else ""
        raise ArgumentError(
            f"this sweep would have {count:,}{product} runs, and can have {LARGEST:,}: take fewer values, or samples"
        )
    return count
