"""Adding very many bodies at once: the checks of `Linkage.add_body`, on whole columns."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, LinkworkWarning
from linkwork.kernels.layout.kinds import BOUNDED, FREE, KIND_NV, PLANAR, REVOLUTE
from linkwork.linkage.checks import UNIT
from linkwork.linkage.columns import BODY, DOF
from linkwork.linkage.inertia import physical
from linkwork.linkage.joint import TYPES
from linkwork.linkage.joint_type import AXES, PARALLEL, Z
from linkwork.linkage.pose import ACCEPTED, in_plane

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage

NOT_NEGATIVE = ("damping", "armature", "coulomb", "effort", "velocity_limit")


def add_bodies(
    linkage: Linkage, names: Sequence[str], given: dict[str, Any], joint_names: Sequence[str] | None
) -> range:
    """Check whole columns and append them; see `Linkage.add_bodies`."""
    names = list(names)
    joints = names if joint_names is None else list(joint_names)
    _check_names(linkage, names, joints)
    rows = _Rows(names, given)
    first = linkage.nb

    code = rows.integers("code", REVOLUTE)
    rows.refuse((code < 0) | (code >= len(TYPES)), "code is not that of a joint type", code)
    parent = rows.integers("parent", -1)
    late = parent >= np.arange(first, first + len(names))
    rows.refuse((parent < -1) | late, "parent must be the row of an earlier body, or -1 for ground", parent)

    body: dict[str, Any] = {"code": code, "parent": parent}
    for column in ("mass", "com", "inertia", "pitch", "at_position"):
        body[column] = rows.finite(column, 0.0)
    rows.refuse(body["mass"] < 0.0, "mass must not be negative", body["mass"])
    strange = ~physical(*body["inertia"].T)
    if strange.any():
        first_name = names[int(np.argmax(strange))]
        message = f"{strange.sum()} bodies, the first {first_name!r}, have an inertia that no rigid body has"
        warnings.warn(message, LinkworkWarning, stacklevel=3)

    body["at_rotation"] = rows.finite("at_rotation", np.eye(3))
    if "at_rotation" in given:
        rotation = body["at_rotation"]
        error = np.abs(rotation @ np.swapaxes(rotation, 1, 2) - np.eye(3)).max(axis=(1, 2))
        rows.refuse(error > ACCEPTED, "at_rotation is not orthonormal; R Rᵀ - 1 reaches", error)
        rows.refuse(np.linalg.det(rotation) < 0.0, "at_rotation is a reflection, off by", error)

    count = np.array([len(kind.axis_names()) for kind in TYPES])[code]
    for k, column in enumerate(AXES):
        body[column] = rows.unit(column, count > k)
        if k and np.any(count > k):
            across = np.linalg.norm(np.cross(body[AXES[k - 1]], body[column]), axis=1)
            parallel = (count > k) & (across < PARALLEL)
            rows.refuse(parallel, "successive axes of its joint are parallel: |a × b| =", across)
    body["axis2"][code == PLANAR] = in_plane(body["axis"][code == PLANAR])

    linkage._append(names, joints, body, _dof_columns(rows, code))
    return range(first, linkage.nb)


def _dof_columns(rows: _Rows, code: np.ndarray) -> dict[str, np.ndarray]:
    """Return one entry per degree of freedom from one value per body."""
    dof = {}
    for column, (dtype, default) in DOF.items():
        if column not in rows.given:
            continue
        values = rows.column(column, default, (), dtype)
        rows.refuse(np.isnan(values), f"{column} must be a number", values)
        if column in NOT_NEGATIVE:
            rows.refuse(values < 0.0, f"{column} must not be negative", values)
        if column in ("damping", "armature", "coulomb"):
            rows.refuse(np.isinf(values), f"{column} must be finite", values)
        if column in ("lower", "upper"):
            values = np.where(BOUNDED[code], values, default)
        dof[column] = np.repeat(values, KIND_NV[code])
    if "actuated" not in rows.given:
        dof["actuated"] = np.repeat(code != FREE, KIND_NV[code])
    if "lower" in dof or "upper" in dof:
        crossed = dof.get("lower", -np.inf) > dof.get("upper", np.inf)
        if np.any(crossed):
            body = np.repeat(np.arange(len(code)), KIND_NV[code])[np.argmax(crossed)]
            raise ArgumentError(f"body {rows.names[body]!r}: lower limit above upper limit")
    return dof


def _check_names(linkage: Linkage, names: list[str], joints: list[str]) -> None:
    """Check that names are new and do not repeat."""
    if len(joints) != len(names):
        raise ArgumentError(f"{len(joints)} joint names for {len(names)} bodies")
    distinct: set[str] = set()
    both = ("body", names, linkage._taken_names), ("joint", joints, linkage._taken_joint_names)
    for kind, given, taken in both:
        if not set(map(type, given)) <= {str}:
            raise ArgumentError(f"{kind} names must be strings")
        if kind == "body" or joints is not names:
            distinct = set(given)
        if "" in distinct:
            raise ArgumentError(f"a {kind} name is empty")
        if len(distinct) < len(given):
            seen: set[str] = set()
            twice = next(name for name in given if name in seen or seen.add(name))
            raise ArgumentError(f"{kind} name {twice!r} is given twice")
        for used in taken:
            common = distinct.intersection(used) if len(used) < len(distinct) else [n for n in given if n in used]
            if common:
                raise ArgumentError(f"there is already a {kind} named {min(common)!r}")


class _Rows:
    """The given columns, broadcast to one row per body; errors name the first wrong body."""

    def __init__(self, names: list[str], given: dict[str, Any]):
        unknown = set(given) - set(BODY) - set(DOF)
        if unknown:
            valid = ", ".join([*BODY, *DOF])
            raise ArgumentError(f"unknown column {min(unknown)!r}; the columns are {valid}")
        self.names, self.given = names, given

    def column(self, name: str, default: Any, shape: tuple[int, ...], dtype: type) -> np.ndarray:
        try:
            value = np.asarray(self.given.get(name, default), dtype=dtype)
            return np.broadcast_to(value, (len(self.names), *shape))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{name} must have shape ({len(self.names)}, ...{shape}): {error}") from None

    def integers(self, name: str, default: int) -> np.ndarray:
        if np.asarray(self.given.get(name, default)).dtype.kind not in "iu":
            raise ArgumentError(f"{name} must hold integers")
        return self.column(name, default, (), np.int64)

    def finite(self, name: str, default: Any) -> np.ndarray:
        values = self.column(name, default, BODY[name][0], np.float64)
        if not np.isfinite(values).all():
            bad = np.asarray(~np.isfinite(values).reshape(len(values), -1).all(axis=1))
            self.refuse(bad, f"{name} must be finite", values)
        return values

    def unit(self, name: str, needed: np.ndarray) -> np.ndarray:
        """Return unit vectors; where none is needed, z."""
        if name not in self.given and not needed.any():
            return np.tile(Z, (len(needed), 1))
        values = np.where(needed[:, None], self.finite(name, Z), Z)
        scale = np.abs(values).max(axis=1, initial=0.0)
        self.refuse(scale == 0.0, f"{name} is zero", scale)
        near = (scale <= 1.0) & (
            scale > 0.1
        )  # the others are no unit vectors, and their squares may under- or overflow
        near[near] = np.abs(np.sum(values[near] ** 2, axis=1) - 1.0) < UNIT
        scaled = values / np.where(near, 1.0, scale)[:, None]
        return scaled / np.where(near, 1.0, np.linalg.norm(scaled, axis=1))[:, None]

    def refuse(self, bad: np.ndarray, message: str, values: np.ndarray) -> None:
        if bad.any():
            row = int(np.argmax(bad))
            raise ArgumentError(f"body {self.names[row]!r}: {message} ({np.asarray(values[row]).tolist()})")
