"""Settings shared by all tests."""

import fnmatch
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Programs that tests start must use these sources, as the tests themselves do.
SOURCES = str(Path(__file__).parents[1] / "src")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))

# Ctrl-C is tested, and a shell that starts the tests in the background has it ignored.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A failure must be the same on every machine, and an example that first compiles a kernel is not a slow one.
settings.register_profile(
    "linkwork", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("linkwork")


# Tests of what stands above the kernels or beside them: how kernels are compiled makes no difference to it.
EITHER_WAY = (
    "browser/*", "unit/test_viewer*",
    "contracts/test_[d-l]*", "contracts/test_r*", "contracts/test_ty*", "papers/*human*", "peers/*", "unit/test_cli*",
    "unit/test_errors*", "unit/test_fuzz*", "unit/test_human*", "unit/test_inertia*", "unit/test_joint*",
    "unit/test_linkage*", "unit/test_mo[lt]*", "unit/test_nothing*", "unit/test_operation*", "unit/test_plots*",
    "unit/test_pose*", "unit/test_revisions*", "unit/test_s[chidw]*", "unit/test_urdf*", "unit/test_warmup*",
    "unit/test_yaml*",
)  # fmt: skip


def pytest_collection_modifyitems(items):
    """Mark the tests of `EITHER_WAY`, which plain mode leaves out."""
    for item in items:
        place = item.path.relative_to(Path(__file__).parent).as_posix()
        if any(fnmatch.fnmatch(place, pattern) for pattern in EITHER_WAY):
            item.add_marker(pytest.mark.either_way)
