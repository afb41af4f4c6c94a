"""Functions that do no more than call another one."""

import inspect


def forwarder(target, name, source):
    """A global function of this name, with the arguments of `source` and as if from its file, that calls `target`."""
    arguments = ", ".join(inspect.signature(source).parameters)
    scope = {"__name__": source.__module__, "target": target}
    text = f"def {name}({arguments}): return target({arguments})"
    exec(compile(text, source.__code__.co_filename, "exec"), scope)
    return scope[name]
