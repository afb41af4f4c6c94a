"""A real Chromium without a screen, led over its debugging protocol."""

import base64
import io
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from websockets.sync.client import connect

FLAGS = (
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars",
    "--no-first-run", "--disable-gpu-sandbox", "--disable-dev-shm-usage", "--mute-audio", "--disable-extensions",
    "--disable-background-networking", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)  # fmt: skip
HOOK = """window.__THREE_DEVTOOLS__ = new EventTarget(); window.scenes = [];
__THREE_DEVTOOLS__.addEventListener("observe", (event) => event.detail.isScene && scenes.push(event.detail));"""
PIECES = """(() => { const found = [];
scenes.forEach((scene) => scene.traverse((each) => { if (each.isInstancedMesh2) {
  const data = each.matricesTexture.image.data;
  for (let k = 0; k < each.instancesCount; k++) found.push([12, 13, 14].map((at) => data[16 * k + at]));
} else if (each.isPoints && each.geometry.attributes.position) {
  const data = each.geometry.attributes.position, unit = each.parent.scale.x;
  for (let k = 0; k < data.count; k++) found.push([0, 1, 2].map((at) => unit * data.array[3 * k + at]));
} }));
return found; })()"""
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One page of a Chromium of its own. No name is resolved: the network is off but for this machine.

    Parameters
    ----------
    width, height : int
        Of the window, pixels.
    """

    def __init__(self, width=900, height=600):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = [PROGRAM, *FLAGS, f"--window-size={width},{height}", f"--user-data-dir={self._folder.name}",
                   "about:blank"]  # fmt: skip
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._wait_for(self._port, "Chromium does not start", 180.0)
        self._numbers, self.log = itertools.count(1), []
        self._socket = self._wait_for(lambda: self._attach(port), "Chromium does not answer")
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=HOOK)
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _port(self):
        file = Path(self._folder.name) / "DevToolsActivePort"
        return file.read_text().split()[0] if file.is_file() and file.read_text().strip() else None

    def _attach(self, port):
        import urllib.request

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=10) as answer:
            pages = [page for page in json.load(answer) if page["type"] == "page"]
        address = pages[0]["webSocketDebuggerUrl"] if pages else None
        return connect(address, max_size=None, open_timeout=30, ping_interval=None) if address else None

    @staticmethod
    def _wait_for(look, message, seconds=60.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := look():
                return found
            time.sleep(0.1)
        raise TimeoutError(message)

    def send(self, method, **params):
        """Send one command, and return what Chromium answers."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=120))
            if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.log.append(message["params"])
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, url):
        self.send("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression of JavaScript."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "error"))
        return result["result"].get("value")

    def wait(self, script, seconds=60.0):
        """Wait until an expression is true."""
        return self._wait_for(lambda: self.run(script), f"still false after {seconds} s: {script}", seconds)

    def picture(self, path=None):
        """What is seen now, (height, width, 3) of 0 … 255."""
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        if path is not None:
            Path(path).write_bytes(data)
        return np.array(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)

    def pieces(self):
        """(n, 3) where all that is drawn of bodies is, as three.js has it: the state of the scene, world axes."""
        return np.array(self.run(PIECES), dtype=float).reshape(-1, 3)

    def mouse(self, kind, x, y, **options):
        pressed = {"button": "left", "buttons": 1 if kind != "mouseReleased" else 0, "clickCount": 1}
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **(pressed | options))

    def click(self, selector, index=0):
        """Click the middle of an element."""
        box = self.run(
            f"(() => {{ const r = document.querySelectorAll({json.dumps(selector)})[{index}]"
            ".getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )
        self.mouse("mousePressed", *box)
        self.mouse("mouseReleased", *box)

    def drag(self, start, end, steps=8, pause=0.05):
        """Press at one point and move to another; the button stays down."""
        self.mouse("mouseMoved", *start, buttons=0, button="none")
        self.mouse("mousePressed", *start)
        for k in range(1, steps + 1):
            x, y = (a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y)
            time.sleep(pause)

    def errors(self):
        """What the page complained about, but for what it looks for on the network, and for the way a drag scrolls."""
        texts = [json.dumps(entry) for entry in self.log]
        expected = r"ERR_NAME_NOT_RESOLVED|favicon|GPU stall|passive event listener"
        return [text for text in texts if not re.search(expected, text)
                and ("exceptionDetails" in text or '"level": "error"' in text)]  # fmt: skip

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._socket.close_socket()
        self._folder.cleanup()
