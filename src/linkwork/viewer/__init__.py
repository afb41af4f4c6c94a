"""The linkage seen: in the browser, as a page, as a film, on paper. The one door through which recordings go out.

Heavy packages are imported by the functions here, when they are called.
"""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import ArgumentError, LinkworkWarning
from linkwork.linkage.linkage import Linkage
from linkwork.plots import plot as plot
from linkwork.simulation.recording import Recording

if TYPE_CHECKING:
    from linkwork.viewer.server import Viewer


def view(shown: Any, q: Any = None, *, port: int | None = None, browser: bool = True) -> Viewer:
    """Show a linkage, a recording or a running simulation in the browser.

    The page is served on this machine alone. A script goes on after the call: end it with ``viewer.wait()``, which
    returns at Ctrl-C.

    Parameters
    ----------
    shown : Linkage, Recording, Simulation or Scene
        A linkage has sliders for its joints, which keep loops closed; a recording plays; a simulation is watched while
        it runs elsewhere in the program; a scene runs live.
    q : (nq,) array_like, optional
        Of a linkage. Default: the pose as described.
    port : int, optional
        Default: a free one.
    browser : bool
        Whether to open the page in the browser. Its address is ``viewer.url``.

    Returns
    -------
    Viewer
        With ``url``, ``wait()`` and ``close()``; a notebook shows it in place.

    Raises
    ------
    ArgumentError
        What is given cannot be shown, or the port is in use.

    Notes
    -----
    Cost: the page gets only what moved; a run that is watched is at most a fifth slower.

    Examples
    --------
    >>> import linkwork as lw
    >>> viewer = lw.view(lw.samples.four_bar(), browser=False)
    >>> viewer.close()
    """
    viewer = _viewer(shown, q, port)
    viewer.start()
    if browser and not viewer.open_browser():
        warnings.warn(f"no browser was found: open {viewer.url} in one", LinkworkWarning, stacklevel=2)
    return viewer


def _viewer(shown: Any, q: Any, port: int | None) -> Viewer:
    from linkwork.scenes.scene import Scene
    from linkwork.simulation.simulation import Simulation

    if q is not None and not isinstance(shown, Linkage):
        raise ArgumentError("q is for a linkage: what else can be viewed has a state of its own")
    if isinstance(shown, Linkage):
        from linkwork.viewer.posing import Posing

        return Posing(shown, q, port=port)
    if isinstance(shown, Recording):
        from linkwork.viewer.playback import Playback

        return Playback(shown, port=port)
    if isinstance(shown, Simulation):
        from linkwork.viewer.watching import Watching

        return Watching(shown, port=port)
    if isinstance(shown, Scene):
        from linkwork.viewer.live import live

        return live(shown, port=port)
    raise ArgumentError(f"cannot view {shown!r}: give a Linkage, Recording, Simulation or Scene")


def save_page(recording: Recording, path: str | PathLike[str], **options: Any) -> None:
    """Write one HTML file that plays a recording, with no server and no network; see `linkwork.viewer.page`."""
    from linkwork.viewer.page import save_page

    save_page(recording, path, **options)


def animate(recording: Recording, path: str | PathLike[str], **options: Any) -> None:
    """Draw a recording as a film; see `linkwork.viewer.film`."""
    from linkwork.viewer.film import animate

    animate(recording, path, **options)


def is_page(path: str | PathLike[str]) -> bool:
    """Whether a path is that of a page."""
    return Path(path).suffix.lower() in (".html", ".htm")
