"""The recorder and its segments, and what an editor sees of a recording."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation.recorder import Recorder
from linkwork.simulation.recording import Recording
from linkwork.simulation.segment import Event


def recorder():
    made = Recorder()
    made.begin_segment(lw.samples.chain(1), loaded=False, limits=np.empty((0, 7)))
    return made


def write(t):
    return lambda segment: segment.write(t, [t], [0.0], [0.0], [0.0], [0.0, 0.0], ())


def test_the_present_state_is_recorded_once_and_taken_back():
    made = recorder()
    for _ in range(2):
        made.settle(write(1.0))
    assert made.whole().t.tolist() == [1.0]
    made.unsettle()
    made.unsettle()
    assert len(made.whole()) == 0


def test_rows_that_were_read_stay_when_they_are_taken_back():
    segment = recorder().segment
    for t in range(5000):  # more than a block
        write(float(t))(segment)
    before = segment.t
    segment.forget(4500)
    write(-1.0)(segment)
    assert segment.t[-2:].tolist() == [499.0, -1.0]
    np.testing.assert_array_equal(before, np.arange(5000.0))


def test_what_is_due_goes_to_the_stream_with_a_checkpoint():
    committed = []

    class Stream:
        def due(self, recording):
            return len(recording) > 1

        def commit(self, recording, checkpoint, settled):
            committed.append((len(recording), checkpoint, settled))

    made = recorder()
    made.commit(dict)  # without a stream nothing is done
    made.stream = Stream()
    made.settle(write(0.0))
    made.commit(lambda: {"n": 0})
    assert not committed
    made.commit(lambda: {"n": 0}, now=True)
    assert committed == [(1, {"n": 0}, True)]


def test_a_recording_shows_its_fields_and_names():
    made = recorder()
    write(0.5)(made.segment)
    made.note(Event(0.5, "at", "cut <b>", np.zeros(1), 0.0))
    recording = made.whole()
    assert {"t", "q", "v", "a", "tau", "energy", "wrenches", "f_ext", "drift"} <= set(dir(recording))
    assert {"q", "wrench", "position"} <= set(dir(recording["link0"]))
    assert recording._ipython_key_completions_() == ["link0"]
    page = recording._repr_html_()
    assert "0.5 s" in page
    assert "cut &lt;b&gt;" in page
    assert isinstance(Recording.q.__doc__, str)
    with pytest.raises(AttributeError, match="read-only"):
        recording.q = np.zeros(1)
    assert not hasattr(recording, "quaternions")
