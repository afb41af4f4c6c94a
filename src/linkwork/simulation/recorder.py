"""What is recorded of a run while it goes on: states, events, and the file that they are streamed to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from linkwork.linkage.linkage import Linkage
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Event, Segment
from linkwork.simulation.storage import Contents, Stream


class Recorder:
    """Makes a `Recording`.

    Attributes
    ----------
    recording : Recording
        What is in memory.
    stream : Stream or None
        The file that it goes to.
    settled : bool
        Whether the last row is the present state, to be taken back when the motion goes on.
    """

    def __init__(self):
        self.recording = Recording()
        self.stream: Stream | None = None
        self.settled = False

    def resume(self, path: Path, contents: Contents) -> None:
        """Go on with a recording whose states are in a file."""
        self.recording = contents.recording
        for segment in self.recording.segments:
            segment.drop()
        self.stream = Stream.reopen(path, contents, self.recording)

    @property
    def segment(self) -> Segment:
        """The one that is being written."""
        return self.recording.segments[-1]

    @property
    def begun(self) -> bool:
        """Whether there are states besides the present one."""
        return sum(segment.dropped + segment.held for segment in self.recording.segments) > self.settled

    def begin_segment(self, linkage: Linkage, **options: Any) -> None:
        """Begin a new segment for the linkage as it is now, with the options of `Segment`."""
        self.recording.segments.append(Segment(linkage.copy(), **options))

    def settle(self, write: Callable[[Segment], None]) -> None:
        """Let the present state be written, unless it is; the row is taken back when the motion goes on."""
        if not self.settled:
            write(self.segment)
            self.settled = True

    def unsettle(self) -> None:
        """Take the present state back: the motion goes on."""
        if self.settled:
            self.segment.forget(1)
            self.settled = False

    def note(self, event: Event) -> None:
        """Record an event."""
        self.recording.events.append(event)

    def whole(self) -> Recording:
        """All rows there are, in the file and in memory."""
        return self.recording if self.stream is None else self.stream.whole(self.recording)

    def commit(self, checkpoint: Callable[[], dict[str, Any]], *, now: bool = False) -> None:
        """Write to the file what is due, or all there is now."""
        if self.stream is not None and (now or self.stream.due(self.recording)):
            self.stream.commit(self.recording, checkpoint(), self.settled)
