"""Batches: the numbers of single calls, whatever the size, the shape and the threads."""

import itertools
import multiprocessing
import sys
import threading
import tracemalloc
import types

import numpy as np
import pytest

import linkwork as lw
from linkwork.kernels import threads
from linkwork.kernels.numba_ext import JIT_DISABLED, WIDTH
from linkwork.linkage.packing import launch

pytestmark = pytest.mark.nojit


@pytest.fixture(params=["fixed", "free"])
def linkage(request):
    """Two bodies at every joint type, with damping, armature and springs."""
    linkage = lw.samples.random_tree(17, seed=3, base=request.param, damping=True)
    kinds = {type(joint.type).__name__ for joint in linkage.joints}
    assert kinds >= {"Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical", "Fixed"}
    return linkage


@pytest.fixture
def every_thread(monkeypatch):
    """Share out even the smallest batch."""
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    yield
    lw.set_threads(None)


def states(linkage, leading, seed=0):
    rng = np.random.default_rng(seed)
    n = int(np.prod(leading))
    q = np.array([linkage.random(rng) for _ in range(n)]).reshape(*leading, linkage.nq)
    v, a = rng.normal(size=(2, *leading, linkage.nv))
    return q, v, a, rng.normal(size=(*leading, linkage.nb, 6))


def calls(linkage):
    """Every public call that takes batches: a function of q, v, a, f_ext."""
    body = linkage.bodies[linkage.nb - 1].name
    point = (0.1, 0.2, 0.3)
    found = {
        "positions": lambda q, v, a, f: lw.body_poses(linkage, q).positions,
        "rotations": lambda q, v, a, f: lw.body_poses(linkage, q).rotations,
        "velocities": lambda q, v, a, f: lw.body_velocities(linkage, q, v),
        "accelerations": lambda q, v, a, f: lw.body_accelerations(linkage, q, v, a),
        "jacobian": lambda q, v, a, f: lw.jacobian(linkage, q, body, point),
        "jacobian bias": lambda q, v, a, f: lw.jacobian_bias(linkage, q, v, body, point),
        "jacobian derivative": lambda q, v, a, f: lw.jacobian_derivative(linkage, q, v, body, point),
        "kinetic energy": lambda q, v, a, f: lw.kinetic_energy(linkage, q, v),
        "potential energy": lambda q, v, a, f: lw.potential_energy(linkage, q),
        "momentum": lambda q, v, a, f: lw.momentum(linkage, q, v),
        "center of mass": lambda q, v, a, f: lw.center_of_mass(linkage, q),
        "integrate": lambda q, v, a, f: linkage.integrate(q, v),
        "difference": lambda q, v, a, f: linkage.difference(q, linkage.integrate(q, 0.5 * v)),
        "inverse": lambda q, v, a, f: lw.inverse_dynamics(linkage, q, v, a),
        "inverse, f_ext": lambda q, v, a, f: lw.inverse_dynamics(linkage, q, v, a, f),
        "joint wrenches": lambda q, v, a, f: lw.joint_wrenches(linkage, q, v, a, f),
        "mass matrix": lambda q, v, a, f: lw.mass_matrix(linkage, q),
        "packed mass matrix": lambda q, v, a, f: lw.packed_mass_matrix(linkage, q),
        "gravity": lambda q, v, a, f: lw.gravity_torques(linkage, q),
        "bias": lambda q, v, a, f: lw.bias_force(linkage, q, v, f),
    }
    for method in ("aba", "crba", "unit-vector"):
        found[method] = lambda q, v, a, f, method=method: lw.forward_dynamics(linkage, q, v, a, method=method)
        found[f"{method}, f_ext"] = lambda q, v, a, f, method=method: lw.forward_dynamics(
            linkage, q, v, a, f, method=method
        )
    return found


def alike(batch, singles, what):
    """Equal to 1e-12 of the largest entry of each state."""
    batch, singles = np.asarray(batch), np.asarray(singles)
    assert batch.shape == singles.shape, what
    scale = np.abs(singles).reshape(len(singles), -1).max(axis=1)
    error = np.abs(batch - singles).reshape(len(singles), -1).max(axis=1)
    assert (error <= 1e-12 * scale).all(), f"{what}: {(error / scale).max():.1e}"


@pytest.mark.slow
def test_every_call_equals_single_calls(linkage):
    lw_states = states(linkage, (5,))  # a full pack and a part of one
    for name, call in calls(linkage).items():
        alike(call(*lw_states), [call(*(x[k] for x in lw_states)) for k in range(5)], name)


@pytest.mark.boundscheck
@pytest.mark.parametrize("leading", [(0,), (1,), (3,), (5,), (2, 3), (1, 1), (3, 0, 2)])
def test_any_leading_shape(linkage, leading):
    q, v, tau, _ = states(linkage, leading)
    a = lw.forward_dynamics(linkage, q, v, tau)
    assert a.shape == (*leading, linkage.nv)
    for index in itertools.product(*map(range, leading)):
        alike(a[index][None], [lw.forward_dynamics(linkage, q[index], v[index], tau[index])], str(index))


def test_leading_dimensions_broadcast(linkage):
    q, v, tau, f = states(linkage, (4, 3))
    some = lw.forward_dynamics(linkage, q[:, :1], v[0], tau[1, 2], f[2, 1])
    assert some.shape == (4, 3, linkage.nv)
    for i, j in itertools.product(range(4), range(3)):
        alone = lw.forward_dynamics(linkage, q[i, 0], v[0, j], tau[1, 2], f[2, 1])
        alike(some[i, j][None], [alone], f"{i}, {j}")


def test_leading_dimensions_that_do_not_fit_are_refused(linkage):
    q, v, _, _ = states(linkage, (4,))
    with pytest.raises(lw.ArgumentError, match="do not broadcast"):
        lw.forward_dynamics(linkage, q, v[:3])


def test_out_is_written_in_place(linkage):
    q, v, tau, _ = states(linkage, (6,))
    out = np.full((6, linkage.nv), np.nan)
    assert lw.forward_dynamics(linkage, q, v, tau, out=out) is out
    np.testing.assert_array_equal(out, lw.forward_dynamics(linkage, q, v, tau))
    with pytest.raises(lw.ArgumentError, match=r"shape \(6, "):
        lw.forward_dynamics(linkage, q, v, tau, out=out[:5])


@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_a_batch_with_out_allocates_nothing_that_grows_with_it():
    linkage = lw.samples.chain(20)
    q, v, tau, _ = states(linkage, (4096,))
    out = np.empty_like(v)
    lw.set_threads(1)  # another one may start too late for the first call, and make its workspace in the second
    try:
        lw.forward_dynamics(linkage, q, v, tau, out=out)
        tracemalloc.start()
        lw.forward_dynamics(linkage, q, v, tau, out=out)
        assert tracemalloc.get_traced_memory()[1] < 50_000  # the states themselves take 2.6 MB
    finally:
        tracemalloc.stop()
        lw.set_threads(None)


@pytest.mark.parametrize("count", [2, 3, 7, 64, 129])
def test_results_do_not_depend_on_threads(linkage, every_thread, count):
    if JIT_DISABLED and count > 7:
        pytest.skip("slow when interpreted")
    q, v, tau, f = states(linkage, (count,))
    lw.set_threads(1)
    reference = lw.forward_dynamics(linkage, q, v, tau, f)
    for limit in (2, 3, 8):
        lw.set_threads(limit)
        assert (lw.forward_dynamics(linkage, q, v, tau, f) == reference).all()


def test_results_do_not_depend_on_the_rest_of_the_batch(linkage):
    q, v, tau, _ = states(linkage, (2 * WIDTH + 1,))
    whole = lw.forward_dynamics(linkage, q, v, tau)
    backwards = lw.forward_dynamics(linkage, q[::-1], v[::-1], tau[::-1])[::-1]
    np.testing.assert_array_equal(whole, backwards)


@pytest.mark.parametrize("limit", [1, 3])
def test_error_names_the_first_bad_state(every_thread, limit):
    lw.set_threads(limit)
    linkage = lw.samples.random_tree(4, seed=1, base="free", joints=("Revolute",))
    q, v, tau, _ = states(linkage, (3, 7))
    q[1, 2, 3:7] *= 1.1
    q[2, 6, 3:7] *= 2.0
    with pytest.raises(lw.ArgumentError, match=r"state \(1, 2\) of the batch: the quaternion of joint 'body0'"):
        lw.forward_dynamics(linkage, q, v, tau)
    with pytest.raises(lw.ArgumentError, match=r"state 5 of the batch: the quaternion"):
        lw.forward_dynamics(linkage, q[1:].reshape(14, -1)[4:][[0, 1, 3, 4, 5, 9]], v.reshape(21, -1)[:6])


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of interpreted packs, on their way to the error
def test_bad_numbers_are_named(linkage):
    q, v, tau, _ = states(linkage, (9,))
    for what, array in (("q", q), ("v", v), ("tau", tau)):
        for bad in (np.nan, np.inf):
            wrong = array.copy()
            wrong[6, 2] = bad
            given = {"q": q, "v": v, "tau": tau} | {what: wrong}
            with pytest.raises(lw.ArgumentError, match=rf"{what}\[6, 2\] is {bad}"):
                lw.forward_dynamics(linkage, **given)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("call", [lw.forward_dynamics, lw.inverse_dynamics])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("base", ["fixed", "free"])
def test_nothing_that_is_not_finite_passes(base, value, call):
    """Kernels find it by their results, so every coordinate must reach one, even without gravity."""
    linkage = lw.samples.random_tree(9, seed=3, base=base)
    linkage.gravity = (0.0, 0.0, 0.0)
    rng = np.random.default_rng(0)
    arrays = np.stack([linkage.random(rng) for _ in range(5)]), *rng.normal(size=(2, 5, linkage.nv))
    for which, array in enumerate(arrays):
        for k in range(array.shape[1]):
            bad = [each.copy() for each in arrays]
            bad[which][3, k] = value
            with pytest.raises(lw.ArgumentError, match=rf"\[3, {k}\] is {value}: it must be finite"):
                call(linkage, *bad)
            with pytest.raises(lw.ArgumentError, match=rf"\[{k}\] is {value}: it must be finite"):
                call(linkage, *[each[3] for each in bad])


@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_calls_for_one_state_and_for_many_in_turn_keep_one_workspace():
    linkage = lw.samples.chain(5)
    one, many = np.zeros(5), np.zeros((4, 5))
    for _ in range(5):
        lw.forward_dynamics(linkage, one, one)
        lw.forward_dynamics(linkage, many, many)
        lw.inverse_dynamics(linkage, many, many, many)
        lw.mass_matrix(linkage, many)
        with pytest.raises(lw.ArgumentError):
            lw.forward_dynamics(linkage, "far", one)
    assert len(linkage.tree.contexts) == 1
    assert len(linkage.tree.kept) == 2  # its workspace and its context


def test_a_massless_leaf_is_named_in_a_batch():
    linkage = lw.Linkage(name="light")
    linkage.add_body("arm", lw.Inertia.rod(1.0, mass=1.0), joint=lw.Revolute("x"))
    linkage.add_body("tip", lw.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))), joint=lw.Revolute("y"), parent="arm")
    q = np.zeros((5, 2))
    with pytest.raises(lw.SingularError, match="state 0 of the batch: joint 'tip' has zero effective inertia"):
        lw.forward_dynamics(linkage, q, q)


class Meter:
    """Counts how many workers are at work whenever a part is done.

    Counts begin when all callers are there, and the helpers at work then have begun another part or left: those that
    are too many leave after the part they are at. The first part is not done before so many workers as `expected` have
    come, however busy the machine is.
    """

    def __init__(self, callers, expected):
        self.expected, self.here = expected, threading.Event()
        self.lock, self.counts, self.done = threading.Lock(), [], []
        self.working, self.before = set(), set()
        self.people = [threading.Thread(target=threads.share, args=(self.worker, 400, 4, 1)) for _ in range(callers)]
        self.awaited = callers

    def worker(self, parts):
        me = threading.current_thread()
        with self.lock:
            self.working.add(me)
            if me in self.people:
                self.awaited -= 1
                self.before = self.working.difference(self.people)
            if len(self.working) >= self.expected:
                self.here.set()
        self.here.wait(30.0)
        for begin, end in parts:
            with self.lock:
                self.before.discard(me)
            threading.Event().wait(3e-4 * (end - begin))
            with self.lock:
                self.done.append((begin, end))
                if not self.awaited and not self.before:
                    self.counts.append(len(self.working))
        with self.lock:
            self.working.discard(me)
            self.before.discard(me)


@pytest.mark.parametrize(("limit", "callers"), [(1, 1), (2, 1), (4, 1), (4, 3), (2, 4)])
def test_no_more_threads_than_allowed(every_thread, limit, callers):
    lw.set_threads(limit)
    meter = Meter(callers, limit if callers == 1 and not JIT_DISABLED else 1)
    for person in meter.people:
        person.start()
    for person in meter.people:
        person.join()
    assert max(meter.counts, default=0) <= max(limit, callers)  # a caller's own thread is its own
    if callers == 1 and not JIT_DISABLED:  # interpreted work holds Python's lock, so that helpers may come too late
        assert max(meter.counts) == limit
    covered = sorted(k for begin, end in meter.done for k in range(begin, end))
    assert covered == sorted(list(range(400)) * callers)
    assert threads._pool.busy == 0


@pytest.mark.parametrize(("count", "workers", "grain"), [(1, 2, 4), (4, 2, 4), (5, 2, 4), (4096, 2, 4), (4097, 7, 8)])
def test_parts_are_whole_packs_and_cover_everything(count, workers, grain):
    parts = list(threads._parts(count, workers, grain))
    assert parts[0][0] == 0
    assert parts[-1][1] == count
    assert all(a[1] == b[0] for a, b in itertools.pairwise(parts))
    assert all((end - begin) % grain == 0 for begin, end in parts[:-1])


def test_several_threads_may_call_at_once(linkage, every_thread):
    lw.set_threads(2)
    count = 8 if JIT_DISABLED else 64
    q, v, tau, _ = states(linkage, (count,))
    reference = lw.forward_dynamics(linkage, q, v, tau)
    results = [None] * 6

    def work(k):
        results[k] = [lw.forward_dynamics(linkage, q, v, tau) for _ in range(2 if JIT_DISABLED else 20)]

    people = [threading.Thread(target=work, args=(k,)) for k in range(len(results))]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert all((result == reference).all() for some in results for result in some)


@pytest.mark.skipif(JIT_DISABLED or sys.platform != "linux", reason="about fork and compiled code")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(every_thread):
    linkage = lw.samples.chain(5)
    q, v, tau, _ = states(linkage, (64,))
    lw.set_threads(2)
    reference = lw.forward_dynamics(linkage, q, v, tau)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        waiting = pool.apply_async(lw.forward_dynamics, (linkage, q, v, tau))
        np.testing.assert_array_equal(waiting.get(timeout=60), reference)


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "2"])
def test_thread_count_is_checked(count):
    with pytest.raises(lw.ArgumentError, match="positive integer"):
        lw.set_threads(count)


def test_thread_count_from_the_environment(monkeypatch):
    lw.set_threads(None)
    monkeypatch.setenv("LINKWORK_THREADS", "3")
    assert threads.thread_count() == 3
    lw.set_threads(None)
    monkeypatch.setenv("LINKWORK_THREADS", "many")
    with pytest.raises(lw.ArgumentError, match="LINKWORK_THREADS"):
        threads.thread_count()
    lw.set_threads(None)


@pytest.mark.parametrize(("quota", "most"), [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 10**6)])
def test_a_container_gets_no_more_threads_than_its_share(monkeypatch, tmp_path, quota, most):
    file = tmp_path / "cpu.max"
    file.write_text(f"{quota}\n")
    monkeypatch.setattr(threads, "QUOTA", file)
    monkeypatch.delenv("LINKWORK_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(64), raising=False)
    lw.set_threads(None)
    assert threads.thread_count() == min(most, 64)
    lw.set_threads(None)


def test_kinematics_of_one_state_are_those_of_a_batch():
    """The first call binds the fast function, the second one uses it; neither takes what is not finite."""
    linkage = lw.samples.random_tree(6, seed=3, base="free")
    linkage.add_frame("tool", "body5", lw.Pose((0.1, 0.2, 0.3)))
    rng = np.random.default_rng(0)
    q, v = linkage.random(rng), rng.normal(size=linkage.nv)
    both, point = np.stack([q, q]), (0.3, -0.1, 0.2)
    calls = {
        "poses": lambda q, v: lw.body_poses(linkage, q).rotations,
        "velocities": lambda q, v: lw.body_velocities(linkage, q, v),
        "jacobian": lambda q, v: lw.jacobian(linkage, q, "tool", point),
        "gravity": lambda q, v: lw.gravity_torques(linkage, q),
    }
    for name, call in calls.items():
        expected = call(both, np.stack([v, v]))[1]
        for _ in range(2):
            np.testing.assert_allclose(call(q, v), expected, atol=1e-13, err_msg=name)
        with pytest.raises(lw.ArgumentError, match="must be finite"):
            call(np.where(np.arange(len(q)) == 1, np.nan, q), v)
    J = np.empty((6, linkage.nv))
    assert lw.jacobian(linkage, q, "tool", point, out=J) is J
    np.testing.assert_allclose((J @ v)[3:], lw.body_velocities(linkage, q, v)[5, 3:], atol=1e-12)
    with pytest.raises(lw.ArgumentError, match="out must be"):
        lw.jacobian(linkage, q, "tool", point, out=np.empty((6, 2)))


def test_a_summary_compiles_no_batch_kernel(monkeypatch):
    chain, ball = lw.samples.chain(2), lw.Linkage()
    ball.add_body("ball", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Spherical())
    q, v = np.random.default_rng(5).normal(size=(2, 4, 2))
    expected = lw.kinetic_energy(chain, q, v)
    monkeypatch.setattr(launch, "_run_packs", None)  # fails if called
    monkeypatch.setattr(launch, "batch_entry", lambda *_: types.SimpleNamespace(is_compiled=lambda *_: False))
    with launch.no_batch_compiled():
        np.testing.assert_allclose(lw.kinetic_energy(chain, q, v), expected, rtol=1e-13)
        with pytest.raises(lw.ArgumentError, match=r"state 2 of the batch"):
            lw.body_poses(ball, [[0.0, 0.0, 0.0, w] for w in (1.0, 1.0, 2.0)])


@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
@pytest.mark.parametrize("links", [12, 13, 17])
def test_results_beyond_the_caches_are_the_same(links):
    """Lines that end between rows, arrays that begin anywhere in a line, and a last pack that is not full."""
    arm, rng = lw.samples.chain(links), np.random.default_rng(links)
    few = 3 * WIDTH
    states = 2**21 // (2 * links**2) // few * few + few + 3
    q, v, a = rng.normal(size=(3, states, links))
    memory, size = np.full((2, states * links**2 + 3), np.nan), states * links**2
    out = [row[k : k + size].reshape(states, links, links) for k, row in enumerate(memory, start=1)]
    lw.inverse_dynamics_derivatives(arm, q, v, a, out=tuple(out))
    for begin in (0, few, states // 2 // few * few, states - few - 3):
        part = slice(begin, begin + few if begin + 2 * few < states else states)
        for x, y in zip(out, lw.inverse_dynamics_derivatives(arm, q[part], v[part], a[part]), strict=True):
            np.testing.assert_array_equal(x[part], y)
    assert np.isnan(memory).sum() == 6  # nothing is left out, or written beside them
