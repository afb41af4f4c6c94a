"""Handles of bodies and of the frames fixed to them."""

from __future__ import annotations

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import check_kind
from linkwork.linkage.family import family_of
from linkwork.linkage.handle import Handle
from linkwork.linkage.inertia import Inertia, full, six
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.pose import Pose

GROUND = "ground"


class Body(Handle):
    """Handle of a body. Index -1 is ground: the world, without inertia, parent or joint.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> arm.bodies["link1"].parent.name, arm.bodies["link1"].child.name, arm.bodies["link1"].mass
    ('link0', 'link2', 1.0)
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The body's name."""
        return GROUND if self.index < 0 else self.linkage.columns.body_names[self.index]

    @property
    def inertia(self) -> Inertia:
        """Mass, centre of mass and inertia; can be set."""
        columns, i = self.linkage.columns, self._moving()
        return Inertia.trusted(float(columns.mass[i]), columns.com[i].copy(), full(columns.inertia[i]))

    @inertia.setter
    def inertia(self, value: Inertia) -> None:
        check_kind(value, Inertia, "inertia", "an Inertia")
        i = self._moving()
        self.linkage._set_parameters(mass=(i, value.mass), com=(i, value.com), inertia=(i, six(value.matrix)))

    @property
    def mass(self) -> float:
        """In kg."""
        return float(self.linkage.columns.mass[self._moving()])

    @property
    def parent(self) -> Body | None:
        """The body (or ground) it hangs on; None for ground."""
        return None if self.index < 0 else self.linkage._body_at(int(self.linkage.columns.parent[self.index]))

    @property
    def joint(self) -> Joint | None:
        """Its tree joint; None for ground."""
        return None if self.index < 0 else Joint(self.linkage, self.index)

    @property
    def children(self) -> list[Body]:
        """The bodies that hang on it, in order of adding."""
        found, next_one = [], self.child
        while next_one is not None:
            found.append(next_one)
            next_one = next_one.brother
        return found

    @property
    def child(self) -> Body | None:
        """The first body that hangs on it, None where there is none; its `brother` is the next one."""
        return self._other(family_of(self.linkage).child[self.index])

    @property
    def brother(self) -> Body | None:
        """The next body on the same parent, in order of adding; None for the last one and for ground."""
        return None if self.index < 0 else self._other(family_of(self.linkage).brother[self.index])

    def _other(self, index: int) -> Body | None:
        return None if index < 0 else Body(self.linkage, index)

    @property
    def frames(self) -> list[Frame]:
        """The frames fixed to it."""
        return [frame for frame in self.linkage.frames if frame.body == self]

    def _moving(self) -> int:
        if self.index < 0:
            raise ArgumentError("ground has no inertia")
        return self.index

    def __repr__(self) -> str:
        if self.index < 0:
            return "Body('ground')"
        parent = self.linkage._body_at(int(self.linkage.columns.parent[self.index]))
        return f"Body({self.name!r}, {self.mass:.6g} kg, on {parent.name!r})"


class Frame(Handle):
    """Handle of a named pose fixed to a body (or to ground).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> tool = arm.add_frame("tool", "link1", lw.Pose((0, 0, -1)))
    >>> lw.body_poses(arm, arm.neutral())["tool"].position
    array([ 0.,  0., -2.])
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The frame's name."""
        return self.linkage.frames.names[self.index]

    @property
    def body(self) -> Body:
        """The body it is fixed to."""
        return self.linkage._body_at(self.linkage._resolve(self)[0])

    @property
    def pose(self) -> Pose:
        """The frame in the body's frame."""
        return self.linkage._resolve(self)[1]

    def __repr__(self) -> str:
        return f"Frame({self.name!r} on {self.body.name!r}, {self.pose!r})"
