"""Write figures that were measured into the pages that quote them, so that pages and measurements cannot differ.

    python docs/measured.py

A page has blocks between ``<!-- measured: NAME -->`` and ``<!-- end -->``; what stands there is made from a file of
`docs/measured`, which a benchmark wrote together with its date and machine. A test checks that pages are up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).parent
BLOCK = re.compile(r"(<!-- measured: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def stored(name: str) -> dict:
    """The figures of one benchmark."""
    return json.loads((DOCS / "measured" / f"{name}.json").read_text(encoding="utf-8"))


def machine(name: str) -> str:
    """When and where: one sentence."""
    facts = dict(stored(name)["machine"])
    date, processor, cores = (facts.pop(key) for key in ("date", "processor", "cores"))
    rest = [f"{key} {value}" for key, value in facts.items() if value != "not installed"]
    return f"Measured on {date}: {processor}, {cores} cores; {', '.join(rest)}."


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def short(x: float) -> str:
    """Two digits, in the shortest form."""
    return f"{x:.2g}" if 1e-3 <= abs(x) < 1e3 else f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e")


def table_1(measure: str) -> str:
    """Redon and Lin's Table 1 by one of our measures, at all twenty tolerances of their text."""
    rows = [row for row in _adaptive("molecule") if row["measure"] == measure]
    columns = {
        f"{count:,} force{'s' * (count > 1)}": [row for row in rows if row["forces"] == count]
        for count in sorted({row["forces"] for row in rows})
    }
    return _over_tolerances(columns) + "\n\n" + _exact(rows) + machine("adaptive")


def figure_5() -> str:
    """The millipede at all tolerances, by both measures."""
    rows = _adaptive("millipede")
    columns = {name: [row for row in rows if row["measure"] == name] for name in ("displacement", "acceleration")}
    return _over_tolerances(columns) + "\n\n" + _exact(rows) + machine("adaptive")


def _adaptive(linkage: str) -> list[dict]:
    return [row for row in stored("adaptive")["rows"] if row["linkage"].startswith(linkage)]


def _over_tolerances(columns: dict[str, list[dict]]) -> str:
    """Time, joints and error, three columns for each kind of run."""
    found = [{row["tolerance"]: row for row in rows} for rows in columns.values()]
    lines = []
    for k in range(20):
        cells = [f"2{str(-k).translate(SUPERSCRIPTS)}"]
        for row in (rows[2.0**-k] for rows in found):
            cells += [f"{row['ms']:.3f}", f"{row['computed']:,.0f}", short(row["error"] / row["steps"])]
        lines.append(cells)
    return table(["tolerance"] + [x for name in columns for x in (f"{name}: ms", "joints", "error per step")], lines)


def _exact(rows: list[dict]) -> str:
    def span(name: str) -> str:
        return " to ".join(dict.fromkeys(short(choose(row[name] for row in rows)) for choose in (min, max)))

    exact = f"{span('aba_ms')} ms by ABA, {span('dca_ms')} ms by divide and conquer"
    return f"{rows[0]['steps']} steps each. Exact steps in the same runs: {exact}. "


ROBOTS = ("panda", "g1", "talos")


def peers_batches() -> str:
    """Speed over other libraries on robots."""
    rows, lines = stored("peers")["batches"], []
    order = dict.fromkeys((row["measure"], row["contender"]) for row in rows)
    for measure, contender in order:
        mine = {row["robot"]: row for row in rows if (row["measure"], row["contender"]) == (measure, contender)}
        budget = next((row["budget"] for row in mine.values() if row["budget"]), None)
        if contender == "linkwork":
            cells = [f"{mine[robot]['microseconds']:.2f}" if robot in mine else "" for robot in ROBOTS]
            lines.append([f"**{measure}**, µs per state", *cells, ""])
        else:
            cells = [f"{mine[robot]['ratio']:.3g}" if robot in mine else "" for robot in ROBOTS]
            what = "" if (measure, "linkwork") in order else f"{measure} only, over "
            lines.append([f"… {what}{contender}", *cells, f"{budget:g}" if budget else ""])
    return table(["", *ROBOTS, "budget"], lines) + "\n\n" + machine("peers")


def peers_long() -> str:
    """Forward dynamics of long chains."""
    cases = [case for case in stored("peers")["long"] if case["joints"]]
    names = list(dict.fromkeys(case["peer"] for case in cases))
    lines = []
    for shape, joints in sorted({(case["shape"], case["joints"]) for case in cases}):
        cells = [f"{joints:,} ({shape})"]
        for name in names:
            each = [c for c in cases if (c["peer"], c["shape"], c["joints"]) == (name, shape, joints)]
            case = each[0] if each else None
            if case is None:
                cells.append("")
            elif case["seconds"] is None:
                cells.append(case["failure"])
            else:
                memory = f", {case['megabytes']:,.0f} MB" if case["megabytes"] and case["megabytes"] >= 1.0 else ""
                ms = 1e3 * case["seconds"]
                cells.append(f"{ms:,.0f}{memory}" if ms >= 1e3 else f"{ms:.3g}{memory}")
        lines.append(cells)
    return table(["joints", *names], lines)


BLOCKS: dict[str, Callable[[], str]] = {
    "table-1-displacement": lambda: table_1("displacement"),
    "table-1-acceleration": lambda: table_1("acceleration"),
    "figure-5": figure_5,
    "peers-batches": peers_batches,
    "peers-long": peers_long,
}


def filled(text: str) -> str:
    """A page with its blocks made anew."""
    return BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block[2]]()}\n{block[3]}", text)


if __name__ == "__main__":
    for page in DOCS.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        if filled(text) != text:
            page.write_text(filled(text), encoding="utf-8")
