"""Writes the pages of `docs/reference/` from the registries, or checks that they are up to date."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from config.environment_meanings import MEANINGS
from curation.base.access.duties import COVERS, Duty
from curation.base.access.permissions import Fact, all_permissions, has_duty, routes
from curation.base.lists.bulk import steps_of
from curation.base.lists.declared import Column, all_lists
from curation.joining.notices.notify import KINDS, Topic
from curation.tasks.task.fields import FIELDS, Field, Kind
from curation.tasks.task.text_basis import Basis, registered
from rubrics.linter.rule import Example
from rubrics.linter.rules import RULES

FOLDER = Path(settings.BASE_DIR) / "docs" / "reference"
OURS = ("config", "curation", "rubrics", "review", "judge")


def _table(*heads: str, rows: Iterator[tuple[Any, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: Any) -> str:
    return " ".join(str(text).split()).replace("|", "\\|")


# --- permissions ------------------------------------------------------------------------------
def permissions() -> str:
    """Return the duties of staff, and who is granted each permission."""
    routes()  # reads every urls.py
    duties = _table("duty", "lets somebody change", rows=((d, COVERS[d]) for d in Duty))
    granted = _table(
        "permission",
        "granted to whoever",
        rows=(
            (f"`{name}`", "; or ".join(", ".join(map(_fact, group)) for group in row))
            for name, row in sorted(all_permissions().items())
        ),
    )
    return f"# Permissions\n\nEverything without a row is denied.\n\n{duties}\n\n{granted}\n"


def _fact(fact: Fact) -> str:
    if isinstance(fact, has_duty):
        return f"is staff with {fact.duty}"
    return str(getattr(fact, "__name__", fact)).replace("_", " ")


# --- commands ---------------------------------------------------------------------------------
class _Arguments:
    """Stands for a parser, and keeps what a command adds to it."""

    def __init__(self) -> None:
        self.added: list[tuple[tuple[str, ...], dict[str, Any]]] = []

    def add_argument(self, *names: str, **options: Any) -> None:
        self.added.append((names, options))

    def add_mutually_exclusive_group(self, **options: Any) -> "_Arguments":
        return self


def commands() -> str:
    """Return every command of ours with its help and its options."""
    parts = [
        "# Commands\n\nRun them as `.venv/bin/python manage.py COMMAND`. A command that is given "
        "something it cannot use says\nwhat and where, exits with a status other than 0, and has "
        "changed nothing."
    ]
    for name, app in sorted(get_commands().items()):
        if app not in OURS:
            continue
        command = load_command_class(str(app), name)
        arguments = _Arguments()
        command.add_arguments(arguments)  # type: ignore[arg-type]
        parts.append(f"## {name}\n\n{_cell(command.help)}")
        if arguments.added:
            parts.append("\n".join(_argument(*one) for one in arguments.added))
    return "\n\n".join(parts) + "\n"


def _argument(names: tuple[str, ...], options: dict[str, Any]) -> str:
    name = names[-1]
    value = ""
    if name.startswith("-") and not str(options.get("action", "")).startswith("store_"):
        choices = [str(choice) for choice in options.get("choices") or ()]
        metavar = options.get("metavar") or name.strip("-").upper().replace("-", "_")
        value = " " + ("|".join(choices) if choices else str(metavar))
    default = options.get("default")
    text = _cell(options.get("help", "")).replace("%(default)s", str(default)).replace("%%", "%")
    if default and isinstance(default, str | int | float) and str(default) not in text:
        text = f"{text} ({default})".strip()
    return f"- `{name}{value}`" + (f": {text}" if text else "")


# --- notices ----------------------------------------------------------------------------------
class _Facts(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return 2 if name == "n" else f"[{name}]"


def notices() -> str:
    """Return the notices by topic."""
    parts = [
        "# Notices\n\nWhat people are told, in the product and by e-mail. Words: `notify.register`."
    ]
    for topic in Topic:
        kinds = (kind for _key, kind in sorted(KINDS.items()) if kind.topic == topic)
        rows = ((f"`{kind.key}`", kind.title % _Facts()) for kind in kinds)
        parts.append(f"## {topic.label}\n\n" + _table("notice", "subject", rows=rows))
    return "\n\n".join(parts) + "\n"


# --- settings ---------------------------------------------------------------------------------
def environment() -> str:
    """Return the environment variables that `config/settings.py` reads.

    Raises:
        CommandError: one has no meaning, or a meaning has no variable.
    """
    read = dict(_variables())
    if differing := sorted(read.keys() ^ MEANINGS.keys()):
        raise CommandError(f"config/environment_meanings.py: {', '.join(differing)}")
    table = _table(
        "variable",
        "meaning",
        "default",
        rows=((f"`{name}`", MEANINGS[name], default) for name, default in read.items()),
    )
    return (
        "# Environment variables\n\nA wrong value stops the start with a sentence that names the "
        "variable. The vendors' SDKs read\n`OPENAI_API_KEY`, `OPENAI_BASE_URL`, "
        "`ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL`; endpoints read the\nvariables that staff "
        f"name, which end in `_API_KEY` ([models.md](../models.md)).\n\n{table}\n"
    )


def _variables() -> Iterator[tuple[str, str]]:
    """Yield each variable with its default, in the order of the settings."""
    text = (Path(settings.BASE_DIR) / "config" / "settings.py").read_text(encoding="utf-8")
    seen = set()
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: node.lineno):
        reader = call.func
        if not (isinstance(reader, ast.Attribute) and isinstance(reader.value, ast.Name)):
            continue
        if reader.value.id != "environment" or not call.args:
            continue
        first = call.args[0]
        if isinstance(first, ast.Constant) and first.value not in seen:
            seen.add(first.value)
            default = ast.unparse(call.args[1]) if len(call.args) > 1 else ""
            bounds = [ast.unparse(k.value) for k in call.keywords if k.arg in ("low", "high")]
            shown = f"`{default}`" if default not in ("", "''", "[]") else "none"
            yield str(first.value), shown + (f" ({' to '.join(bounds)})" if bounds else "")


# --- lists ------------------------------------------------------------------------------------
def lists() -> str:
    """Return the lists of staff with their columns, filters and steps."""
    table = _table(
        "list",
        "columns",
        "filters",
        "steps on many rows",
        rows=(
            (
                spec.name,
                ", ".join(map(_column, spec.columns)),
                ", ".join(spec.filters.base_fields),
                "; ".join(str(step.title) for step in steps_of(spec.name)),
            )
            for spec in all_lists()
        ),
    )
    return (
        "# Lists of staff\n\nEvery list sorts by the columns marked ↕, is exported as CSV and "
        "Excel (° only there), and keeps\nfilters and order as a view.\n\n" + table + "\n"
    )


def _column(column: Column) -> str:
    return f"{column.label}{' ↕' * bool(column.sort)}{'°' * column.only_files}"


# --- tasks ------------------------------------------------------------------------------------
def task_fields() -> str:
    """Return the fields of a task with their limits and choices."""
    table = _table(
        "field",
        "label",
        "kind",
        "values",
        "needed",
        rows=(
            (f"`{f.name}`", f.label, f.kind.value, _values(f), "yes" if f.missing else "")
            for f in FIELDS
        ),
    )
    return (
        "# Fields of a task\n\nAs in the editor, the API and files of tasks. “Needed” is what a "
        "submission asks for.\n\n" + table + "\n"
    )


def _values(one: Field) -> str:
    if one.choices is not None:
        return " ".join(f"`{value}`" for value in one.choices.values)
    return f"at most {one.limit:,}" if one.kind in (Kind.LINE, Kind.TEXT, Kind.NUMBER) else ""


# --- the text of a task -----------------------------------------------------------------------
def stale() -> str:
    """Return what rests on a task's text, and what happens to it by an amendment."""
    rows = registered().values()
    table = _table(
        "what",
        "rests on",
        "then",
        rows=((r.label, Basis(r.on).label, r.then) for r in rows if r.stale is not None),
    )
    why: dict[str, list[str]] = {}
    for row in rows:
        if row.stale is None:
            why.setdefault(str(row.then), []).append(f"`{row.model}`")
    stays = "\n".join(f"- {_cell(then)} {', '.join(models)}" for then, models in why.items())
    return f"# What goes stale with a task's text\n\n{table}\n\nThese stay:\n\n{stays}\n"


# --- the linter -------------------------------------------------------------------------------
_BESIDE = {
    "line": "by itself",
    "lines": "among the lines before it",
    "reference": "beside the reference answer",
    "rubric": "the whole rubric beside the prompt",
}


def linter() -> str:
    """Return the rules of the linter with an example of each language."""
    parts = ["# Rules of the linter"]
    for rule in RULES:
        parts.append(
            f"## `{rule.code}`: {rule.name}\n\n{rule.teaches} Reads {_BESIDE[rule.scope]}."
        )
        first = {example.language: example for example in reversed(rule.examples)}
        parts.append("\n".join(_example(example) for example in first.values()))
    return "\n\n".join(parts) + "\n"


def _example(one: Example) -> str:
    if one.bad == one.good:
        return f"- not “{one.bad}” ({one.importance}) with weight {one.weight}"
    return f"- not “{one.bad}” but “{one.good}”"


PAGES: dict[str, Callable[[], str]] = {
    "permissions": permissions,
    "commands": commands,
    "notices": notices,
    "environment": environment,
    "lists": lists,
    "task_fields": task_fields,
    "stale": stale,
    "linter": linter,
}


class Command(BaseCommand):
    help = "Writes the pages of docs/reference from the registries."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="fail if a page is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override("en"):
            made = {FOLDER / f"{name}.md": page() for name, page in PAGES.items()}
        if options["check"]:
            old = [
                p.name for p, text in made.items() if not p.exists() or p.read_text("utf-8") != text
            ]
            if old:
                raise CommandError(
                    f"docs/reference is out of date ({', '.join(old)}): run manage.py reference"
                )
            return
        FOLDER.mkdir(exist_ok=True)
        for path, text in made.items():
            path.write_text(text, encoding="utf-8")
        self.stdout.write(f"Wrote {len(made)} pages.")
