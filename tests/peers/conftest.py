"""The real robots: every URDF file of the example-robot-data package."""

import sysconfig
from pathlib import Path

import pytest

# The package has no Python module: its files are beside those of the other packages of the same wheel format.
ROBOTS = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
FILES = sorted(ROBOTS.rglob("*.urdf"))

# The fast run takes these: arms, hands, legs, wings, massless and odd links, continuous joints, and the file
# that is refused. The whole collection needs about a minute.
FAST = {
    "ur3", "ur5_robot", "panda", "kinova", "allegro_left_hand", "anymal", "g1_29dof_rev_1_0", "talos_full_v2",
    "romeo", "icub", "tiago_no_hand", "pr2", "iris_simple", "double_pendulum_continuous", "TwoDofs",
}  # fmt: skip


def pytest_generate_tests(metafunc):
    """Run every test that asks for `urdf` once per file."""
    if "urdf" in metafunc.fixturenames:
        cases = [
            pytest.param(
                path,
                id=f"{path.parent.parent.name.removesuffix('_description')}-{path.stem}",
                marks=() if path.stem in FAST else pytest.mark.slow,
            )
            for path in FILES
        ]
        absent = pytest.param(None, marks=pytest.mark.skip("example-robot-data is not installed"))
        metafunc.parametrize("urdf", cases or [absent])


@pytest.fixture(scope="session")
def robots() -> list[Path]:
    """All files, for tests about the whole collection."""
    if not FILES:
        pytest.skip("example-robot-data is not installed")
    return FILES
