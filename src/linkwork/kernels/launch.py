"""The one launcher of kernels: from a kernel's name to its compiled function, by one cache.

A kernel is named by its module below ``linkwork.kernels`` and by its function there. Importing this module needs no
compiler; Numba is imported when the first kernel runs.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwork.kernels.numba_ext import Kernel

Name = tuple[str, str]

# Compiled functions of kernels that have run, for callers to whom even `call` takes too long: they raise TypeError for
# arguments of types that are new to them, and so do not run anything.
compiled: dict[Name, Callable[..., Any]] = {}
unchecked: dict[tuple[Name, Hashable], Callable[..., Any]] = {}  # those of `call_unchecked`


def call(kernel: Name, *arguments) -> Any:
    """Run a kernel. The types of its arguments are looked at only where they are new to it."""
    try:
        return compiled[kernel](*arguments)
    except (KeyError, TypeError):
        return bind(kernel, *arguments)(*arguments)


def call_unchecked(kernel: Name, *arguments, variant: Hashable = None) -> Any:
    """Run a kernel whose arguments have the same types in every call of a variant: the first one alone looks at them.

    For kernels that take microseconds and many arrays. Arguments of other types would be read as if they were those.
    """
    function = unchecked.get((kernel, variant))
    if function is None:
        function = unchecked[kernel, variant] = entry(*kernel).bind_unchecked(*arguments)
    return function(*arguments)


def bind(kernel: Name, *arguments) -> Callable[..., Any]:
    """The compiled function of a kernel for arguments of these types."""
    function = compiled[kernel] = entry(*kernel).bind(*arguments)
    return function


def compile_seconds() -> float:
    """Time that this process has spent on compiling kernels, or on loading them from disk, s."""
    home = sys.modules.get("linkwork.kernels.numba_ext.compile")
    return home.compile_seconds() if home else 0.0


@functools.cache
def entry(module: str, name: str) -> Kernel:
    """The kernel `name` of linkwork.kernels.`module`, for one state."""
    from linkwork.kernels.numba_ext import Kernel

    home = importlib.import_module(f"linkwork.kernels.{module}")
    kernel = Kernel(getattr(home, name), file=home.__file__)
    kernel.recipe = "entry", (module, name)
    return kernel


@functools.cache
def python_entry(module: str, name: str, outputs: int) -> Kernel:
    """The kernel `name` of linkwork.kernels.`module` for `python_function`, with so many matrices as results."""
    from linkwork.kernels.numba_ext import matrix_kernel

    home = importlib.import_module(f"linkwork.kernels.{module}")
    kernel = matrix_kernel(getattr(home, name), outputs, home.__file__)
    if kernel is not None:
        kernel.recipe = "python_entry", (module, name, outputs)
    return kernel


@functools.cache
def batch_entry(module: str, name: str, inputs: int) -> Callable[..., Any]:
    """The same algorithm over many states; see `numba_ext.fast.batch.batched`."""
    from linkwork.kernels.numba_ext import batched

    home = importlib.import_module(f"linkwork.kernels.{module}")
    function = batched(getattr(home, name), inputs, home.__file__)
    getattr(function, "kernel", function).recipe = "batch_entry", (module, name, inputs)
    return function
