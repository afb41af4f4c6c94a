"""The one place that chooses how kernels are compiled and run: `fast`, by Numba's internals, or `plain`, by its API.

``LINKWORK_PLAIN=1`` chooses plain. So does a Numba release that `fast` was not tried with, or one that lacks a private
name, after a warning. Both folders have modules of the same names with the same functions.
"""

import importlib
import os
import warnings

import numba

OLDEST, TOO_NEW = (0, 66), (0, 69)  # releases of Numba, as in pyproject.toml
TRIED = {"0.66.0", "0.68.1"}  # by every test: that they have these names is known, and to look takes time at each start
# Every private name that `fast` relies on: docs/numba.md says what for.
PRIVATE = {
    "numba.core": [
        "base._has_loc", "base.user_function", "byteflow._logger", "cgutils.alloca_once",
        "cgutils.if_unlikely", "cgutils.make_anonymous_struct", "codegen.ll.get_process_triple", "config.OPT",
        "config.reload_config", "event.install_timer", "funcdesc.default_mangler",
        "interpreter.peep_hole_delete_with_exit", "interpreter.peep_hole_fuse_dict_add_updates", "ssa._logger",
        "typeinfer.new_error_context",
    ],
    "numba.core.analysis": ["compute_cfg_from_blocks"],
    "numba.core.base": ["BaseContext.get_arg_packer", "BaseContext.get_function", "BaseContext.refresh"],
    "numba.core.callwrapper": ["PyCallWrapper.build_wrapper"],
    "numba.core.caching": ["CompileResultCacheImpl", "FunctionCache", "IndexDataCacheFile", "_CacheLocator"],
    "numba.core.cgutils": [
        "ValueStructProxy", "alloca_once", "alloca_once_value", "create_struct_proxy", "normalize_ir_text",
        "unpack_tuple",
    ],
    "numba.core.codegen": [
        "JITCodeLibrary._finalize_final_module", "JITCodeLibrary._get_module_for_linking",
        "JITCodeLibrary._set_compiled_object", "JITCodeLibrary.add_ir_module", "JITCodeLibrary.finalize",
        "JITCodeLibrary.serialize_using_object_code", "JITCPUCodegen._customize_tm_options",
        "JitEngine._load_defined_symbols", "ll.get_process_triple",
    ],
    "numba.core.compiler": ["CompilerBase", "DefaultPassBuilder.define_nopython_pipeline"],
    "numba.core.compiler_lock": ["global_compiler_lock"],
    "numba.core.compiler_machinery": ["PassManager", "_pass_registry", "register_pass"],
    "numba.core.cpu": ["CPUContext.create_cfunc_wrapper", "CPUContext.create_cpython_wrapper"],
    "numba.core.dispatcher": [
        "Dispatcher._explain_matching_error", "Dispatcher._search_new_conversions", "Dispatcher.get_compile_result",
    ],
    "numba.core.errors": ["NumbaError", "WarningsFixer.catch_warnings", "_format_msg"],
    "numba.core.imputils": ["builtin_registry", "fix_returning_optional", "impl_ret_new_ref"],
    "numba.core.inline_closurecall": ["copy"],
    "numba.core.ir": ["Arg", "Assign", "Branch", "Const", "Expr", "Inst._rec_list_vars", "Jump", "Var"],
    "numba.core.ir_utils": ["build_definitions"],
    "numba.core.lowering": [
        "Lower._find_singly_assigned_variable", "Lower._lower_call_normal", "Lower.alloca_lltype",
        "Lower.extract_function_arguments", "Lower.lower_block", "Lower.lower_expr", "Lower.post_lower",
        "Lower.setup_function", "Lower.storevar",
    ],
    "numba.core.options": ["DefaultOptions._nrt", "DefaultOptions.forceinline", "DefaultOptions.no_cfunc_wrapper"],
    "numba.core.postproc": ["PostProcessor.run", "VariableLifetime"],
    "numba.core.registry": ["cpu_target"],
    "numba.core.targetconfig": ["TargetConfig.get_mangle_string"],
    "numba.core.transforms": ["canonicalize_cfg"],
    "numba.core.typed_passes": ["NativeLowering.lowering_class"],
    "numba.core.typing.context": ["BaseContext.resolve_getattr", "BaseContext.resolve_value_type"],
    "numba.core.typing.templates": ["builtin_registry"],
    "numba.core.untyped_passes": ["DeadBranchPrune"],
    "numba.np": ["arrayobj.make_array"],
}  # fmt: skip


def obstacle(version=numba.__version__, private=PRIVATE):
    """Why `fast` cannot work with this Numba; None where it can."""
    release = tuple(map(int, version.split(".")[:2]))
    if not OLDEST <= release < TOO_NEW:
        return f"Numba {version} is not one of those tried, {OLDEST[0]}.{OLDEST[1]} to before {TOO_NEW[0]}.{TOO_NEW[1]}"
    for module, names in private.items():
        for name in names:
            try:
                found = importlib.import_module(module)
                for part in name.split("."):
                    found = getattr(found, part)
            except (ImportError, AttributeError):
                return f"Numba {version} has no {module}.{name}"
    return None


def _choose():
    if os.environ.get("LINKWORK_PLAIN", "0") not in ("", "0"):
        return "plain"
    reason = None if numba.__version__ in TRIED else obstacle()
    if reason is None:
        return "fast"
    warnings.warn(f"linkwork runs in plain mode, several times slower: {reason}", RuntimeWarning, stacklevel=2)
    return "plain"


MODE = _choose()


def implementation(module):
    """The module of this name in the folder of the mode."""
    return importlib.import_module(f"linkwork.kernels.numba_ext.{MODE}.{module}")
