"""`import linkwork` is cheap: what it needs comes with Python, all else loads when it is used."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys
import ast, importlib
before = set(sys.modules)
import linkwork
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""


def test_import_loads_nothing_but_the_loader():
    run = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == ["lazy_loader", "linkwork"]
