"""What viewing costs: sizes of pages, first pictures, updates of huge linkages, and a watched run beside a bare one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork import examples
from linkwork.viewer.live import live
from linkwork.viewer.posing import Posing

SWITCH = """(() => { const labels = [...document.querySelectorAll("label")];
let at = labels.find((each) => each.textContent.trim() == "bodies");
while (!at.querySelector("input[type=checkbox]")) at = at.parentElement;
at.querySelector("input[type=checkbox]").click(); })()"""


def page_sizes(folder: Path) -> None:
    scene = lw.load_scene(examples.files("high-bar")[0])
    recording = scene.simulation().run(10.0)
    start = time.perf_counter()
    recording.save(folder / "bar.html")
    size = (folder / "bar.html").stat().st_size / 1e6
    print(f"10 s of the high bar: {size:.2f} MB of HTML, written in {time.perf_counter() - start:.1f} s")


def first_picture() -> None:
    command = [sys.executable, "-m", "linkwork", "view", "double-pendulum", "--no-browser"]
    for _ in range(2):
        start = time.perf_counter()
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = run.stdout.readline().split()[0]
        took = time.perf_counter() - start
        run.terminate()
        run.wait()
    print(f"linkwork view double-pendulum: {address} answers after {took:.2f} s")


def huge_updates() -> None:
    molecule = lw.samples.molecule(50_000)
    start = time.perf_counter()
    with Posing(molecule) as viewer:
        print(f"50,000 atoms on the stage after {time.perf_counter() - start:.1f} s")
        q, sent, start = viewer.q, 0, time.perf_counter()
        for k in range(20):
            q[40_000 + k] += 0.01  # one joint, and what hangs on it
            sent += viewer._stage().place(q)
        took = (time.perf_counter() - start) / 20
        print(f"one joint moved: {1 / took:.0f} updates/s, {sent / 20:.1f} of 25 chunks sent each time")
        start = time.perf_counter()
        for _ in range(5):
            q += 1e-3
            viewer._stage().place(q)
        print(f"every joint moved: {5 / (time.perf_counter() - start):.0f} updates/s")


def huge_page() -> None:
    """In a real Chromium that renders by software: all atoms are on the screen, and a switch answers."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
    from chromium import PROGRAM, Browser

    if PROGRAM is None:
        print("no Chromium: the page of 50,000 atoms is left out; as root, apt-get install chromium")
        return
    count = (
        "let n = 0; scenes.forEach((s) => s.traverse((each) => "
        "{ if (each.isPoints) n += each.geometry.attributes.position?.count ?? 0; }))"
    )
    browser = Browser()
    try:
        with Posing(lw.samples.molecule(50_000)) as viewer:
            start = time.perf_counter()
            browser.open(viewer.url)
            browser.wait("!!window.scenes")
            browser.wait(f"(() => {{ {count}; return n >= 2 * 50_000; }})()")
            browser.picture()
            drawn = time.perf_counter() - start
            browser.run(SWITCH)
            browser._wait_for(lambda: not viewer.shown["bodies"], "the switch does not answer")
            took = time.perf_counter() - start
        print(f"the page of 50,000 atoms is drawn after {drawn:.1f} s, and has answered after {took:.1f} s")
    finally:
        browser.close()


def adaptive_live() -> None:
    scene = lw.load_scene(examples.files("molecule-pull")[0])
    with live(scene) as viewer:
        viewer.tick(0.03)
        start = time.perf_counter()
        for _ in range(20):
            viewer.tick(0.03)
        print(f"molecule-pull live: {20 / (time.perf_counter() - start):.0f} pictures/s")


def watched() -> None:
    def seconds(watch: bool) -> float:
        sim = lw.Simulation(lw.samples.chain(50), np.full(50, 0.1), dt=1e-4)
        sim.run(0.01, progress=False)
        viewer = lw.view(sim, browser=False) if watch else None
        start = time.perf_counter()
        for k in range(1, 41):
            sim.run(0.01 + 0.05 * k, progress=False)
        took = time.perf_counter() - start
        if viewer is not None:
            viewer.close()
        return took

    seconds(False)
    pairs = [(seconds(False), seconds(True)) for _ in range(3)]
    ratio = np.median([after / before for before, after in pairs])
    print(f"a watched run takes {ratio:.2f} times as long as a bare one")


if __name__ == "__main__":
    if "page" in sys.argv[1:] or len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as name:
            page_sizes(Path(name))
    first_picture()
    huge_updates()
    huge_page()
    adaptive_live()
    watched()
