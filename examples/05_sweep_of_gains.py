"""
From one run to many
====================

A cart balances a pole with a feedback law. Which gains succeed, from which tilt? A sweep runs the scene at every
combination, packed into SIMD rollouts where runs share a linkage, and leaves one table.
"""

import numpy as np

import linkwork as lw

# %%
# Every key of the scene can be varied, over values or distributions. What is kept of each run is an expression over its
# recording: how far the pole tilts, and where the cart is at the end.
gains = lw.sweep(
    "cart-pole",
    over={"parameters.k_angle": np.linspace(5, 60, 24), "parameters.k_rate": np.linspace(0.5, 15, 20)},
    outputs=["max(abs(q[pole])) / deg", "rms(v[cart])"],
)
print(gains, "--", gains.settings["how"])
stands = gains["max(abs(q[pole])) / deg"] < 30
print(f"{stands.sum()} of {len(gains)} pairs of gains keep the pole within 30 degrees")

# %%
# Over two parameters the picture is a heat map.
gains.plot(path="gains.png")

# %%
# Random tilts at each value of a gain: response curves, with bands that hold half and nine tenths of the runs. Draws
# depend on the seed and the number of the run alone, so the table is the same on one core or a hundred.
tilts = lw.sweep(
    "cart-pole",
    over={"parameters.k_angle": np.linspace(10, 60, 11), "parameters.tilt": "normal(0, 8)"},
    samples=40,
    outputs=["max(abs(q[cart]))"],
    seed=1,
)
tilts.plot(path="tilts.png")

# %%
# A function can be swept, too; a call that fails is a row with its error. `to_pandas` and `to_xarray` hand it on.
table = lw.sweep(lambda length: 2 * np.pi * np.sqrt(length / 9.81), over={"length": np.linspace(0.1, 2, 20)})
print(f"periods from {table['value'].min():.2f} to {table['value'].max():.2f} s")
