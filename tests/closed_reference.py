"""Forward dynamics of constrained linkages in plain complex NumPy: derivatives of it need no differences.

On the world motion of `Reference`: loop joints, couplings and points on surfaces are rows J a = c, with forces of the
rows beside them, all dense. Everything is analytic in (q, v, τ), so that a complex step is exact. Loop joints: with the
velocity V of the frame on b relative to a, in its own axes, V = S(θ) θ̇, forbidden are the components K of V̇ − Ṡ θ̇.
"""

import numpy as np

import linkwork as lw
from linkwork.dynamics.tangent import tangent_gradient
from tests.reference import Reference, cross, joint_motion, skew

STEP = 1e-40  # a complex step has no cancellation


def complement(S):
    """(6 − n, 6) what a constant S leaves, orthonormal."""
    return np.linalg.svd(np.asarray(S, dtype=float))[0][:, S.shape[1] :].T


class ClosedReference:
    """Accelerations and forces of the rows of a linkage near a real state (q, v), which may be stepped off complexly.

    Surfaces are functions of r and ṙ that return C's gradient, Hessian and time derivatives ∇C_t and C_tt, the velocity
    of the material and its rate along the point's path; `sticks` says which points stick.
    """

    def __init__(self, linkage, q, v=None, *, surfaces=(), sticks=()):
        self.linkage, self.surfaces, self.sticks = linkage, surfaces, sticks or (False,) * len(surfaces)
        theta = lw.loop_coordinates(linkage, q) if len(linkage.loops) else np.zeros(0)
        self.theta = [theta[loop.q_slice.start - linkage.nq : loop.q_slice.stop - linkage.nq] for loop in linkage.loops]
        zero = np.zeros(linkage.nv)
        J = self.equations(q, zero if v is None else v, zero)[2]
        order, rest = [], J.copy()  # independent rows: the longest one, then the longest of what it leaves
        for _ in range(min(J.shape)):
            lengths = np.linalg.norm(rest, axis=1)
            k = int(lengths.argmax())
            if lengths[k] < 1e-9 * np.linalg.norm(J, axis=1).max():
                break
            order.append(k)
            unit = rest[k] / lengths[k]
            rest = rest - np.outer(rest @ unit, unit)
        self.keep, self.redundant = np.sort(order), len(J) - len(order)

    def _end(self, tree, body, at):
        """R and origin of a frame on a body, its arm, and the body's twist, Jacobian and bias."""
        if body < 0:
            nv = self.linkage.nv
            return at.rotation, at.position, at.position, np.zeros(6), np.zeros((6, nv)), np.zeros(6)
        R = tree.R[body]
        arm = R @ at.position
        return R @ at.rotation, tree.p[body] + arm, arm, tree.twist[body], tree.J[body], tree.bias[body]

    def _loop(self, tree, loop, theta):
        """Of a loop joint: J of V, V, V̇ at a = 0, in the axes of Fb; S, Ṡ θ̇, K and the rates."""
        Ra, _, _, Va, Ja, Aa = self._end(tree, loop.parent.index, loop.at_a)
        Rb, pb, rb, Vb, Jb, Ab = self._end(tree, loop.real.index, loop.at_b)
        origin = np.zeros(3) if loop.parent.index < 0 else tree.p[loop.parent.index]
        ra, wa, wb = pb - origin, Va[3:], Vb[3:]
        at = lambda J, r: np.vstack([J[:3] - skew(r) @ J[3:], J[3:]])  # noqa: E731
        J = at(Jb, rb) - at(Ja, ra)
        vb, va = Vb[:3] + cross(wb, rb), Va[:3] + cross(wa, ra)
        V = np.r_[vb - va, wb - wa]
        rate = np.r_[
            Ab[:3] + cross(Ab[3:], rb) + cross(wb, cross(wb, rb)) - Aa[:3] - cross(Aa[3:], ra) - cross(wa, vb - Va[:3]),
            Ab[3:] - Aa[3:],
        ]
        rate = rate - np.r_[cross(wb, V[:3]), cross(wb, V[3:])]
        J, V, rate = (np.concatenate([Rb.T @ x[:3], Rb.T @ x[3:]]) for x in (J, V, rate))
        kind = loop.type
        _, _, S, _ = joint_motion(kind, theta, np.zeros(loop.nv))
        if isinstance(kind, lw.Universal | lw.Gimbal):  # whose axes turn with θ, by the imaginary part of the pose
            E = Ra.T @ Rb
            turn = E.real.T @ E.imag
            step = np.array([turn[2, 1], turn[0, 2], turn[1, 0]])
            theta = theta + 1j * np.linalg.solve(S[3:].T @ S[3:], S[3:].T @ step)
            _, _, S, _ = joint_motion(kind, theta, np.zeros(loop.nv))
        rates = np.linalg.solve(S.T @ S, S.T @ V) if loop.nv else np.zeros(0)
        _, _, _, drift = joint_motion(kind, theta, rates)
        if isinstance(kind, lw.Universal):
            normal = cross(S[3:, 0], S[3:, 1])
            normal = normal / np.sqrt(normal @ normal)
            K = np.vstack([np.eye(6)[:3], np.r_[np.zeros(3), normal]])
        elif isinstance(kind, lw.Gimbal):
            K = np.eye(6)[:3]
        else:
            K = complement(S)
        return J, rate, S, drift, K, rates

    def equations(self, q, v, tau):
        """H, the forces given, J and c with J a = c, how the rows' forces act, (nv, rows); and what they are made of.

        The last: per loop the wrench of a on b in `at_b` per unit of its rows' forces and without them, per contact
        the force on its point.
        """
        linkage, nv = self.linkage, self.linkage.nv
        tree = Reference(linkage, q, v)
        H, b = tree.equations()
        given, rows, right, ways, parts = tau[:nv] - b, [], [], [], []
        for loop, theta in zip(linkage.loops, self.theta, strict=True):
            J, rate, S, drift, K, rates = self._loop(tree, loop, theta)
            rows.append(K @ J)
            right.append(K @ (drift - rate))
            ways.append((K @ J).T)
            parts.append((K.T, np.zeros(6)))
            if loop.nv:
                drive = -np.broadcast_to(loop.type.damping, loop.nv) * rates
                if len(tau) > nv:
                    drive = drive + tau[loop.v_slice]
                parts[-1] = K.T, S @ np.linalg.solve(S.T @ S, drive)
                given = given + J.T @ parts[-1][1]
        for coupling in linkage.couplings:
            leader, row = linkage.joints[coupling.of], np.zeros((1, nv), tree.kind)
            p = np.polynomial.Polynomial(coupling.coefficients)
            x = q[leader.q_slice][0]
            row[0, linkage.joints[coupling.joint].v_slice.start] += 1.0
            row[0, leader.v_slice.start] -= p.deriv()(x)
            rows.append(row)
            right.append(np.array([p.deriv(2)(x) * v[leader.v_slice.start] ** 2]))
            ways.append(row.T)
            parts.append((np.zeros((0, 1)), np.zeros(0)))
        for contact, surface, sticks in zip(linkage.contacts, self.surfaces, self.sticks, strict=True):
            J, row, c, way = self._contact(tree, contact, surface, sticks)
            rows.append(row @ J)
            right.append(c)
            ways.append(J.T @ way)
            parts.append((way, np.zeros(3)))
        return H, given, np.vstack(rows), np.concatenate(right), np.hstack(ways), parts

    def _contact(self, tree, contact, surface, sticks):
        """J of a point; directions (rows, 3) its acceleration is given in, and that; those (3, rows) of its force."""
        i = contact.body.index
        arm, w = tree.R[i] @ np.array(contact.point), tree.twist[i, 3:]
        r, dr = tree.p[i] + arm, tree.twist[i, :3] + cross(w, arm)
        J = tree.J[i, :3] - skew(arm) @ tree.J[i, 3:]
        acc = tree.bias[i, :3] + cross(tree.bias[i, 3:], arm) + cross(w, cross(w, arm))
        G, hessian, G_t, C_tt, material, drag = surface(r, dr)
        length = np.sqrt(G @ G)
        n = G / length
        curvature = (dr @ hessian @ dr + 2 * G_t @ dr + C_tt) / length
        if sticks:
            first = np.eye(3)[np.abs(n.real).argmin()]
            one = first - (n @ first) * n
            one = one / np.sqrt(one @ one)
            two = np.array([one, cross(n, one)])
            rows = np.vstack([n, two])
            return J, rows, np.r_[-n @ acc - curvature, -two @ (acc - drag)], rows.T
        slip = dr - material
        slip = slip - (n @ slip) * n
        way = n
        if contact.friction > 0:
            way = n - contact.friction * slip / np.sqrt(slip @ slip)
        return J, n[None], np.array([-n @ acc - curvature]), way[:, None]

    def forward(self, q, v, tau):
        """Accelerations; wrenches of loops and forces of contacts, with the rows that are kept alone."""
        H, given, J, c, B, parts = self.equations(q, v, tau)
        full = np.zeros(len(J), J.dtype)
        J, c, B = J[self.keep], c[self.keep], B[:, self.keep]
        m = len(J)
        M = np.block([[H, -B], [J, np.zeros((m, m))]])
        x = np.linalg.solve(M, np.r_[given, c])
        full[self.keep] = x[len(H) :]
        shares = np.split(full, np.cumsum([way.shape[1] for way, _ in parts])[:-1])
        return x[: len(H)], np.concatenate([way @ y + own for (way, own), y in zip(parts, shares, strict=True)])

    def derivatives(self, q, v, tau):
        """∂/∂q in the tangent space of `integrate`, ∂/∂v and ∂/∂τ of the accelerations and forces, by complex steps."""
        linkage, kind = self.linkage, complex
        along = np.array([tangent_gradient(linkage, q, e) for e in np.eye(linkage.nq)])
        steps = [(q + 1j * STEP * x, v, tau) for x in along.T]
        steps += [(q, v + 1j * STEP * e, tau) for e in np.eye(linkage.nv)]
        steps += [(q, v, tau + 1j * STEP * e) for e in np.eye(len(tau))]
        found = [self.forward(*(np.asarray(x, kind) for x in step)) for step in steps]
        nv = linkage.nv
        a, force = (np.array([x[k].imag / STEP for x in found]).T for k in (0, 1))
        return [x[:, part] for x in (a, force) for part in (np.s_[:nv], np.s_[nv : 2 * nv], np.s_[2 * nv :])]

    def manifold(self, q, v, lead=None):
        """Steps (δq, δv) of states that stay on the constraints: columns of W, (W, E) with J E = −∂(J v)/∂q W.

        Those of unit steps of the coordinates `lead`, whose velocities stay; else an orthonormal W.
        """
        linkage, nv = self.linkage, self.linkage.nv
        J = self.equations(q, v, np.zeros(nv))[2][self.keep].real
        free = np.ones(nv, dtype=bool)
        if lead is None:
            W = np.linalg.svd(J)[2][len(J) :].T
        else:
            free[lead] = False
            W = np.zeros((nv, len(lead)))
            W[lead] = np.eye(len(lead))
            W[free] = -np.linalg.lstsq(J[:, free], J[:, lead], rcond=None)[0]
        along = np.array([tangent_gradient(linkage, q, e) for e in np.eye(linkage.nq)])
        turned = [
            self.equations(q + 1j * STEP * (along @ w), v, np.zeros(nv))[2][self.keep].imag / STEP @ v for w in W.T
        ]
        E = np.zeros_like(W)
        E[free] = -np.linalg.lstsq(J[:, free], np.array(turned).T, rcond=None)[0]
        return W, E
