"""linkwork: the dynamics of linkages, at any size, open or closed, while they change.

Every public name is here and is imported when it is first used: `import linkwork` itself is quick.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "linkwork.errors": (
        "LinkworkError", "DescriptionError", "StructureError", "SingularError", "DivergedError",
        "ArgumentError", "RecordingError", "LinkworkWarning",
    ),
    "linkwork.linkage.pose": ("Pose",),
    "linkwork.linkage.inertia": ("Inertia",),
    "linkwork.linkage.joint": (
        "Fixed", "Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Spherical",
        "Free", "Joint",
    ),
    "linkwork.linkage.body": ("Body", "Frame"),
    "linkwork.linkage.linkage": ("Linkage",),
    "linkwork.linkage.change": ("Change",),
    "linkwork.linkage.forces": ("Spring", "JointSpring", "JointFriction"),
    "linkwork.io.load": ("load",),
    "linkwork.dynamics.kinematics": (
        "Poses", "body_poses", "body_velocities", "body_accelerations", "jacobian", "jacobian_bias",
    ),
    "linkwork.dynamics.energy": ("kinetic_energy", "potential_energy", "momentum", "center_of_mass"),
    "linkwork.dynamics.forward": (
        "inverse_dynamics", "forward_dynamics", "mass_matrix", "packed_mass_matrix", "bias_force",
        "gravity_torques", "joint_wrenches",
    ),
    "linkwork.dynamics.factors": ("factorize", "LTDL"),
    "linkwork.simulation.simulation": ("Simulation",),
    "linkwork.simulation.limits": ("Compliant", "Impulsive"),
    "linkwork.simulation.recording": ("Recording",),
    "linkwork.scenes.scene": ("load_scene", "Scene"),
    "linkwork.dynamics.closed": (
        "mobility", "actuator_torques", "close_loops", "consistent_velocity", "velocity_jump", "loop_coordinates",
    ),
    "linkwork.dynamics.solution": ("solve",),
    "linkwork.results": ("Solution", "Mobility", "Jump"),
    "linkwork.linkage.loops": ("Loop",),
    "linkwork.linkage.coupling": ("Coupling",),
    "linkwork.linkage.strength": ("Strength",),
    "linkwork.linkage.surfaces": ("Plane", "Sphere", "Cylinder", "Torus", "Surface"),
    "linkwork.linkage.contacts": ("Contact",),
    "linkwork.simulation.rollouts": ("rollout", "Rollout", "PD"),
    "linkwork.dynamics.threads": ("set_threads",),
    "linkwork.linkage.packing.assembly": ("Assembly",),
    "linkwork.quasistatics.adaptive_simulation": ("AdaptiveSimulation",),
    "linkwork.quasistatics.report": ("StepReport",),
    "linkwork.plots.drawing": ("draw", "draw_assembly"),
}  # fmt: skip
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in ("samples", "plots"):
        return importlib.import_module(f"linkwork.{name}")
    if name not in _MODULE:
        # with these Python offers the nearest name
        raise AttributeError(f"module 'linkwork' has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    value = getattr(importlib.import_module(_MODULE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[:1] == "_"), "samples", "plots", *__all__})
