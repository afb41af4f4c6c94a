"""Settings shared by all tests."""

from hypothesis import HealthCheck, settings

# A failure must be the same on every machine, and an example that first compiles a kernel is not a slow one.
settings.register_profile(
    "linkwork", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("linkwork")
