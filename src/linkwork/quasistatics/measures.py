"""What the error of an adaptive simulation is one of, and how it is measured."""

from __future__ import annotations

from linkwork.errors import ArgumentError, unknown_name
from linkwork.kernels.layout.adaptive import ABSOLUTE_DISPLACEMENT, MEASURES, RELATIVE_DISPLACEMENT

MODES = ("quasi-statics", "dynamics")


def chosen(measure: str | None, error: str | None) -> tuple[str, str]:
    """What is measured and how: displacements, unless the error asked for is one of single joints."""
    if measure is not None and measure not in ("displacement", "acceleration"):
        raise unknown_name("measure", measure, ["displacement", "acceleration"])
    if error is not None and error not in MEASURES:
        raise unknown_name("error measure", error, list(MEASURES))
    of_joint = error is not None and error.endswith("joint")
    if measure is None:
        measure = "acceleration" if of_joint else "displacement"
    if measure == "displacement" and of_joint:
        raise ArgumentError(
            f"displacements are measured over the whole linkage: take error='relative-linkage' or 'absolute-linkage' "
            f"instead of {error!r}, or measure='acceleration'"
        )
    return measure, error or ("relative-linkage" if measure == "displacement" else "relative-joint")


def number_of(measure: str, error: str) -> int:
    """The number by which kernels know a measure."""
    if measure == "displacement":
        return ABSOLUTE_DISPLACEMENT if error.startswith("absolute") else RELATIVE_DISPLACEMENT
    return MEASURES.index(error)


def known_mode(mode: str, dt, measure: str | None, error: str | None, gain, v, closing) -> str:
    """Check the mode, and that what is given goes with it."""
    if mode not in MODES:
        raise unknown_name("mode", mode, list(MODES))
    given = {"v": v is not None, "closing": closing is not None}
    if mode == "dynamics":
        given = {"gain": gain is not None, "measure='acceleration'": measure == "acceleration"}
        given[f"error={error!r}"] = error is not None and error.endswith("joint")
    wrong = [name for name, is_given in given.items() if is_given]
    if wrong:
        other = MODES[mode == "quasi-statics"]
        raise ArgumentError(f"{wrong[0]} goes with mode={other!r} only, not with mode={mode!r}: leave it out")
    if mode == "dynamics" and not dt > 0.0:
        raise ArgumentError(f"dt must be positive in mode='dynamics', not {dt!r}")
    return mode
