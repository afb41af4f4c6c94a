"""From a user's arrays to a kernel and back: shapes, batches, threads and errors, in one place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, LinkworkError, SingularError, StructureError
from linkwork.kernels.launch import Name, batch_entry, call, entry
from linkwork.kernels.layout import LOST, NO_INERTIA, NO_INVERSE, NOT_FINITE, NOT_UNIT, SINGULAR_DOF
from linkwork.kernels.threads import Team
from linkwork.linkage.columns import Columns
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.tree import Tree

ONE_BY_ONE = 300_000  # states of small linkages that take less time one by one than a batch kernel takes to compile
_compiles_batches: ContextVar[bool] = ContextVar("compiles_batches", default=True)


@contextmanager
def no_batch_compiled() -> Iterator[None]:
    """Run states one by one where a kernel for batches would have to be compiled: for a summary, or a picture."""
    token = _compiles_batches.set(False)
    try:
        yield
    finally:
        _compiles_batches.reset(token)


def tree_of(linkage: Linkage) -> Tree:
    """The packed tree of a linkage as it is now."""
    if not isinstance(linkage, Linkage):
        raise ArgumentError(f"the first argument must be a Linkage, not {type(linkage).__name__}")
    return linkage.tree


def numbers(linkage: Linkage, what: str, value: Any, size: int, unit: str, *, check: bool = True) -> np.ndarray:
    """`value` as finite float64 of shape (..., size), C-contiguous; the user's own array where it is that already.

    Without `check` it may hold what is not finite: the kernel will find that, and `finite` name it.
    """
    try:
        array = np.asarray(value)
        if array.dtype != np.float64:
            array = array.astype(np.float64, casting="same_kind" if array.dtype.kind == "f" else "safe")
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be an array of real numbers, not {_brief(value)}") from None
    if array.ndim == 0 or array.shape[-1] != size:
        raise ArgumentError(
            f"{what} has shape {array.shape}, but linkage {linkage.name!r} has {unit} = {size}: "
            f"give ({size},) or (..., {size})"
        )
    if check:
        finite(what, array)
    # kernels are compiled for arrays that may be written, though they never write an input
    return np.ascontiguousarray(array) if array.flags.writeable else array.copy()


def finite(what: str, array: np.ndarray) -> None:
    """Refuse an array that holds what is not a finite number."""
    if not math.isfinite(np.add.reduce(array, axis=None)) and not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        raise ArgumentError(f"{what}{list(map(int, where))} is {array[tuple(where)]}: it must be finite")


def wrenches(linkage: Linkage, f_ext: Any) -> np.ndarray:
    """External wrenches, shape (..., nb, 6), flattened to (..., 6 nb); size 0 where there are none."""
    if f_ext is None:
        return np.empty(0)
    try:
        array = np.asarray(f_ext)
    except ValueError:
        raise ArgumentError(f"f_ext must be an array of real numbers, not {_brief(f_ext)}") from None
    if array.ndim < 2 or array.shape[-2:] != (linkage.nb, 6):
        raise ArgumentError(f"f_ext has shape {array.shape}; it must be (..., {linkage.nb}, 6): one wrench per body")
    flat = array.reshape(*array.shape[:-2], 6 * linkage.nb)
    flat = numbers(linkage, "f_ext", flat, 6 * linkage.nb, "6 nb", check=False)
    finite("f_ext", flat.reshape(array.shape))
    return flat


def leading_shape(*arrays: np.ndarray) -> tuple[int, ...]:
    """Leading dimensions that these arrays broadcast to."""
    leading = {array.shape[:-1] for array in arrays if array.ndim > 1}
    if len(leading) <= 1:
        return leading.pop() if leading else ()
    try:
        return np.broadcast_shapes(*leading)
    except ValueError:
        given = " and ".join(str(array.shape[:-1]) for array in arrays if array.ndim > 1)
        raise ArgumentError(f"leading dimensions do not broadcast: {given}") from None


def output(what: str, out: np.ndarray | None, shape: tuple[int, ...]) -> np.ndarray:
    """`out` when it is fit to be written to, else a new array of this shape."""
    if out is None:
        return np.empty(shape)
    fit = isinstance(out, np.ndarray) and out.dtype == np.float64 and out.flags.c_contiguous and out.flags.writeable
    if not fit or out.shape != shape:
        raise ArgumentError(f"out must be a writeable C-contiguous float64 array of shape {shape} for {what}")
    return out


def apart(out: np.ndarray | Sequence[np.ndarray], *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
    """The inputs, those that share memory with an output copied: it may be written before they are read."""
    outputs = [out] if isinstance(out, np.ndarray) else out
    return tuple([x.copy() if any(np.may_share_memory(y, x) for y in outputs) else x for x in inputs])


# A fast call goes straight to compiled code. Whatever keeps it from that (nothing bound yet, no idle context, arrays
# of other types) ends in one of these, and the call takes the long way, where everything is checked.
NOT_FAST = (TypeError, IndexError, AttributeError)


def call_fast(tree: Any, function: Any, *arrays: np.ndarray) -> int:
    """The status of a fast function that is bound, on one state; raises one of `NOT_FAST` where it cannot run."""
    context = tree.contexts.pop()
    try:
        return function(context, *arrays)
    finally:
        tree.contexts.append(context)


def run_fast(
    linkage: Linkage, kernel: Name, inputs: list[np.ndarray], outputs: list[np.ndarray], *, option: Any = 0
) -> None:
    """Run a kernel on one state by its fast entry point, and keep its compiled function for the next calls.

    A fast entry point takes `option` only where that is an array.
    """
    tree, name = linkage.tree, kernel[1]
    address = tree.contexts.pop() if tree.contexts else _new_context(tree)
    if not address:
        run(linkage, kernel, option, inputs, [array.reshape(-1) for array in outputs])
        return
    arrays = [*inputs, *outputs] if isinstance(option, int) else [option, *inputs, *outputs]
    function = getattr(tree, name) or entry("tree.fast_entry", f"fast_{name}").bind_exactly(address, *arrays)
    try:
        outcome = function(address, *arrays)
    finally:
        tree.contexts.append(address)
    if outcome:
        raise problem(linkage, outcome)
    setattr(tree, name, function)


def _new_context(tree) -> int:
    """The address of a new context of a tree; 0 where kernels are interpreted, which cannot follow addresses."""
    from linkwork.kernels.numba_ext import JIT_DISABLED
    from linkwork.kernels.tree.fast_entry import make_context

    if JIT_DISABLED:
        return 0
    work = tree.work()
    context = make_context(tree.model, tree.index, work)
    tree.kept += [work, context]
    return context.ctypes.data


def run(
    linkage: Linkage, kernel: Name, option: Any, inputs: list[np.ndarray], outputs: list[np.ndarray], extra: int = 0
) -> None:
    """Run a kernel on one state, or on every state of a batch.

    `inputs` and `outputs` end in the axis that kernels see. Inputs broadcast over the leading ones, outputs have
    them all. The kernel needs `extra` scalars of work space beyond what all share.
    """
    tree = linkage.tree
    leading = outputs[0].shape[:-1]
    if leading == ():
        work = tree.work(extra)
        arguments = (tree.model, tree.index, work, option, *inputs, *outputs)
        outcome = call(kernel, *arguments)
        tree.idle(extra).append(work)
        if outcome:
            raise problem(linkage, outcome)
        return
    count = math.prod(leading)
    if count == 0:
        return
    arrays = [rows_of(array, leading, count) for array in inputs] + [a.reshape(count, a.shape[-1]) for a in outputs]
    if count == 1:
        single = [a[0] for a in arrays]
        run(linkage, kernel, option, single[: len(inputs)], single[len(inputs) :], extra)
        return
    function = batch_entry(*kernel, len(inputs))
    few = count * (20 + tree.stages) < 20 * ONE_BY_ONE
    if few and not (_compiles_batches.get() or function.is_compiled(tree.model, tree.index, option, tuple(arrays))):
        outcomes = _run_each(tree, kernel, option, arrays, count, extra)
    else:
        outcomes = _run_packs(tree, function, option, tuple(arrays), count, extra)
    if outcomes:
        first, outcome = min(outcomes)
        raise _batch_problem(linkage, kernel, option, arrays, first, outcome, leading, extra)


def run_one(linkage: Linkage, kernel: Name, *arguments) -> None:
    """Run a kernel on one state, and raise what it finds wrong."""
    outcome = call(kernel, *arguments)
    if outcome:
        raise problem(linkage, outcome)


def rows_of(array: np.ndarray, leading: tuple[int, ...], count: int) -> np.ndarray:
    """An input as (count, n) rows, or as (1, n) where every state shares it."""
    if array.ndim == 1 or array.size == array.shape[-1]:
        return array.reshape(1, array.shape[-1])
    full = (*leading, array.shape[-1])
    return (array if array.shape == full else np.array(np.broadcast_to(array, full))).reshape(count, array.shape[-1])


def _run_each(tree, kernel, option, arrays, count, extra):
    """Run a kernel on one state after the other; (state, status) of the first that failed."""
    work = tree.work(extra)
    for state in range(count):
        rows = [array[state if len(array) > 1 else 0] for array in arrays]
        outcome = call(kernel, tree.model, tree.index, work, option, *rows)
        if outcome:
            return [(state, outcome)]
    tree.idle(extra).append(work)
    return []


def _run_packs(tree, function, option, arrays, count, extra):
    """Run a batch kernel over all states, in as many threads as pay; (state, status) of each thread that failed."""
    from linkwork.kernels.numba_ext import NEVER_RAISES, WIDTH

    sizes = tuple([array.shape[1] for array in arrays])
    with Team(count, WIDTH, tree.stages if NEVER_RAISES else 0) as team:
        idle = tree.pack_pool if not extra else tree.lane_pool["packs", extra]
        (work,) = _spaces(idle, team.size, (tree.work_size + extra,))
        lanes = _spaces(tree.lane_pool[sizes], team.size, sizes)
        found = np.zeros((team.size, 2), dtype=np.int64)
        failed = function(tree.model, tree.index, option, arrays, (work, *lanes), team, found)
    idle.append((work,))
    tree.lane_pool[sizes].append(lanes)
    return [(int(state), int(outcome)) for state, outcome in found if outcome] if failed else []


def _spaces(pool, slots, sizes):
    """Arrays of packs with these sizes and room for so many threads, from a pool where it has them."""
    try:
        spaces = pool.pop()
        if len(spaces[0]) >= slots:
            return spaces
    except IndexError:
        pass
    from linkwork.kernels.numba_ext import aligned

    return tuple([aligned(slots, n) for n in sizes])


def _batch_problem(linkage, kernel, option, arrays, first, outcome, leading, extra):
    """The error of the first state that has one by itself, among those of the pack at `first`."""
    tree = linkage.tree
    states = range(first, min(first + 16, len(arrays[-1])))  # no pack is wider
    for state in states:
        rows = [a[state if len(a) > 1 else 0] for a in arrays]
        alone = call(kernel, tree.model, tree.index, tree.work(extra), option, *rows)
        if alone:
            return problem(linkage, alone, place_in_batch(state, leading))
    return problem(linkage, outcome, place_in_batch(first, leading))


def place_in_batch(state: int, leading: tuple[int, ...]) -> str:
    """How an error names one state of a batch with these leading dimensions; nothing where there are none."""
    if leading == ():
        return ""
    index = tuple(int(k) for k in np.unravel_index(state, leading))
    return f"state {index[0] if len(index) == 1 else index} of the batch: "


def problem(linkage: Linkage, outcome: int, where: str = "") -> LinkworkError:
    """The error that a kernel's status stands for."""
    what, place = outcome & 15, outcome >> 4
    columns = linkage.columns
    if what == NOT_UNIT:
        body = int(np.searchsorted(columns.q_start, place, side="right")) - 1
        return ArgumentError(
            f"{where}the quaternion of joint {columns.joint_names[body]!r}, q[{place}:{place + 4}], is not of unit "
            "length: normalise it"
        )
    if what in NO_INERTIA:
        if what == SINGULAR_DOF:
            body = int(np.searchsorted(columns.v_start, place, side="right")) - 1
        else:
            body = linkage.tree.body_at(place)
        return SingularError(
            f"{where}joint {columns.joint_names[body]!r} has zero effective inertia: body {columns.body_names[body]!r} "
            "and what hangs on it have no mass or moment along the joint; give them some, or give the joint armature"
        )
    if what == NO_INVERSE:
        names = [columns.body_names[k] for k in uninvertible(columns)]
        shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        return StructureError(
            f"{where}no inverse inertia: {shown}. Virtual work needs every body to have mass, and a moment of inertia "
            'about every axis (a thin rod has none about its own); give them some, or use method="aba"'
        )
    if what == LOST:
        name = columns.joint_names[linkage.tree.body_at(place)]
        return SingularError(
            f"{where}virtual work has lost too many digits at joint {name!r}: a body near it is far too light for what "
            'hangs on it; use method="aba"'
        )
    if what == NOT_FINITE:
        return ArgumentError(f"{where}the result is not finite: a coordinate, velocity or torque is too large or NaN")
    return ArgumentError(f"{where}arrays of the wrong size for linkage {linkage.name!r}")


def uninvertible(columns: Columns) -> np.ndarray:
    """Bodies whose inertia has no inverse: no mass, or next to no moment of inertia about some axis."""
    xx, xy, xz, yy, yz, zz = columns.inertia.T
    moments = np.linalg.eigvalsh(np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1).reshape(-1, 3, 3))
    return np.flatnonzero((columns.mass <= 0.0) | (moments[:, 0] <= 1e-12 * moments[:, 2]))


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "..."
