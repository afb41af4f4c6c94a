"""`sweep` and its result."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from linkwork import __version__
from linkwork.errors import ArgumentError, unknown_name
from linkwork.scenes.scene import Scene, load_scene
from linkwork.simulation.recording import Recording, optional_module
from linkwork.sweeps.engine import Engine
from linkwork.sweeps.job import FunctionJob, Job, SceneJob
from linkwork.sweeps.progress import progress_bar
from linkwork.sweeps.space import Space
from linkwork.sweeps.store import Contents, Store, is_sweep
from linkwork.sweeps.workers import Cluster, Here, Processes, Workers, connect

QUICK = 1.0  # s of work that are not worth processes of their own


class Sweep:
    """The table of a sweep: one row per run, in the order of the runs.

    Attributes
    ----------
    path : Path
    settings : dict
        What was swept: version, seed, keys, columns, how runs were made.
    runs : (n,) array of int
        The numbers of the runs that are there.
    parameters : dict
        From a key to what every run was given, an array or a list.
    outputs : dict
        From a column to an array; NaN where a run failed.
    errors : dict
        From the number of a run that failed to the text of its error.
    seconds : (n,) array
        Time that each run took.
    total : int
        Number of runs of the whole sweep.

    Examples
    --------
    >>> import linkwork as lw
    >>> table = lw.sweep(lambda x, y: x * y, over={"x": [1, 2, 3], "y": [10, 20]}, workers=1)
    >>> table["value"]
    array([10., 20., 20., 40., 30., 60.])
    """

    def __init__(self, path: str | PathLike[str]):
        self.path = Path(path)
        found = Contents(self.path)
        self.settings, self.runs, self.seconds = found.header, found.runs, found.seconds
        axes = self.settings["space"]["axes"]
        self.parameters: dict[str, Any] = {}
        for key, column in zip(self.settings["keys"], found.numbers.T, strict=True):
            levels = axes.get(key, {}).get("levels")
            self.parameters[key] = column if levels is None else [levels[int(k)] for k in column]
        self.outputs: dict[str, np.ndarray] = dict(zip(self.settings["columns"], found.values.T, strict=True))
        failed = np.flatnonzero(found.errors >= 0)
        self.errors = {int(self.runs[row]): found.texts[found.errors[row]] for row in failed}
        self.total: int = int(np.prod(self.settings["space"]["shape"]))
        self._places, self._folder = found.places, None

    @staticmethod
    def load(path: str | PathLike[str]) -> Sweep:
        """Read a sweep, one that is still being written or was left by a killed process included."""
        return Sweep(path)

    @property
    def complete(self) -> bool:
        """Whether all runs are there."""
        return len(self) == self.total

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, name: str) -> Any:
        """A column: of parameters, of outputs, or "seconds"."""
        known = {"seconds": self.seconds} | self.parameters | self.outputs
        short = {key.rpartition(".")[2]: key for key in self.parameters}
        if name not in known and short.get(name) is None:
            raise unknown_name("column", name, known)
        return known[name if name in known else short[name]]

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.parameters, *self.outputs]

    def recording(self, run: int) -> Recording:
        """The recording of a run, where `outputs` had "recording"."""
        from linkwork.simulation.hdf5 import reading

        row = np.flatnonzero(self.runs == run)
        if not len(row):
            raise ArgumentError(f"there is no run {run} in {self.path}: there are {len(self):,}, from 0 on")
        first, last = self._places[row[0]].tolist()
        if first == last:
            reason = self.errors.get(int(run), 'ask for them with outputs=["recording"]')
            raise ArgumentError(f"run {run} has no recording: {reason}")
        with reading(self.path) as file, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.h5"
            path.write_bytes(file["files"][first:last].tobytes())
            return Recording.load(path)

    def to_pandas(self) -> Any:
        """A pandas DataFrame: parameters, outputs, error, seconds, version and seed of every run, indexed by run."""
        pd = optional_module("pandas")
        columns: dict[str, Any] = dict(self.parameters) | self.outputs
        columns["error"] = [self.errors.get(int(run)) for run in self.runs] if self.errors else [None] * len(self)
        seed = self.settings["space"]["seed"]
        columns |= {"seconds": self.seconds, "version": self.settings["version"], "seed": seed}
        return pd.DataFrame(columns, index=pd.Index(self.runs, name="run"))

    def to_xarray(self) -> Any:
        """An xarray Dataset: outputs over the values of a grid, and over samples; what is missing is NaN."""
        xarray = optional_module("xarray")
        space, dims = self.settings["space"], []
        coordinates: dict[str, Any] = {}
        drawn = set(space["draws"])
        if space["table"]:
            dims.append("run")
            coordinates["run"] = np.arange(self.total)
        else:
            for key in self.settings["keys"]:
                if key not in drawn:
                    dims.append(key)
                    coordinates[key] = self.settings["axes"][key]
            if len(space["shape"]) > len(dims):
                dims.append("sample")
        variables = {}
        columns = dict(self.outputs) | {"seconds": self.seconds}
        columns |= {key: np.asarray(self.parameters[key]) for key in (self.parameters if space["table"] else drawn)}
        for name, values in columns.items():
            if values.dtype.kind not in "fi":
                coordinates[name] = (dims, self._spread(values.astype(object), None))
                continue
            variables[name] = (dims, self._spread(values, np.nan))
        attributes = {"version": self.settings["version"], "seed": space["seed"]}
        return xarray.Dataset(variables, coords=coordinates, attrs=attributes)

    def _spread(self, values: np.ndarray, missing: Any) -> np.ndarray:
        whole = np.full(self.total, missing, dtype=values.dtype if missing is None else float)
        whole[self.runs] = values
        return whole.reshape(self.settings["space"]["shape"])

    def plot(self, *outputs: str, path: str | PathLike[str] | None = None) -> Any:
        """Draw it; see `linkwork.plots.sweeps.plot_sweep`."""
        from linkwork.plots.sweeps import plot_sweep

        return plot_sweep(self, *outputs, path=path)

    def __repr__(self) -> str:
        done = f"{len(self):,} runs" if self.complete else f"{len(self):,} of {self.total:,} runs"
        failed = f", {len(self.errors):,} failed" if self.errors else ""
        return f"Sweep({done}{failed}, over {', '.join(self.parameters) or 'samples'}: {len(self.outputs)} outputs)"

    def _repr_html_(self) -> str:
        rows = [("runs", f"{len(self):,} of {self.total:,}"), ("failed", f"{len(self.errors):,}")]
        rows += [(key, f"{np.nanmin(column):g} … {np.nanmax(column):g}")
                 for key, column in (self.parameters | self.outputs).items()
                 if isinstance(column, np.ndarray) and np.isfinite(column).any()]  # fmt: skip
        cells = "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in rows[:40])
        return f"<table><caption>{html.escape(repr(self))}</caption>{cells}</table>"


def sweep(
    scene_or_function: str | PathLike[str] | Scene | Callable[..., Any],
    over: Mapping[str, Any] | None = None,
    *,
    samples: Any = None,
    outputs: Sequence[str] | None = None,
    store: str | PathLike[str] | None = None,
    client: Any = None,
    workers: int | None = None,
    seed: int = 0,
    resume: bool = False,
    progress: bool = True,
) -> Sweep:
    """Run a scene, or call a function, at many points; the results are one table and one file.

    Parameters
    ----------
    scene_or_function : path, name of an example, Scene or function
        A function is called as ``function(torque=3.0, mass=2.0)``, with ``rng=``, a generator of its own for each run,
        where it takes that; it returns a number, or numbers and arrays by name.
    over : mapping
        From a key of the scene (``"parameters.torque"``, ``"simulation.dt"``), or an argument of the function, to a
        sequence of values; every combination is a run, the last key varying fastest. Or to a distribution, such as
        ``"uniform(0, 10)"``, ``"loguniform(1e-3, 1)"``, ``"normal(0, 0.1)"``, ``"integers(1, 6)"``, ``"choice(1, 2)"``
        or one of ``scipy.stats``.
    samples : int, or mapping from keys to columns, or DataFrame
        How often to draw, at each combination of values; or, instead of `over`, the runs as rows of a table.
    outputs : sequence of str
        What to keep of each run of a scene: "final", "extremes", "events", "recording", and expressions such as
        ``"max(norm(reaction[pin]))"``. Default: "final". Of a function: the names of what it returns, which are found
        out where they are not given.
    store : path, optional
        HDF5 file of the table, to which rows are written as they come. An unfinished sweep is not overwritten.
    client : distributed.Client or str, optional
        A dask cluster, or the address of its scheduler.
    workers : int, optional
        Processes of this machine; 1 stays in this one. Default: one per core, where there is enough work.
    seed : int
        Of random draws, which depend on it and on the number of the run alone.
    resume : bool
        Go on with the file of the same sweep, where there is one.
    progress : bool
        Show a bar, where there is a terminal.

    Returns
    -------
    Sweep
        A run that fails is a row with the text of its error.

    Raises
    ------
    ArgumentError
        An unknown parameter, an empty or far too large grid, a cluster that does not answer or has another version.

    Notes
    -----
    Runs of a scene that share a linkage, and differ in parameters of torques and in the state at the start, are packed
    into SIMD rollouts; others are simulated one by one. ``sweep.settings["how"]`` tells which, and why. Rows are equal
    to the bit, however many workers there are.

    Cost: that of the runs; packed into SIMD rollouts where they share a linkage.

    Examples
    --------
    >>> import linkwork as lw
    >>> def period(length):
    ...     return 6.28 * (length / 9.81) ** 0.5
    >>> table = lw.sweep(period, over={"length": [0.5, 1.0]}, workers=1)
    >>> table["value"].round(2)
    array([1.42, 2.01])
    """
    space = Space(over, samples, seed)
    job, source = _job(scene_or_function, space, outputs)
    axes = {key: [space.value(key, x) for x in axis.numbers.tolist()] for key, axis in space.axes.items()}
    header = {
        "version": __version__, "source": source, "space": space.described, "keys": space.keys, "columns": job.columns,
        "how": job.how, "axes": {} if space.is_table else axes,
    }  # fmt: skip
    path, folder = _file(store)
    _refuse_overwriting(path, resume)
    with _workers(job, client, workers) as chosen:
        table = Store.reopen(path, header, space.size) if resume and path.exists() else Store(path, header, space.size)
        with progress_bar(progress, space.size, int(table.done.sum()), chosen.name, job.how) as advance:
            Engine(job, chosen, table, advance).run()
    made = Sweep(path)
    made._folder = folder  # which lasts as long as the table
    return made


def _job(given: Any, space: Space, outputs: Sequence[str] | None) -> tuple[Job, dict[str, Any]]:
    """What workers do, and what tells it from others."""
    if isinstance(outputs, str):
        outputs = [outputs]
    if callable(given):
        code = getattr(getattr(given, "__code__", None), "co_code", b"")
        source = {"function": getattr(given, "__qualname__", type(given).__name__), "digest": crc32(code)}
        return FunctionJob(given, space, outputs), source
    scene = given if isinstance(given, Scene) else load_scene(given)
    if space.repeats > 1 and not space.draws:
        raise ArgumentError("nothing in these samples is drawn at random: give a distribution in over=")
    job = SceneJob(scene, space, ["final"] if outputs is None else outputs)
    return job, {"scene": scene.name, "digest": crc32(scene.path.read_bytes()), "changes": _plain(scene.changes)}


def _plain(changes: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in changes.items()}


def _file(store: str | PathLike[str] | None) -> tuple[Path, Any]:
    """Where the table is written, and the folder that it is alone in."""
    if store is None:
        folder = tempfile.TemporaryDirectory()
        return Path(folder.name) / "sweep.h5", folder
    path = Path(store)
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent} for the sweep")
    return path, None


def _refuse_overwriting(path: Path, resume: bool) -> None:
    """Raise for a file that holds something else, or a sweep that could be resumed."""
    if not path.exists() or not path.stat().st_size:
        return
    if not is_sweep(path):
        raise ArgumentError(f"{path} exists and is no sweep: give another file")
    before = Sweep(path)
    if not resume and len(before) and not before.complete:
        raise ArgumentError(
            f"{path} holds {len(before):,} of {before.total:,} runs of a sweep: resume it, or give another file"
        )


@contextmanager
def _workers(job: Job, client: Any, count: int | None) -> Iterator[Workers]:
    """Those who make the runs."""
    if client is not None and count is not None:
        raise ArgumentError("give a cluster, or workers on this machine, not both")
    if client is not None:
        connected = connect(client) if isinstance(client, str) else client
        try:
            yield Cluster(job, connected)
        finally:
            if connected is not client:
                connected.close()
        return
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(f"workers must be a positive number of processes, not {count!r}")
    if count is None:
        count = min(_cores(), job.space.size) if _is_long(job) else 1
    yield Here(job) if count <= 1 else Processes(job, count)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_long(job: Job) -> bool:
    """Whether runs take long enough for processes of their own: a few are tried."""
    if job.space.size < 2 or _cores() < 2:
        return False
    few = np.arange(min(job.space.size, 64 if job.packed else 1))
    job.rows(few[:1])  # compiles and loads
    return job.space.size * float(job.rows(few).seconds.mean()) > QUICK
