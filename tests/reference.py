"""Dynamics once more, in plain NumPy and world coordinates: slow, dense, and independent of every kernel.

Positions, velocities and accelerations of bodies come from the joints' definitions in docs/conventions.md.

`Reference` is for trees: the mass matrix is the sum of Jᵀ I J over bodies and the bias that of Jᵀ times each body's
inertial force. `Maximal` is for everything: six accelerations per body and one per degree of freedom of every joint,
tree and loop joints alike, are the unknowns y; joints, couplings and surfaces are rows C y = d; the motion is the y of
least constraint (Gauss), found in the null space of C. Lengths are measured by the linkage's own.
"""

import functools
import weakref

import numpy as np

import linkwork as lw


def cross(x, y):
    """x × y, ten times as fast as NumPy's."""
    (a, b, c), (d, e, f) = x, y
    return np.array([b * f - c * e, c * d - a * f, a * e - b * d])


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def rotation(axis, angle):
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion_rotation(x, y, z, w):
    u = np.array([x, y, z])
    return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * skew(u)


_kinds = weakref.WeakKeyDictionary()


def kinds_of(linkage):
    """The types of a linkage's tree joints, which take long to read one by one."""
    if _kinds.get(linkage, (None,))[0] != linkage.revision:
        _kinds[linkage] = linkage.revision, [joint.type for joint in linkage.joints]
    return _kinds[linkage][1]


def joint_motion(kind, q, v):
    """Rotation, translation, S (6 × n, linear first, child axes) and (dS/dt) v of a joint."""
    zero, none = np.zeros(3), np.zeros(6)
    if isinstance(kind, lw.Fixed):
        return np.eye(3), zero, np.zeros((6, 0)), none
    if isinstance(kind, lw.Revolute):
        s = np.array(kind.axis)
        return rotation(s, q[0]), zero, np.r_[zero, s][:, None], none
    if isinstance(kind, lw.Prismatic):
        s = np.array(kind.axis)
        return np.eye(3), q[0] * s, np.r_[s, zero][:, None], none
    if isinstance(kind, lw.Helical):
        s = np.array(kind.axis)
        return rotation(s, q[0]), kind.pitch * q[0] * s, np.r_[kind.pitch * s, s][:, None], none
    if isinstance(kind, lw.Cylindrical):
        s = np.array(kind.axis)
        return rotation(s, q[1]), q[0] * s, np.c_[np.r_[s, zero], np.r_[zero, s]], none
    if isinstance(kind, lw.Universal):
        a, b = np.array(kind.a), np.array(kind.b)
        a_child = rotation(b, q[1]).T @ a
        drift = np.r_[zero, -v[0] * v[1] * cross(b, a_child)]
        return rotation(a, q[0]) @ rotation(b, q[1]), zero, np.c_[np.r_[zero, a_child], np.r_[zero, b]], drift
    if isinstance(kind, lw.Gimbal):
        a, b, c = np.array(kind.a), np.array(kind.b), np.array(kind.c)
        R1, R2, R3 = rotation(a, q[0]), rotation(b, q[1]), rotation(c, q[2])
        s = (R2 @ R3).T @ a, R3.T @ b, c
        after = (v[1] * s[1] + v[2] * s[2], v[2] * s[2])  # what turns each axis on, seen from the child
        drift = np.r_[zero, v[0] * cross(s[0], after[0]) + v[1] * cross(s[1], after[1])]
        return R1 @ R2 @ R3, zero, np.vstack([np.zeros((3, 3)), np.stack(s, axis=1)]), drift
    if isinstance(kind, lw.Planar):
        z = np.array(kind.normal)
        x = np.array(kind.axes()[1])
        y = cross(z, x)
        return rotation(z, q[2]), q[0] * x + q[1] * y, np.c_[np.r_[x, zero], np.r_[y, zero], np.r_[zero, z]], none
    if isinstance(kind, lw.Spherical):
        return quaternion_rotation(*q), zero, np.r_[np.zeros((3, 3)), np.eye(3)], none
    return quaternion_rotation(*q[3:]), np.array(q[:3]), np.eye(6), none


class Reference:
    """World motion of every body at (q, v), and the equations of motion."""

    def __init__(self, linkage, q, v):
        nb, nv = linkage.nb, linkage.nv
        self.linkage, self.v = linkage, v
        self.kind = kind = np.result_type(q, v)  # complex ones give derivatives without differences
        self.R, self.p = np.empty((nb, 3, 3), kind), np.empty((nb, 3), kind)
        self.J = np.zeros((nb, 6, nv), kind)
        self.bias = np.zeros((nb, 6), kind)  # classical acceleration at dv/dt = 0
        self.twist = np.zeros((nb, 6), kind)
        kinds = kinds_of(linkage)
        for body in linkage.bodies:
            i, joint = body.index, body.joint
            parent = joint.parent.index
            Rp, pp = (np.eye(3), np.zeros(3)) if parent < 0 else (self.R[parent], self.p[parent])
            vj = v[joint.v_slice]
            Rj, pj, S, drift = joint_motion(kinds[i], q[joint.q_slice], vj)
            at = joint.at
            self.R[i] = R = Rp @ at.rotation @ Rj
            self.p[i] = pp + Rp @ (at.position + at.rotation @ pj)
            if parent >= 0:
                r = self.p[i] - pp
                self.J[i] = self.J[parent]
                self.J[i, :3] -= skew(r) @ self.J[parent, 3:]
                w, al, a0 = self.twist[parent, 3:], self.bias[parent, 3:], self.bias[parent, :3]
                self.bias[i, :3] = a0 + cross(al, r) + cross(w, cross(w, r))
                self.bias[i, 3:] = al
            else:
                w = np.zeros(3)
            self.J[i, :3, joint.v_slice] += R @ S[:3]
            self.J[i, 3:, joint.v_slice] += R @ S[3:]
            u = S @ vj
            self.bias[i, :3] += 2 * cross(w, R @ u[:3]) + R @ (drift[:3] + cross(u[3:], u[:3]))
            self.bias[i, 3:] += cross(w, R @ u[3:]) + R @ drift[3:]
            self.twist[i] = self.J[i] @ v

    def equations(self, f_ext=None):
        """H and b with τ = H a + b; armature and damping in them."""
        linkage = self.linkage
        columns = linkage.columns
        H = np.diag(np.array(columns.armature)).astype(self.kind)
        b = (columns.damping * self.v).astype(self.kind)
        for body in linkage.bodies:
            i, inertia = body.index, body.inertia
            R, c = self.R[i], self.R[i] @ np.array(inertia.com)
            J = self.J[i].copy()
            J[:3] -= skew(c) @ J[3:]
            I = R @ np.array(inertia.matrix) @ R.T
            w, al = self.twist[i, 3:], self.bias[i, 3:]
            acceleration = self.bias[i, :3] + cross(al, c) + cross(w, cross(w, c)) - linkage.gravity
            H += inertia.mass * J[:3].T @ J[:3] + J[3:].T @ I @ J[3:]
            b += inertia.mass * J[:3].T @ acceleration + J[3:].T @ (I @ al + cross(w, I @ w))
            if f_ext is not None:
                b -= self.J[i].T @ f_ext[i]
        return H, b


class Undecided(Exception):  # noqa: N818
    """A pose so near to a singular one that double precision cannot tell."""


class Singular(Exception):  # noqa: N818
    """Some motion has no inertia."""


DEPENDENT, INDEPENDENT = 1e-10, 1e-6  # singular values of C: zero below, not so above, undecided between
MASSLESS, MASSIVE = 1e-12, 1e-7  # the same of the inertia of motions, beside the largest


class Maximal:
    """The equations of motion of a linkage at (q, v) in maximal coordinates: open or closed, with surfaces and springs.

    y = (linear and angular acceleration of each body's origin, world axes; dv/dt of the tree joints; of the loop
    joints). `length` is the unit of length, so that rows and unknowns compare. What depends on the pose alone is taken
    over from `same_pose`.
    """

    def __init__(self, linkage, q, v, *, length=1.0, same_pose=None):
        self.linkage, self.length = linkage, length
        if same_pose is not None:
            self.null_space, self.units = same_pose.null_space, same_pose.units
        self.tree = tree = Reference(linkage, q, v)
        nb, nv = linkage.nb, linkage.nv
        self.theta, self.rates = lw.loop_coordinates(linkage, q, v) if len(linkage.loops) else (np.zeros(0),) * 2
        self.size = 6 * nb + nv + len(self.rates)
        self.q, self.v = q, v
        self.rows, self.right = [], []
        here = lw.Pose()
        for body, kind in zip(linkage.bodies, kinds_of(linkage), strict=True):
            joint = body.joint
            self._join(joint.parent.index, joint.at, body.index, here, kind, q[joint.q_slice], joint.v_slice)
        for loop in linkage.loops:
            theta = self.theta[loop.q_slice.start - linkage.nq : loop.q_slice.stop - linkage.nq]
            self._join(loop.parent.index, loop.at_a, loop.real.index, loop.at_b, loop.type, theta, loop.v_slice)
        for coupling in linkage.couplings:
            row = np.zeros((1, self.size))
            row[0, 6 * nb + linkage.joints[coupling.joint].v_slice.start] += 1.0
            leader = linkage.joints[coupling.of]
            slope, bend = (np.polynomial.Polynomial(coupling.coefficients).deriv(k)(q[leader.q_slice]) for k in (1, 2))
            row[0, 6 * nb + leader.v_slice.start] -= slope[0]
            self._add(row, bend * v[leader.v_slice] ** 2)
        for contact in linkage.contacts:
            i = contact.body.index
            arm, w = tree.R[i] @ np.array(contact.point), tree.twist[i, 3:]
            r, dr = tree.p[i] + arm, tree.twist[i, :3] + cross(w, arm)
            gradient, hessian = surface_slope(contact.surface, r)
            row = np.zeros((1, self.size))
            row[0, 6 * i : 6 * i + 6] = np.r_[gradient, cross(arm, gradient)] / np.linalg.norm(gradient)
            right = gradient @ cross(w, cross(w, arm)) + dr @ hessian @ dr
            self._add(row, np.array([-right]) / np.linalg.norm(gradient), linear=1)
        self.C = np.concatenate(self.rows)
        self.d = np.concatenate(self.right)

    def _frame(self, body, at):
        """Rotation of a frame fixed to a body, its origin from the body's, and the body's twist; −1 is ground."""
        if body < 0:
            return at.rotation, at.position, np.zeros(3), np.zeros(6)
        R = self.tree.R[body]
        return R @ at.rotation, R @ at.position, self.tree.p[body], self.tree.twist[body]

    def _add(self, rows, right, linear=0):
        """Rows with their right-hand sides, the first `linear` of them in m/s²; unknowns in units of the length."""
        rows = rows * self.scale
        scale = np.where(np.arange(len(rows)) < linear, 1.0 / self.length, 1.0)
        if not linear:  # a coupling, of one kind of coordinates or of two
            scale = 1.0 / np.abs(rows).max(axis=1, initial=0.0)
        self.rows.append(rows * scale[:, None])
        self.right.append(right * scale)

    @functools.cached_property
    def units(self):
        """The unit of every degree of freedom: the length where it slides, 1 where it turns."""
        sliding = []
        joints, kinds = [*self.linkage.joints, *self.linkage.loops], kinds_of(self.linkage)
        for joint, kind in zip(joints, [*kinds, *(loop.type for loop in self.linkage.loops)], strict=True):
            _, _, S, _ = joint_motion(kind, _rest(joint), np.zeros(joint.nv))
            sliding += [self.length if not S[3:, k].any() else 1.0 for k in range(S.shape[1])]
        return np.array(sliding)

    def _join(self, a, at_a, b, at_b, kind, q, place):
        """Six rows: acceleration of the frame on b, less that of the frame on a, less the joint's own."""
        nb = self.linkage.nb
        v = np.r_[self.v, self.rates][place]
        _, _, S, drift = joint_motion(kind, q, v)
        Rb, rb, pb, twist_b = self._frame(b, at_b)
        _, _, pa, twist_a = self._frame(a, at_a)
        ra, (wa, wb) = pb + rb - pa, (twist_a[3:], twist_b[3:])
        u = S @ v
        rows = np.zeros((6, self.size))
        for body, r, sign in ((b, rb, 1.0), (a, ra, -1.0)):
            if body >= 0:
                rows[:3, 6 * body : 6 * body + 3] += sign * np.eye(3)
                rows[:3, 6 * body + 3 : 6 * body + 6] -= sign * skew(r)
                rows[3:, 6 * body + 3 : 6 * body + 6] += sign * np.eye(3)
        rows[:3, 6 * nb + place.start : 6 * nb + place.stop] -= Rb @ S[:3]
        rows[3:, 6 * nb + place.start : 6 * nb + place.stop] -= Rb @ S[3:]
        linear = cross(wa, cross(wa, ra)) - cross(wb, cross(wb, rb))
        linear = linear + 2 * cross(wa, Rb @ u[:3]) + Rb @ (drift[:3] + cross(u[3:], u[:3]))
        angular = cross(wa, Rb @ u[3:]) + Rb @ drift[3:]
        self._add(rows, np.r_[linear, angular], linear=3)

    def forces(self, tau=None, f_ext=None):
        """M and F with M y = F + Cᵀ λ: inertias of bodies and rotors; gravity, gyroscopic and applied forces."""
        linkage, tree, nb, nv = self.linkage, self.tree, self.linkage.nb, self.linkage.nv
        M, F = np.zeros((self.size, self.size)), np.zeros(self.size)
        for body in linkage.bodies:
            i, inertia = body.index, body.inertia
            at = slice(6 * i, 6 * i + 6)
            c, w = tree.R[i] @ np.array(inertia.com), tree.twist[i, 3:]
            I = tree.R[i] @ np.array(inertia.matrix) @ tree.R[i].T
            P = np.c_[np.eye(3), -skew(c)]
            M[at, at] = inertia.mass * P.T @ P
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] += I
            F[at] = inertia.mass * P.T @ (linkage.gravity - cross(w, cross(w, c)))
            F[6 * i + 3 : 6 * i + 6] -= cross(w, I @ w)
            if f_ext is not None:
                F[at] += f_ext[i]
        columns, joints = linkage.columns, slice(6 * nb, self.size)
        M[range(6 * nb, 6 * nb + nv), range(6 * nb, 6 * nb + nv)] = columns.armature
        damping = [np.broadcast_to(loop.type.damping, loop.nv) for loop in linkage.loops]
        F[joints] -= np.concatenate([columns.damping, *damping]) * np.r_[self.v, self.rates]
        if tau is not None:
            F[6 * nb : 6 * nb + len(tau)] += tau
        for force in linkage.forces:
            self._apply(force, F)
        return M, F

    def _apply(self, force, F):
        nb = self.linkage.nb
        if isinstance(force, lw.JointSpring):
            joint = self.linkage.joints[force.joint]
            F[6 * nb + joint.v_slice.start : 6 * nb + joint.v_slice.stop] -= force.stiffness * (
                self.q[joint.q_slice] - force.rest
            )
            return
        ends = []
        for name, point in ((force.a, force.point_a), (force.b, force.point_b)):
            body = -1 if name == "ground" else self.linkage.bodies[name].index
            _, arm, origin, twist = self._frame(body, lw.Pose(point))
            ends.append((body, arm, origin + arm, twist[:3] + cross(twist[3:], arm)))
        (a, arm_a, ra, va), (b, arm_b, rb, vb) = ends
        length = np.linalg.norm(rb - ra)
        n = (rb - ra) / length
        pull = force.stiffness * (length - force.rest_length) + force.damping * (vb - va) @ n
        for body, arm, sign in ((a, arm_a, 1.0), (b, arm_b, -1.0)):
            if body >= 0:
                F[6 * body : 6 * body + 6] += sign * pull * np.r_[n, cross(arm, n)]

    @functools.cached_property
    def scale(self):
        """What every unknown is measured in."""
        one = np.tile([self.length] * 3 + [1.0] * 3, self.linkage.nb)
        return np.r_[one, self.units]

    @functools.cached_property
    def null_space(self):
        """An orthonormal basis of the motions that C allows (scaled), what inverts C on the others, and its rank."""
        u, sigma, vt = np.linalg.svd(self.C)
        if ((sigma > DEPENDENT) & (sigma < INDEPENDENT)).any():
            raise Undecided
        rank = int((sigma >= INDEPENDENT).sum())
        return vt[rank:].T, (vt[:rank].T / sigma[:rank]) @ u[:, :rank].T, rank

    def least(self, M, F, d):
        """The y with C y = d for which ½ yᵀ M y − Fᵀ y is least."""
        N, inverse, _ = self.null_space
        D = self.scale
        M, F = D[:, None] * M * D, D * F
        start = inverse @ d
        if not N.shape[1]:
            return D * start
        reduced = N.T @ M @ N
        sizes, axes = np.linalg.eigh(reduced)
        largest = max(sizes[-1], M.diagonal().max(initial=0.0) * np.square(N).sum(axis=0).max())
        if sizes[0] < MASSLESS * largest:
            raise Singular
        if sizes[0] < MASSIVE * largest:
            raise Undecided
        step = axes @ ((axes.T @ (N.T @ (F - M @ start))) / sizes)
        return D * (start + N @ step)

    def accelerations(self, tau=None, f_ext=None):
        """dv/dt of the tree joints."""
        y = self.least(*self.forces(tau, f_ext), self.d)
        return y[6 * self.linkage.nb :][: self.linkage.nv]

    def nearest(self, v):
        """The velocity that keeps all constraints, nearest to v by kinetic energy."""
        M, _ = self.forces()
        twist = np.einsum("nij,j->ni", self.tree.J, v).ravel()
        y = self.least(M, M @ np.r_[twist, v, np.zeros(len(self.rates))], np.zeros(len(self.d)))
        return y[6 * self.linkage.nb :][: self.linkage.nv]

    def freedom(self):
        """How many degrees of freedom are left."""
        return self.null_space[0].shape[1]


def surface_slope(surface, r):
    """Gradient and second derivatives of a plane or a sphere at r."""
    if isinstance(surface, lw.Plane):
        return np.array(surface.normal) / np.linalg.norm(surface.normal), np.zeros((3, 3))
    n = r - np.array(surface.center)
    distance = np.linalg.norm(n)
    n = n / distance
    return n, (np.eye(3) - np.outer(n, n)) / distance


def _rest(joint):
    """Coordinates of a joint at its zero."""
    q = np.zeros(joint.nq)
    if joint.nq != joint.nv:
        q[-1] = 1.0
    return q
