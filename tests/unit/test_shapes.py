"""Shapes: what is refused, which of them meet, and how near they are."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.dynamics.convex_pairs import Convex, Narrow, Placed
from linkwork.dynamics.shape_contacts import ShapeContacts
from linkwork.kernels.layout.shapes import (
    C_FEATURE,
    C_GAP,
    C_NORMAL,
    C_PAIR,
    C_POINT,
    M_BALL,
    M_CORNERS,
    M_END,
    M_SKIPPED,
)
from linkwork.linkage.shape_pairs import shape_pairs

SURFACES = (
    lw.Plane((1, 2, 3), 0.2),
    lw.Sphere((0.1, 0.2, 0.3), 0.5),
    lw.Sphere((0.1, 0.2, 0.3), 5.0, inside=True),
    lw.Cylinder((1, 1, 0), (0, 0.1, 0), 0.3),
    lw.Torus((0, 0.1, 0.2), (0, 1, 1), 0.7, 0.2),
)


def floating(*solids):
    """Free bodies with one solid each."""
    linkage = lw.Linkage()
    for k, solid in enumerate(solids):
        linkage.add_body(f"b{k}", lw.Inertia.box((0.2, 0.2, 0.2), mass=2.0), joint=lw.Free())
        linkage.add_shape(f"b{k}", solid, name=f"s{k}")
    return linkage


def meeting(linkage):
    names = linkage.shapes.names
    return {frozenset((names[pair.a], names[pair.b])) for pair in shape_pairs(linkage)}


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: lw.Ball(0.0), "radius of a Ball must be positive, not 0.0: a shape without size is a Point"),
        (lambda: lw.Box((1, 0, 1)), "sizes of a Box must be positive"),
        (lambda: lw.Capsule(0.1, -1.0), "length of a Capsule must be positive"),
        (lambda: lw.Mesh(np.eye(3)), "has no inside"),
        (lambda: floating(lw.Ball(1)).add_shape("b0", lw.Ball(1), friction=-1), "of shape 'b0-shape'.*least 0"),
        (
            lambda: floating(lw.Ball(1)).add_shape("b0", lw.Ball(1), friction=0.5, static_friction=0.2),
            "static_friction of shape 'b0-shape', 0.2, is below its friction, 0.5",
        ),
        (lambda: floating(lw.Ball(1)).add_shape("b0", lw.Ball(1), restitution=1.2), "restitution .* 0 … 1"),
        (lambda: floating(lw.Ball(1)).add_shape("b0", "ball"), "must be a Ball, Box, Capsule, Point or Mesh"),
        (lambda: floating(lw.Ball(1), lw.Ball(2)).meet("s0", "s3"), "unknown shape 's3'"),
        (lambda: floating(lw.Point(), lw.Point()).meet("s0", "s1"), "both points"),
        (
            lambda: floating(lw.Ball(1)).add_shape("b0", lw.Plane().moving(lambda t: lw.Pose())),
            "a surface that moves by itself: give it to ground",
        ),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(lw.LinkworkError, match=told):
        make()


def test_a_mesh_that_is_not_convex_becomes_its_hull_with_a_warning():
    corners = lw.Box((1, 2, 3)).points()
    assert len(lw.Mesh(corners).vertices) == 8
    with pytest.warns(lw.LinkworkWarning, match="not convex"):
        assert len(lw.Mesh(np.vstack([corners, np.zeros(3)])).vertices) == 8


def test_shapes_meet_unless_a_joint_joins_their_bodies():
    linkage = floating(lw.Ball(0.1), lw.Ball(0.1), lw.Point(), lw.Point())
    linkage.add_body("arm", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Revolute("y"), parent="b0")
    linkage.add_shape("arm", lw.Ball(0.1), name="hand")
    linkage.add_shape("ground", lw.Plane(), name="floor")
    linkage.add_shape("ground", lw.Plane((1, 0, 0)), name="wall")
    pairs = meeting(linkage)
    assert frozenset(("s0", "floor")) in pairs  # a Free joint joins nothing
    assert frozenset(("s0", "hand")) not in pairs
    assert frozenset(("s1", "hand")) in pairs
    assert frozenset(("s2", "s3")) not in pairs
    assert frozenset(("floor", "wall")) not in pairs
    linkage.connect("b1", "b2", lw.Spherical())
    assert frozenset(("s1", "s2")) not in meeting(linkage)
    linkage.meet("s0", "hand")
    linkage.part("s0", "floor")
    for other in (linkage, linkage.copy()):
        assert frozenset(("s0", "hand")) in meeting(other)
        assert frozenset(("s0", "floor")) not in meeting(other)


def test_the_smaller_friction_and_the_larger_restitution_count():
    linkage = floating(lw.Ball(0.1))
    linkage.add_shape("ground", lw.Plane(), friction=0.7, static_friction=0.8, restitution=0.3, name="floor")
    linkage.add_shape("ground", lw.Plane((1, 0, 0)), friction=0.2, restitution=0.1, name="wall")
    linkage.meet("s0", "wall", friction=0.9, restitution=0.0)
    floor, wall = shape_pairs(linkage)
    assert floor[2:] == (0.5, 0.5, 0.3)
    assert wall[2:] == (0.9, 0.9, 0.0)


def test_added_linkages_bring_their_shapes_and_what_was_said_of_them():
    part = floating(lw.Ball(0.1), lw.Ball(0.1))
    part.part("s0", "s1")
    part.add_shape("ground", lw.Plane(), name="floor")
    whole = lw.Linkage()
    for prefix in ("left_", "right_"):
        whole.add(part, prefix=prefix)
    assert whole.shapes.names == [prefix + name for prefix in ("left_", "right_") for name in ("s0", "s1", "floor")]
    assert frozenset(("left_s0", "left_s1")) not in meeting(whole)
    assert frozenset(("left_s0", "right_s1")) in meeting(whole)


@pytest.mark.nojit
def test_gaps_points_and_normals_are_those_of_the_surface_itself():
    linkage = floating(lw.Box((0.2, 0.4, 0.6)))
    linkage.add_body(
        "arm", lw.Inertia.sphere(0.1, mass=1.0), joint=lw.Revolute((1, 2, 3)), parent="b0",
        at=lw.Pose.rpy(0.1, 0.2, 0.3, position=(1, 2, 3)),
    )  # fmt: skip
    linkage.add_shape("arm", lw.Ball(0.1), at=lw.Pose.rpy(0.5, 0.2, 0.1, position=(0.1, -0.2, 0.3)), name="tip")
    for surface in SURFACES:
        linkage.add_shape("ground", surface)
    contacts, q = ShapeContacts(linkage), linkage.random(1)
    rows, poses, records = contacts.find(0.0, q), lw.body_poses(linkage, q), linkage._shapes.records
    meetings = contacts.shapes.meetings
    kinds = meetings[rows[:, C_FEATURE].astype(int)]
    assert len(kinds) >= 5 * len(SURFACES)  # of more than eight points of a pair four are left
    for row, kind in zip(rows, kinds, strict=True):
        pair = contacts.shapes.pairs[int(row[C_PAIR])]
        surface, solid, r = records[pair.a].shape, records[pair.b], row[C_POINT : C_POINT + 3]
        radius, at = solid.shape.radius_of_balls, poses[linkage.bodies.names[solid.body]] @ solid.at
        local = surface.local(r, 0.0)
        np.testing.assert_allclose(row[C_GAP], local.C, atol=1e-12)
        np.testing.assert_allclose(row[C_NORMAL : C_NORMAL + 3], local.gradient, atol=1e-12)
        if kind[M_END] < 0 and kind[M_CORNERS] == 0:
            centres = at.apply(solid.shape.points())
            ball, stages = int(kind[M_BALL]), contacts.shapes.balls[:, 0]
            ball -= int(np.argmax(stages == stages[ball]))  # of this solid
            np.testing.assert_allclose(r, centres[ball] - radius * local.gradient, atol=1e-12)


PEAR = np.random.default_rng(0).normal(size=(9, 3)) * 0.3
PRISM = [(0.5 * np.cos(a), 0.5 * np.sin(a), z) for a in 2 * np.pi / 7 * np.arange(7) for z in (-0.2, 0.2)]
BULGING = {
    "sphere": SURFACES[1],
    "cylinder": SURFACES[3],
    "torus": SURFACES[4],
    "inside a torus": lw.Torus((-1.9, 0, 0), (0, 0, 1), 2.0, 0.9, inside=True),
    "text": lw.Surface("(x - 0.1)**2 + 2*(y - 0.2)**2 + (z - 0.3)**2 - 0.25"),
    "functions": lw.Surface(lambda r: r @ r - 0.25, lambda r: 2.0 * r, lambda r: 2.0 * np.eye(3)),
}


def least_distance(surface, points, rng):
    """From a surface to the hull of points, by a search from random places in it."""

    def away(w):
        return surface.nearest(points.T @ w, 0.0)[1]

    def slope(w):
        gradient = surface.nearest(points.T @ w, 0.0)[0].gradient
        return points @ gradient / np.linalg.norm(gradient)

    n = len(points)
    one = {"type": "eq", "fun": lambda w: w.sum() - 1.0, "jac": lambda w: np.ones(n)}
    starts = rng.dirichlet(np.full(n, 0.4), size=6)
    found = [minimize(away, w, jac=slope, bounds=[(0, 1)] * n, constraints=[one], method="SLSQP", tol=1e-15).x
             for w in starts]  # fmt: skip
    return min(away(np.maximum(w, 0.0) / np.maximum(w, 0.0).sum()) for w in found)


@pytest.mark.parametrize(
    "solid", [lw.Box((0.3, 0.5, 0.8)), lw.Mesh(PEAR), lw.Mesh(PRISM)], ids=["box", "mesh", "prism"]
)
@pytest.mark.parametrize("ground", BULGING)
def test_edges_and_faces_meet_what_bulges(ground, solid):
    surface, rng, near = BULGING[ground], np.random.default_rng(3), 0
    linkage = floating(solid)
    linkage.add_shape("ground", surface)
    contacts = ShapeContacts(linkage)
    while near < 4:
        turn = rng.normal(size=4)
        q = np.concatenate([0.5 * rng.normal(size=3), turn / np.linalg.norm(turn)])
        row = min(contacts.find(0.0, q), key=lambda row: row[C_GAP])
        if 0.003 < row[C_GAP] < 0.3:
            near += 1
            pose, r = lw.body_poses(linkage, q)["b0"], row[C_POINT : C_POINT + 3]
            assert row[C_GAP] <= least_distance(surface, pose.apply(solid.points()), rng) + 1e-10
            assert row[C_GAP] == pytest.approx(surface.nearest(r, 0.0)[1], abs=1e-12)
            for face in solid.polygons():  # the place belongs to the solid
                a, b, c = solid.points()[face[:3]]
                assert (pose.inverse().apply(r) - a) @ np.cross(b - a, c - a) < 1e-12


def test_faces_of_a_mesh_are_whole():
    box = lw.Box((1, 2, 3))
    mesh = lw.Mesh(box.points())
    assert (len(mesh.edges()), sorted(map(len, mesh.polygons()))) == (12, [4] * 6)
    for solid in (box, mesh):
        for face in solid.polygons():
            a, b, c = solid.points()[face[:3]]
            assert np.cross(b - a, c - b) @ a > 0.0  # outwards
        assert len({frozenset(edge) for edge in solid.edges()}) == 12
    assert sorted(map(len, lw.Mesh(PRISM).polygons())) == [4] * 7 + [7, 7]


def test_corners_are_enough_on_what_is_flat_or_hollow():
    for ground, places in ((lw.Plane(), 8), (SURFACES[2], 8), (SURFACES[3], 8 + 12), (SURFACES[1], 8 + 12 + 6)):
        linkage = floating(lw.Box((0.2, 0.2, 0.2)))
        linkage.add_shape("ground", ground)
        meetings = ShapeContacts(linkage).shapes.meetings
        assert (meetings[:, M_SKIPPED] == 0).sum() == places


@pytest.mark.parametrize("surface", [SURFACES[1], SURFACES[3], SURFACES[4]])
def test_the_middle_of_a_capsule_is_nearest_to_what_bulges(surface):
    linkage = floating(lw.Capsule(0.05, 2.0))
    linkage.add_shape("ground", surface)
    contacts = ShapeContacts(linkage)
    for seed in range(6):
        q = linkage.random(seed)
        rows = contacts.find(0.0, q)
        ends = lw.body_poses(linkage, q)["b0"].apply([[0, 0, -1.0], [0, 0, 1.0]])
        along = ends[0] + np.linspace(0, 1, 4001)[:, None] * (ends[1] - ends[0])
        least = min(surface.local(x, 0.0).C for x in along) - 0.05
        assert rows[:, C_GAP].min() == pytest.approx(least, abs=1e-6)


def test_the_end_of_a_segment_is_not_found_twice():
    linkage = floating(lw.Capsule(0.05, 2.0))
    linkage.add_shape("ground", lw.Sphere((0, 0, 0), 0.5))
    q = linkage.neutral()
    q[2] = 2.0  # the sphere is below the lower end
    contacts = ShapeContacts(linkage)
    rows = contacts.find(0.0, q)
    assert (contacts.shapes.meetings[rows[:, C_FEATURE].astype(int), M_END] < 0).all()
    assert rows[:, C_GAP].min() == pytest.approx(0.45)


def test_a_surface_of_any_form_and_one_that_moves():
    linkage = floating(lw.Ball(0.1))
    linkage.add_shape("ground", lw.Surface("2*(z - 0.1*sin(3*x))"), name="waves")
    linkage.add_shape("ground", lw.Plane().moving(lambda t: lw.Pose((0, 0, t))), name="lift")
    q = linkage.neutral()
    q[:3] = 0.2, 0.0, 1.0
    waves, lift = sorted(ShapeContacts(linkage).find(0.5, q), key=lambda row: -row[C_PAIR])[::-1]
    away = minimize_scalar(lambda x: np.hypot(x - 0.2, 0.1 * np.sin(3 * x) - 1.0), bounds=(0, 1), method="bounded",
                           options={"xatol": 1e-12})  # fmt: skip
    gaps = {round(row[C_GAP], 9) for row in (waves, lift)}
    assert gaps == {round(away.fun - 0.1, 9), 0.4}


def test_boxes_that_lie_on_each_other_askew_touch_along_a_face():
    """Two dominoes of a fallen row, for which coal has been seen to give a normal along their common width."""
    narrow, box = Narrow(8e-5), Convex(lw.Box((0.01, 0.05, 0.1)))
    poses = (
        ((-2.071513667732333e-06, 6.119616251591908e-01, 3.319742052860889e-05, 7.908874561062162e-01),
         (3.3260422748554525e-01, 9.2418192007662910e-07, 1.7391158555855837e-02)),
        ((3.6263792120942456e-05, 6.1195610496475761e-01, 7.1162191799885457e-05, 7.9089172407937258e-01),
         (3.7278391152734625e-01, 3.1124214262748682e-06, 1.7476397731937154e-02)),
    )  # fmt: skip
    a, b = (Placed(box, Rotation.from_quat(turned).as_matrix(), np.array(place)) for turned, place in poses)
    n, points = narrow.points(a, b)
    assert n @ a.R[:, 0] > 0.999
    assert points
    assert all(abs(gap) < 1e-4 for _, gap in points)


def test_convex_pairs_touch_at_up_to_four_points():
    pytest.importorskip("coal")
    box = lw.Box((0.2, 0.2, 0.2))
    linkage = floating(box, box, lw.Mesh(box.points()), lw.Capsule(0.05, 0.2), lw.Ball(0.1))
    q = linkage.neutral()
    q[2::7] = 0.1, 0.3, 0.5, 0.65, 0.8
    q[24:28] = lw.Pose.axis_angle("y", np.pi / 2).quaternion  # the capsule lies
    rows = ShapeContacts(linkage).find(0.0, q, 1e-3)
    rows = rows[np.argsort(rows[:, C_PAIR], kind="stable")]
    np.testing.assert_allclose(rows[:, C_GAP], 0.0, atol=1e-12)
    normals = [[0, 0, 1]] * 8 + [[0, 0, -1]] * 3  # a capsule comes before a mesh, a ball before a capsule
    np.testing.assert_allclose(rows[:, C_NORMAL : C_NORMAL + 3], normals, atol=1e-9)
    assert np.bincount(rows[:, C_PAIR].astype(int)).tolist().count(4) == 2
    corners = np.sort(rows[:4, C_POINT : C_POINT + 2].round(9), axis=0)
    np.testing.assert_allclose(corners, [[-0.1, -0.1], [-0.1, -0.1], [0.1, 0.1], [0.1, 0.1]], atol=1e-9)


def test_two_solids_without_coal_name_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "coal", None)
    with pytest.raises(lw.ArgumentError, match=r"^contacts between two solids need coal: pip install linkwork\[coll"):
        ShapeContacts(floating(lw.Box((1, 1, 1)), lw.Capsule(0.1, 1)))
    linkage = floating(lw.Ball(0.1), lw.Capsule(0.1, 1.0))
    linkage.add_shape("ground", lw.Plane())
    assert len(ShapeContacts(linkage).find(0.0, linkage.neutral(), 1.0)) == 6


def test_shapes_in_a_file(tmp_path):
    linkage = floating(lw.Box((0.2, 0.2, 0.2)), lw.Capsule(0.1, 0.3), lw.Mesh(lw.Box((1, 1, 1)).points()))
    linkage.add_shape("ground", lw.Plane().sliding((0.5, 0, 0)), friction=0.3, static_friction=0.4, name="belt")
    linkage.meet("s0", "belt", friction=0.35, restitution=0.1)
    linkage.part("s1", "belt")
    linkage.save(tmp_path / "one.yaml")
    again = lw.load(tmp_path / "one.yaml")
    assert list(shape_pairs(again)) == list(shape_pairs(linkage))
    assert [shape.shape for shape in again.shapes] == [shape.shape for shape in linkage.shapes]
    again.save(tmp_path / "two.yaml")
    assert (tmp_path / "one.yaml").read_text() == (tmp_path / "two.yaml").read_text()


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("{body: foot, shape: {type: Bax, sizes: [1, 1, 1]}}", r"yaml:4: shapes\[0\].shape.type: unknown .*'Box'"),
        ("{body: foot, shape: {type: Ball, radius: 0}}", r"yaml:4: .*radius of a Ball must be positive"),
        ("{body: feet, shape: {type: Point}}", r"yaml:4: .*unknown body or frame 'feet'; did you mean 'foot'"),
        ("{body: foot, shape: {type: Point}, friction: -1}", r"yaml:4: shapes\[0\]: friction of shape"),
        ("{body: foot, shape: {type: Mesh}}", r"yaml:4: .*a Mesh needs `file` or `points`"),
    ],
)
def test_errors_in_files_name_the_line(tmp_path, entry, told):
    body = "bodies:\n- {name: foot, joint: {type: Free}, inertia: {mass: 1}}\n"
    (tmp_path / "bad.yaml").write_text(f"linkwork: 1\n{body}shapes: [{entry}]\n")
    with pytest.raises(lw.DescriptionError, match=told):
        lw.load(tmp_path / "bad.yaml")


def test_collisions_of_a_urdf_file(tmp_path):
    link = "<link name='{}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
    solids = "<sphere radius='0.1'/>", "<box size='1 2 3'/>", "<cylinder radius='0.1' length='0.4'/>"
    shapes = "".join(f"<collision><geometry>{solid}</geometry></collision>" for solid in solids)
    urdf = f"<robot name='r'>{link.format('base')}</inertial>{shapes}</link></robot>"
    (tmp_path / "r.urdf").write_text(urdf)
    assert not len(lw.load(tmp_path / "r.urdf", base="free").shapes)
    robot = lw.load(tmp_path / "r.urdf", base="free", collisions=True)
    ball, box, cylinder = (shape.shape for shape in robot.shapes)
    assert (ball, box) == (lw.Ball(0.1), lw.Box((1, 2, 3)))
    assert np.linalg.norm(cylinder.points()[:, :2], axis=1) == pytest.approx(0.1)
    robot.save(tmp_path / "r.yaml")
    with pytest.raises(lw.ArgumentError, match="collisions= are for URDF"):
        lw.load(tmp_path / "r.yaml", collisions=True)
