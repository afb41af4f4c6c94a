"""Pictures of a sweep: response curves with bands, a heat map over two parameters, histograms."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.plots import STYLE, check_path, save_figure

if TYPE_CHECKING:
    from linkwork.sweeps.sweep import Sweep

MOST = 6  # outputs that are drawn unless they are named
WIDTH, HEIGHT = 7.0, 2.6  # inches, of a picture and of one panel
BINS = 24  # of a parameter that is drawn at random, and of a histogram
BANDS = ((5.0, 95.0, 0.15), (25.0, 75.0, 0.3))  # percentiles, and how dark


def plot_sweep(sweep: Sweep, *outputs: str, path: str | PathLike[str] | None = None) -> Any:
    """Draw outputs of a sweep, one panel each.

    Over one parameter, or one that takes more than a few values beside others: the median with bands that hold half and
    nine tenths of the runs. Over two on a grid: a heat map. Where nothing was varied but samples: a histogram.

    Parameters
    ----------
    sweep : Sweep
    *outputs : str
        Columns. Default: the first six.
    path : path, optional
        Where to save it, as .png, .svg or .pdf.

    Returns
    -------
    matplotlib.figure.Figure
    """
    for name in outputs:
        if name not in sweep.outputs:
            raise unknown_name("output of the sweep", name, sweep.outputs)
    if path is not None:
        check_path(path)
    shown = list(outputs) or [name for name in sweep.outputs if name != "t"][:MOST] or list(sweep.outputs)
    shown = [name for name in shown if np.isfinite(sweep.outputs[name]).any()]
    if not shown:
        raise ArgumentError("there is nothing to draw: the sweep has no outputs that are finite")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    varied = {key: np.asarray(column) for key, column in sweep.parameters.items() if len(set(column)) > 1}
    drawn = set(sweep.settings["space"]["draws"]) | (set(varied) if sweep.settings["space"]["table"] else set())
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT * len(shown) + 0.35), layout="constrained")
        failed = f", {len(sweep.errors):,} failed" if sweep.errors else ""
        title = sweep.settings["source"].get("scene") or sweep.settings["source"].get("function", "")
        figure.suptitle(f"{title}: {len(sweep):,} runs{failed}", x=0.01, ha="left", fontweight="bold")
        for axes, name in zip(figure.subplots(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
            _panel(axes, name, sweep.outputs[name], varied, drawn)
        if path is not None:
            save_figure(figure, path)
    return figure


def _panel(axes: Any, name: str, values: np.ndarray, varied: dict[str, np.ndarray], drawn: set[str]) -> None:
    gridded = [key for key in varied if key not in drawn]
    if not varied:
        axes.hist(values[np.isfinite(values)], bins=BINS, color="#4a90c2")
        axes.set(xlabel=name, ylabel="runs")
    elif len(gridded) >= 2 and _has_many(varied[gridded[0]]) and _has_many(varied[gridded[1]]):
        _heat_map(axes, name, values, *((_short(key), varied[key]) for key in gridded[:2]))
    else:
        _curves(axes, name, values, varied, drawn)


def _has_many(column: np.ndarray) -> bool:
    return len(np.unique(column)) > 5


def _short(key: str) -> str:
    return key.removeprefix("parameters.")


def _heat_map(axes: Any, name: str, values: np.ndarray, *keys: tuple[str, np.ndarray]) -> None:
    """The median over two parameters."""
    (y_name, y), (x_name, x) = keys
    xs, column = np.unique(x, return_inverse=True)
    ys, row = np.unique(y, return_inverse=True)
    cells = np.full((len(ys), len(xs)), np.nan)
    order = np.lexsort((column, row))
    place = (row * len(xs) + column)[order]
    for group in np.split(order, np.flatnonzero(np.diff(place)) + 1):
        found = values[group][np.isfinite(values[group])]
        if len(found):
            cells[row[group[0]], column[group[0]]] = np.median(found)
    numeric = xs.dtype.kind in "fi" and ys.dtype.kind in "fi"
    at = (xs, ys) if numeric else (np.arange(len(xs)), np.arange(len(ys)))
    mesh = axes.pcolormesh(*at, cells, shading="nearest")
    if not numeric:
        axes.set_xticks(range(len(xs)), xs)
        axes.set_yticks(range(len(ys)), ys)
    axes.grid(False)
    axes.set(xlabel=x_name, ylabel=y_name)
    axes.figure.colorbar(mesh, ax=axes, label=name)


def _curves(axes: Any, name: str, values: np.ndarray, varied: dict[str, np.ndarray], drawn: set[str]) -> None:
    """The median over one parameter, with bands; a curve for each value of another that takes few."""
    along = min(varied, key=lambda k: (k in drawn, varied[k].dtype.kind not in "fi", -len(np.unique(varied[k]))))
    few = [key for key in varied if key != along and key not in drawn and not _has_many(varied[key])]
    groups = [(f"{_short(few[0])} = {x}", varied[few[0]] == x) for x in np.unique(varied[few[0]])] if few else []
    for k, (label, chosen) in enumerate(groups or [(None, np.ones(len(values), dtype=bool))]):
        chosen = chosen & np.isfinite(values)
        x, y = varied[along][chosen], values[chosen]
        if along in drawn and len(np.unique(x)) > BINS:
            edges = np.linspace(x.min(), x.max(), BINS + 1)
            x = (0.5 * (edges[1:] + edges[:-1]))[np.clip(np.searchsorted(edges, x) - 1, 0, BINS - 1)]
        places = np.unique(x)
        found = [y[x == place] for place in places]
        at = places if places.dtype.kind in "fi" else np.arange(len(places))
        color = f"C{k}"
        marker = "." if len(at) < 30 else None
        axes.plot(at, [np.median(each) for each in found], color=color, label=label, marker=marker)
        if max(map(len, found), default=0) > 1:
            for low, high, shade in BANDS:
                bounds = np.array([np.percentile(each, (low, high)) for each in found]).T
                axes.fill_between(at, *bounds, color=color, alpha=shade, linewidth=0)
        if places.dtype.kind not in "fi":
            axes.set_xticks(at, places)
    axes.set(xlabel=_short(along), ylabel=name)
    if groups:
        axes.legend(frameon=False, ncols=3)
