"""The agenda by itself, over a stepper that moves q = t."""

import numpy as np
import pytest

from linkwork.simulation.agenda import WITHIN, Agenda, Condition, locate
from linkwork.simulation.stepper import Mark


class Clock:
    """A stepper whose only coordinate is the time, in steps of 0.1."""

    def __init__(self):
        self.t, self.dt, self.n, self.v, self.made, self.looks = 0.0, 0.1, 0, np.zeros(1), 0, False

    @property
    def q(self):
        return np.array([self.t])

    def mark(self):
        return Mark(self.t, self.n, self.q, self.v)

    def place(self, mark):
        self.t, self.n = mark.t, mark.n

    def target(self, end):
        return min(0.1 * (self.n + 1), end), 0.1, True

    def one(self, end, segment):
        self.t = self.target(end)[0]
        self.n += 1
        segment.held += 1
        self.made += 1

    def many(self, end, segment):
        while self.t < end - 1e-9:
            self.one(end, segment)
        return True

    def trial(self, mark, t):
        return np.array([t]), self.v


class Rows:
    """A segment that counts its rows."""

    held = 0

    def forget(self, count):
        self.held -= count


def made():
    clock, fired = Clock(), []
    agenda = Agenda(clock, clock, lambda condition: condition(clock), lambda c: fired.append((c, clock.t)))
    return clock, agenda, fired


def crossing(at, **options):
    return Condition(lambda sim: sim.q[0] - at, lambda: None, direction=0, once=False, **options)


def test_actions_come_by_time_and_then_in_their_order():
    _, agenda, _ = made()
    for t, name in ((2.0, "c"), (1.0, "a"), (1.0, "b")):
        agenda.add(t, lambda name=name: name)
    assert agenda.next_time == 1.0
    assert [agenda.pop()() for _ in range(3)] == ["a", "b", "c"]
    assert agenda.next_time == np.inf


def test_a_step_ends_where_a_condition_is_met():
    clock, agenda, fired = made()
    condition = crossing(0.0314159)
    agenda.watch(condition)
    agenda.one(np.inf, Rows())
    assert fired == [(condition, clock.t)]
    assert 0.0 <= clock.t - 0.0314159 <= WITHIN
    assert condition.value == 0.0  # it must leave before it can fire again


@pytest.mark.parametrize("every", [0.0, 0.3])
def test_a_rare_look_goes_back_to_the_step_that_met_it(every):
    clock, agenda, fired = made()
    condition, rows = crossing(0.55, every=every), Rows()
    agenda.watch(condition)
    while not fired:
        agenda.many(1.0, 1.0, rows)
    assert fired[0][1] == pytest.approx(0.55, abs=2 * WITHIN)
    assert rows.held == 6  # one for each step, those that were made again counted once
    assert clock.made == (6 if every == 0.0 else 9)


def test_what_a_callback_fails_in_is_taken_back_unless_it_was_half_done():
    for half_done in (False, True):
        clock, agenda, _ = made()

        def fail(sim):
            if sim.t > 0.0:
                raise RuntimeError
            return 1.0

        agenda.watch(Condition(fail, lambda: None, direction=0, once=False))
        agenda.half_done, rows = half_done, Rows()
        with pytest.raises(RuntimeError):
            agenda.one(np.inf, rows)
        assert (clock.t, rows.held) == ((0.1, 1) if half_done else (0.0, 0))


def test_values_are_given_back_and_wait_for_conditions_that_come_later():
    _, agenda, _ = made()
    first, second = crossing(1.0), crossing(2.0)
    agenda.watch(first)
    agenda.restore([[0.5, False], [0.25, True]])
    assert first.value == 0.5
    assert agenda.values() == [[0.5, False], [0.25, True]]
    agenda.watch(second)
    assert (second.value, second.done) == (0.25, True)
    assert agenda.watched == [first]


def test_an_instant_is_found_in_few_evaluations():
    evaluated = []

    def value(t):
        evaluated.append(t)
        return t**3 - 0.3

    condition = crossing(0.0)
    condition.value = -0.3
    found = locate(0.0, 1.0, 0.7, value, condition)
    assert 0.0 <= found - 0.3 ** (1 / 3) <= WITHIN
    assert len(evaluated) < 20  # halving alone takes 34
