"""Compares the journal of `benchmarks.everyday` with the database; prints a JSON list."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from curation.base.process.lifecycle import TASK  # noqa: E402
from curation.tasks.task.models import Task  # noqa: E402
from judge.base.queue.models import MachineWork  # noqa: E402
from judge.runs.engine.models import JudgeRun  # noqa: E402
from judge.scoring.sheets.models import SheetLine  # noqa: E402
from review.rounds.assignment_models import LineReview  # noqa: E402

# The last stage the journal has of a task -> the stages it may be in now.
AFTER = {
    "screening": {"screening", "drafting", "refining", "in_review", "spot_check", "approved"},
    "refining": {"refining", "in_review", "spot_check", "approved"},
    "in_review": {"in_review", "spot_check", "approved"},
    "reviewed": {"spot_check", "approved"},
}


def lost(journal: dict[str, dict[str, Any]]) -> list[str]:
    """Return one sentence for everything that is missing or different."""
    found = []
    for key, text in journal["texts"].items():
        pk, part = key.split()
        stored = Task.objects.values_list(part, flat=True).get(pk=pk)
        if stored.strip() != text.strip():
            found.append(f"task {pk}, {part}: {stored[:80]!r} in place of {text[:80]!r}")
    for pk, stage in journal["stages"].items():
        now = Task.objects.values_list("stage", flat=True).get(pk=pk)
        if now not in AFTER[stage]:
            found.append(f"task {pk}: {now} after {stage}")
    for key in journal["verdicts"]:
        task, line = key.split()
        reviews = LineReview.objects.filter(criterion=line, round__review__task=task)
        if not reviews.filter(verdict="approve").exists():
            found.append(f"task {task}, line {line}: its verdict is gone")
    for key, (met, reason) in journal["scores"].items():
        sheet, line = key.split()
        stored = SheetLine.objects.get(sheet=sheet, criterion=line)
        if (stored.met, stored.rationale) != (met == "true", reason):
            found.append(f"sheet {sheet}, line {line}: its score is another one")
    for pk in journal["runs"]:
        state = JudgeRun.objects.values_list("state", flat=True).get(pk=pk)
        if state != JudgeRun.State.FINISHED:
            found.append(f"run {pk}: {state}")
    waiting = Task.objects.filter(stage__in=TASK.machine_stages()).count()
    if waiting:
        found.append(f"{waiting} tasks still wait for the machine")
    broken = MachineWork.objects.exclude(problem="").values_list("kind", "object_id", "problem")
    found += [f"{kind} {pk} broke: {problem[:200]}" for kind, pk, problem in broken]
    return found


print(json.dumps(lost(json.loads(Path(sys.argv[1]).read_text()))))
