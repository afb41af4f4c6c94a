"""Runs of a scene that share a linkage, as SIMD rollouts: whether that can be, and how it is done.

Torques that depend on parameters alone are constants of each run. Others become a compiled controller, which rollouts
call at every stage of a step, as a simulation does.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from linkwork.dynamics.energy import kinetic_energy, potential_energy
from linkwork.dynamics.kinematics import body_poses, body_velocities
from linkwork.errors import ArgumentError
from linkwork.io.scene_keys import Run
from linkwork.kernels.layout import FASTEST
from linkwork.linkage.expressions import CONSTANTS, Expression
from linkwork.scenes.scene import Scene
from linkwork.simulation.breaking import strengths_of
from linkwork.simulation.rollouts import INTEGRATORS, rollouts
from linkwork.sweeps.outputs import Outputs
from linkwork.sweeps.space import Space

DIVERGED = f"the motion diverged, to more than {FASTEST:g} rad/s or m/s: take a smaller dt or other gains"
FEWEST = 16  # runs that are worth a compiled controller
ROOM = 1 << 22  # numbers of the states of rollouts that are made at once
KNOWN = {"t", "q", "v", "energy", "kinetic", "potential", "position", "velocity", "angular_velocity"}
ARRAY_FUNCTIONS: dict[str, Any] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log,
    "sqrt": np.sqrt, "hypot": np.hypot, "abs": np.abs, "floor": np.floor, "sign": np.sign,
}  # fmt: skip


def why_not(scene: Scene, space: Space, outputs: Outputs) -> str | None:
    """Why the runs of a scene are simulated one by one; None where they can be rollouts."""
    run, linkage, keys = scene.run, scene.linkage, scene._keys
    if space.size < FEWEST:
        return f"there are fewer than {FEWEST}"
    if not isinstance(run, Run):
        return "the scene is adaptive"
    if run.integrator not in INTEGRATORS:
        return f"rollouts have no {run.integrator}"
    steps = round(run.until / run.dt)
    if abs(steps * run.dt - run.until) > 1e-9 * run.dt:
        return "until is no whole number of steps"
    if not outputs.ends_only and steps % run.record_every:
        return "record_every does not divide the number of steps"
    for key, what in (("events", "events"), ("drives", "drives"), ("wrenches", "wrenches")):
        if getattr(keys, key):
            return f"the scene has {what}"
    if len(linkage.shapes) or len(linkage.contacts):
        return "the scene has contacts"
    if strengths_of(linkage):
        return "joints can break"
    if run.limits == "impulsive" or any(getattr(loop.type, "limits", None) is not None for loop in linkage.loops):
        return "rollouts do not know such limits"
    for key in space.keys:
        section = key.partition(".")[0]
        if shared(scene, key):
            continue
        if key.startswith(("start.q.", "start.v.")) and not linkage.constrained:
            continue
        return f"the linkage differs from run to run, by {key}" if section != "start" else f"{key} differs in loops"
    if outputs.recorded:
        return "whole recordings are kept"
    if missing := sorted(outputs.kinds - KNOWN):
        return f"the outputs need {', '.join(missing)}"
    return None


def shared(scene: Scene, key: str) -> bool:
    """Whether runs share their linkage and settings where only this key differs: a parameter of forces or the start."""
    section, _, name = key.partition(".")
    return section == "parameters" and name not in scene._root.parameters.used


class Packed:
    """The rollouts of a scene; made in the process that runs them."""

    def __init__(self, scene: Scene, space: Space, outputs: Outputs):
        self._scene, self._space, self._outputs = scene, space, outputs
        run = scene.run
        self._steps = round(run.until / run.dt)
        self._every = max(1, self._steps) if outputs.ends_only else run.record_every
        self._swept = {key.partition(".")[2] for key in space.keys if key.startswith("parameters.")}
        self._constants, moving = [], []
        for place, reader in scene._acting(scene.linkage)._acting:
            constant = not reader.expression.states and "t" not in _names(reader.expression)
            (self._constants if constant else moving).append((place, reader))
        self._controller = _controller(moving, list(scene.parameters)) if moving else None
        self._start = self._varying_start()

    def parts(self, runs: np.ndarray) -> Iterator[np.ndarray]:
        """Runs, as many at a time as there is room for their states."""
        linkage = self._scene.linkage
        most = max(8, ROOM // ((self._steps // self._every + 1) * (linkage.nq + linkage.nv)))
        for first in range(0, len(runs), most):
            yield runs[first : first + most]

    def values(self, numbers: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """(n, columns) outputs of runs that are given these `numbers`, and the errors of those that fail, by row."""
        scene, run, count = self._scene, self._scene.run, len(numbers)
        parameters = self._parameters(numbers)
        q0, v0, failed = self._states(numbers, parameters)
        size = scene.linkage.nv + scene.linkage.nv_loop
        tau = np.zeros((count, 1, size))
        for place, reader in self._constants:
            tau[:, 0, place] += _evaluated(reader.expression, parameters, count)
        tau = tau[0, 0] if not self._constants else tau
        rows = np.column_stack([*parameters.values()]) if self._controller is not None else None
        made, failures = rollouts(
            scene.linkage, q0, v0, tau, run.dt, self._steps, controller=self._controller, parameters=rows,
            integrator=run.integrator, limits=run.limits, record_every=self._every, hold=False, every=True,
        )  # fmt: skip
        failed |= {row: str(error) for row, error in failures if row not in failed}
        fast = ~(np.abs(made.v).reshape(count, -1).max(axis=1, initial=0.0) < FASTEST)
        failed |= {int(row): DIVERGED for row in np.flatnonzero(fast) if row not in failed}
        swept = {name: parameters[name] for name in self._swept} | {
            name: parameters[name][:1] for name in parameters.keys() - self._swept
        }
        times = run.dt * self._every * np.arange(made.q.shape[1])
        table = self._outputs.values(_OfRollouts(scene.linkage, times, made.q, made.v), swept, count)
        for row in failed:
            table[row] = np.nan
        return table, failed

    def _parameters(self, numbers: np.ndarray) -> dict[str, np.ndarray]:
        """Every parameter of every run."""
        parameters = {name: np.full(len(numbers), value) for name, value in self._scene.parameters.items()}
        for column, key in enumerate(self._space.keys):
            section, _, name = key.partition(".")
            if section == "parameters":
                parameters[name] = numbers[:, column]
        return parameters

    # The state at the start

    def _varying_start(self) -> list[tuple[str, slice, list[Any]]]:
        """Parts of the state that differ from run to run: "q" or "v", where, and expressions or keys."""
        scene, linkage, found = self._scene, self._scene.linkage, []
        start = scene._keys.start
        for what in ("q", "v"):
            given = getattr(start, what, None)
            for name, mark in (given.names() if given is not None else {}).items():
                joint = linkage.joints[linkage._resolve_joint(name)]
                where = joint.q_slice if what == "q" else joint.v_slice
                key = f"start.{what}.{name}"
                if key in self._space.keys:
                    found.append((what, where, [key]))
                    continue
                marks = mark.sequence() if mark.is_sequence() else [mark]
                parts = [Expression(part.plain(), scene.parameters) for part in marks]
                if any(_names(part) & self._swept for part in parts):
                    found.append((what, where, parts))
        return found

    def _states(
        self, numbers: np.ndarray, parameters: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, dict[int, str]]:
        scene, count = self._scene, len(numbers)
        if not self._start:
            return scene.q, scene.v, {}
        state = {"q": np.tile(scene.q, (count, 1)), "v": np.tile(scene.v, (count, 1))}
        failed: dict[int, str] = {}
        if scene.linkage.constrained:  # each start is closed by itself
            for row in range(count):
                try:
                    each = {name: float(values[row]) for name, values in parameters.items()}
                    state["q"][row], state["v"][row] = scene._start(each)
                except ArgumentError as error:
                    failed[row] = str(error)
            return state["q"], state["v"], failed
        for what, where, parts in self._start:
            if isinstance(parts[0], str):
                column = numbers[:, self._space.keys.index(parts[0])]
                levels = self._space.axes[parts[0]].levels if parts[0] in self._space.axes else None
                given = column[:, None] if levels is None else np.array([levels[int(k)] for k in column], dtype=float)
                state[what][:, where] = given
                continue
            for k, part in enumerate(parts):
                state[what][:, where.start + k] = _evaluated(part, parameters, count)
        return state["q"], state["v"], failed


class _OfRollouts:
    """The series of many rollouts of one linkage."""

    def __init__(self, linkage: Any, t: np.ndarray, q: np.ndarray, v: np.ndarray):
        self._linkage, self._t, self._q, self._v = linkage, t, q, v

    def series(self, kind: str, name: str) -> np.ndarray:
        """(runs, times, components)."""
        linkage, q, v = self._linkage, self._q, self._v
        if kind == "t":
            return np.broadcast_to(self._t[None, :, None], (len(q), len(self._t), 1))
        if kind in ("energy", "kinetic", "potential"):
            kinetic = kinetic_energy(linkage, q, v) if kind != "potential" else 0.0
            return np.asarray(kinetic + (potential_energy(linkage, q) if kind != "kinetic" else 0.0))[..., None]
        if kind in ("q", "v"):
            joint = linkage.joints[linkage._resolve_joint(name)]
            return q[..., joint.q_slice] if kind == "q" else v[..., joint.v_slice]
        body, pose = linkage._resolve(name)
        poses = body_poses(linkage, q)
        arm = poses.rotations[..., body, :, :] @ pose.position
        if kind == "position":
            return poses.positions[..., body, :] + arm
        twist = body_velocities(linkage, q, v)[..., body, :]
        return twist[..., 3:] if kind == "angular_velocity" else twist[..., :3] + np.cross(twist[..., 3:], arm)


# Expressions of many runs at once


def _names(expression: Expression) -> set[str]:
    return {node.id for node in ast.walk(expression.syntax) if isinstance(node, ast.Name)}


def _evaluated(expression: Expression, parameters: Mapping[str, np.ndarray], count: int) -> Any:
    """The value for every run."""
    choosing = ast.IfExp | ast.BoolOp | ast.Compare | ast.Not
    calls = {node.func.id for node in ast.walk(expression.syntax)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    if not calls <= ARRAY_FUNCTIONS.keys() or any(isinstance(node, choosing) for node in ast.walk(expression.syntax)):
        rows = ({name: float(values[row]) for name, values in parameters.items()} for row in range(count))
        return np.array([float(expression(row)) for row in rows])
    code = compile(ast.Expression(expression.syntax), "<expression>", "eval")
    with np.errstate(all="ignore"):
        return eval(code, {"__builtins__": {}, **ARRAY_FUNCTIONS, **CONSTANTS, **parameters})


class _Compiled(ast.NodeTransformer):
    """An expression as Numba takes it: states, parameters and constants in place of their names."""

    def __init__(self, places: Mapping[str, tuple[str, int]], parameters: list[str]):
        self._places, self._parameters = places, parameters

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A state, a parameter, a constant or a function."""
        if node.id in CONSTANTS:
            return ast.Constant(CONSTANTS[node.id])
        if node.id in self._parameters:
            return _entry("parameters", self._parameters.index(node.id))
        return _entry(*self._places[node.id]) if node.id in self._places else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A function, or the base of a power, which is real here whatever it is."""
        args = [self.visit(arg) for arg in node.args]
        if isinstance(node.func, ast.Name) and node.func.id == "_Base":
            return args[0]
        return ast.Call(node.func, args, [])


def _entry(array: str, place: int) -> ast.expr:
    return ast.Subscript(ast.Name(array, ast.Load()), ast.Constant(place), ast.Load())


def _controller(torques: list[tuple[int, Any]], parameters: list[str]) -> Any:
    """The torques as a compiled controller(t, q, v, tau, parameters) for rollouts."""
    from numba import njit

    @njit
    def sign(x):
        return math.copysign(1.0, x) if x != 0.0 else 0.0

    lines: list[ast.stmt] = []
    for place, reader in torques:
        expression = reader.expression
        reader._bind()
        places = dict(zip(expression.state_names, reader._places, strict=True))
        value = _Compiled(places, parameters).visit(copy.deepcopy(expression.syntax))
        target = ast.Subscript(ast.Name("tau", ast.Load()), ast.Constant(place), ast.Store())
        lines.append(ast.AugAssign(target, ast.Add(), value))
    module = ast.parse("def controller(t, q, v, tau, parameters): pass")
    module.body[0].body = lines  # pyright: ignore[reportAttributeAccessIssue]
    ast.fix_missing_locations(module)
    names: dict[str, Any] = {name: getattr(math, name) for name in ARRAY_FUNCTIONS if hasattr(math, name)}
    names |= {"abs": abs, "min": min, "max": max, "sign": sign}
    exec(compile(module, "<torques>", "exec"), names)
    return njit(names["controller"], error_model="numpy")
