"""From LLVM's code, as text, to machine code: the second half of compiling a program, and half of the time.

Another process runs this file as a program, with the folder of llvmlite, while this one goes on with the next function:
see `making`. It imports nothing else, so that it starts in some 50 ms.
"""

import re
import sys
from collections import Counter

LARGE = 900  # lines of LLVM's code
_NAME = re.compile(r'@("[^"]+"|[\w.$]+)\(')
_CALL = re.compile(r'call [^@\n]*@("[^"]+"|[\w.$]+)\(')


class Workshop:
    """Makes machine code for one target, in a context of LLVM's of its own.

    Parameters
    ----------
    triple : str
        The target.
    options : dict
        What llvmlite's `create_target_machine` takes.
    """

    def __init__(self, triple, options):
        from llvmlite import binding

        self._llvm = binding
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self._machine = binding.Target.from_triple(triple).create_target_machine(**options)
        self._context, self._parts = binding.create_context(), {}

    def learn(self, number, code):
        """Take a part that programs use, where it is new: texts, or the bitcode of what Numba compiled itself."""
        if number in self._parts:
            return
        if isinstance(code, bytes):
            part = self._llvm.parse_bitcode(code, self._context)
        else:
            part = self._parsed(code)
            for function in part.functions:
                if not function.is_declaration and function.linkage == self._llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        self._parts[number] = part

    def make(self, parts, name, texts, inlines, unrolls):
        """(machine code, bitcode of a module that defines the same names, names of globals that are not constant).

        The program is made of texts, and of parts by their numbers, callers before what they call: LLVM links no more
        of a part than what is called by then. Kernels are written for packs of states, or for vectors of four numbers:
        to look for more of them takes LLVM a third of a first run. To unroll loops takes a tenth, and few kernels gain
        by it. `inlines`: put helpers in place of their calls, but for large ones. What neither unrolls nor inlines is
        mostly a loop around programs that do, and gains nothing by LLVM's higher levels.
        """
        module = self._parsed(texts)
        module.name = name
        for number in parts:
            module.link_in(self._parts[number], preserve=True)
        if inlines:
            self._inline(module)
        options = self._llvm.create_pipeline_tuning_options(speed_level=3 if inlines or unrolls else 1)
        options.loop_vectorization = options.slp_vectorization = False
        options.loop_unrolling = unrolls
        builder = self._llvm.create_pass_builder(self._machine, options)
        builder.getModulePassManager().run(module, builder)
        module.verify()
        code = self._machine.emit_object(module)
        functions = [function.name for function in module.functions if not function.is_declaration]
        values = [value.name for value in module.global_variables if not value.is_declaration]
        dynamic = [value for value in values if value.startswith("numba.dynamic.globals")]
        lines = [f'define void @"{function}"() {{ ret void }}' for function in functions]
        lines += [f'@"{value}" = global i8 0' for value in values]
        return code, self._llvm.parse_assembly("\n".join(lines), self._context).as_bitcode(), dynamic

    def _parsed(self, texts):
        module = self._llvm.parse_assembly(texts[0], self._context)
        for text in texts[1:]:
            module.link_in(self._llvm.parse_assembly(text, self._context))
        return module

    def _inline(self, module):
        """Have helpers put in place of their calls: measured to be up to a third faster.

        Not so a large one that is called in several places: its code would be optimised again in each of them.
        """
        large = large_parts(str(module))
        for function in module.functions:
            if not function.is_declaration and function.linkage == self._llvm.Linkage.linkonce_odr:
                function.add_function_attribute("noinline" if function.name in large else "alwaysinline")


def large_parts(text):
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
            if places[name] > 1 and lines[name] > LARGE:
                large.add(name)
                return 1
        return lines[name]

    for name in bodies:
        count(name)
    return large


def serve():
    """Make what is asked for through the standard input, until that is closed."""
    import os
    import pickle

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what else is printed does not come between answers
    workshop = Workshop(*pickle.load(sys.stdin.buffer))
    while True:
        try:
            new, *program = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            for number, code in new.items():
                workshop.learn(number, code)
            answer = workshop.make(*program)
        except RuntimeError as problem:  # LLVM's
            answer = problem
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    serve()
