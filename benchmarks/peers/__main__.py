"""Batches, rollouts and long chains beside Pinocchio, MuJoCo, Drake and Exudyn, those of them that are installed.

    python -m benchmarks.peers [--robot panda] [--rounds 12] [--part long] [--json figures.json] [--alone]

Run it from the root of the repository. What is compared, and what is not, is in docs/speed.md.
"""

import argparse
from pathlib import Path

from benchmarks.peers.report import report
from benchmarks.peers.robots import FILES

PARTS = ("batches", "long")

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robot", action="append", choices=FILES, help="only this robot; can be repeated")
    parser.add_argument("--rounds", type=int, default=12, help="rounds that the best time is taken from")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--alone", action="store_true", help="measure linkwork only")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; JSON keeps the other")
    given = parser.parse_args()
    robots, parts = tuple(given.robot or FILES), tuple(given.part or PARTS)
    report(peers=not given.alone, robots=robots, rounds=given.rounds, parts=parts, path=given.json)
