"""Functions that Numba hears of when the first kernel that uses them is compiled.

A run imports hundreds of them, and compiles none where its kernels are on the disk.
"""

import functools

from numba.extending import typeof_impl


class Later:
    """A function for compiled code; ``make()`` tells Numba of it."""

    def __init__(self, function, make):
        functools.update_wrapper(self, function)
        self.py_func, self._make = function, make

    @functools.cached_property
    def dispatcher(self):
        """What Numba makes of it."""
        return self._make()

    @property
    def overloads(self):
        """What it is compiled to, by types of arguments."""
        return self.dispatcher.overloads if "dispatcher" in vars(self) else {}


@typeof_impl.register(Later)
def _type_of_later(value, context):
    return typeof_impl(value.dispatcher, context)
