"""Batches, rollouts and long chains beside Pinocchio, MuJoCo, Drake and Exudyn: the same as ``linkwork bench --peers``.

    python benchmarks/peers.py [--robot panda] [--rounds 12] [--json figures.json]

What is compared, and what is not, is in docs/speed.md.
"""

import sys

from linkwork.cli.app import app

if __name__ == "__main__":
    app(["bench", "--peers", *sys.argv[1:]])
