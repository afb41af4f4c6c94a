"""Recordings in files: what a killed, stopped or full-disk run leaves, and going on from there to the last bit."""

import os
import resource
import signal
from unittest.mock import Mock

import h5py
import numpy as np
import pytest

import linkwork as lw
from linkwork.simulation import hdf5, storage

UNTIL = 6.0


def linkage():
    chain = lw.samples.chain(3)
    chain.joints["link2"].limits = (-0.8, 0.8)
    chain.add_force(lw.Spring("link1", "ground", point_a=(0, 0, -1), stiffness=5.0, rest_length=1.0))
    return chain


def controller(sim):
    return -0.05 * sim.v


def events(sim):
    """The events of the run, to be registered again when it is resumed."""
    sim.at(UNTIL / 3, lambda sim: sim.cut("link1"))
    sim.when(lambda sim: sim.v[0], lambda sim: None)
    return sim


def start(record, **options):
    sim = lw.Simulation(linkage(), [1.0, 0.2, 0.1], dt=1e-3, record=record, **options)
    return events(sim)


def resume(path, **options):
    return events(lw.Simulation.resume(path, **options))


def assert_same(a, b):
    assert len(a.segments) == len(b.segments)
    for one, other in zip(a.segments, b.segments, strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
        assert one.linkage.joints.names == other.linkage.joints.names
    assert [(e.time, e.cause, e.what) for e in a.events] == [(e.time, e.cause, e.what) for e in b.events]
    for one, other in zip(a.events, b.events, strict=True):
        np.testing.assert_array_equal(one.jump, other.jump)
        assert one.energy_lost == pytest.approx(other.energy_lost, abs=1e-12)


def in_child(work):
    """Run `work` in a forked process; give its id."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


@pytest.mark.parametrize(
    "options",
    [{}, {"integrator": "dop853"}, {"integrator": "implicit-midpoint", "record_every": 7}, {"limits": "impulsive"}],
    ids=["rk4", "dop853", "midpoint", "impulsive"],
)
def test_a_streamed_run_and_a_resumed_one_equal_one_in_memory(tmp_path, options):
    path = tmp_path / "run.h5"
    whole = start(None, **options).run(UNTIL)
    sim = start(path, **options)
    sim._engine.recorder.stream.interval = 0.02
    streamed = sim.run(UNTIL / 2)
    assert streamed.t[-1] == pytest.approx(UNTIL / 2)
    resumed = resume(path).run(UNTIL)
    if "dop853" in options.values():  # a run that ends makes a shorter step there
        np.testing.assert_allclose(resumed.segments[-1].q[-1], whole.segments[-1].q[-1], atol=1e-5)
    else:
        assert_same(resumed, whole)
    assert_same(lw.Recording.load(path), resumed)


def test_a_closed_linkage_resumes_to_the_bit(tmp_path):
    def begin(record):
        linkage = lw.samples.four_bar()
        return cut_later(lw.Simulation(linkage, lw.close_loops(linkage, linkage.neutral()), dt=2e-3, record=record))

    def cut_later(sim):
        sim.at(0.3, lambda sim: sim.cut(sim.linkage.loops.names[0]))
        return sim

    whole = begin(None).run(0.5)
    path = tmp_path / "run.h5"
    begin(path).run(0.2)
    assert_same(cut_later(lw.Simulation.resume(path)).run(0.4), begin(None).run(0.4))
    assert_same(cut_later(lw.Simulation.resume(path)).run(0.5), whole)
    again = lw.Recording.load(path)
    assert len(again.segments[0].linkage.loops) == 1
    np.testing.assert_array_equal(again.segments[0].wrenches[:3], whole.segments[0].wrenches[:3])


def test_a_run_on_a_moving_surface_resumes_to_the_bit(tmp_path):
    linkage = lw.samples.chain(3)
    linkage.constrain("link2", point=(0, 0, -1), surface=lw.Surface("z + 2.9 + 0.05*sin(20*t)"), name="plate")
    start = {"q": [0.3, 0.1, 0.2], "dt": 1e-3, "close": True}
    lw.Simulation(linkage.copy(), record=tmp_path / "run.h5", **start).run(0.05)
    resumed = lw.Simulation.resume(tmp_path / "run.h5").run(0.1)
    assert_same(resumed, lw.Simulation(linkage.copy(), **start).run(0.1))


def test_a_run_in_a_file_can_be_read_while_it_goes_on(tmp_path):
    path = tmp_path / "run.h5"
    sim = start(path)
    sim.run(0.1)
    with h5py.File(path) as file:
        assert file["q"].shape == (101, 3)
    sim.run(0.2)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["q"][:201], lw.Recording.load(path).q)


@pytest.mark.slow
@pytest.mark.parametrize("with_controller", [False, True])
def test_a_run_killed_at_20_points_resumes_to_the_bit(tmp_path, with_controller):
    options = {"controller": controller} if with_controller else {}
    whole = start(None, **options).run(UNTIL)
    last, early = writes(tmp_path / "whole.h5", **options), 0
    for k in np.random.default_rng(7).integers(1, last, 10 if with_controller else 20, endpoint=True):
        path = tmp_path / f"{k}.h5"
        killed_at_write(k, path, **options)
        try:
            left = lw.Recording.load(path)
        except lw.DescriptionError:  # killed before anything was recorded
            continue
        early += len(left) < len(whole)
        assert_same(resume(path, **options).run(UNTIL), whole)
        assert_same(lw.Recording.load(path), whole)
    assert early >= 5  # most kills came in mid-run


def writes(path, **options):
    """How many datasets a run writes that commits as often as it can."""
    with pytest.MonkeyPatch.context() as patch:
        put = Mock(wraps=storage.put)
        patch.setattr(storage, "put", put)
        patch.setattr(storage, "INTERVAL", 0.0)
        start(path, **options).run(UNTIL)
    return put.call_count


def killed_at_write(number, path, **options):
    """Begin a run that commits as often as it can, and kill it before it writes the dataset of this number."""
    put, count = storage.put, 0

    def dying_put(*arguments):
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)
        put(*arguments)

    def work():
        storage.put, storage.INTERVAL = dying_put, 0.0  # in the child alone
        start(path, **options).run(UNTIL)

    _, status = os.waitpid(in_child(work), 0)
    assert os.WTERMSIG(status) == signal.SIGKILL


def test_a_run_killed_in_the_middle_of_a_commit_resumes_to_the_bit(tmp_path):
    whole, path = start(None).run(UNTIL), tmp_path / "run.h5"
    killed_at_write(31, path)
    assert hdf5.marked(path)
    left = lw.Recording.load(path)
    assert len(left.t) >= 1
    assert_same(resume(path).run(UNTIL), whole)
    with h5py.File(path) as file:  # and is an ordinary file again
        assert len(file["t"]) >= len(whole.segments[0].rows)


def test_a_full_disk_is_told_and_loses_nothing(tmp_path):
    """A limit on file size stands for the disk."""
    path = tmp_path / "run.h5"
    whole = start(None).run(UNTIL)

    def work():
        sim = start(path)
        sim.run(0.5)
        size = path.stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        try:
            sim.run(UNTIL)
        except lw.RecordingError as error:
            message = str(error)
        kept = sim.recording  # the part in the file and the part in memory
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert "run.h5" in message
        assert "File too large" in message
        assert_same(kept, sim.recording)
        sim.run(UNTIL)  # there is room again
        (tmp_path / "passed").touch()

    os.waitpid(in_child(work), 0)
    assert (tmp_path / "passed").exists()
    assert_same(lw.Recording.load(path), whole)


def test_what_cannot_be_written_or_read_is_told(tmp_path):
    with pytest.raises(lw.ArgumentError, match=r"cannot write .*missing/run\.h5: .*[Nn]o such file"):
        start(tmp_path / "missing" / "run.h5")
    with pytest.raises(lw.ArgumentError, match="cannot write"):
        start(tmp_path)
    with pytest.raises(lw.DescriptionError, match="No such file"):
        lw.Recording.load(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("not HDF5")
    with pytest.raises(lw.DescriptionError, match="cannot read the recording"):
        lw.Recording.load(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1
    with pytest.raises(lw.DescriptionError, match="no linkwork recording"):
        lw.Recording.load(tmp_path / "other.h5")


def test_what_a_file_cannot_hold_is_told_before_the_file_is_made(tmp_path):
    path = tmp_path / "run.h5"
    earlier = start(path).run(0.1)
    made = lw.samples.chain(2)
    plane = lw.Surface(lambda r: r[1], lambda r: np.array([0.0, 1.0, 0.0]), lambda r: np.zeros((3, 3)))
    made.constrain("link1", surface=plane, name="c")
    for target in (path, tmp_path / "new.h5"):
        with pytest.raises(lw.ArgumentError, match=r"^record: the surface of contact 'c'.* made of functions"):
            lw.Simulation(made, record=target)
    assert_same(lw.Recording.load(path), earlier)
    assert os.listdir(tmp_path) == ["run.h5"]


def test_a_recording_is_saved_and_loaded(tmp_path):
    recording = start(None).run(UNTIL / 2)
    recording.save(tmp_path / "run.h5")
    again = lw.Recording.load(tmp_path / "run.h5")
    assert_same(again, recording)
    np.testing.assert_array_equal(again["link2"].position, recording["link2"].position)
    np.testing.assert_array_equal(again.energy, recording.energy)
    assert [path.name for path in tmp_path.iterdir()] == ["run.h5"]
    with pytest.raises(lw.ArgumentError, match="saved, not streamed"):
        lw.Simulation.resume(tmp_path / "run.h5")


def test_a_resumed_run_asks_for_its_callbacks(tmp_path):
    sim = start(tmp_path / "run.h5", controller=controller)
    sim.drive("link0", lambda t: 1.0)
    sim.run(0.1)
    with pytest.raises(lw.ArgumentError, match="had controller"):
        resume(tmp_path / "run.h5")
    sim = resume(tmp_path / "run.h5", controller=controller)
    with pytest.raises(lw.ArgumentError, match="drove link0"):
        sim.run(0.2)
    sim.drive("link0", lambda t: 1.0)
    assert sim.run(0.2).events == []  # a drive that is there from the start is no event


def test_memory_is_freed_as_states_go_to_the_file(tmp_path):
    sim = start(tmp_path / "run.h5")
    sim._engine.recorder.stream.interval = 0.02
    recording = sim.run(2.0)
    assert sum(segment.held for segment in sim._engine.recorder.recording.segments) <= 1
    assert len(recording) > 2000
    assert (tmp_path / "run.h5").stat().st_size < 3 * 8 * sum(part.rows.size for part in recording.segments) + 1_000_000


def test_a_file_that_is_cut_off_is_refused(tmp_path):
    """HDF5 itself would go on reading what is not there."""
    path = tmp_path / "run.h5"
    lw.Simulation(lw.samples.chain(2), dt=1e-3, record=path).run(0.1, progress=False)
    whole = path.read_bytes()
    for size in (20, 1000, len(whole) - 1):
        path.write_bytes(whole[:size])
        for read in (lw.Recording.load, lw.Simulation.resume):
            with pytest.raises(lw.DescriptionError, match="cannot read the recording"):
                read(path)


def test_a_file_belongs_to_one_simulation(tmp_path):
    path = tmp_path / "run.h5"
    first = start(path)
    first.run(0.01)
    second = start(path)
    whole = second.run(0.005)
    with pytest.raises(lw.RecordingError, match=r"run\.h5: another simulation has written to it"):
        first.run(0.02)
    assert_same(lw.Recording.load(path), whole)
    resumed = resume(path)
    resumed.run(0.01)
    with pytest.raises(lw.RecordingError, match="another simulation"):
        second.run(0.01)
    assert_same(lw.Recording.load(path), resumed.recording)


def test_a_damaged_file_is_told(tmp_path):
    path = tmp_path / "run.h5"
    start(path).run(0.01)
    with h5py.File(path, "r+") as file:
        file["notes"][100:200] = ord("\n")
    with pytest.raises(lw.DescriptionError, match="damaged"):
        lw.Recording.load(path)


def test_a_file_of_an_earlier_format_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "FORMAT", 3)
    start(tmp_path / "run.h5").run(0.01)
    monkeypatch.undo()
    for read in (lw.Recording.load, lw.Simulation.resume):
        with pytest.raises(lw.DescriptionError, match=f"has format 3, .* reads format {storage.FORMAT}"):
            read(tmp_path / "run.h5")
