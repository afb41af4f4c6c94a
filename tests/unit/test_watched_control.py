"""Controllers and conditions beside what ends steps early: strengths, hard limits leant on, friction, contacts.

Compiled steps ask a controller of a state only when it stays. `Simulation.step`, one step per compiled call, is what
they are compared with.
"""

import numpy as np
import pytest

import linkwork as lw


def breakable(**how):
    """A four-bar, led by a controller, whose loop joint breaks when that pulls too hard."""
    linkage = lw.samples.four_bar()
    pin = linkage.loops["pin"]
    at_a, at_b = pin.at_a, pin.at_b
    linkage.cut("pin")
    linkage.connect("ground", "rocker", lw.Revolute("y"), at_a=at_a, at_b=at_b, name="pin", strength=30.0)
    return lw.Simulation(linkage, dt=1e-3, **how)


def leaning(**how):
    """An arm that is pressed onto a hard limit, and pulled off again."""
    linkage = lw.samples.chain(2)
    linkage.joints["link0"].limits = (-0.2, 0.2)
    return lw.Simulation(linkage, [0.1, 0.0], dt=1e-3, limits="impulsive", **how)


def rubbing(**how):
    """An arm whose tip sticks to and slides on a floor."""
    linkage = lw.samples.chain(3)
    linkage.constrain("link2", point=(0, 0, -1), surface=lw.Plane("z", -2.6), friction=0.3, name="floor")
    return lw.Simulation(linkage, lw.close_loops(linkage, [0.6, -0.9, 0.2]), dt=1e-3, **how)


def touching(contacts="events", **how):
    """A ball that falls onto the floor, and rolls and slips there as it is pulled."""
    linkage = lw.Linkage()
    linkage.add_body("cart", lw.Inertia(1.0), joint=lw.Prismatic("x"))
    linkage.add_body("slide", lw.Inertia(0.5), joint=lw.Prismatic("z"), parent="cart")
    linkage.add_body("ball", lw.Inertia.box((0.1, 0.1, 0.1), mass=0.4), joint=lw.Revolute("y"), parent="slide")
    linkage.add_shape("ball", lw.Ball(0.1), friction=0.3)
    linkage.add_shape("ground", lw.Plane("z"), friction=0.3)
    return lw.Simulation(linkage, [0.0, 0.11, 0.0], [0.5, 0.0, 0.0], dt=1e-3, contacts=contacts, **how)


def struck(**how):
    """The same by time stepping."""
    return touching("time-stepping", **how)


TARGETS = {breakable: (0.6, 0.0, 0.0), leaning: (0.4, 0.1), rubbing: (0.4, -0.9, 0.3), touching: (0.3, 0.1, 0.0)}
TARGETS[struck] = TARGETS[touching]

GAINS = {
    breakable: ([20.0, 0.0, 0.0], [1.0, 0.0, 0.0]), leaning: (400.0, 8.0),
    touching: ([8.0, 8.0, 0.0], [3.0, 1.0, 0.0]), struck: ([8.0, 8.0, 0.0], [3.0, 1.0, 0.0]),
}  # fmt: skip


def law(make):
    target = np.array(TARGETS[make])
    targets = np.repeat([target, -target, 0.5 * target], 150, axis=0)  # which change twice
    kp, kd = GAINS.get(make, (60.0, 3.0))
    return lw.PD(kp, kd, targets)


@pytest.mark.parametrize("make", TARGETS)
@pytest.mark.parametrize("every", [1, 4])
def test_compiled_and_python_controllers_do_the_same_as_single_steps(make, every):
    pd = law(make)
    run = make(controller=pd, control_every=every).run(0.6, progress=False)
    called = make(controller=lambda sim: pd(sim), control_every=every).run(0.6, progress=False)
    single = make(controller=pd, control_every=every)
    while single.t < 0.6 - 1e-9:
        single.step()
    assert [event.cause for event in run.events]
    for other in (called, single.recording):
        assert [event.what for event in run.events] == [event.what for event in other.events]
        times = [[event.time for event in recording.events] for recording in (run, other)]
        np.testing.assert_allclose(*times, atol=2e-9)
        np.testing.assert_allclose(run.segments[-1].q[-1], other.segments[-1].q[-1], atol=1e-7)


@pytest.mark.parametrize("make", TARGETS)
def test_a_controller_and_a_condition_are_asked_of_each_state_once(make):
    """Up to the first event: what is asked there, on the way to its instant, is the agenda's."""
    pd, asked, looked = law(make), [], []

    def control(sim):
        asked.append(sim.t)
        return pd(sim)

    def condition(sim):
        looked.append(sim.t)
        return 1.0

    sim = make(controller=control)
    sim.when(condition, lambda: None)
    first = next(event.time for event in sim.run(0.6, progress=False).events)
    before = [t for t in asked if t < first]
    np.testing.assert_allclose(before, np.arange(len(before)) * 1e-3, atol=1e-12)
    before = [t for t in looked if t < first - 1e-3]
    np.testing.assert_allclose(np.unique(before), np.arange(len(np.unique(before))) * 1e-3, atol=1e-12)
    assert len(before) <= len(np.unique(before)) + 2


@pytest.mark.parametrize("make", TARGETS)
def test_a_run_goes_on_to_the_bit_where_it_was_left(make, tmp_path):
    pd = law(make)
    whole = make(controller=pd).run(0.6, progress=False)
    sim = make(controller=pd, record=tmp_path / "run.h5")
    sim.run(0.257, progress=False)
    del sim
    resumed = lw.Simulation.resume(tmp_path / "run.h5", controller=pd).run(0.6, progress=False)
    np.testing.assert_array_equal(resumed.segments[-1].q, whole.segments[-1].q)
    np.testing.assert_array_equal(resumed.segments[-1].tau, whole.segments[-1].tau)


SEEN = {
    touching: [lambda sim: sim.contacts.gap, lambda sim: len(sim.recording)],
    struck: [lambda sim: sim.contacts.normal, lambda sim: len(sim.recording)],
    rubbing: [lambda sim: sim.normal_force("floor"), lambda sim: sim.energy],
}


@pytest.mark.parametrize(("make", "see"), [(make, see) for make, ways in SEEN.items() for see in ways])
@pytest.mark.parametrize("who", ["controller", "condition"])
def test_what_is_looked_at_on_the_way_changes_nothing(make, see, who):
    pd = law(make)

    def control(sim):
        if who == "controller":
            see(sim)
        return pd(sim)

    sim = make(controller=control, control_every=3)
    if who == "condition":
        sim.when(lambda sim: [see(sim), 1.0][1], lambda: None)
    recording, plain = sim.run(0.6, progress=False), make(controller=pd, control_every=3).run(0.6, progress=False)
    assert [event.what for event in recording.events] == [event.what for event in plain.events]
    np.testing.assert_allclose(recording.q[-1], plain.q[-1], atol=1e-9)


@pytest.mark.parametrize("make", [touching, struck])
def test_a_controller_changes_what_it_likes_between_steps_of_contacts(make):
    def control(sim):
        calls.append(sim.t)
        if sim.t > 0.2 and not drives:
            drives.append(sim.t)
            sim.drive("cart", 0.4)
        if sim.t > 0.3:
            sim.stop()
        return np.zeros(3)

    calls, drives = [], []
    sim = make(controller=control)
    sim.run(0.6, progress=False)
    assert drives == pytest.approx([0.201], abs=1e-3)
    assert sim.t == pytest.approx(0.301, abs=1.1e-3)
    assert sim.v[0] == pytest.approx(0.4, abs=1e-12)
    np.testing.assert_allclose(np.unique(calls), calls)
