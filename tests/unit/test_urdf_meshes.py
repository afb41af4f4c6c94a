"""Mesh addresses: found where they may be, listed where they are not, refused where they climb out."""

import pytest

import linkwork as lw
from linkwork.io.resources import EscapeError, Resources


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    root = tmp_path / "share" / "arm_description"
    for folder in ("urdf/v1", "meshes"):
        (root / folder).mkdir(parents=True)
    (root / "package.xml").write_text("<package/>")
    (root / "meshes" / "link.stl").write_text("solid")
    (tmp_path / "share" / "gripper").mkdir()
    (tmp_path / "share" / "gripper" / "finger.stl").write_text("solid")
    (tmp_path / "secret.stl").write_text("solid")
    return root


def test_addresses_that_are_found(package):
    resources = Resources(package / "urdf" / "v1" / "arm.urdf")
    mesh = str(package / "meshes" / "link.stl")
    for uri in (
        "package://arm_description/meshes/link.stl",
        "package:///arm_description/meshes/link.stl",
        "package://arm_description/urdf/../meshes/link.stl",
        "../../meshes/link.stl",
        r"..\..\meshes\link.stl",
        mesh,
        f"file://{mesh}",
        f"file://{package}/urdf/%2e%2e/meshes/link.stl",
    ):
        assert resources.find(uri) == (mesh, ""), uri
    finger = str(package.parent / "gripper" / "finger.stl")
    assert resources.find("package://gripper/finger.stl") == (finger, "")


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("package://arm_description/meshes/other.stl", "no such file"),
        ("package://arm_description/meshes", "no such file"),
        ("package://nowhere/link.stl", "package 'nowhere' not found"),
        ("package:///", "package '.' not found"),
        ("other.stl", "no such file"),
        ("/etc/passwd", "an absolute path outside the package is not followed"),
        ("file:///etc/passwd", "an absolute path outside the package is not followed"),
        (r"C:\meshes\link.stl", "an absolute path outside the package is not followed"),
        ("https://example.org/link.stl", "https:// is not followed"),
        ("model://nowhere/link.stl", "model 'nowhere' not found"),
    ],
)
def test_addresses_that_are_listed(package, uri, reason):
    assert Resources(package / "urdf" / "v1" / "arm.urdf").find(uri) == (None, reason)


def test_absolute_address_that_climbs_out_of_the_package(package):
    found = Resources(package / "urdf" / "v1" / "arm.urdf").find(f"file://{package}/%2e%2e/%2e%2e/secret.stl")
    assert found == (None, "an absolute path outside the package is not followed")


@pytest.mark.parametrize(
    "uri",
    [
        "package://arm_description/../../secret.stl",
        "package://arm_description/meshes/../../../secret.stl",
        "package://../secret.stl",
        r"package://arm_description\..\..\secret.stl",
        "../../../../secret.stl",
        "../../meshes/../../../secret.stl",
    ],
)
def test_addresses_that_are_refused(package, uri):
    with pytest.raises(EscapeError, match="climbs out"):
        Resources(package / "urdf" / "v1" / "arm.urdf").find(uri)


def test_without_a_package_file_one_folder_up_is_allowed(tmp_path):
    (tmp_path / "robot" / "urdf").mkdir(parents=True)
    (tmp_path / "robot" / "meshes").mkdir()
    (tmp_path / "robot" / "meshes" / "a.stl").write_text("solid")
    (tmp_path / "b.stl").write_text("solid")
    resources = Resources(tmp_path / "robot" / "urdf" / "robot.urdf")
    assert resources.find("../meshes/a.stl")[0] == str(tmp_path / "robot" / "meshes" / "a.stl")
    with pytest.raises(EscapeError):
        resources.find("../../b.stl")


@pytest.mark.parametrize("variable", ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"])
def test_packages_of_the_environment(package, tmp_path, monkeypatch, variable):
    other = tmp_path / "elsewhere" / "share" / "tool"
    other.mkdir(parents=True)
    (other / "tool.stl").write_text("solid")
    resources = Resources(package / "urdf" / "arm.urdf")
    assert resources.find(str(other / "tool.stl"))[0] is None
    place = other.parent if variable == "ROS_PACKAGE_PATH" else other.parent.parent
    monkeypatch.setenv(variable, str(place))
    assert resources.find("package://tool/tool.stl") == (str(other / "tool.stl"), "")
    assert resources.find(str(other / "tool.stl"))[0] == str(other / "tool.stl")


def test_in_the_linkage(package):
    path = package / "urdf" / "arm.urdf"
    path.write_text("""<robot name="arm"><link name="base">
      <visual><geometry><mesh filename="../meshes/link.stl" scale="1 -1 1"/></geometry></visual>
      <visual><geometry><mesh filename="package://arm_description/meshes/lost.dae"/></geometry></visual>
      <visual><geometry><mesh filename="../meshes/gone.dae"/></geometry></visual>
    </link></robot>""")
    arm = lw.load(path)
    found, lost, _ = arm.visuals
    assert (found.kind, found.size, found.uri) == ("mesh", (1.0, -1.0, 1.0), "../meshes/link.stl")
    assert found.file == str(package / "meshes" / "link.stl")
    assert (lost.file, lost.uri) == (None, "package://arm_description/meshes/lost.dae")
    assert arm.ignored == [
        "2 mesh or texture files: no such file; first package://arm_description/meshes/lost.dae at line 3"
    ]
