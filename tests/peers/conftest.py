"""The real robots: every URDF file of the example-robot-data package."""

import sysconfig
from pathlib import Path

import pytest

# The package has no Python module: its files are beside those of the other packages of the same wheel format.
ROBOTS = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
FILES = sorted(ROBOTS.rglob("*.urdf"))


def pytest_generate_tests(metafunc):
    """Run every test that asks for `urdf` once a file."""
    if "urdf" in metafunc.fixturenames:
        names = [f"{path.parent.parent.name.removesuffix('_description')}-{path.stem}" for path in FILES]
        missing = pytest.param(None, marks=pytest.mark.skip("example-robot-data is not installed"))
        metafunc.parametrize("urdf", FILES or [missing], ids=names or ["none"])


@pytest.fixture(scope="session")
def robots() -> list[Path]:
    """All files, for tests about the whole collection."""
    if not FILES:
        pytest.skip("example-robot-data is not installed")
    return FILES
