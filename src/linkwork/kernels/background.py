"""A process that compiles kernels for another: ``python -m linkwork.kernels.background``, with jobs on its input."""

import os
import pickle
import sys

from linkwork.kernels import launch


def main():
    """Compile each job: ((name of a function of `launch`, its arguments), types of the kernel's arguments)."""
    if hasattr(os, "nice"):
        os.nice(10)
    for (maker, arguments), signature in pickle.load(sys.stdin.buffer):
        made = getattr(launch, maker)(*arguments)
        getattr(made, "kernel", made).compile_for(signature)


if __name__ == "__main__":
    main()
