"""Code on its way to the processor: a helper's stays LLVM's intermediate code until a program links it.

Numba makes machine code of every function that it compiles, also of those that nobody enters from outside: half of the
time that LLVM takes.
"""

import re
from collections import Counter

from llvmlite import binding
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary

_LARGE = 900  # lines of LLVM's code
_NAME = re.compile(r'@("[^"]+"|[\w.$]+)\(')
_CALL = re.compile(r'call [^@\n]*@("[^"]+"|[\w.$]+)\(')


class Part(JITCodeLibrary):
    """The code of a helper."""

    def add_ir_module(self, ir_module):
        """Take this code as it is: to optimise it is left to the program."""
        code = binding.parse_assembly(normalize_ir_text(str(ir_module)))
        code.data_layout = self._codegen._data_layout
        self._final_module.link_in(code)

    def finalize(self):
        """Link nothing, and make no machine code."""
        self._finalized = True

    def _get_module_for_linking(self):
        """The code itself, for a program to take what it calls."""
        if self._shared_module is None:
            self._shared_module = self._final_module
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared_module

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
    """The code of an entry point, and of all helpers that it uses, directly or not.

    Kernels are written for packs of states, or for vectors of four numbers: to look for more of them takes LLVM a third
    of a first run. To unroll loops takes a tenth, and few kernels gain by it.
    """

    unrolls = False

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

    def _optimize_functions(self, ll_module):
        """Leave that for when all is linked."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self):
        """Optimise once; Numba does so twice, to find reference counts that cancel, and few kernels have any."""
        if any(function.name.startswith("NRT_") for function in self._final_module.functions):
            super()._optimize_final_module()
        else:
            options = binding.create_pipeline_tuning_options(speed_level=3)
            options.loop_vectorization = options.slp_vectorization = False
            options.loop_unrolling = self.unrolls
            builder = binding.create_pass_builder(self._codegen._tm, options)
            builder.getModulePassManager().run(self._final_module, builder)


class UnrolledProgram(Program):
    """A program whose loops are unrolled."""

    unrolls = True


class SeparateProgram(Program):
    """A program whose helpers are put in place of their calls: measured to be up to a third faster.

    Not so a large one that is called in several places: its code would be optimised again in each of them.
    """

    def _optimize_final_module(self):
        large = _large_parts(str(self._final_module))
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.add_function_attribute("noinline" if function.name in large else "alwaysinline")
        super()._optimize_final_module()


class UnrolledSeparateProgram(SeparateProgram):
    """One whose loops are unrolled, too."""

    unrolls = True


def _large_parts(text):
    """Names of functions that are called in several places and have too many lines, with all that they call."""
    bodies = {_NAME.search(body)[1].strip('"'): body.partition("\n}")[0] for body in text.split("\ndefine ")[1:]}
    called = {name: [callee.strip('"') for callee in _CALL.findall(body)] for name, body in bodies.items()}
    places = Counter(callee for callees in called.values() for callee in callees)
    lines, large = {}, set()

    def count(name):
        if name not in bodies or name in large:
            return 1
        if name not in lines:
            lines[name] = bodies[name].count("\n")
            lines[name] += sum(map(count, called[name]))
            if places[name] > 1 and lines[name] > _LARGE:
                large.add(name)
                return 1
        return lines[name]

    for name in bodies:
        count(name)
    return large
