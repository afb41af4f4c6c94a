"""The command ``linkwork``."""

import os


def main():
    """Run the command line; what typer needs is imported only here."""
    # Threads are our own: those of NumPy's BLAS would wait for work in a loop, for a tenth of a second at least.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from linkwork.cli.app import run

    run()
