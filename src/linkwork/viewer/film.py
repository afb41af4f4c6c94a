"""A recording as a film: drawn on paper picture by picture, with no screen and no browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.plots import STYLE
from linkwork.plots.pictures import FAINT, INK, Motion
from linkwork.simulation.recording import Recording

SUFFIXES = (".mp4", ".gif")
DPI = 100
FLASH = 0.8  # s for which an event is named
PAST = 0.6  # s of a path that stays


def animate(
    recording: Recording, path: str | PathLike[str], *, fps: float = 25.0, speed: float = 1.0,
    size: tuple[int, int] = (800, 600), view: str | None = None, traces: Iterable[str] | None = None,
    title: str | None = None, progress: Callable[[float], None] | None = None,
) -> None:  # fmt: skip
    """Write a film.

    Parameters
    ----------
    recording : Recording
    path : path
        Ends with .mp4 or .gif.
    fps : float
        Pictures per second.
    speed : float
        Seconds of motion per second of the film.
    size : (int, int)
        Width and height, pixels.
    view, traces : optional
        As of `linkwork.plots.plot`.
    title : str, optional
        Default: the linkage's name.
    progress : callable, optional
        Is called with the share that is done.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise ArgumentError(f"cannot animate to {path.name}: the suffix must be one of {', '.join(SUFFIXES)}")
    if not path.parent.is_dir():
        raise ArgumentError(f"there is no folder {path.parent} for the film")
    if not (fps > 0.0 and speed > 0.0):
        raise ArgumentError(f"fps and speed must be positive, not {fps:g} and {speed:g}")
    if len(recording) < 2:
        raise ArgumentError("the recording has fewer than two states: there is nothing to animate")
    size = (size[0] // 2 * 2, size[1] // 2 * 2)  # which encoders want
    write = _write_mp4 if kind == ".mp4" else _write_gif
    write(path, _pictures(recording, fps, speed, size, view, traces, title, progress), size, fps)


def _pictures(
    recording: Recording, fps: float, speed: float, size: tuple[int, int], view: str | None,
    traces: Iterable[str] | None, title: str | None, progress: Callable[[float], None] | None,
) -> Iterator[np.ndarray]:  # fmt: skip
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        motion = Motion(recording, traces, view)
        count = max(round((motion.end - motion.start) / speed * fps), 1) + 1
        figure = Figure(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI)
        canvas = FigureCanvasAgg(figure)
        for k, time in enumerate(np.linspace(motion.start, motion.end, count)):
            figure.clear()
            axes = figure.add_axes((0.02, 0.03, 0.96, 0.88))
            draw_moment(figure, axes, motion, time, title or recording.segments[0].linkage.name, recording)
            canvas.draw()
            if progress is not None:
                progress((k + 1) / count)
            yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def draw_moment(figure: Any, axes: Any, motion: Motion, time: float, title: str, recording: Recording) -> None:
    """One picture that fills a figure: the linkage, the paths behind it, the time, and what has just happened."""
    motion.paint(axes, time, max(motion.start, time - PAST))
    motion.triad(axes)
    axes.grid(visible=False)
    axes.set(xticks=[], yticks=[])
    for side in axes.spines.values():
        side.set_visible(False)
    figure.text(0.02, 0.95, title, fontsize=13, fontweight="bold", color=INK)
    figure.text(0.98, 0.95, f"{time:.2f} s", fontsize=13, color=INK, ha="right", family="monospace")
    figure.text(0.98, 0.02, f"cells of {motion.cell:g} m", fontsize=8, color="#52606d", ha="right")
    recent = [event.what for event in recording.events if 0.0 <= time - event.time + 1e-9 < FLASH]
    if recent:
        figure.text(0.5, 0.95, "; ".join(dict.fromkeys(recent[-2:]))[:60], fontsize=11, color="#b2333d", ha="center")
    axes.set_facecolor("white")
    axes.title.set_color(FAINT)


def picture(recording: Recording, path: str | PathLike[str], *, time: float, size: tuple[int, int] = (1200, 900),
            view: str | None = None, title: str | None = None) -> None:  # fmt: skip
    """Draw one moment of a recording to a file, without a screen."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        motion = Motion(recording, None, view)
        figure = Figure(figsize=(size[0] / 150, size[1] / 150), dpi=150)
        axes = figure.add_axes((0.02, 0.03, 0.96, 0.88))
        draw_moment(figure, axes, motion, time, title or recording.segments[0].linkage.name, recording)
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise ArgumentError(f"cannot write {path}: {error.strerror}") from None


def _write_mp4(path: Path, pictures: Iterator[np.ndarray], size: tuple[int, int], fps: float) -> None:
    try:
        import imageio_ffmpeg as ffmpeg
    except ImportError:
        raise ArgumentError(
            "writing .mp4 needs ffmpeg: pip install linkwork[view], or give a name that ends with .gif"
        ) from None
    rate: Any = fps
    try:
        writer = ffmpeg.write_frames(str(path), size, fps=rate, codec="libx264", quality=7, macro_block_size=2)
        writer.send(None)
    except (RuntimeError, OSError) as error:
        raise ArgumentError(f"ffmpeg cannot be run: {str(error).splitlines()[0]}") from None
    try:
        for each in pictures:
            writer.send(np.ascontiguousarray(each))
    except OSError as error:
        raise ArgumentError(f"ffmpeg could not write {path}: {str(error).splitlines()[0]}") from None
    finally:
        writer.close()


def _write_gif(path: Path, pictures: Iterator[np.ndarray], size: tuple[int, int], fps: float) -> None:
    from PIL import Image

    frames = [Image.fromarray(each).quantize(96, dither=Image.Dither.NONE) for each in pictures]
    try:
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=max(round(1000.0 / fps), 20), loop=0)
    except OSError as error:
        raise ArgumentError(f"cannot write {path}: {error.strerror or error}") from None
