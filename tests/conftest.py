"""Settings shared by all tests."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

# Programs that tests start must use these sources, as the tests themselves do.
SOURCES = str(Path(__file__).parents[1] / "src")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))

# A failure must be the same on every machine, and an example that first compiles a kernel is not a slow one.
settings.register_profile(
    "linkwork", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("linkwork")
