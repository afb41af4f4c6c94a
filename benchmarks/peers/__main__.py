"""Batches, rollouts and long chains beside Pinocchio, MuJoCo, Drake and Exudyn, those of them that are installed.

    python -m benchmarks.peers [--robot panda] [--rounds 12] [--json figures.json] [--alone]

Run it from the root of the repository. What is compared, and what is not, is in docs/speed.md.
"""

import argparse
from pathlib import Path

from benchmarks.peers.report import report
from benchmarks.peers.robots import FILES

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robot", action="append", choices=FILES, help="only this robot; can be repeated")
    parser.add_argument("--rounds", type=int, default=12, help="rounds that the best time is taken from")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--alone", action="store_true", help="measure linkwork only")
    given = parser.parse_args()
    report(peers=not given.alone, robots=tuple(given.robot or FILES), rounds=given.rounds, path=given.json)
