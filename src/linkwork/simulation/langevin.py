"""A Langevin thermostat: friction and random kicks that keep a linkage at a temperature."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage

BOLTZMANN = 1.380649e-23  # J/K
MOLAR = 0.00831446261815324  # kJ/mol/K, for molecules


class Langevin:
    """Friction −γ H v and the random torques that go with it; give it to `Simulation` as `thermostat`.

    Parameters
    ----------
    temperature : float
        K.
    friction : float
        γ, the rate at which velocities forget where they come from: 1/s, 1/ps for molecules.
    seed : int or numpy Generator, optional
    boltzmann : float, optional
        k. Default: kJ/mol/K for molecules, else J/K.

    Notes
    -----
    After every step v becomes c v + √(1 − c²) n with c = exp(−γ h): the exact solution of friction and noise at this
    pose. n has the covariance kT H⁻¹ of thermal velocities. It is the acceleration H⁻¹ Σ Jᵀ f that random wrenches f,
    with the covariance kT M of each body's own inertia M, give the linkage, because Σ Jᵀ M J = H: one evaluation of
    forward dynamics, with loops as without. What is left of an error in the distribution is that of the integrator.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(3)
    >>> bath = lw.Langevin(temperature=300.0, friction=2.0, seed=1, boltzmann=1e-3)
    >>> sim = lw.Simulation(chain, dt=1e-3, integrator="semi-implicit", thermostat=bath)
    >>> sim.run(until=0.1).v.shape
    (101, 3)
    """

    def __init__(
        self, temperature: float, friction: float, *, seed: int | np.random.Generator | None = None,
        boltzmann: float | None = None,
    ):  # fmt: skip
        self.temperature = number(temperature, "temperature", minimum=0.0)
        self.friction = number(friction, "friction", minimum=0.0)
        self.boltzmann = boltzmann
        self.rng = np.random.default_rng(seed)
        self._roots: tuple[object, np.ndarray] | None = None

    @staticmethod
    def checked(thermostat: Any) -> Any:
        """A thermostat, or None; anything else is refused."""
        if thermostat is not None and not callable(getattr(thermostat, "kick", None)):
            raise ArgumentError(f"thermostat must be a Langevin, not {thermostat!r}")
        return thermostat

    def kt(self, linkage: Linkage) -> float:
        """k T, in the linkage's unit of energy."""
        own = MOLAR if linkage._molecule is not None else BOLTZMANN
        return (own if self.boltzmann is None else self.boltzmann) * self.temperature

    def thermal_velocity(self, linkage: Linkage, q) -> np.ndarray:
        """Velocities (..., nv) drawn from the Maxwell distribution at q (..., nq), on the loops where there are any."""
        q = np.asarray(q, dtype=np.float64)
        R = body_poses(linkage, q).rotations
        noise = self.rng.standard_normal((*q.shape[:-1], linkage.nb, 6))
        mass, com, root = linkage.columns.mass, linkage.columns.com, self._inertia_root(linkage)
        p = np.sqrt(mass)[:, None] * noise[..., :3]  # momentum, in the body's axes,
        L = np.einsum("bij,...bj->...bi", root, noise[..., 3:]) + np.cross(com, p)  # and its moment about the origin
        wrenches = np.concatenate([np.einsum("...bij,...bj->...bi", R, x) for x in (p, L)], axis=-1)
        armature = linkage.columns.armature
        tau = np.sqrt(armature) * self.rng.standard_normal((*q.shape[:-1], linkage.nv)) if armature.any() else None
        rest = np.zeros((*q.shape[:-1], linkage.nv))
        kick = forward_dynamics(linkage, q, rest, tau, wrenches)
        if linkage.forces or linkage.gravity.any():
            kick = kick - forward_dynamics(linkage, q, rest)
        return np.sqrt(self.kt(linkage)) * kick

    def kick(self, linkage: Linkage, q, v, h: float) -> np.ndarray:
        """The velocities (..., nv) after friction and noise have acted for a time h at q."""
        if len(linkage.contacts):
            raise ArgumentError("a thermostat does not know of surfaces and contacts: release them")
        keep = np.exp(-self.friction * h)
        return keep * np.asarray(v) + np.sqrt(1.0 - keep * keep) * self.thermal_velocity(linkage, q)

    def _inertia_root(self, linkage: Linkage) -> np.ndarray:
        """(nb, 3, 3) square roots of the moments of inertia about the centres of mass."""
        key = linkage.revision, linkage.parameters_revision
        if self._roots is None or self._roots[0] != (linkage.columns, key):
            xx, xy, xz, yy, yz, zz = linkage.columns.inertia.T
            full = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1).reshape(-1, 3, 3)
            values, vectors = np.linalg.eigh(full)
            self._roots = (linkage.columns, key), vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
        return self._roots[1]

    def __repr__(self) -> str:
        return f"Langevin({self.temperature:g} K, friction={self.friction:g})"
