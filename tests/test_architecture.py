"""The structure of the code, as a test: imports point one way, SDKs have one door."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from django.conf import settings

from curation.qualifying.applications.events import EVENTS as APPLICATION_EVENTS
from curation.tasks.task.events import EVENTS as TASK_EVENTS
from judge.scoring.anchors.events import EVENTS as ANCHOR_EVENTS

ROOT = Path(settings.BASE_DIR)
ORDER = ["curation", "rubrics", "review", "judge", "config"]
TOP_LEVEL = {"manage.py", "pyproject.toml", *ORDER[:4], "templates", "fixtures", "tests"}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that a file says, read once for all tests."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> set[str]:
    """The top-level names a file imports, wherever in it."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
    return found


@cache
def python_files(app: str) -> list[Path]:
    return [p for p in (ROOT / app).rglob("*.py") if "migrations" not in p.parts]


def test_the_owners_top_level_is_there():
    assert all((ROOT / name).exists() for name in TOP_LEVEL)


def test_imports_point_one_way_from_config_down_to_curation():
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for level, app in enumerate(ORDER)
        for path in python_files(app)
        for name in imports(path)
        if name.split(".")[0] in ORDER[level + 1 :]
    ]
    assert wrong == []


def test_the_lower_apps_hold_no_model_call_no_queue_and_no_data_frames():
    banned = {"celery", "openai", "anthropic", "pandas", "kombu"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for app in ORDER[:3]
        for path in python_files(app)
        for name in imports(path)
        if name.split(".")[0] in banned
    ]
    assert wrong == []


def test_only_the_providers_import_a_vendors_sdk():
    wrong = [
        str(path.relative_to(ROOT))
        for app in ORDER
        for path in python_files(app)
        if {n.split(".")[0] for n in imports(path)} & {"openai", "anthropic"}
        and "providers" not in path.parts
    ]
    assert wrong == []


def test_no_line_of_a_template_is_longer_than_160_characters():
    files = sorted((ROOT / "templates").rglob("*.html"))
    assert len(files) > 200
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 160
    ]
    assert wrong == []


def test_every_import_of_the_product_is_of_a_package_that_it_installs():
    """The tests run with more than that, and would not see it."""
    lock = (ROOT / "requirements/core.txt").read_text(encoding="utf-8")
    installed = {
        name.lower().replace("_", "-") for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)
    }
    distributions = packages_distributions()
    ours = {*ORDER, *sys.stdlib_module_names}
    files = [ROOT / "manage.py", *(path for app in ORDER for path in (ROOT / app).rglob("*.py"))]
    asked = {
        (name.split(".")[0], str(path.relative_to(ROOT)))
        for path in files
        for name in imports(path)
    }
    assert {"django", "numpy"} < {name for name, _path in asked}
    wrong = sorted(
        f"{path} imports {name}"
        for name, path in asked
        if name not in ours
        and not installed.intersection(
            distribution.lower().replace("_", "-") for distribution in distributions.get(name, [])
        )
    )
    assert wrong == []


def test_the_formulas_know_neither_django_nor_pandas():
    files = [*python_files("judge/base/stats"), ROOT / "rubrics/policy/weights.py"]
    assert len(files) > 5
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imports(path)
        if name.split(".")[0] in {"django", "pandas"}
    ]
    assert wrong == []


def test_no_pattern_repeats_a_group_possessively():
    """Python 3.11.2, that of Debian 12, keeps what the last attempt took before it failed."""
    group = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+")
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for app in ORDER
        for path in python_files(app)
        for line in path.read_text(encoding="utf-8").splitlines()
        if group.search(line)
    ]
    assert wrong == []


def test_no_file_is_longer_than_four_hundred_lines():
    long = {
        str(path.relative_to(ROOT)): count
        for app in ORDER
        for path in python_files(app)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


# What is imported where it is used: figures, exports and the calls of judges.
HEAVY = [
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "sklearn",
    "statsmodels",
    "matplotlib",
    "openai",
    "anthropic",
    "httpx2",
]


@pytest.mark.parametrize(
    "start",
    [
        "import django; django.setup(); import config.urls",
        "import config.wsgi",
        "from config.celery import app; app.loader.import_default_modules()",
    ],
    ids=["a command", "the web server", "the worker"],
)
def test_no_process_loads_the_heavy_libraries_when_it_starts(start):
    """They cost memory while idle, in every process, and time at every command."""
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings';"
        f"{start}; print('judge.asking.calls.pool' in sys.modules,"
        f" [m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"DEBUG": "1", "PATH": "", "VAR_DIR": str(settings.VAR_DIR)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "True []"


def test_states_of_rows_change_by_move_alone():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for app in ORDER[:4]
        for path in python_files(app)
        if path.name != "states.py"
        for node in nodes(path)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("update", "bulk_update")
            and any(word.arg == "state" for word in node.keywords)
        )
        or (
            isinstance(node, ast.Assign)
            and any(isinstance(to, ast.Attribute) and to.attr == "state" for to in node.targets)
        )
    ]
    assert wrong == []


def test_every_note_written_has_its_row_in_the_table_of_events():
    known = {*TASK_EVENTS.notes, *APPLICATION_EVENTS.notes, *ANCHOR_EVENTS.notes}
    written = {
        node.args[0].value
        for app in ORDER[:4]
        for path in python_files(app)
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "note"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(written) > 10
    assert written - known == set()
