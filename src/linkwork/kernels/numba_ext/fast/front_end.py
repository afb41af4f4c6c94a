"""Numba's way from bytecode to LLVM's code without what kernels have no use for: it takes half of a first run.

Kernels have no ``with``, no closures of their own, no `literal_unroll` and no parallel loops, so that the passes for
these are left out. Lifetimes of variables are worked out once at the end, not after each pass. While kernels are
compiled, `hurried` has Numba remember which function or attribute fits which types, where it would try each candidate
again for every operation.
"""

import functools
import hashlib
import importlib
import threading
from contextlib import ExitStack, contextmanager, nullcontext
from importlib.util import find_spec
from operator import is_, is_not
from types import BuiltinFunctionType, FunctionType

from numba import types
from numba.core import base, byteflow, codegen, config, event, funcdesc, interpreter, ssa, typeinfer
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.base import BaseContext
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, _pass_registry, register_pass
from numba.core.errors import NumbaError, WarningsFixer, _format_msg
from numba.core.imputils import builtin_registry as known_code
from numba.core.ir import Arg, Branch, Const, Expr, Inst, Jump, Var
from numba.core.ir_utils import build_definitions
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import builtin_registry as known_types
from numba.core.untyped_passes import DeadBranchPrune

from linkwork.kernels.numba_ext.fast import entrance, values
from linkwork.kernels.numba_ext.fast.crossing import caller_of

_IDLE = {
    "with_lifting", "inline_closure_likes", "make_function_op_code_to_jit_function", "find_literally", "literal_unroll",
    "LiteralPropagation", "annotate_types", "dump_parfor_diagnostics",
}  # fmt: skip
_COUNTING = {"inline_overloads", "nopython_rewrites", "ir_legalization"}  # of use where references are counted
_hurry = threading.local()


class Passes(PassManager):
    """The passes of a compiler that kernels need, without Numba's bookkeeping around each."""

    def __init__(self, numbas):
        super().__init__(numbas.pipeline_name)
        passes = [(step, text) for step, text in numbas.passes if step.name() not in _IDLE]
        self.passes = [(Prune if step is DeadBranchPrune else step, text) for step, text in passes]
        self._analysis = numbas._analysis | {Prune: numbas._analysis.get(DeadBranchPrune)}
        self._finalized = True

    def run(self, state):
        """Run them all."""
        state.type_annotation = ""  # for people to read
        _run_passes(self, state)


def _run_passes(manager, state):
    """Run all passes of a manager that this function needs."""
    for step, _ in manager.passes:
        if not state.flags.nrt and step.name() in _COUNTING:
            continue
        known = _pass_registry.get(step)
        worker = known.pass_inst
        worker.analysis = manager._analysis
        worker.run_initialization(state)
        changed = worker.run_pass(state)
        worker.run_finalizer(state)
        if changed and known.mutates_CFG:
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)


@contextmanager
def hurried():
    """Compile kernels quicker meanwhile, in this thread; others wait with compiling."""
    if getattr(_hurry, "on", False):
        yield
        return
    with ExitStack() as stack:
        stack.enter_context(global_compiler_lock)
        _hurry.on = True
        stack.callback(setattr, _hurry, "on", False)
        for home, name, quick in _quick_ways():
            stack.callback(setattr, home, name, getattr(home, name))
            setattr(home, name, quick)
        yield


@functools.cache
def learn_arrays():
    """Import what Numba knows of arrays, without a look for BLAS: to ask SciPy for it takes a third of a second.

    A function that needs BLAS looks for it when it is compiled.
    """
    linalg = importlib.import_module("numba.np.linalg")
    look = linalg.ensure_blas
    if find_spec("scipy"):
        linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath").ensure_blas = look
    finally:
        linalg.ensure_blas = look


def _quick_ways():
    """(class or module, name, function that does the same)."""
    inlining = importlib.import_module("numba.core.inline_closurecall")  # of no use to a kernel from the disk
    return [
        *values.quick_ways(),
        *entrance.quick_ways(),
        (types.BaseFunction, "get_call_type", _remembered_call(types.BaseFunction.get_call_type)),
        (types.Dispatcher, "get_call_type", _once_for_all_numbers(types.Dispatcher.get_call_type)),
        (TypingContext, "resolve_getattr", _remembered_attribute(TypingContext.resolve_getattr)),
        (BaseContext, "refresh", _where_new(BaseContext.refresh)),
        (BaseContext, "get_function", _found_at_last(BaseContext.get_function, BaseContext.refresh)),
        (Inst, "_rec_list_vars", _variables),
        (PostProcessor, "run", _lifetimes_where_used(PostProcessor.run)),
        (TypingContext, "resolve_value_type", _remembered_function(TypingContext.resolve_value_type)),
        (BaseContext, "get_arg_packer", _remembered_packer(BaseContext.get_arg_packer)),
        (base, "user_function", _called_by(base.user_function)),
        (base, "_has_loc", functools.cache(base._has_loc)),
        (typeinfer, "new_error_context", _Told),
        (config, "reload_config", lambda: None),
        (interpreter, "peep_hole_delete_with_exit", _as_it_is),
        (interpreter, "peep_hole_fuse_dict_add_updates", _as_it_is),
        (PassManager, "run", _run_passes),
        (funcdesc, "default_mangler", _short_name(funcdesc.default_mangler)),
        (TargetConfig, "get_mangle_string", _remembered_text(TargetConfig.get_mangle_string)),
        (codegen.ll, "get_process_triple", functools.cache(codegen.ll.get_process_triple)),
        (event, "install_timer", lambda kind, callback: nullcontext()),
        (types.Type, "__hash__", _remembered_hash(types.Type.__hash__)),
        (type(types.Type), "__instancecheck__", type.__instancecheck__),
        (inlining, "copy", _NoCopy),
        (WarningsFixer, "catch_warnings", lambda self, filename, lineno: nullcontext()),
        (ssa, "_logger", _Silent),
        (byteflow, "_logger", _Silent),
    ]


def _remembered_call(find):
    """`find` the signature of a call, once for each function and tuple of types."""
    found = {}

    @functools.wraps(find)
    def get_call_type(self, context, args, kws):
        if kws:
            return find(self, context, args, kws)
        key = id(self), tuple(args)
        if key not in found:
            found[key] = find(self, context, args, kws), self  # kept, so that no other is given its id
        return found[key][0]

    return get_call_type


def _once_for_all_numbers(find):
    """`find` the signature of a call of a helper, which is compiled once for all constants that it is called with."""

    @functools.wraps(find)
    def get_call_type(self, context, args, kws):
        return find(self, context, tuple(map(types.unliteral, args)), kws)

    return get_call_type


def _remembered_attribute(find):
    """`find` the type of an attribute, once for each type of its owner."""
    found = {}

    @functools.wraps(find)
    def resolve_getattr(self, kind, name):
        if (kind, name) not in found:
            found[kind, name] = find(self, kind, name)
        return found[kind, name]

    return resolve_getattr


def _remembered_function(find):
    """`find` the type of a value, once for each function."""
    found = {}

    @functools.wraps(find)
    def resolve_value_type(self, val):
        if not isinstance(val, BuiltinFunctionType | FunctionType):
            return find(self, val)
        if val not in found:
            found[val] = find(self, val)
        return found[val]

    return resolve_value_type


def _remembered_packer(make):
    """`make` what splits arguments into words, once for each tuple of types."""
    made = {}

    @functools.wraps(make)
    def get_arg_packer(self, fe_args):
        kinds = tuple(fe_args)
        if kinds not in made:
            made[kinds] = make(self, kinds)
        return made[kinds]

    return get_arg_packer


def _called_by(make):
    """`make` what makes the code of calls of a function; of our own, that of `crossing`."""

    def user_function(fndesc, libs=()):
        ours = bool(libs) and all(hasattr(part, "can_fail") for part in libs)
        return caller_of(fndesc, libs) if ours else make(fndesc, libs)

    return user_function


def _remembered_hash(find):
    """`find` the hash of a type, once; not kept in the type, which goes to the disk and to other processes."""
    found = {}

    @functools.wraps(find)
    def hash_of(self):
        if id(self) not in found:
            found[id(self)] = find(self), self  # kept, so that no other is given its id
        return found[id(self)][0]

    return hash_of


class _NoCopy:
    """Copies nothing: a function that is put in place of its call is read from its bytecode for each call anew."""

    @staticmethod
    def deepcopy(block):
        return block


class _Silent:
    """A log that nobody reads."""

    @staticmethod
    def debug(*_):
        pass


class _Told:
    """Tells of an error what was done when it arose."""

    def __init__(self, text, *args, **kwargs):
        self._words = text, args, kwargs

    def __enter__(self):
        pass

    def __exit__(self, _, error, __):
        if isinstance(error, NumbaError):
            error.add_context(_format_msg(*self._words))


def _as_it_is(code):
    """Change nothing: kernels have nothing of what is looked for."""
    return code


def _remembered_text(write):
    """`write` the short form of compiler options, once for each set of them."""
    known = {}

    @functools.wraps(write)
    def get_mangle_string(self):
        options = self.summary()
        if options not in known:
            known[options] = write(self)
        return known[options]

    return get_mangle_string


def _short_name(make):
    """`make` a name of a function for LLVM; here without the types, which is read in every call of it."""

    @functools.wraps(make)
    def default_mangler(name, argtypes, *, abi_tags=(), uid=None):
        home, _, own = name.rpartition(".")
        all_of_it = make(name, argtypes, abi_tags=abi_tags, uid=uid)
        digest = hashlib.sha256(all_of_it.encode()).hexdigest()[:20]
        return make(f"{'.NumbaEnv' if home.startswith('.NumbaEnv') else 'linkwork'}.{own}.{digest}", ())

    return default_mangler


def _where_new(refresh):
    """Look for new implementations where any were added since the last time."""
    seen = {}

    @functools.wraps(refresh)
    def quick(self):
        known = _registered()  # before: what is added meanwhile is for the next time
        if seen.get(id(self)) != known:
            refresh(self)
            seen[id(self)] = known

    return quick


def _found_at_last(find, refresh):
    """`find` an implementation; before there is said to be none, look through all that Numba knows."""

    @functools.wraps(find)
    def get_function(self, fn, sig, _firstcall=True):
        try:
            return find(self, fn, sig, _firstcall)
        except NotImplementedError:
            if not _firstcall:
                raise
            refresh(self)
            return find(self, fn, sig, False)

    return get_function


def _registered():
    """How many implementations of functions, attributes and casts Numba has been taught."""
    return [len(part) for home in (known_types, known_code) for part in vars(home).values() if isinstance(part, list)]


def _lifetimes_where_used(process):
    """Make the graph of a function plain; work out what lives in it at the start of each block for generators only."""

    @functools.wraps(process)
    def run(self, emit_dels=False, extend_lifetimes=False):
        code = self.func_ir
        if code.is_generator:
            process(self, emit_dels, extend_lifetimes)
            return
        code.blocks = canonicalize_cfg(code.blocks)
        code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    return run


def _variables(self, value):
    """Variables of a value of Numba's intermediate code."""
    found, waiting = [], [value]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is Var:
            found.append(value)
        elif kind is dict:
            waiting += reversed(value.values())
        elif kind in (list, tuple):
            waiting += reversed(value)
        elif isinstance(value, Inst):
            found += value.list_vars()
        elif isinstance(value, Var):
            found.append(value)
    return found


@register_pass(mutates_CFG=True, analysis_only=False)
class Prune(DeadBranchPrune):
    """Leaves out what is never run for these types of arguments. Numba knows that of None, not of what is not None."""

    _name = "prune_by_types"

    def run_pass(self, state):
        """Prune one function."""
        code, changed = state.func_ir, False
        for block in code.blocks.values():
            branch = block.terminator
            kept = _certain(code, branch, state.args) if isinstance(branch, Branch) else None
            if kept is not None:
                block.body[-1], changed = Jump(kept, branch.loc), True
        if changed:
            for label in compute_cfg_from_blocks(code.blocks).dead_nodes():
                del code.blocks[label]
            code._definitions = build_definitions(code.blocks)
        return super().run_pass(state) or changed


def _certain(code, branch, args):
    """Where a branch always goes that asks whether an argument is None, of one that cannot be; else None."""
    try:
        condition = code.get_definition(branch.cond)
        if isinstance(condition, Expr) and condition.op == "call":  # bool(condition)
            condition = code.get_definition(condition.args[0])
        if not isinstance(condition, Expr) or condition.op != "binop" or condition.fn not in (is_, is_not):
            return None
        asked, nothing = code.get_definition(condition.lhs), code.get_definition(condition.rhs)
    except KeyError:  # defined in several places
        return None
    if not (isinstance(asked, Arg) and isinstance(nothing, Const) and nothing.value is None):
        return None
    if isinstance(args[asked.index], types.NoneType | types.Optional | types.Omitted):
        return None
    return branch.truebr if condition.fn is is_not else branch.falsebr
