"""The benchmark beside other libraries: it runs, it checks results, and it reports a case that fails."""

import pytest

from benchmarks.peers import batches, long
from benchmarks.peers.contender import Contender


def test_every_measure_of_a_robot_is_timed_for_linkwork_and_its_peers():
    rows = list(batches.compare(robots=("panda",), rounds=1, states=256))
    assert {row.measure for row in rows} == set(batches.MEASURES)
    peers = {row.contender for row in rows}
    assert {"linkwork", "Pinocchio aba", "Pinocchio abaInParallel", "Pinocchio rneaInParallel"} <= peers
    assert {"MuJoCo mj_forward", "MuJoCo rollout"} <= peers
    assert all(row.microseconds > 0.0 for row in rows)


def test_a_difference_stops_the_benchmark():
    one, other = (Contender(name, lambda: None, 1, lambda x=x: x) for name, x in (("linkwork", 1.0), ("peer", 1.001)))
    with pytest.raises(SystemExit, match=r"peer differs by 1\.0e-03: nothing is timed"):
        batches.check([one, other], "panda, forward dynamics")


@pytest.mark.parametrize("peer", ["linkwork", "Pinocchio", "MuJoCo"])
def test_a_chain_in_a_process_of_its_own(peer):
    case = long.run(peer, "chain", 50)
    assert case.failure is None
    assert case.seconds is not None
    assert case.seconds > 0.0
    if peer != "linkwork":
        assert case.error is not None
        assert case.error < 1e-6


def test_a_case_that_takes_too_much_is_ended_and_reported(monkeypatch):
    case = long.run("Pinocchio", "chain", 2000)  # 32 · 2000³ bytes
    assert case.failure == "takes more than 16 GiB"
    monkeypatch.setattr(long, "PATIENCE", 0.05)
    assert long.run("linkwork", "chain", 50).failure == "takes more than 0 s"
