"""``linkwork warmup``: compile kernels before their first use, all of them or those of some scenes."""

import io
import multiprocessing
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stdout
from pathlib import Path

from rich.progress import Progress

from linkwork import examples
from linkwork.cli import find
from linkwork.cli.output import out
from linkwork.cli.warmup_calls import calls
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
        with ProcessPoolExecutor(thread_count(), multiprocessing.get_context("spawn")) as pool:
            for jobs in (first, rest):
                for done in as_completed([pool.submit(_compile, job, draw=bool(scenes)) for job in jobs]):
                    job, seconds = done.result()
                    progress.advance(task)
                    out.print(f"{job}: {seconds:.1f} s")


def _compile(job: str, *, draw: bool) -> tuple[str, float]:
    """Compile what one job needs, in a process of its own; its name, and the processor time that this took.

    Pictures need to be drawn only where kernels of all methods are not compiled besides.
    """
    start, call = time.process_time(), calls().get(job)
    if call is None:
        _run(job, None if draw else "none")
    else:
        call()
    return job, time.process_time() - start


def _run(scene: str, plots: str | None) -> None:
    """Run a scene as `linkwork simulate` does, and keep nothing of it but what was compiled."""
    from linkwork.cli.simulate import simulate

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        simulate(scene, {}, out=Path(folder) / "run.h5", plots=plots, picture=None, resume=False, json=False)
