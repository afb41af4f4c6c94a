"""The subcommands of ``linkwork`` and their options. What each does is in its own module, imported when it runs."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from linkwork import __version__
from linkwork.cli.quick_start import check_what_needs_it, collect_garbage_rarely, leave_at_once
from linkwork.errors import DivergedError, LinkworkError, LinkworkWarning, RecordingError, SingularError

FAILED, MOTION_FAILED = 1, 3  # exit codes; 2 is for wrong usage, 128 + n for being stopped by signal n

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def run() -> None:
    """Run the command line: linkwork's errors and warnings are one line on stderr each, without traceback or place."""
    collect_garbage_rarely()
    check_what_needs_it()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show(warnings.showwarning)
            app()
    except LinkworkError as error:
        sys.stderr.write(f"linkwork: {error}\n")
        sys.exit(MOTION_FAILED if isinstance(error, DivergedError | RecordingError | SingularError) else FAILED)
    except BrokenPipeError:  # the reader has closed the pipe
        sys.stderr.close()
        sys.exit(FAILED)
    finally:
        leave_at_once()


def _show(show_others: Any) -> Any:
    def show(message: Warning | str, category: type[Warning], *where: Any, **options: Any) -> None:
        if issubclass(category, LinkworkWarning):
            sys.stderr.write(f"linkwork: {message}\n")
        else:
            show_others(message, category, *where, **options)

    return show


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"linkwork {__version__}")
        raise typer.Exit


@app.callback(
    epilog="Start with [bold]linkwork simulate double-pendulum[/bold], then [bold]linkwork examples[/bold]. "
    "Exit codes: 0 done, 1 bad input, 2 wrong usage, 3 the motion could not be computed, 130 stopped by Ctrl-C."
)
def _linkwork(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Dynamics of linkages: describe one, see how it moves and which forces act in it."""


@app.command(
    epilog="For example: [bold]linkwork info robot.urdf[/bold], [bold]linkwork info four-bar[/bold], "
    "[bold]linkwork info run.h5[/bold]"
)
def info(
    file: Annotated[
        str, typer.Argument(help="A URDF file, a YAML linkage or scene, a recording, or the name of an example.")
    ],
    every: Annotated[bool, typer.Option("--all", help="List every body or event, however many there are.")] = False,
    advise: Annotated[
        bool, typer.Option("--advise", help="Say which method, integrator and step suit the linkage, and why.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what a file describes: bodies, joints, degrees of freedom, mass, loops, mobility, and what was ignored.

    Of a recording: its segments, its events and the settings of the run.
    """
    from linkwork.cli.info import info

    info(file, every=every, json=json, advise=advise)


@app.command(
    epilog="For example: [bold]linkwork simulate double-pendulum[/bold], "
    "[bold]linkwork simulate four-bar --until 2 --set parameters.torque=15[/bold], "
    "[bold]linkwork simulate my.yaml --out run.h5 --resume[/bold]"
)
def simulate(
    scene: Annotated[str, typer.Argument(help="A scene file, or the name of an example.")],
    until: Annotated[float | None, typer.Option(help="Time at the end, s.")] = None,
    dt: Annotated[float | None, typer.Option(help="Size of a step, s.")] = None,
    integrator: Annotated[
        str | None, typer.Option(help="rk4, semi-implicit, implicit-midpoint, implicit, dop853 or rosenbrock.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The recording, an HDF5 file. Default: the scene's name with .h5.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(help="What to draw: names separated by commas, or 'none'; see linkwork plot --list.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="The picture, .png, .svg or .pdf. Default: the recording's name with .png.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a run that was stopped.")] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Replace a value of the scene; can be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Run a scene: leaves a recording and a picture, and prints a summary.

    Ctrl-C ends the run after the current step and keeps what was recorded; --resume continues from there.
    """
    from linkwork.cli.find import section
    from linkwork.cli.simulate import simulate

    part = section(scene)
    given = {f"{part}.until": until, f"{part}.dt": dt, f"{part}.integrator": integrator}
    settings = {key: value for key, value in given.items() if value is not None}
    simulate(
        scene, settings | _settings(changes or []), out=out, plots=plot, picture=picture, resume=resume, json=json
    )  # fmt: skip


def _settings(changes: list[str]) -> dict[str, str]:
    pairs = [change.partition("=") for change in changes]
    for key, equals, _ in pairs:
        if not equals or not key:
            raise typer.BadParameter(f"--set takes KEY=VALUE, such as simulation.dt=1e-4, not {key!r}")
    return {key: value for key, _, value in pairs}


@app.command(
    epilog="For example: [bold]linkwork sweep four-bar --over parameters.torque=0:20:101[/bold], "
    "[bold]linkwork sweep cart-pole --over 'parameters.k_angle=uniform(0, 80)' --samples 10000 "
    "--output 'max(abs(q[[pole]))'[/bold]"
)
def sweep(
    scene: Annotated[str, typer.Argument(help="A scene file, or the name of an example.")],
    over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUES",
            help="What to vary: 0:10:101 for 101 values from 0 to 10, 1,2,5 or uniform(0, 10); can be repeated.",
        ),
    ] = None,
    samples: Annotated[int | None, typer.Option(help="How often to draw random values, at each combination.")] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(help="What to keep: final, extremes, events, recording or an expression; can be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The table, an HDF5 file. Default: SCENE-sweep.h5.")] = None,
    until: Annotated[float | None, typer.Option(help="Time at the end of each run, s.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes of this machine. Default: one per core.")] = None,
    cluster: Annotated[str | None, typer.Option(help="Address of a dask scheduler, such as tcp://host:8786.")] = None,
    seed: Annotated[int, typer.Option(help="Of the random draws.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a sweep that was stopped.")] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Replace a value of the scene in all runs; can be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Run a scene at many points, on this machine or a cluster: leaves one table, and prints a summary.

    Ctrl-C keeps the runs that are done; --resume continues from there. A run that fails is a row with its error.
    """
    from linkwork.cli.find import section
    from linkwork.cli.sweep import sweep

    settings = {f"{section(scene)}.until": until} if until is not None else {}
    sweep(
        scene, over or [], settings | _settings(changes or []), samples=samples, outputs=output or [], out=out,
        cluster=cluster, workers=workers, seed=seed, resume=resume, json=json,
    )  # fmt: skip


@app.command(
    epilog="For example: [bold]linkwork plot run.h5[/bold], "
    "[bold]linkwork plot run.h5 torques reactions -o forces.pdf[/bold], "
    "[bold]linkwork plot sweep.h5 'final(q[[crank]])'[/bold]"
)
def plot(
    recording: Annotated[
        Path | None, typer.Argument(help="A recording or a sweep, as linkwork simulate and sweep leave them.")
    ] = None,
    which: Annotated[
        list[str] | None, typer.Argument(help="What to draw, from top to bottom. Default: overview.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The picture, .png, .svg or .pdf.")] = None,
    joints: Annotated[str | None, typer.Option(help="Joints whose curves to draw, separated by commas.")] = None,
    start: Annotated[float | None, typer.Option("--from", help="Draw from this time on, s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Draw up to this time, s.")] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY[@X,Y,Z]", help="Draw the path of a body, frame or point; can be repeated."),
    ] = None,
    look: Annotated[
        str | None, typer.Option("--view", help="Where to look from: front, side, top, corner, or azimuth,elevation.")
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List what can be drawn.")] = False,
) -> None:
    """Draw a recording: positions, torques, reaction forces, energies, stick figures and more; or a sweep's outputs."""
    from linkwork.cli import plot as command

    if show_list:
        command.show_names()
    elif recording is None:
        raise typer.BadParameter("give a recording, or --list")
    else:
        command.plot(
            recording, which or [], out=out, joints=joints, start=start, end=end, traces=trace or None, view=look
        )  # fmt: skip


@app.command(
    epilog="For example: [bold]linkwork view double-pendulum[/bold], [bold]linkwork view robot.urdf[/bold], "
    "[bold]linkwork view four-bar --live[/bold], [bold]linkwork view run.h5 --html[/bold], "
    "[bold]linkwork view run.h5 -o run.mp4[/bold]"
)
def view(
    file: Annotated[
        str, typer.Argument(help="A recording, a scene, a linkage, or the name of an example or sample.")
    ],
    live: Annotated[bool, typer.Option("--live", help="Run the scene while you watch, pull and change it.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write a page that plays from disk, FILE.html.")] = False,
    png: Annotated[bool, typer.Option("--png", help="Draw a picture, FILE.png; no screen is needed.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="What to write: .html, .png, .mp4 or .gif.")
    ] = None,
    at: Annotated[float | None, typer.Option(help="Of a picture: the time, s. Default: the middle.")] = None,
    look: Annotated[
        str | None, typer.Option("--view", help="Of pictures, films: front, side, top, corner, or azimuth,elevation.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port on this machine. Default: a free one.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Replace a value of the scene.")
    ] = None,
) -> None:
    """See a linkage, a scene or a recording in the browser; or write a page, a picture or a film."""
    from linkwork.cli.view import view

    view(file, live=live, html=html, png=png, out=out, at=at, look=look, port=port, browser=browser,
         changes=_settings(changes or []))  # fmt: skip


@app.command(
    epilog="For example: [bold]linkwork examples[/bold], [bold]linkwork examples four-bar --to my_folder[/bold]"
)
def examples(
    name: Annotated[str | None, typer.Argument(help="Copy this example out, to change it.")] = None,
    to: Annotated[Path, typer.Option(help="Folder to copy it to.")] = Path(),
    json: Json = False,
) -> None:
    """List the scenes that ship with linkwork, or copy one out as a start for your own."""
    from linkwork.cli import examples as command

    if name is None:
        command.show(json=json)
    else:
        command.copy(name, to)


@app.command(epilog="For example: [bold]linkwork bench robot.urdf[/bold], [bold]linkwork bench chain:50[/bold]")
def bench(
    file: Annotated[
        str, typer.Argument(help="A URDF file, a YAML linkage or scene, or the name of an example or sample.")
    ] = "robot-arm",
    json: Json = False,
) -> None:
    """Measure which method of forward dynamics is fastest for a linkage, and what other calls take."""
    from linkwork.cli.bench import bench

    bench(file, json=json)


@app.command(epilog="For example: [bold]linkwork schema > scene.schema.json[/bold]")
def schema() -> None:
    """Print the JSON schema of scene files, for editors that check and complete YAML."""
    from linkwork.cli.output import print_json
    from linkwork.io.scene_schema import scene_schema

    print_json(scene_schema())


@app.command(epilog="For example: [bold]linkwork warmup[/bold], [bold]linkwork warmup four-bar[/bold]")
def warmup(
    scenes: Annotated[
        list[str] | None, typer.Argument(help="Scene files or names of examples. Default: all examples and methods.")
    ] = None,
) -> None:
    """Compile for this machine what scenes need, or everything, so that the first use of each is quick."""
    from linkwork.cli.warmup import warmup

    warmup(scenes or [])
