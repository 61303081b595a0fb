"""Draws `docs/process.md` from `curation/base/process/lifecycle.py`, or checks that it is up to
date.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from curation.base.process.lifecycle import ANCHOR, APPLICATION, TASK, Process

TITLES = {"task": "The life of a task", "application": "An application", "anchor": "An anchor"}
INTRO = """# The process

Drawn from `curation/base/process/lifecycle.py` by `manage.py process_diagram`; do not edit this
page by hand. A box is a stage, with who acts in it; an arrow is a legal move. There are no others:
`advance()` refuses what these tables do not hold.
"""


def diagram(process: Process) -> str:
    """Return a process as a Mermaid state diagram and a table."""
    drawing = ["```mermaid", "stateDiagram-v2", f"    [*] --> {process.start}"]
    rows = ["| stage | who acts | may move to |", "|---|---|---|"]
    for stage, spec in process.stages.items():
        label = process.stage_label(stage)
        drawing.append(f"    {stage} : {label} ({spec.who.label})")
        drawing.extend(f"    {stage} --> {to}" for to in spec.to)
        if not spec.to:
            drawing.append(f"    {stage} --> [*]")
        targets = ", ".join(str(process.stage_label(to)) for to in spec.to) or "–"
        rows.append(f"| {label} | {spec.who.label} | {targets} |")
    return "\n".join([f"## {TITLES[process.name]}", "", *drawing, "```", "", *rows, ""])


class Command(BaseCommand):
    help = "Draw docs/process.md from the process tables."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="fail if the page is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "process.md"
        with translation.override("en"):
            page = "\n".join([INTRO, *(diagram(p) for p in (TASK, APPLICATION, ANCHOR))])
        if options["check"]:
            if not path.exists() or path.read_text(encoding="utf-8") != page:
                raise CommandError("docs/process.md is out of date: run manage.py process_diagram")
            return
        path.write_text(page, encoding="utf-8")
        self.stdout.write(f"Wrote {path.name}.")
