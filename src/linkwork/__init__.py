"""linkwork: the dynamics of linkages, at any size, open or closed, while they change.

`__init__.pyi` lists the public names. Each is imported when it is first used: `import linkwork` itself is quick.
"""

import sys as _sys

import lazy_loader as _lazy

__version__ = "0.1.0"

_load, _, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name not in __all__:
        # with these Python offers the nearest name
        raise AttributeError(f"module 'linkwork' has no attribute {name!r}", name=name, obj=_sys.modules[__name__])
    return _load(name)


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
