"""Callbacks that go wrong in mid-run: they are told as what they are, and nothing that was recorded is lost."""

import numpy as np
import pytest

import linkwork as lw

INTEGRATORS = ("semi-implicit", "rk4", "implicit-midpoint", "dop853")
WRONG_FROM = 0.0203  # s, in the middle of a step


class MineError(Exception):
    """An error of a user's own."""


def callback(what, wrong):
    """A callback that does no harm until it calls `wrong` for its value."""
    shape = (2, 6) if what == "wrenches" else (2,)
    return lambda t, q, v: np.zeros(shape) if t < WRONG_FROM else np.broadcast_to(wrong(), shape)


def failing_with(error):
    def fail():
        raise error

    return fail


def simulation(what, wrong, **options):
    sim = lw.Simulation(
        lw.samples.chain(2), [0.4, 0.0], dt=1e-3,
        **({} if what == "drive" else {what: callback(what, wrong)}), **options,
    )  # fmt: skip
    if what == "drive":
        sim.drive("link1", lambda t: (0.0, 0.0, 0.0) if t < WRONG_FROM else wrong())
    return sim


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("what", ["wrenches", "torques", "drive"])
def test_what_is_not_finite_is_told_with_the_callback_and_the_time(what, integrator, tmp_path):
    sim = simulation(what, lambda: np.nan, integrator=integrator, record=tmp_path / "run.h5")
    with pytest.raises(lw.ArgumentError, match=rf"(?s){what}.*nan|nan.*{what}") as caught:
        sim.run(0.1, progress=False)
    assert "t = 0.02" in str(caught.value)
    assert_kept(sim, tmp_path / "run.h5")


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("what", ["wrenches", "torques", "drive"])
@pytest.mark.parametrize("error", [MineError("here"), lw.SingularError("mine")], ids=["own", "linkwork's"])
def test_an_error_in_a_callback_passes_through(what, integrator, error, tmp_path):
    sim = simulation(what, failing_with(error), integrator=integrator, record=tmp_path / "run.h5")
    with pytest.raises(type(error)) as caught:
        sim.run(0.1, progress=False)
    assert caught.value is error
    assert_kept(sim, tmp_path / "run.h5")


def assert_kept(sim, path):
    """All states before the step that failed are in the recording and in its file."""
    kept = sim.recording
    if sim._engine.stepper.integrator == "dop853":
        assert kept.t[-1] == sim.t < WRONG_FROM
    else:
        np.testing.assert_allclose(kept.t[-21:], np.arange(21) * 1e-3, atol=1e-15)
    assert np.isfinite(kept.segments[-1].rows).all()
    np.testing.assert_array_equal(lw.Recording.load(path).segments[-1].rows, kept.segments[-1].rows)


@pytest.mark.parametrize("watched", [False, True])
def test_a_run_that_failed_goes_on_to_the_bit_with_a_better_callback(watched, tmp_path):
    def begin(**options):
        sim = lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3, **options)
        return watch(sim)

    def watch(sim):
        if watched:
            sim.when(lambda sim: sim.q[0] - 0.396, lambda sim: setattr(sim, "v", [0.0, 0.1]), once=True)
        return sim

    good, path = callback("wrenches", lambda: 0.0), tmp_path / "run.h5"
    whole = begin(wrenches=good).run(0.1, progress=False)
    sim = begin(wrenches=callback("wrenches", failing_with(MineError())), record=path)
    with pytest.raises(MineError):
        sim.run(0.1, progress=False)
    resumed = watch(lw.Simulation.resume(path, wrenches=good)).run(0.05, progress=False)
    np.testing.assert_array_equal(resumed.segments[-1].rows, begin(wrenches=good).run(0.05).segments[-1].rows)
    sim = begin(wrenches=callback("wrenches", failing_with(MineError())))
    with pytest.raises(MineError):
        sim.run(0.1, progress=False)
    sim.wrenches = good
    again = sim.run(0.1, progress=False)
    np.testing.assert_array_equal(again.segments[-1].rows, whole.segments[-1].rows)
    assert len(again.events) == len(whole.events) == watched


def test_a_condition_that_fails_at_an_instant_takes_its_step_back():
    def condition(sim):
        if bad and WRONG_FROM < sim.t < WRONG_FROM + 2e-4:
            raise MineError
        return sim.t - WRONG_FROM - 1e-4

    def begin():
        sim = lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3)
        sim.when(condition, lambda sim: sim.cut("link1"))
        return sim

    bad, sim = True, begin()
    with pytest.raises(MineError):
        sim.run(0.1, progress=False)
    assert sim.t == sim.recording.t[-1] == pytest.approx(0.02, abs=1e-12)
    bad = False
    again, whole = sim.run(0.1, progress=False), begin().run(0.1, progress=False)
    for one, other in zip(again.segments, whole.segments, strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)


@pytest.mark.parametrize("registered", ["at", "when"])
def test_a_resumed_run_does_again_what_failed_half_way(registered, tmp_path):
    def action(sim):
        sim.cut("link1")
        if bad:
            raise MineError

    def begin(**options):
        return events(lw.Simulation(lw.samples.chain(2), [0.4, 0.0], dt=1e-3, **options))

    def events(sim):
        if registered == "at":
            sim.at(0.03, action)
        else:
            sim.when(lambda sim: sim.t - 0.03, action)
        return sim

    bad, path = True, tmp_path / "run.h5"
    sim = begin(record=path)
    with pytest.raises(MineError):
        sim.run(0.1, progress=False)
    kept, left = sim.recording, lw.Recording.load(path)
    assert kept.segments[-1].t[-1] == left.segments[-1].t[-1] == pytest.approx(0.03)
    with pytest.raises(MineError):
        events(lw.Simulation.resume(path)).run(0.1, progress=False)
    bad = False
    resumed, whole = events(lw.Simulation.resume(path)), begin().run(0.1, progress=False)
    assert len(lw.Recording.load(path)) <= 31  # the commit that was taken back counts no more
    for recording in (resumed.run(0.1, progress=False), lw.Recording.load(path)):
        assert [event.what for event in recording.events] == ["action, cut 'link1'"]
        for one, other in zip(recording.segments, whole.segments, strict=True):
            np.testing.assert_array_equal(one.rows, other.rows)


@pytest.mark.parametrize("integrator", ["rk4", "implicit-midpoint"])
def test_a_callback_is_not_blamed_for_a_motion_that_diverges(integrator):
    """Nor is it asked about a state that is not finite."""
    asked = []

    def torques(t, q, v):
        asked.append(np.isfinite([*q, *v]).all())
        return 1.0 + v**2

    linkage = lw.samples.chain(2)
    linkage.add_force(lw.JointSpring("link1", stiffness=3e6))
    with np.errstate(all="ignore"), pytest.raises(lw.DivergedError) as caught:
        lw.Simulation(linkage, [0.1, 0.1], dt=1e-3, integrator=integrator, torques=torques).run(10.0, progress=False)
    assert all(asked)
    assert caught.value.recording.t[-1] == caught.value.time


# What callbacks may do, and what not


def swinging(**options):
    return lw.Simulation(lw.samples.chain(3), [0.4, 0.0, 0.1], dt=1e-3, **options)


def test_a_controller_that_cuts_does_what_an_action_does():
    def controller(sim):
        if sim.t >= 0.0195 and sim.linkage.joints["link2"].nv == 1:
            sim.cut("link2")
        return np.zeros(sim.linkage.nv)

    by_action = swinging()
    by_action.at(0.02, lambda sim: sim.cut("link2"))
    one, other = swinging(controller=controller).run(0.05), by_action.run(0.05)
    assert [event.what for event in one.events] == [event.what for event in other.events] == ["cut 'link2'"]
    assert [len(segment) for segment in one.segments] == [len(segment) for segment in other.segments]
    for a, b in zip(one.segments, other.segments, strict=True):
        np.testing.assert_allclose(a.q, b.q, atol=1e-12)


@pytest.mark.parametrize("what", ["controller", "torques", "condition"])
def test_a_callback_that_reads_the_recording_leaves_it_as_it_is(what):
    def look(*_):
        lengths.append(len(sim.recording))
        return 1.0 if what == "condition" else np.zeros(3)

    lengths = []
    if what == "condition":
        sim = swinging()
        sim.when(look, lambda: None)
    else:
        sim = swinging(**{what: look if what == "controller" else lambda t, q, v: look()})
    np.testing.assert_array_equal(sim.run(0.02).segments[0].t, swinging().run(0.02).segments[0].t)
    assert max(lengths) >= 20


@pytest.mark.parametrize("what", ["torques", "wrenches", "drive", "condition"])
def test_what_is_evaluated_during_a_step_changes_nothing(what):
    def meddle():
        if sim.t > 0.01:
            sim.cut("link2")

    shape = (3, 6) if what == "wrenches" else 3
    sim = swinging(**({what: lambda t, q, v: meddle() or np.zeros(shape)} if what in ("torques", "wrenches") else {}))
    if what == "drive":
        sim.drive("link1", lambda t: (meddle() or 0.0, 0.0, 0.0))
    elif what == "condition":
        sim.when(lambda sim: meddle() or 1.0, lambda: None)
    with pytest.raises(lw.StructureError, match=r"cut 'link2': .* evaluated during a step"):
        sim.run(0.05, progress=False)
    assert sim.linkage.joints["link2"].nv == 1
    assert sim.recording.t[-1] == pytest.approx(0.01, abs=1e-12)


@pytest.mark.parametrize("what", ["action", "controller", "condition"])
def test_a_running_simulation_is_not_run_by_its_own_callbacks(what):
    sim = swinging(controller=(lambda sim: sim.run(0.1)) if what == "controller" else None)
    if what == "action":
        sim.at(0.01, lambda sim: sim.run(0.1))
    elif what == "condition":
        sim.when(lambda sim: sim.step() or 1.0, lambda: None)
    with pytest.raises(lw.ArgumentError, match="the simulation is running"):
        sim.run(0.05, progress=False)
    sim.controller = None
