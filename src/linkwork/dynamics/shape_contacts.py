"""Where the shapes of a linkage touch, at one state: rows of `linkwork.kernels.layout.shapes`.

Solids meet surfaces and balls in compiled code; functions of Python's and two other solids are looked at from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.dynamics.convex_pairs import MOST, Convex, Narrow, Placed
from linkwork.dynamics.kinematics import body_poses, jacobian
from linkwork.errors import ArgumentError, LinkworkError, StructureError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.shapes import C_A, C_B, C_GAP, C_NORMAL, C_PAIR, C_POINT, CONTACT_ROW
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.linkage.packing.pack_shapes import ball_rows, fields, in_stage, shapes_of, with_points
from linkwork.linkage.shapes import Solid

NEAR = 1e-3  # m: solids that are farther apart are not looked at closely
DEEP = 1e-6  # m: an overlap at the start that is told
NO_VALUE = "at t = {:g} s surface {!r} has no value or normal near {!r}: change its function"


class ShapeContacts:
    """The contacts of a linkage as it is now.

    Attributes
    ----------
    shapes : Shapes
        What may touch; with `points`, those that are kept on surfaces too.
    poses : (stages + 1, 12) array
        World pose of every stage at the last state that was looked at.
    """

    def __init__(self, linkage: Linkage, *, points: bool = False):
        self.linkage, self.shapes = linkage, shapes_of(linkage)
        if points and linkage._contacts.records:
            self.shapes = with_points(linkage, self.shapes)
        self.poses = np.empty((linkage.tree.stages + 1, 12))
        records, pairs = linkage._shapes.records, self.shapes.pairs
        self._fields = [
            (number, _placed(linkage, records[pairs[number].a]), _balls(linkage, records[pairs[number].b]))
            for number in self.shapes.fields
        ]
        used = sorted({shape for number in self.shapes.solids for shape in pairs[number][:2]})
        self._solids = [(Convex(_solid(records[k].shape)), *in_stage(linkage, records[k])) for k in used]
        place = {shape: k for k, shape in enumerate(used)}
        self._numbers = np.array(self.shapes.solids, dtype=np.int64)
        self._pairs = np.array([[place[pairs[n].a], place[pairs[n].b]] for n in self.shapes.solids], dtype=np.int64)
        self._pairs = self._pairs.reshape(-1, 2)
        self._stages = np.array([stage for _, stage, _ in self._solids], dtype=np.int64)
        self._at = np.array([np.column_stack([at.rotation, at.position]) for _, _, at in self._solids])
        self._boxes = np.array([solid.box for solid, _, _ in self._solids])
        self._narrow = Narrow(NEAR) if used else None

    @property
    def most(self) -> int:
        """How many contacts of one ball with one surface there may be."""
        return len(self.shapes.meetings)

    def tables(self, contacts: np.ndarray) -> tuple[Any, ...]:
        """What `linkwork.kernels.contact.detect.find_contacts` takes; it writes to `contacts`."""
        shapes = self.shapes
        known = fields(shapes) if len(shapes.programs) else None
        return self.poses, shapes.balls, shapes.surfaces, shapes.meetings, contacts, known

    def find(
        self, t: float, q: np.ndarray, margin: float = np.inf, look: Callable[..., int] | None = None
    ) -> np.ndarray:
        """(n, CONTACT_ROW) all contacts whose gap is at most `margin`, of two solids at most `NEAR`.

        ``look(tables, t, q, margin)`` is what finds those with surfaces, if not a kernel of its own.
        """
        self.shapes.place(t)
        rows = np.empty((self.most, CONTACT_ROW))
        found = (look or self._look)(self.tables(rows), t, np.array(q), float(margin))
        lost = np.flatnonzero(np.isnan(rows[:found, C_GAP]))
        if len(lost):
            raise ArgumentError(NO_VALUE.format(t, *self.names(int(rows[lost[0], C_PAIR]))))
        return np.concatenate([rows[:found], self.in_python(t, margin)])

    def _look(self, tables: tuple[Any, ...], t: float, q: np.ndarray, margin: float) -> int:
        tree = self.linkage.tree
        return call(("contact.detect", "find_contacts"), tree.model, tree.index, tables, float(t), q, margin)

    def in_python(self, t: float, margin: float) -> np.ndarray:
        """(n, CONTACT_ROW) those that compiled code does not find, at the state whose poses are in `poses`."""
        rows = [row for row in self._of_fields(t) + self._of_solids() if row[C_GAP] <= margin]
        return np.array(rows).reshape(-1, CONTACT_ROW)

    def _of_fields(self, t: float) -> list[np.ndarray]:
        """Contacts with surfaces that compiled code does not know."""
        rows = []
        for number, (surface, stage, R, p), balls in self._fields:
            at, own = self.poses[stage], self.poses[int(balls[0, 0])]
            R, p = at[:9].reshape(3, 3) @ R, at[9:] + at[:9].reshape(3, 3) @ p
            centres, radius = own[9:] + balls[:, 1:4] @ own[:9].reshape(3, 3).T, balls[0, 4]
            try:
                solid, y = _solid(self.linkage._shapes.records[self.shapes.pairs[number].b].shape), (centres - p) @ R
                within = [surface.nearest_between(y[a], y[b], t) for a, b in solid.edges()]
                within += [surface.nearest_within(y[face], t) for face in solid.polygons()]
                y = np.concatenate([y, *within])
                found, centres = [surface.nearest(each, t) for each in y], y @ R.T + p
            except LinkworkError as error:
                raise type(error)(f"shape {self.names(number)[0]!r}: {error}") from None
            for k, (centre, (local, away)) in enumerate(zip(centres, found, strict=True)):
                size = float(np.sqrt(local.gradient @ local.gradient))
                if not size > 0.0:
                    raise ArgumentError(NO_VALUE.format(t, *self.names(number)))
                n = R @ local.gradient / size
                velocity = -local.C_t / size * n if local.velocity is None else R @ local.velocity
                gap = away - radius
                rows.append(self._row(number, stage, int(balls[0, 0]), centre - radius * n, n, gap, velocity, k))
        return rows

    def _of_solids(self) -> list[np.ndarray]:
        """Contacts of two solids."""
        if self._narrow is None:
            return []
        X = self.poses[self._stages]
        at = X[:, :9].reshape(-1, 3, 3) @ self._at
        R, p = at[:, :, :3], at[:, :, 3] + X[:, 9:]
        placed = [Placed(solid, R[k], p[k]) for k, (solid, _, _) in enumerate(self._solids)]
        centres = p + np.einsum("nij,nj->ni", R, self._boxes[:, 0])
        sizes = np.einsum("nij,nj->ni", np.abs(R), self._boxes[:, 1])  # of boxes along the world's axes
        a, b = self._pairs.T
        close = (np.abs(centres[a] - centres[b]) <= sizes[a] + sizes[b] + NEAR).all(axis=1)
        rows, still = [], np.zeros(3)
        for k in np.flatnonzero(close):
            number, i, j = int(self._numbers[k]), *self._pairs[k]
            n, points = self._narrow.points(placed[i], placed[j])
            stages = self._solids[i][1], self._solids[j][1]
            rows += [self._row(number, *stages, x, n, gap, still, f) for f, (x, gap) in enumerate(points)]
        return rows

    def _row(self, number: int, a: int, b: int, x, n, gap: float, velocity, feature: int) -> np.ndarray:
        pair = self.shapes.pairs[number]
        rub = gap, pair.friction, pair.static_friction, pair.restitution
        return np.array([a, b, *x, *n, *rub, *velocity, number, self.most + MOST * number + feature])

    def names(self, number: int) -> tuple[str, str]:
        """The shapes of a pair: what pushes, and what is pushed."""
        names, pair = self.linkage._shapes.names, self.shapes.pairs[number]
        if pair.a < 0:  # a point that is kept on a surface
            name = self.linkage.contacts.names[-1 - pair.a]
            return f"surface of {name}", name
        return names[pair.a], names[pair.b]

    def refuse_overlap(self, rows: np.ndarray) -> None:
        """Raise where shapes overlap at the start, in these contacts."""
        if not len(rows) or rows[:, C_GAP].min() > -DEEP:
            return
        deepest = rows[int(np.argmin(rows[:, C_GAP]))]
        a, b = self.names(int(deepest[C_PAIR]))
        raise StructureError(
            f"shapes {b!r} and {a!r} overlap by {-deepest[C_GAP]:.3g} m at the start: move them apart, or let them "
            f"pass through each other with linkage.part({b!r}, {a!r}); close=True pushes them apart"
        )


def contact_wrenches(
    linkage: Linkage, q: np.ndarray, at: np.ndarray, rows: np.ndarray, forces: np.ndarray
) -> np.ndarray:
    """(n, nb, 6) what forces do to every body: each acts at the contact in its row, in one of the states q (n, nq)."""
    wrenches = np.zeros((len(q), linkage.nb, 6))
    with no_batch_compiled():
        origins = body_poses(linkage, q.copy()).positions.reshape(-1, linkage.nb, 3)
    for column, sign in ((C_B, 1.0), (C_A, -1.0)):
        moved = np.flatnonzero(rows[:, column] >= 0)
        where = at[moved], linkage.tree.body[rows[moved, column].astype(int)]
        arms = rows[moved, C_POINT : C_POINT + 3] - origins[where]
        np.add.at(wrenches, where, sign * np.hstack([forces[moved], np.cross(arms, forces[moved])]))
    return wrenches


def contact_frames(linkage: Linkage, q: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3, 3) normals and tangents of contacts at a pose, and (n, 3, nv) how b's point moves beside a's."""
    n = len(rows)
    frames, J, poses = np.empty((n, 3, 3)), np.zeros((n, 3, linkage.nv)), body_poses(linkage, q)
    for k, row in enumerate(rows):
        x, normal = row[C_POINT : C_POINT + 3], row[C_NORMAL : C_NORMAL + 3]
        first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
        first /= np.linalg.norm(first)
        frames[k] = normal, first, np.cross(normal, first)
        for stage, sign in ((int(row[C_B]), 1.0), (int(row[C_A]), -1.0)):
            if stage >= 0:
                body = int(linkage.tree.body[stage])
                point = poses.rotations[body].T @ (x - poses.positions[body])
                J[k] += sign * jacobian(linkage, q, linkage.columns.body_names[body], point)[:3]
    return frames, J


def _placed(linkage: Linkage, record: Any) -> tuple[Implicit, int, np.ndarray, np.ndarray]:
    stage, at = in_stage(linkage, record)
    return record.shape, stage, at.rotation, at.position


def _balls(linkage: Linkage, record: Any) -> np.ndarray:
    return ball_rows(linkage, record)[: len(record.shape.points())]


def _solid(shape: Any) -> Solid:
    assert isinstance(shape, Solid)
    return shape
