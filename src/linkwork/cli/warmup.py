"""``linkwork warmup``: compile kernels before their first use, all of them or those of some scenes."""

import atexit
import io
import multiprocessing
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stdout, suppress
from pathlib import Path

from rich.markup import escape
from rich.progress import Progress

from linkwork import examples
from linkwork.cli import find
from linkwork.cli.output import out
from linkwork.cli.quick_start import leave_at_once
from linkwork.cli.warmup_calls import calls
from linkwork.errors import LinkworkError
from linkwork.kernels.launch import compile_seconds
from linkwork.kernels.threads import thread_count

FIRST = ("forward dynamics, aba", "simulation, closed")  # what many others call


def warmup(scenes: Sequence[str] = ()) -> None:
    """Run these scenes; or, without any, the shipped ones and everything else that compiles."""
    if scenes:
        first, rest = [], list(scenes)
        for scene in scenes:
            find.find(scene)
    else:
        first, rest = list(FIRST), [name for name in (*calls(), *examples.names()) if name not in FIRST]
    os.environ["LINKWORK_PREBUILT"] = "0"  # of the processes below: compile for this machine what is only prebuilt
    with Progress(console=out.console) as progress:
        task = progress.add_task("compiling", total=len(first) + len(rest))
        context = multiprocessing.get_context("spawn")
        # Each has another process make machine code of what it reads: so no function is read for each processor.
        with ProcessPoolExecutor(max(1, thread_count() // 2), context, atexit.register, (leave_at_once,)) as pool:
            for jobs in (first, rest):
                for done in as_completed([pool.submit(_compile, job, asked=bool(scenes)) for job in jobs]):
                    progress.advance(task)
                    out.print(escape(done.result()))


def _compile(job: str, *, asked: bool) -> str:
    """Compile what one job needs, in a process of its own; its name, and how long this took.

    Of what nobody asked for by name, pictures are not drawn, as kernels of all methods are compiled besides, and what
    needs a package that is not installed is left out.
    """
    start, call = time.perf_counter(), calls().get(job)
    try:
        if call is None:
            _run(job, None if asked else "none")
        else:
            call()
    except LinkworkError as error:
        if asked or not isinstance(error.__context__, ImportError):
            raise
        return f"{job}: left out, {error}"
    return f"{job}: {time.perf_counter() - start:.1f} s"


def _run(scene: str, plots: str | None) -> None:
    """Run a scene as `linkwork simulate` does, and keep nothing of it but what was compiled.

    Without a picture it ends when nothing was compiled for a while.
    """
    from linkwork.cli.simulate import simulate

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), suppress(_NothingNewError):
        simulate(
            scene, {}, out=Path(folder) / "run.h5", plots=plots, picture=None, resume=False, json=False,
            progress=_Patience() if plots == "none" else False,
        )  # fmt: skip


class _NothingNewError(Exception):
    """Nothing more is likely to be compiled."""


class _Patience:
    """Ends a run when nothing was compiled for so many seconds of it."""

    SECONDS = 1.0

    def __init__(self) -> None:
        self._seen, self._since = -1.0, 0.0

    def __call__(self, t: float) -> None:
        if compile_seconds() != self._seen:
            self._seen, self._since = compile_seconds(), time.perf_counter()
        elif time.perf_counter() - self._since > self.SECONDS:
            raise _NothingNewError
