"""Code on its way to the processor: a helper's stays LLVM's text until a program links it.

Numba makes machine code of every function that it compiles, also of those that nobody enters from outside: half of the
time that LLVM takes. A program is handed over to be made, see `making`, and put in place when one is to be entered.
"""

from itertools import count

from llvmlite import binding
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary

from linkwork.kernels.meanwhile import do_one
from linkwork.kernels.numba_ext.fast.making import maker

_numbers = count()
_waiting = []  # programs that were handed over


class _Texts(JITCodeLibrary):
    """Code as text."""

    is_part = False

    def __init__(self, codegen, name):
        super().__init__(codegen, name)
        self.texts, self.number = [], next(_numbers)

    def add_ir_module(self, ir_module):
        """Take this code as it is."""
        self.texts.append(normalize_ir_text(str(ir_module)))

    def get_llvm_str(self):
        """The code, for people to read."""
        return "\n".join(self.texts)


class _Nowhere:
    """Where Numba sets the environment of a function that is not entered from Python."""

    @staticmethod
    def set_env(env_name, env):
        pass


class Part(_Texts):
    """The code of a helper."""

    is_part, codegen = True, _Nowhere

    def finalize(self):
        """Link nothing, and make no machine code."""
        self._finalized = True

    def _get_module_for_linking(self):
        """The code itself, for a function of Numba's that calls the helper."""
        if self._shared_module is None:
            self._shared_module = binding.parse_assembly(self.texts[0])
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._shared_module

    def get_pointer_to_function(self, name):
        """Nowhere."""
        return 0


class Program(_Texts):
    """The code of an entry point, and of all helpers that it uses, directly or not."""

    inlines = unrolls = False

    def finalize(self):
        """Have it made of every part once."""
        # Callers come first: LLVM links no more of a part than what is called by then.
        waiting, found = list(self._linking_libraries), {}
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = True
                self._reload_init.update(library._reload_init)
                if isinstance(library, Part):
                    waiting += library._linking_libraries
        self._parts = dict(map(_as_part, found))
        self._finalized = True
        self._made = self._hand_over()
        _waiting.append(self)

    def _hand_over(self):
        """Have it made."""
        program = normalize_ir_text(self.name), self.texts, self.inlines, self.unrolls
        return maker(self._codegen).make(self._parts, *program)

    def load(self):
        """Put it in place."""
        if self._made.cancelled():
            self._made = self._hand_over()
        if not self._made.done():
            do_one()
        code, names, self._dynamic_globals = self._made.result()
        self._set_compiled_object(code)
        self._shared_module = binding.parse_bitcode(names)
        self._finalize_final_module()
        self._codegen._engine._load_defined_symbols(self._shared_module)

    def get_pointer_to_function(self, name):
        """The address of a function, which can be entered from now on."""
        self._ensure_finalized()
        load_waiting()
        return super().get_pointer_to_function(name)

    @property
    def has_dynamic_globals(self):
        """Whether it holds what other processes do not know."""
        return len(self._made.result()[2]) > 0

    def serialize_using_object_code(self):
        """What goes to the disk."""
        return self.name, "object", self._made.result()[:2]


class UnrolledProgram(Program):
    """A program whose loops are unrolled."""

    unrolls = True


class SeparateProgram(Program):
    """A program that others call."""

    inlines, codegen = True, _Nowhere

    def get_pointer_to_function(self, name):
        """Nowhere: nobody enters it from Python."""
        self._ensure_finalized()
        return 0


class UnrolledSeparateProgram(SeparateProgram):
    """One whose loops are unrolled, too."""

    unrolls = True


def load_waiting():
    """Put all programs in place that were handed over, in their order: what others call comes first."""
    while _waiting:
        _waiting[0].load()
        _waiting.pop(0)


def _as_part(library):
    """Number and code of what a program links."""
    if isinstance(library, Part):
        return library.number, library.texts
    if not hasattr(library, "number"):  # what Numba compiled itself
        library.number = next(_numbers)
    return library.number, library._get_module_for_linking().as_bitcode()
