"""BVH files, as motion capture writes them: a skeleton, and one row of channels per frame.

```text
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    { OFFSET 0 20 0 }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
...
```
Rotations are in degrees, applied in the order of the channels about axes that turn along; lengths are in the file's own
unit.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from linkwork.errors import DescriptionError
from linkwork.io.safe_xml import LARGEST, MAX_BYTES, shorten

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
DEEPEST = 256
"""Most joints on each other."""
MOST_NUMBERS = 20_000_000
_WORD = re.compile(r"[{}]|[^\s{}]+")


@dataclass(slots=True)
class BvhJoint:
    """A joint of the skeleton, placed at `offset` in its parent's frame; `ends` are the offsets of its end sites."""

    name: str
    parent: int
    offset: np.ndarray
    channels: tuple[str, ...]
    line: int
    ends: list[np.ndarray] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BvhMotion:
    """A file as it is written: the joints, parents first, and the channels (frames, all channels) of the frames."""

    joints: list[BvhJoint]
    values: np.ndarray
    dt: float


def read_bvh(path: str | os.PathLike[str]) -> BvhMotion:
    """Read a BVH file; `DescriptionError` names file and line."""
    return _Reader(os.fspath(path)).read()


class _Reader:
    """Takes a file word by word; every word knows its line."""

    def __init__(self, file: str):
        self.file = file
        try:
            with open(file, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except OSError as problem:
            raise DescriptionError(f"cannot be read: {problem.strerror}", file=file) from None
        if len(data) > MAX_BYTES:
            self.fail(f"larger than the {MAX_BYTES:,} bytes accepted", 1)
        try:
            self.lines = data.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as problem:
            self.fail("this is not text", data[: problem.start].count(b"\n") + 1)
        # The words of the skeleton only: the frames are read by lines, which is faster.
        heads = [number for number, line in enumerate(self.lines, start=1) if line.strip().upper() == "MOTION"]
        if not heads:
            self.fail("has no line MOTION", len(self.lines) or 1)
        self.motion, self.place = heads[0], 0
        skeleton = enumerate(self.lines[: self.motion], start=1)
        self.words = [(word, number) for number, line in skeleton for word in _WORD.findall(line)]
        self.joints: list[BvhJoint] = []

    def fail(self, message: str, line: int) -> NoReturn:
        raise DescriptionError(message, file=self.file, line=line)

    @property
    def line(self) -> int:
        """The line of the next word."""
        return self.words[min(self.place, len(self.words) - 1)][1]

    def take(self, *expected: str) -> str:
        """The next word, which must be one of these."""
        if self.place >= len(self.words):
            self.fail(f"ends where {' or '.join(expected) or 'more'} is expected", self.line)
        word = self.words[self.place][0]
        if expected and word.upper() not in (each.upper() for each in expected):
            self.fail(f"{shorten(word)!r} where {' or '.join(expected)} is expected", self.line)
        self.place += 1
        return word

    def number(self) -> float:
        line, word = self.line, self.take()
        return self._float(word, line)

    def _float(self, word: str, line: int) -> float:
        try:
            value = float(word)
        except ValueError:
            self.fail(f"{shorten(word)!r} is not a number", line)
        if not abs(value) <= LARGEST:
            self.fail(f"{shorten(word)!r} is not finite, or too large", line)
        return value

    def read(self) -> BvhMotion:
        self.take("HIERARCHY")
        self.take("ROOT")
        self._joint(-1, 0)
        while self.take("ROOT", "MOTION").upper() == "ROOT":
            self._joint(-1, 0)
        values, dt = self._frames()
        return BvhMotion(self.joints, values, dt)

    def _joint(self, parent: int, depth: int) -> None:
        """A joint with all that hangs on it; its first word was taken."""
        line, words = self.line, []
        if depth > DEEPEST:
            self.fail(f"more than {DEEPEST} joints on each other", line)
        while self.place < len(self.words) and self.words[self.place][0] != "{":
            words.append(self.take())
        name = " ".join(words)
        if not name:
            self.fail("a joint needs a name", line)
        for other in self.joints:
            if other.name == name:
                self.fail(f"the name {shorten(name)!r} is taken by the joint at line {other.line}", line)
        self.take("{")
        self.take("OFFSET")
        offset = np.array([self.number() for _ in range(3)])
        index = len(self.joints)
        joint = BvhJoint(name, parent, offset, (), line)
        self.joints.append(joint)
        while True:
            word = self.take("CHANNELS", "JOINT", "End", "}").upper()
            if word == "}":
                return
            if word == "JOINT":
                self._joint(index, depth + 1)
            elif word == "END":
                self.take("Site")
                self.take("{")
                self.take("OFFSET")
                joint.ends.append(np.array([self.number() for _ in range(3)]))
                self.take("}")
            else:
                joint.channels += self._channels(joint)

    def _channels(self, joint: BvhJoint) -> tuple[str, ...]:
        line = self.line
        count = self.number()
        if count not in range(7) or joint.channels:
            self.fail(f"joint {joint.name!r}: the number of channels must be 0 to 6, given once", line)
        channels = tuple(self.take(*CHANNELS).capitalize() for _ in range(int(count)))
        if len(set(channels)) < len(channels):
            self.fail(f"joint {joint.name!r}: a channel is given twice", line)
        return channels

    def _frames(self) -> tuple[np.ndarray, float]:
        """The rows of channels, and the time between two of them."""
        width = sum(len(joint.channels) for joint in self.joints)
        rest = [(number, line) for number, line in enumerate(self.lines, start=1) if line.strip()]
        rest = [each for each in rest if each[0] > self.motion]
        headers = {}
        for what in ("Frames:", "Frame Time:"):
            number, line = rest.pop(0) if rest else (len(self.lines), "")
            if not line.strip().lower().startswith(what.lower()):
                self.fail(f"{what!r} is expected here", number)
            headers[what] = self._float(line.strip()[len(what) :].strip(), number), number
        (count, where), (dt, at) = headers["Frames:"], headers["Frame Time:"]
        if not dt > 0.0:
            self.fail("the frame time must be positive", at)
        if count != int(count) or count < 1 or count * max(width, 1) > MOST_NUMBERS:
            self.fail(f"{count:g} frames of {width} channels cannot be read", where)
        if len(rest) != count:
            self.fail(f"{int(count)} frames are announced, {len(rest)} lines follow", where)
        values = np.empty((len(rest), width))
        for row, (number, line) in enumerate(rest):
            words = line.split()
            if len(words) != width:
                self.fail(f"{len(words)} values where the skeleton has {width} channels", number)
            values[row] = [self._float(word, number) for word in words]
        return values, dt
