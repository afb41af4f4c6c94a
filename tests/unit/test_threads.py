"""How work is given to helpers: posted, taken once, taken back where nobody came, and done."""

import threading
import time

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels import threads
from linkwork.kernels.layout.thread_pool import ALLOWED, COUNT, DONE, EMPTY, FLAG, MAILBOX_SIZE, POSTED, TAKEN
from linkwork.kernels.numba_ext import JIT_DISABLED, Helper, helper

pytestmark = pytest.mark.nojit
compiled = pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")


@pytest.fixture
def mailbox():
    return np.zeros(MAILBOX_SIZE, dtype=np.int64)


@pytest.fixture
def kernels():
    from linkwork.kernels.numba_ext.fast.helpers import kernels

    return kernels()


@pytest.fixture
def some_threads(monkeypatch):
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    yield
    lw.set_threads(None)


@pytest.mark.internals
def test_what_nobody_has_begun_is_taken_back(mailbox, kernels):
    kernels.post(mailbox, 0, 0, 1)
    assert mailbox[FLAG] == POSTED
    assert kernels.collect(mailbox, 1)
    assert mailbox[FLAG] == EMPTY
    assert not kernels.serve(mailbox, 1)


@pytest.mark.internals
def test_what_was_begun_is_waited_for(mailbox, kernels):
    kernels.post(mailbox, 0, 0, 1)
    assert kernels.serve(mailbox, 1)
    assert mailbox[FLAG] == TAKEN
    assert not kernels.collect(mailbox, 10)
    kernels.serve(mailbox, 1)
    assert mailbox[FLAG] == DONE
    assert kernels.collect(mailbox, 1)
    assert mailbox[FLAG] == EMPTY


@compiled
@pytest.mark.internals
def test_of_many_helpers_one_takes_a_job(mailbox, kernels):
    """A job is taken or taken back, never both, whoever comes first."""
    taken, stop = [0, 0, 0], threading.Event()

    def serve(k):
        while not stop.is_set():
            taken[k] += bool(kernels.serve(mailbox, 1000))

    people = [threading.Thread(target=serve, args=[k]) for k in range(3)]
    for person in people:
        person.start()
    back = 0
    for k in range(300):
        kernels.post(mailbox, 0, 0, 1)
        time.sleep(1e-5 * (k % 3))
        if kernels.collect(mailbox, 0):
            back += 1
        else:
            while not kernels.collect(mailbox, 1000):
                pass
    stop.set()
    for person in people:
        person.join()
    assert sum(taken) + back == 300


@pytest.mark.internals
def test_a_call_does_not_wait_for_a_helper_that_sleeps_on(some_threads, monkeypatch):
    """Helpers that never wake cost their caller nothing."""
    lw.set_threads(3)
    monkeypatch.setattr(Helper, "_live", lambda self, compiled: None)
    monkeypatch.setattr(threads, "_pool", threads._Pool())
    done = []
    assert threads.share(lambda parts: done.extend(parts), 100, 4, 1) == [None]
    assert sorted(k for begin, end in done for k in range(begin, end)) == list(range(100))
    linkage = lw.samples.chain(4)
    q = np.random.default_rng(1).normal(size=(40, 4))
    together = lw.forward_dynamics(linkage, q, q, q)
    np.testing.assert_allclose(together, [lw.forward_dynamics(linkage, row, row, row) for row in q], rtol=1e-11)


def test_a_system_that_gives_no_threads_is_worked_on_with_one(some_threads, monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    lw.set_threads(3)
    monkeypatch.setattr(threads.threading.Thread, "start", refuse)
    monkeypatch.setattr(threads, "_pool", threads._Pool())
    linkage = lw.samples.chain(4)
    q = np.random.default_rng(1).normal(size=(40, 4))
    together = lw.forward_dynamics(linkage, q, q, q)
    np.testing.assert_allclose(together, [lw.forward_dynamics(linkage, row, row, row) for row in q], rtol=1e-11)
    assert threads._pool.busy == 0


def test_errors_of_helpers_reach_the_caller(some_threads):
    lw.set_threads(2)

    def worker(parts):
        for begin, _ in parts:
            time.sleep(0.002)  # so that both have some
            if begin >= 32:
                raise RuntimeError(f"state {begin}")

    for _ in range(3):
        with pytest.raises(RuntimeError, match="state"):
            threads.share(worker, 64, 1, 1)
    assert threads._pool.busy == 0
    assert not threads._pool.teams


def test_new_callers_come_first(some_threads):
    lw.set_threads(3)
    with threads.Team(100, 4, 1) as first:
        assert first.size == 3
        assert first.roster[COUNT] == 100
        with threads.Team(100, 4, 1) as second:
            assert second.size == 1
            assert first.roster[ALLOWED] == 1
            with threads.Team(100, 4, 1) as third:
                assert third.size == 1
                assert first.roster[ALLOWED] == 0
                assert threads._pool.busy == 3
        assert threads._pool.busy == 1
        with threads.Team(100, 4, 1) as fourth:
            assert fourth.size == 2  # what the first had lost
    assert threads._pool.busy == 0


@compiled
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_the_first_state_that_fails_is_named_whatever_the_threads(some_threads, size):
    lw.set_threads(size)
    linkage = lw.samples.chain(3)
    q = np.zeros((500, 3))
    q[[77, 211, 400], 1] = np.nan
    with pytest.raises(lw.ArgumentError, match=r"q\[77, 1\]"):
        lw.forward_dynamics(linkage, q, np.zeros(3))


@compiled
@pytest.mark.internals
def test_idle_helpers_fall_asleep(some_threads):
    """A helper that nobody calls waits for the operating system to wake it, and so uses no processor time."""
    lw.set_threads(2)
    linkage = lw.samples.chain(3)
    q = np.zeros((500, 3))
    lw.forward_dynamics(linkage, q, q)
    assert threads._pool.idle
    while not all(helper.asleep for helper in threads._pool.idle):
        time.sleep(0.01)  # pytest's timeout ends this if one never does


@compiled
@pytest.mark.internals
def test_functions_on_packs_align_their_stack():
    """Packs that spill to an unaligned stack straddle cache lines, which takes up to a fifth longer."""
    from numba import float64

    @helper
    def first(rows):
        return rows[0, 0]

    first.dispatcher.compile((float64[:, ::1],))
    (code,) = first.dispatcher.inspect_llvm().values()
    assert "alignstack" in code


@compiled
@pytest.mark.internals
def test_batches_do_not_wait_for_numba_to_say_that_they_are_not_single():
    linkage = lw.samples.chain(3)
    q = np.zeros((20, 3))
    lw.forward_dynamics(linkage, q[0], q[0])  # from now on single calls go straight to compiled code
    context = linkage.tree.contexts[0]
    with pytest.raises(TypeError, match=r"^arguments of other types$"):
        linkage.tree.aba(context, q, q, q, q)
