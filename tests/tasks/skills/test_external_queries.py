"""Queries of another benchmark with reports: imported, labelled, checked by summarised skills."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.tasks.skills.labelling import set_labels
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.methods.query_checklists.queries import frozen_for
from rubrics.versions.checkpoints import checkpoints_of
from rubrics.versions.models import Criterion
from tests.conftest import browser_of

PRICE = "Compares the unit price of at least two suppliers."
SHIPPING = "States the cost of shipping to the named port."
LINES = {
    "trade-1": [PRICE, "Names the harbour of Rotterdam.", SHIPPING],
    "trade-2": ["Compares the unit price of at least three suppliers.", "Quotes 41 euro."],
    "trade-3": ["States the cost of shipping to the named harbour.", "Finds the tea grinder."],
}
TABLE = """level,label,name
intent,supplier_sourcing,Find a supplier
need,price_comparison,Compare prices
constraint,moq_limit,A limit of the order
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    tasks = [
        {
            "id": key,
            "domain": "trade",
            "category": "supplier_sourcing",
            "labels": ["supplier_sourcing", "price_comparison", "made_up"][: 3 if n else 1],
            "requirements": f"Find {n + 2} makers of tea grinders.",
            "rubric": [
                {
                    "id": f"r{m}",
                    "text": text,
                    "importance": "important",
                    "weight": 5,
                    "dimension": "accuracy",
                }
                for m, text in enumerate(lines)
            ],
        }
        for n, (key, lines) in enumerate(LINES.items())
    ]
    reports = [
        {
            "task": key,
            "id": f"{key}-{model}",
            "model": model,
            "text": "# Report\n\nThere are two makers.",
            "latency_s": 37.5,
        }
        for key in LINES
        for model in ("alder_no_tool", "birch_no_tool")
    ]
    for name, rows in (("tasks", tasks), ("responses", reports)):
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text + "\n")
    (tmp_path / "labels.csv").write_text(TABLE)
    return tmp_path


def run(name: str, *args: Any, **options: Any) -> str:
    said = StringIO()
    call_command(name, *args, stdout=said, **options)
    return said.getvalue()


@pytest.fixture
def imported(db: Any, files: Path) -> Path:
    run("import_tasks", files / "tasks.jsonl", external=True)
    run("import_responses", files / "responses.jsonl")
    run("skills", files / "labels.csv", domain="trade")
    return files


def test_queries_and_reports_come_in_and_their_labels_stand(imported, staff):
    assert Task.objects.filter(origin="external").count() == 3
    assert Response.objects.count() == 6
    said = run("label_tasks", domain="trade", dry_run=True)
    assert "Nothing was stored" in said
    assert not LabelOnTask.objects.exists()
    said = run("label_tasks", domain="trade")
    assert "labels: 5 given, on 3 tasks" in said
    assert "not in the library: made_up, on 2 tasks" in said
    assert set(LabelOnTask.objects.values_list("how", "given_by")) == {("annotated", None)}
    assert "labels: 0 given, on 0 tasks" in run("label_tasks", domain="trade")


def test_a_label_that_somebody_took_off_does_not_come_back(imported, staff):
    run("label_tasks", domain="trade")
    task = Task.objects.get(key="trade-1")
    seen = list(task.skill_labels.values_list("label", flat=True))
    set_labels(actor=staff, task=task, labels=[], seen=seen)
    assert "labels: 0 given" in run("label_tasks", domain="trade")


def test_labels_of_files_need_a_domain_with_a_taxonomy(imported):
    with pytest.raises(CommandError, match="There is no domain “sea”"):
        run("label_tasks", domain="sea")
    SkillLabel.objects.update(retired_at=timezone.now())
    with pytest.raises(CommandError, match="Import its taxonomy first"):
        run("label_tasks", domain="trade")


def test_a_skill_is_summarised_from_rubrics_and_marked_everywhere(imported, staff, person):
    run("label_tasks", domain="trade")
    said = run("summarise_skills", domain="trade", staff=staff.email)
    assert "supplier_sourcing: 2 lines from 3 tasks" in said
    assert "price_comparison: the rubrics of its 2 tasks have too little in common" in said
    assert "skills: 1 summarised, not written by experts" in said
    label = SkillLabel.objects.get(key="supplier_sourcing")
    assert label.summary == {"by": "rule", "tasks": 3, "lines": 7}
    assert label.skill.stage == Stage.APPROVED
    found = checkpoints_of([label.skill_id])
    assert [(one.text, one.weight) for one in found] == [
        ("Compares the unit price of at least three suppliers.", 10),
        ("States the cost of shipping to the named harbour.", 10),
    ]
    browser = browser_of(staff)
    library = browser.get(reverse("skills", args=["trade"])).content.decode()
    counted = " ".join(library.split())
    assert "<dt>Skills begun</dt> <dd>0</dd>" in counted
    assert "<dt>Skills approved</dt> <dd>0</dd>" in counted
    assert "<dt>Summarised from rubrics</dt> <dd>1</dd>" in counted
    mark = "summarised from rubrics, not written by experts"
    assert mark in library
    shown = browser.get(reverse("skill-label", args=[label.pk])).content.decode()
    assert "Summarised by rule from 7 lines of the rubrics of 3 tasks." in shown
    assert mark in browser.get(reverse("skills-effort", args=["trade"])).content.decode()
    colleague = browser_of(person("colleague", is_staff=True))
    trail = colleague.get(reverse("staff-task", args=[label.skill_id])).content.decode()
    assert "The skill was summarised by rule from rubrics of labelled tasks." in trail
    said = run("compose_checklists", approve=True)
    assert "checklists: 3 in use" in said
    task = Task.objects.get(key="trade-2")
    assert [line.weight for line in frozen_for([task.pk])[task.pk].lines] == [10, 10]
    assert mark in browser.get(reverse("query-checklist", args=[task.pk])).content.decode()


def test_the_same_rubrics_give_the_same_skill_and_nothing_is_made_twice(imported, staff):
    run("label_tasks", domain="trade")
    run("summarise_skills", domain="trade", staff=staff.email, dry_run=True)
    assert not Task.objects.filter(origin="skill").exists()
    run("summarise_skills", domain="trade", staff=staff.email)
    first = list(Criterion.objects.filter(version__task__origin="skill").values_list("text"))
    said = run("summarise_skills", domain="trade", staff=staff.email, json=True)
    assert [json.loads(line)["label"] for line in said.splitlines()] == [
        "price_comparison",
        "moq_limit",
    ]
    assert (
        list(Criterion.objects.filter(version__task__origin="skill").values_list("text")) == first
    )


def test_summaries_are_refused_what_they_cannot_use(imported, staff, author):
    with pytest.raises(CommandError, match="No member of staff has the address"):
        run("summarise_skills", domain="trade", staff=author.email)
    with pytest.raises(CommandError, match="There is no domain “sea”"):
        run("summarise_skills", domain="sea", staff=staff.email)
    with pytest.raises(CommandError, match="nothing"):
        run("summarise_skills", domain="trade", staff=staff.email, labels=["nothing"])
    with pytest.raises(CommandError, match="A skill has 2 to 20 lines"):
        run("summarise_skills", domain="trade", staff=staff.email, lines=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        SkillLabel.objects.update(summary={"by": "rule"})
