"""When and where figures were measured; stored with them."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import linkwork as lw


def facts(packages: dict[str, str] | None = None) -> dict[str, str]:
    """Date, processor, cores and versions; `packages` are those that matter besides NumPy and Numba, by name."""
    found = {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "linkwork": lw.__version__,
    }
    for name, package in {"NumPy": "numpy", "Numba": "numba", **(packages or {})}.items():
        try:
            found[name] = version(package)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def processor() -> str:
    """The processor's name as the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
