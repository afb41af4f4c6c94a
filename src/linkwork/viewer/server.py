"""What all viewers share: a server on this machine, switches for layers, and a thread that draws."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from typing import Any

from linkwork.errors import ArgumentError
from linkwork.plots.forces import KINDS
from linkwork.plots.framing import Bounds
from linkwork.viewer.ground import aim, lay_ground, light
from linkwork.viewer.stage import LAYERS, Stage

HOST = "127.0.0.1"
RATE = 30.0  # pictures per second, at most


def import_viser() -> Any:
    """viser, or an error that says how to get it."""
    try:
        import viser
    except ImportError:
        raise ArgumentError("viewing needs viser: pip install linkwork[view]") from None
    return viser


def open_server(port: int | None, label: str) -> Any:
    """A server on this machine alone, at this port or at a free one."""
    viser = import_viser()
    if port is not None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except (OSError, OverflowError) as error:
                raise ArgumentError(
                    f"port {port} cannot be used ({getattr(error, 'strerror', error)}): give another one, or none"
                ) from None
    with contextlib.redirect_stdout(io.StringIO()):  # it announces itself; whoever opens it says so better
        return viser.ViserServer(host=HOST, port=port or 0, label=label, verbose=False)


def close_server(server: Any) -> None:
    """End a server, without a word."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def shown_at_start() -> dict[str, bool]:
    """The layers and kinds of forces that are visible at first."""
    return {name: on for name, (_, on) in LAYERS.items()} | {name: on for name, (_, _, on) in KINDS.items()}


class Viewer:
    """A window in the browser that shows a linkage.

    Parameters
    ----------
    title : str
    bounds : Bounds
        What the camera frames.
    port : int, optional
        Default: a free one.
    shadows : bool

    Attributes
    ----------
    url : str
        Its address.
    server : viser.ViserServer
    """

    def __init__(self, title: str, bounds: Bounds, *, port: int | None = None, shadows: bool = True):
        self.title, self.bounds, self.shown = title, bounds, shown_at_start()
        self.server: Any = open_server(port, title)
        self.url = f"http://{HOST}:{self.server.get_port()}"
        self.server.gui.configure_theme(show_logo=False, show_share_button=False)
        self.server.gui.main_panel.dock_right()
        scene = self.server.scene
        scene.set_up_direction("+z")
        light(scene, shadows)
        lay_ground(scene, bounds)
        aim(self.server, bounds, aspect=1.0)  # there is a panel beside it
        self.stage: Stage | None = None
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.failed: BaseException | None = None

    def add_switches(self, layers: list[str], forces: list[str]) -> None:
        """A switch for each layer and each kind of force there may be."""
        gui = self.server.gui
        with gui.add_folder("Show"):
            for layer in layers:
                self._switch(gui, LAYERS[layer][0], layer, lambda on, layer=layer: self._stage().show(layer, on))
            for kind in forces:
                self._switch(gui, KINDS[kind][0], kind, lambda on, kind=kind: self._show_force(kind, on))

    def _switch(self, gui: Any, label: str, name: str, act: Callable[[bool], None]) -> None:
        box = gui.add_checkbox(label, self.shown[name])

        @box.on_update
        def _(_: Any) -> None:
            with self._lock:
                self.shown[name] = bool(box.value)
                act(bool(box.value))

    def _stage(self) -> Stage:
        assert self.stage is not None
        return self.stage

    def _show_force(self, kind: str, on: bool) -> None:
        self._stage().arrows.show(kind, on)

    # Running

    def tick(self, elapsed: float) -> None:
        """Draw what is new, `elapsed` seconds after the last time."""
        raise NotImplementedError

    def start(self) -> None:
        """Draw from now on, in a thread of its own."""
        self._thread = threading.Thread(target=self._loop, name="linkwork viewer", daemon=True)
        self._thread.start()

    def _loop(self) -> None:
        last = time.perf_counter()
        while not self._ended.is_set():
            now = time.perf_counter()
            try:
                with self._lock:
                    self.tick(now - last)
            except Exception as error:  # handed to whoever waits
                self.failed = error
                self._ended.set()
                return
            last = now
            self._ended.wait(max(1.0 / RATE - (time.perf_counter() - now), 0.002))

    def open_browser(self) -> bool:
        """Open the page in the user's browser; whether there is one."""
        if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
            return False  # those for terminals cannot show it
        try:
            return webbrowser.open(self.url)
        except webbrowser.Error:
            return False

    def wait(self) -> None:
        """Go on until Ctrl-C, or until the viewer is closed."""
        try:
            while not self._ended.wait(0.2):
                pass
        except KeyboardInterrupt:
            pass
        self.close()
        if self.failed is not None:
            raise self.failed

    def close(self) -> None:
        """End the server."""
        self._ended.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)
        if self.server is not None:
            close_server(self.server)
            self.server = None

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.title!r}, {self.url if self.server is not None else 'closed'})"

    def _repr_html_(self) -> str:
        """The viewer itself, in a notebook."""
        return f'<iframe src="{self.url}" width="100%" height="480" style="border:0"></iframe>'
