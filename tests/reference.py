"""Tree dynamics once more, in plain NumPy and world coordinates: slow, and independent of every kernel.

Positions, velocities and accelerations of bodies come from the joints' definitions in docs/conventions.md; the mass
matrix is the sum of Jᵀ I J over bodies and the bias that of Jᵀ times each body's inertial force.
"""

import numpy as np

import linkwork as lw


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def rotation(axis, angle):
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion_rotation(x, y, z, w):
    u = np.array([x, y, z])
    return (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * skew(u)


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
        drift = np.r_[zero, -v[0] * v[1] * np.cross(b, a_child)]
        return rotation(a, q[0]) @ rotation(b, q[1]), zero, np.c_[np.r_[zero, a_child], np.r_[zero, b]], drift
    if isinstance(kind, lw.Gimbal):
        a, b, c = np.array(kind.a), np.array(kind.b), np.array(kind.c)
        R1, R2, R3 = rotation(a, q[0]), rotation(b, q[1]), rotation(c, q[2])
        s = (R2 @ R3).T @ a, R3.T @ b, c
        after = (v[1] * s[1] + v[2] * s[2], v[2] * s[2])  # what turns each axis on, seen from the child
        drift = np.r_[zero, v[0] * np.cross(s[0], after[0]) + v[1] * np.cross(s[1], after[1])]
        return R1 @ R2 @ R3, zero, np.vstack([np.zeros((3, 3)), np.stack(s, axis=1)]), drift
    if isinstance(kind, lw.Planar):
        z = np.array(kind.normal)
        x = np.array(kind.axes()[1])
        y = np.cross(z, x)
        return rotation(z, q[2]), q[0] * x + q[1] * y, np.c_[np.r_[x, zero], np.r_[y, zero], np.r_[zero, z]], none
    if isinstance(kind, lw.Spherical):
        return quaternion_rotation(*q), zero, np.r_[np.zeros((3, 3)), np.eye(3)], none
    return quaternion_rotation(*q[3:]), np.array(q[:3]), np.eye(6), none


class Reference:
    """World motion of every body at (q, v), and the equations of motion."""

    def __init__(self, linkage, q, v):
        nb, nv = linkage.nb, linkage.nv
        self.linkage, self.v = linkage, v
        self.R, self.p = np.empty((nb, 3, 3)), np.empty((nb, 3))
        self.J = np.zeros((nb, 6, nv))
        self.bias = np.zeros((nb, 6))  # classical acceleration at dv/dt = 0
        self.twist = np.zeros((nb, 6))
        for body in linkage.bodies:
            i, joint = body.index, body.joint
            parent = joint.parent.index
            Rp, pp = (np.eye(3), np.zeros(3)) if parent < 0 else (self.R[parent], self.p[parent])
            vj = v[joint.v_slice]
            Rj, pj, S, drift = joint_motion(joint.type, q[joint.q_slice], vj)
            at = joint.at
            self.R[i] = R = Rp @ at.rotation @ Rj
            self.p[i] = pp + Rp @ (at.position + at.rotation @ pj)
            if parent >= 0:
                r = self.p[i] - pp
                self.J[i] = self.J[parent]
                self.J[i, :3] -= skew(r) @ self.J[parent, 3:]
                w, al, a0 = self.twist[parent, 3:], self.bias[parent, 3:], self.bias[parent, :3]
                self.bias[i, :3] = a0 + np.cross(al, r) + np.cross(w, np.cross(w, r))
                self.bias[i, 3:] = al
            else:
                w = np.zeros(3)
            self.J[i, :3, joint.v_slice] += R @ S[:3]
            self.J[i, 3:, joint.v_slice] += R @ S[3:]
            u = S @ vj
            self.bias[i, :3] += 2 * np.cross(w, R @ u[:3]) + R @ (drift[:3] + np.cross(u[3:], u[:3]))
            self.bias[i, 3:] += np.cross(w, R @ u[3:]) + R @ drift[3:]
            self.twist[i] = self.J[i] @ v

    def equations(self, f_ext=None):
        """H and b with τ = H a + b; armature and damping in them."""
        linkage = self.linkage
        columns = linkage.columns
        H = np.diag(np.array(columns.armature))
        b = columns.damping * self.v
        for body in linkage.bodies:
            i, inertia = body.index, body.inertia
            R, c = self.R[i], self.R[i] @ np.array(inertia.com)
            J = self.J[i].copy()
            J[:3] -= skew(c) @ J[3:]
            I = R @ np.array(inertia.matrix) @ R.T
            w, al = self.twist[i, 3:], self.bias[i, 3:]
            acceleration = self.bias[i, :3] + np.cross(al, c) + np.cross(w, np.cross(w, c)) - linkage.gravity
            H += inertia.mass * J[:3].T @ J[:3] + J[3:].T @ I @ J[3:]
            b += inertia.mass * J[:3].T @ acceleration + J[3:].T @ (I @ al + np.cross(w, I @ w))
            if f_ext is not None:
                b -= self.J[i].T @ f_ext[i]
        return H, b
