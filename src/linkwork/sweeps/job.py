"""What a worker does: runs of a scene or of a function, each to a row of the table.

A job is sent to workers as it is; what it needs beyond that (a scene, compiled torques) it makes there when first used.
"""

from __future__ import annotations

import inspect
import pickle
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkwork import __version__
from linkwork.errors import ArgumentError, LinkworkError, unknown_name
from linkwork.io.marked import Marked
from linkwork.io.overrides import override, refuse_new_parameters
from linkwork.io.safe_yaml import compose
from linkwork.kernels.threads import set_threads, thread_count
from linkwork.scenes.scene import Scene
from linkwork.sweeps.outputs import OfRecording, Outputs
from linkwork.sweeps.packed import Packed, shared, why_not
from linkwork.sweeps.space import Space

LONGEST = 2000  # characters of an error that are kept
PROBES = 8  # runs of a function that are tried to find out what it returns


class Rows(NamedTuple):
    """Rows of the table: one per run."""

    runs: np.ndarray  # (n,) their numbers
    numbers: np.ndarray  # (n, keys) what they were given
    values: np.ndarray  # (n, columns) what came out; NaN where a run failed
    seconds: np.ndarray  # (n,) time taken
    errors: dict[int, str]  # by row
    files: dict[int, bytes]  # recordings as files, by row
    version: str  # of the worker


class Job:
    """Base of jobs: runs are made one by one."""

    space: Space
    columns: list[str]
    how: str  # words for how runs are made
    packed = False

    def rows(self, runs: np.ndarray) -> Rows:
        """Make these runs, by one thread."""
        threads = thread_count()
        set_threads(1)
        try:
            return self._rows(runs)
        finally:
            set_threads(threads)

    def _rows(self, runs: np.ndarray) -> Rows:
        numbers = self.space.numbers(runs)
        rows = _empty(runs, numbers, len(self.columns))
        for row, run in enumerate(runs.tolist()):
            started = time.perf_counter()
            try:
                rows.values[row], recorded = self._run(run, self.space.changes(numbers[row]))
                if recorded is not None:
                    rows.files[row] = recorded
            except Exception as error:
                rows.errors[row] = _text(error)
            rows.seconds[row] = time.perf_counter() - started
        return rows

    def _run(self, run: int, changes: dict[str, Any]) -> tuple[Any, bytes | None]:
        raise NotImplementedError


def _empty(runs: np.ndarray, numbers: np.ndarray, width: int) -> Rows:
    return Rows(runs, numbers, np.full((len(runs), width), np.nan), np.zeros(len(runs)), {}, {}, __version__)


def _text(error: Exception) -> str:
    text = str(error) if isinstance(error, LinkworkError) else f"{type(error).__name__}: {error}"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


class SceneJob(Job):
    """Runs of a scene with changed values."""

    def __init__(self, scene: Scene, space: Space, outputs: Sequence[str]):
        self.space, self._given, self._fixed = space, list(outputs), dict(scene.changes)
        self._path, self._text = scene.path, scene.path.read_bytes().decode("utf-8-sig")
        refuse_new_parameters(scene._root, space.keys)
        keeps = scene._from_file and not any(key.split(".")[0] == "linkage" for key in space.keys)
        self._source = scene._linkage(scene.path) if keeps else None
        self._root: Any = None
        self._rollouts: Packed | None = None
        self._outputs: Outputs | None = None
        first = space.numbers(np.zeros(1, dtype=np.int64))[0]
        at_first = self._scene(space.changes(first))
        self._base = self._shared(at_first)
        self._outputs = self._outputs_of(at_first)
        self.columns = self._outputs.columns
        reason = why_not(at_first, space, self._outputs)
        self.packed = reason is None
        self.how = "packed into SIMD rollouts" if self.packed else f"simulated one by one: {reason}"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_root": None, "_rollouts": None, "_outputs": None, "_base": None}

    def _prepare(self) -> None:
        """Make what was not sent: once in each process."""
        if self._outputs is None or (self.packed and self._rollouts is None):
            scene = self._scene(self.space.changes(self.space.numbers(np.zeros(1, dtype=np.int64))[0]))
            self._outputs = self._outputs_of(scene)
            self._rollouts = Packed(scene, self.space, self._outputs) if self.packed else None
            self._base = self._shared(scene)

    def _shared(self, scene: Scene) -> Scene | None:
        """The scene itself, where all runs have its linkage and settings."""
        alike = not scene.is_adaptive and all(shared(scene, key) for key in self.space.keys)
        return scene if alike else None

    def _scene(self, changes: Mapping[str, Any]) -> Scene:
        if self._root is None:
            self._root = compose(self._text, self._path)
            assert self._root is not None
            override(Marked(self._path, self._root, ""), self._fixed)
        root = Marked(self._path, self._root, "")
        override(root, changes)  # each run replaces the same values
        return Scene(self._path, root, self._source)

    def _outputs_of(self, scene: Scene) -> Outputs:
        events, later = [], []
        for event in scene._keys.events:
            if event.cut is not None:
                events.append(f"cut {event.cut}")
            if event.connect is not None:
                events.append(f"connect {event.connect.a} and {event.connect.b}")
                later += [event.connect.name] if event.connect.name else []
            if event.constrain is not None:
                named = event.constrain.names()
                later += [named["name"].text()] if "name" in named else []
            events += [f"release {event.release}"] if event.release is not None else []
            events += [key for key in ("gravity", "stop") if key in event.marks]
        return Outputs(self._given, scene.linkage, scene.parameters, list(dict.fromkeys(events)), later)

    def _run(self, run: int, changes: dict[str, Any]) -> tuple[Any, bytes | None]:
        self._prepare()
        assert self._outputs is not None
        if self._base is not None:
            scene = self._base.with_parameters({key.partition(".")[2]: value for key, value in changes.items()})
        else:
            scene = self._scene(changes)
        motion = scene.adaptive() if scene.is_adaptive else scene.simulation()
        if scene.is_adaptive:
            motion.run(scene.run.until)
        else:
            motion.run(scene.run.until, progress=False)  # pyright: ignore[reportCallIssue]
        recording = motion.recording
        values = self._outputs.values(OfRecording(recording), scene.parameters)[0]
        return values, _file(recording) if self._outputs.recorded else None

    def _rows(self, runs: np.ndarray) -> Rows:
        if not self.packed:
            return super()._rows(runs)
        self._prepare()
        rollouts = self._rollouts
        assert rollouts is not None
        rows, place = _empty(runs, self.space.numbers(runs), len(self.columns)), 0
        for part in rollouts.parts(runs):
            started, here = time.perf_counter(), slice(place, place + len(part))
            rows.values[here], failed = rollouts.values(rows.numbers[here])
            rows.errors.update({place + row: text for row, text in failed.items()})
            rows.seconds[here] = (time.perf_counter() - started) / len(part)
            place += len(part)
        return rows


def _file(recording: Any) -> bytes:
    """A recording as the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        recording.save(path)
        return path.read_bytes()


class FunctionJob(Job):
    """Calls of a function: ``function(torque=3.0, mass=2.0)``, with ``rng=`` where it takes that.

    It returns a number, or numbers and arrays by name.
    """

    how = "called one by one"

    def __init__(self, function: Callable[..., Any], space: Space, outputs: Sequence[str] | None):
        self.space, self._function = space, function
        known = inspect.signature(function).parameters
        self._takes_rng = "rng" in known and "rng" not in space.keys
        anything = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values())
        for key in space.keys:
            if key not in known and not anything:
                raise unknown_name(f"argument of {getattr(function, '__name__', 'the function')}", key, known)
        self.columns = list(outputs) if outputs is not None else []
        if outputs is None:
            self.columns = self._found_columns()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_function": dumped(self._function)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _function=pickle.loads(state["_function"]))

    def _found_columns(self) -> list[str]:
        """The names of what the function returns, found by trying a few runs."""
        for run in np.unique(np.linspace(0, self.space.size - 1, PROBES).astype(np.int64)):
            changes = self.space.changes(self.space.numbers(np.array([run]))[0])
            try:
                return list(_flat(self._called(int(run), changes)))
            except ArgumentError:
                raise
            except Exception:  # a row of the table, later
                continue
        return []

    def _called(self, run: int, changes: dict[str, Any]) -> Any:
        if self._takes_rng:
            changes = changes | {"rng": np.random.default_rng([self.space.seed, run])}
        return self._function(**changes)

    def _run(self, run: int, changes: dict[str, Any]) -> tuple[Any, bytes | None]:
        found = _flat(self._called(run, changes))
        if list(found) != self.columns:
            missing = [name for name in self.columns if name not in found]
            extra = [name for name in found if name not in self.columns]
            if missing or extra:
                raise ArgumentError(
                    f"the function returned {list(found)}, and the table has {self.columns}: name them all by outputs="
                )
        return [found[name] for name in self.columns], None


def _flat(returned: Any) -> dict[str, float]:
    """What a function returned, as numbers by name."""
    named = returned if isinstance(returned, Mapping) else {"value": returned}
    flat: dict[str, float] = {}
    for name, value in named.items():
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise ArgumentError(
                f"the function returned {value!r}: it must return a number, an array, or a dict of these by name"
            ) from None
        if numbers.ndim == 0:
            flat[str(name)] = float(numbers)
        else:
            flat |= {f"{name}[{k}]": float(x) for k, x in enumerate(numbers.ravel())}
    return flat


def dumped(thing: Any) -> bytes:
    """A pickle of a function, by value where cloudpickle is there and a script defines it."""
    try:
        import cloudpickle

        return cloudpickle.dumps(thing)
    except ModuleNotFoundError:
        pass
    try:
        data = pickle.dumps(thing)
    except (pickle.PicklingError, AttributeError, TypeError):
        data = b""
    if not data or getattr(thing, "__module__", None) == "__main__":
        raise ArgumentError(
            "workers cannot be given this function: define it in a module of its own, or pip install cloudpickle"
        )
    return data
