"""What parameters do: the regressor of inertias, and derivatives of accelerations by inertias and placements.

Inverse dynamics is linear in a body's ten inertial parameters π: mass m, first moment m·c, and second moments about the
origin of its frame (xx, xy, xz, yy, yz, zz), in body axes. With b = a + ω × v the acceleration of the origin, less
gravity, and α the angular one, the body needs

    f = m b + (α× + ω×ω×) m·c        n = −b× m·c + I α + ω × I ω
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.arguments import coordinates, names_of, velocities
from linkwork.dynamics.closed import mobility
from linkwork.dynamics.closed_derivatives import with_points
from linkwork.dynamics.contact_derivatives import contact_rows
from linkwork.dynamics.inverse import mass_matrix
from linkwork.dynamics.kinematics import body_poses, jacobian
from linkwork.dynamics.loop_rows import loop_rows
from linkwork.dynamics.methods import pick, with_contacts
from linkwork.dynamics.problem import NOTHING, one_problem
from linkwork.dynamics.tree_rates import skew, to_frame, tree_rates
from linkwork.errors import ArgumentError
from linkwork.linkage.forces import JointFriction, JointSpring, Spring
from linkwork.linkage.joint import Free
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import leading_shape, tree_of

PARAMETERS = 10  # of one body


def inertial_parameters(linkage: Linkage) -> np.ndarray:
    """The inertial parameters π of all bodies, as `inertial_regressor` takes them.

    Parameters
    ----------
    linkage : Linkage

    Returns
    -------
    pi : (nb, 10) array
        Mass, kg; mass times centre of mass, kg m; xx, xy, xz, yy, yz, zz about the body frame's origin, kg m².

    Raises
    ------
    ArgumentError
        It is not a `Linkage`.

    Notes
    -----
    Cost: O(nb).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> lw.inertial_parameters(arm).shape  # ten of each body
    (2, 10)
    """
    tree_of(linkage)  # refuses what is no linkage
    columns = linkage.columns
    m, c = columns.mass[:, None], columns.com
    xx, xy, xz, yy, yz, zz = columns.inertia.T
    x, y, z = c.T
    steiner = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
    second = np.column_stack([xx, xy, xz, yy, yz, zz]) + m * np.column_stack(steiner)
    return np.hstack([m, m * c, second])


def inertial_regressor(
    linkage: Linkage, q, v, a, *, independent: str | Joint | Sequence[str | Joint] | None = None
) -> np.ndarray:
    """The matrix Y with τ = Y π of `inverse_dynamics`, for the identification of inertias.

    Parameters
    ----------
    linkage : Linkage
    q : (..., nq) array_like
    v, a : (..., nv) array_like
    independent : sequence of str, optional
        Of a closed linkage, as many coordinates as it has degrees of freedom: torques are those of motors on them, the
        forces of the loops being gone by projection, Wᵀ Y with W of `mobility`.

    Returns
    -------
    Y : (..., nv, nb, 10) array
        Times `inertial_parameters`, summed over both last axes, it is the torque of all bodies' inertia; armature,
        damping and force elements have their own. With `independent`: (..., n, nb, 10).

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.

    Notes
    -----
    Cost: O(nb · depth) entries other than zero, in a dense array of 10 nb columns.

    Examples
    --------
    >>> import linkwork as lw, numpy as np
    >>> arm = lw.samples.chain(2)
    >>> Y = lw.inertial_regressor(arm, [0.1, 0.2], [0.3, 0.4], [0.5, 0.6])
    >>> tau = np.einsum("vbp,bp->v", Y, lw.inertial_parameters(arm))
    >>> bool(np.allclose(tau, lw.inverse_dynamics(arm, [0.1, 0.2], [0.3, 0.4], [0.5, 0.6])))
    True
    """
    tree = tree_of(linkage)
    q, v, a = coordinates(linkage, q), velocities(linkage, v), velocities(linkage, a, "a")
    leading = leading_shape(q, v, a)
    full = [np.broadcast_to(x, (*leading, x.shape[-1])) for x in (q, v, a)]
    found = []
    for state in np.ndindex(leading):
        here = [np.array(x[state]) for x in full]
        Y = _regressor(linkage, *here)
        if independent is not None:
            Y = np.einsum("vn,vbp->nbp", mobility(linkage, here[0], independent=independent).W[: tree.nv], Y)
        found.append(Y)
    n = len(found[0]) if found else tree.nv if independent is None else len(names_of("independent", independent))
    return np.array(found).reshape(*leading, n, tree.nb, PARAMETERS)


def _regressor(linkage: Linkage, q, v, a) -> np.ndarray:
    """Y of one state."""
    tree = linkage.tree
    rates = tree_rates(linkage, q, v, a, NOTHING)
    out = np.zeros((tree.nv, tree.nb, PARAMETERS))
    for body, stage in enumerate(tree.stage.tolist()):
        X = to_frame(rates.R[stage] @ tree.align[stage].T, rates.p[stage])
        V, A = X @ rates.V[stage], X @ rates.A[stage]
        need = np.zeros((6, PARAMETERS))
        omega, b = skew(V[3:]), A[:3] + np.cross(V[3:], V[:3])
        need[:3, 0], need[:3, 1:4], need[3:, 1:4] = b, skew(A[3:]) + omega @ omega, -skew(b)
        need[3:, 4:] = _products(A[3:]) + omega @ _products(V[3:])
        out[:, body] = rates.moves(stage, rates.s).T @ X.T @ need
    return out


def _products(x: np.ndarray) -> np.ndarray:
    """(3, 6) the matrix that takes (xx, xy, xz, yy, yz, zz) of I to I x."""
    return np.array([
        [x[0], x[1], x[2], 0.0, 0.0, 0.0],
        [0.0, x[0], 0.0, x[1], x[2], 0.0],
        [0.0, 0.0, x[0], 0.0, x[1], x[2]],
    ])  # fmt: skip


@dataclass(frozen=True, eq=False)
class ParameterDerivatives:
    """How accelerations change with the parameters of the bodies.

    Attributes
    ----------
    inertia : (nv, nb, 10) array
        With the inertial parameters, as `inertial_parameters` has them.
    at : (nv, nb, 6) array
        With the place of each body's joint in its parent: a step along, and a turn about, the axes of the pose `at`.
    forces : (nv, forces, 3) array
        With the constants of the force elements, in the order of `Linkage.forces`: stiffness, damping and rest length
        of a `Spring`; stiffness, nothing and rest of a `JointSpring`; the torque of a `JointFriction`.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> slopes = lw.parameter_derivatives(arm, [0.3, -0.5], [0.0, 0.0])
    >>> slopes.inertia.shape, slopes.at.shape
    ((2, 2, 10), (2, 2, 6))
    """

    inertia: np.ndarray
    at: np.ndarray
    forces: np.ndarray


def parameter_derivatives(linkage: Linkage, q, v, tau=None, f_ext=None) -> ParameterDerivatives:
    """How the accelerations of `forward_dynamics` change with inertias, places of joints, and constants of springs.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
    v : (nv,) array_like
    tau : (nv,) or (nv + nv_loop,) array_like, optional
    f_ext : (nb, 6) array_like, optional
        Wrench on each body, world axes.

    Returns
    -------
    ParameterDerivatives

    Raises
    ------
    ArgumentError
        An array of another shape, or an entry that is not finite.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Exact. A moved joint leaves q as it is: the loops of a closed linkage then open, points leave their surfaces, and
    the derivative is that of the equations as they stand, which is the sensitivity along the constraints once q is
    brought back onto them. Points that stick go on sticking.

    Cost: one sparse solution per parameter: O(nv · nb) in all.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> slopes = lw.parameter_derivatives(arm, [0.3, -0.5], [0.0, 0.0])
    >>> slopes.inertia[:, 1, 0].round(3)  # with the mass of the second link
    array([  5.984, -13.847])
    """
    asked = one_problem(linkage, q, v, tau, f_ext)
    tree, nv, touches = asked.tree, linkage.nv, bool(linkage._contacts.records)
    answer = (with_contacts(linkage) if touches else pick(linkage, "auto").solver(linkage))(asked)
    wide, own = _with_steps(linkage)
    steps = np.setdiff1d(np.arange(wide.nv), own)
    at = wide.neutral()
    at[np.concatenate([np.arange(*wide.joints[j.name].q_slice.indices(wide.nq)) for j in linkage.joints])] = asked.q
    lifted = np.zeros((2, wide.nv))
    lifted[:, own] = asked.v, answer.a
    loads = NOTHING
    if asked.f_ext is not None:
        loads = np.zeros((wide.nb, 6))
        loads[[wide.bodies[body.name].index for body in linkage.bodies]] = asked.f_ext
        loads = loads.reshape(-1)
    rates = tree_rates(wide, at, lifted[0], lifted[1], loads)
    R1, R2, J = rates.dq[own][:, steps], np.zeros((0, len(steps))), np.zeros((0, nv))
    B = J.T
    if tree.closed:
        kept = answer.marks != 0.0
        share = loop_rows(wide, rates, at, lifted[0], answer.row_forces, asked.tau[nv:])
        R1, R2, J = R1 + share.R1_q[own][:, steps], share.R2_q[kept][:, steps], share.J[kept][:, own]
        B = J.T
    if touches:
        assert answer.reaction is not None
        points = contact_rows(wide, rates, at, answer.reaction, float(asked.t[0]))
        R1, R2 = R1 + points.R1_q[own][:, steps], np.vstack([R2, points.R2_q[:, steps]])
        J, B = np.vstack([J, points.J[:, own]]), np.hstack([B, points.forces[own]])
    inertia = _regressor(linkage, asked.q, asked.v, answer.a).reshape(nv, PARAMETERS * tree.nb)
    springs = _force_shares(linkage, asked.q, asked.v).reshape(nv, 3 * len(linkage.forces))
    zeros = np.zeros((len(J), inertia.shape[1] + springs.shape[1]))
    right = -np.block([[inertia, springs, R1], [zeros, R2]])
    x = with_points(mass_matrix(linkage, asked.q), B, J, right)[:nv]
    if not np.isfinite(x).all():
        raise ArgumentError("the result is not finite: a coordinate, velocity, torque or wrench is too large")
    split = np.cumsum([inertia.shape[1], springs.shape[1]])
    inertia, springs, at = np.split(x, split, axis=1)
    return ParameterDerivatives(
        inertia.reshape(nv, tree.nb, PARAMETERS),
        at.reshape(nv, tree.nb, 6),
        springs.reshape(nv, len(linkage.forces), 3),
    )


def _force_shares(linkage: Linkage, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(nv, forces, 3) how the torques of inverse dynamics change with the constants of the force elements."""
    out = np.zeros((linkage.nv, len(linkage.forces), 3))
    poses = body_poses(linkage, q)
    for k, force in enumerate(linkage.forces):
        if isinstance(force, Spring):
            places, rows = [], []
            for end, point in ((force.a, force.point_a), (force.b, force.point_b)):
                ground = end == "ground"
                places.append(np.array(point) if ground else poses[end].apply([point])[0])
                rows.append(np.zeros((3, linkage.nv)) if ground else jacobian(linkage, q, end, point)[:3])
            d, J = places[1] - places[0], rows[1] - rows[0]
            length = float(np.sqrt(d @ d))
            along = J.T @ d / length if length > 0.0 else np.zeros(linkage.nv)  # −τ per unit of tension
            by = (length - force.rest_length, along @ v, -force.stiffness)
            out[:, k] = along[:, None] * np.array(by)
            continue
        joint = linkage.joints[force.joint]
        mine, dofs = np.arange(joint.nv), np.arange(*joint.v_slice.indices(linkage.nv))
        if isinstance(force, JointSpring):
            out[dofs, k, 0] = q[joint.q_slice][mine] - force.rest
            out[dofs, k, 2] = -np.asarray(force.stiffness)
        elif isinstance(force, JointFriction):
            out[dofs, k, 0] = v[dofs] / np.sqrt(v[dofs] ** 2 + force.speed**2)
    return out


def _with_steps(linkage: Linkage) -> tuple[Linkage, np.ndarray]:
    """A copy in which every joint stands on a massless body that may move anywhere, and where its own velocities are.

    A step of such a body is one of the joint's place.
    """
    wide = Linkage(name=linkage.name, gravity=linkage.gravity)
    for body in linkage.bodies:
        joint = linkage.joints[body.index]
        parent = "ground" if joint.parent.index < 0 else joint.parent.name
        wide.add_body(f"at of {body.name}", joint=Free(), parent=parent, at=joint.at)
        wide.add_body(body.name, body.inertia, joint=joint.type, parent=f"at of {body.name}", joint_name=joint.name)
    for frame in linkage.frames:
        wide.add_frame(frame.name, "ground" if frame.body.index < 0 else frame.body.name, frame.pose)
    for force in linkage.forces:
        wide.add_force(force)
    for loop in linkage.loops:
        a, b = (end.name if end.index >= 0 else "ground" for end in (loop.parent, loop.child))
        wide.connect(a, b, loop.type, at_a=loop.at_a, at_b=loop.at_b, name=loop.name)
    wide.couplings.extend(linkage.couplings)
    for point in linkage.contacts:
        wide.constrain(
            point.body.name, surface=point.surface, point=point.point, friction=point.friction,
            static_friction=point.static_friction, name=point.name,
        )  # fmt: skip
    own = [np.arange(*wide.joints[joint.name].v_slice.indices(wide.nv)) for joint in linkage.joints]
    return wide, np.concatenate(own)
