"""
Pages and films
===============

A recording becomes one HTML file, which plays and scrubs in any browser with no network, or a film. On paper, `path`
draws the way of any point. ``recording.view()`` opens a viewer, ``lw.view(linkage)`` one with a slider for each joint.
"""

from pathlib import Path

import linkwork as lw

# %%
# A four-bar linkage whose crank is let go; after half a second its pin is cut.

linkage = lw.samples.four_bar()
sim = lw.Simulation(linkage, dt=2e-3)
sim.at(0.5, lambda: sim.cut(linkage.loops.names[0]))
recording = sim.run(0.8)

# %%
# The page has a mark where the pin was cut, and curves that move along.

recording.save("four-bar.html")
print(f"a page of {Path('four-bar.html').stat().st_size / 1e6:.1f} MB")

# %%
# A film of it at half the speed, drawn without a screen.

recording.animate("four-bar.gif", fps=10, speed=0.5, size=(320, 240), traces=["coupler@0.5,0,0.1"])
print(f"a film of {Path('four-bar.gif').stat().st_size / 1e3:.0f} kB")

# %%
# On paper.

figure = recording.plot("path", "structure", traces=["coupler@0.5,0,0.1", "rocker"], view="front", path="four-bar.png")
print(f"a figure of {len(figure.subfigs[0].axes)} plots")
