"""
A double pendulum
=================

Two rods hang from the ceiling and are let go. We describe them as a linkage, ask for their accelerations,
check that inverse dynamics gives back the torques we put in, and follow the motion for two seconds.
"""

import numpy as np

import linkwork as lw

# %%
# A linkage is a set of bodies, each joined to a parent. A joint's frame is placed in the parent by ``at``; at
# zero coordinates the child's frame coincides with it. Here both rods hang down (-z) from hinges about y.
length = 0.5
rod = lw.Inertia.rod(length, mass=1.0, com=(0, 0, -length / 2))

pendulum = lw.Linkage(name="double pendulum")
pendulum.add_body("upper", rod, joint=lw.Revolute("y"), parent="ground", at=lw.Pose((0, 0, 2)))
pendulum.add_body("lower", rod, joint=lw.Revolute("y"), parent="upper", at=lw.Pose((0, 0, -length)))
print(pendulum)

# %%
# The state is the joint angles ``q`` and their rates ``v``. Forward dynamics answers: which accelerations
# follow from these torques? Inverse dynamics asks the other way round.
q, v = np.array([1.2, 0.4]), np.array([0.0, 0.0])
torques = np.array([0.3, -0.1])
a = lw.forward_dynamics(pendulum, q, v, torques)
print("accelerations:", a)
print("torques again:", lw.inverse_dynamics(pendulum, q, v, a))

# %%
# Both are two views of one equation, H(q) a + b(q, v) = tau.
H, b = lw.mass_matrix(pendulum, q), lw.bias_force(pendulum, q, v)
print("equation of motion holds to", np.abs(H @ a + b - torques).max())


# %%
# Left alone, the pendulum keeps its energy. Classical Runge-Kutta steps of a millisecond show it.
def rate(state):
    """Time derivative of (q, v); for hinges the rate of q is v."""
    q, v = state
    return np.array([v, lw.forward_dynamics(pendulum, q, v)])


def energy(state):
    """Kinetic and potential energy, in joules."""
    q, v = state
    return lw.kinetic_energy(pendulum, q, v) + lw.potential_energy(pendulum, q)


dt, state = 1e-3, np.array([q, v])
start = energy(state)
for step in range(2001):
    if step % 500 == 0:
        tip = lw.body_poses(pendulum, state[0])["lower"].apply((0, 0, -length))
        change = energy(state) - start
        print(f"t = {step * dt:.1f} s   tip at {np.round(tip, 3)} m   energy changed by {change:+.1e} J")
    k1 = rate(state)
    k2 = rate(state + dt / 2 * k1)
    k3 = rate(state + dt / 2 * k2)
    k4 = rate(state + dt * k3)
    state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

# %%
# How it hangs at the end, as lines.
lw.draw(pendulum, state[0])
