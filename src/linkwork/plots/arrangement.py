"""Where axes stand in a figure: in inches, by what is written beside them.

Matplotlib's own engine for that measures every text of every axes several times, which takes as long as drawing them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TITLE = 0.32  # inches, of the figure's title
HEADING = 0.2  # of a row of pictures
CAPTION = 0.25  # of a picture
ABOVE, BELOW = 0.3, 0.46  # curves: their title; the numbers and the name of their axis
EDGE = 0.08  # between what is written and the edge of the figure
GAP = 0.03  # between pictures, in their own width


def stacked_parts(figure: Any, heights: Sequence[float]) -> list[Any]:
    """Parts of a figure below its title, one above the other."""
    grid = figure.add_gridspec(len(heights) + 1, 1, height_ratios=[TITLE, *heights])
    return [figure.add_subfigure(grid[k + 1]) for k in range(len(heights))]


def picture_grid(part: Any, rows: int, columns: int) -> Any:
    """Axes (rows, columns) for pictures with captions, below a heading."""
    from matplotlib import rc_context

    width, height = _inches(part)
    each = (height - HEADING) / rows - CAPTION
    edges = {"left": EDGE / width, "right": 1.0 - EDGE / width, "top": 1.0 - (HEADING + CAPTION) / height,
             "bottom": 0.0, "wspace": GAP, "hspace": CAPTION / each}  # fmt: skip
    with rc_context({"axes.grid": False}):  # lines that nobody sees take time to make
        return part.subplots(rows, columns, squeeze=False, gridspec_kw=edges)


def heading(part: Any, text: str, **style: Any) -> None:
    """A line at the top of a figure, or of a part of it."""
    width, height = _inches(part)
    part.suptitle(text, x=EDGE / width, y=1.0 - 0.5 * EDGE / height, ha="left", va="top", **style)


def curve_rows(part: Any, heights: Sequence[float]) -> Any:
    """Axes for curves, one above the other, each with room for its title and for the name of its axis."""
    inner = [height - ABOVE - BELOW for height in heights]
    total = _inches(part)[1]
    part.subplots_adjust(top=1.0 - ABOVE / total, bottom=BELOW / total,
                         hspace=(ABOVE + BELOW) * len(inner) / sum(inner))  # fmt: skip
    return part.subplots(len(inner), 1, squeeze=False, height_ratios=inner)[:, 0]


def fit_sides(part: Any, rows: Any) -> None:
    """Leave as much room beside curves as the widest numbers and the widest legend take, the same for all."""
    inch, width = part.figure.dpi, _inches(part)[0]
    left, right = 2.0 * EDGE, 2.0 * EDGE
    for axes in rows:
        box, numbers, legend = axes.get_window_extent(), axes.yaxis.get_tightbbox(), axes.get_legend()
        if numbers is not None:
            left = max(left, (box.x0 - numbers.x0) / inch + EDGE)
        if legend is not None:
            right = max(right, (legend.get_window_extent().x1 - box.x1) / inch + EDGE)
    part.subplots_adjust(left=min(left / width, 0.4), right=max(1.0 - right / width, 0.6))


def _inches(part: Any) -> tuple[float, float]:
    return part.bbox.width / part.figure.dpi, part.bbox.height / part.figure.dpi
