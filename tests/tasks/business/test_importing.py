"""Tasks from business as JSON lines: in, out, and everything that is refused."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from curation.tasks.task.models import Task
from tests.rubrics.walk import PARTS
from tests.tasks.work_map.conftest import new_work_type

LINE: dict[str, Any] = {
    "id": "brief-1",
    "domain": "finance",
    "origin": "collected",
    "title": "Map the companies",
    **{name: PARTS[name] for name in ("scenario", "materials", "requirements", "reference_answer")},
    "minutes": 40,
    "change": "dynamic",
    "sources": "The register.",
    "valid_until": "2030-01-31",
    "collected_on": "2026-03-03",
    "owner": "Harbour Recruiting",
    "permission": {"by": "R. Lund", "on": "2026-03-02", "scope": "Closed use.", "text": "Yes."},
    "hourly_rate": "90.50",
}


def written(tmp_path: Any, *lines: dict[str, Any]) -> str:
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_line_becomes_a_draft_without_an_author_and_twice_changes_nothing(
    tmp_path, finance, staff, capsys
):
    category = finance.categories.create(key="search", name="Search")
    new_work_type(staff, category, "Talent search", feasible=False, evaluable=True)
    path = written(tmp_path, LINE | {"work_type": "talent-search"})
    call_command("import_tasks", path, collected=True, dry_run=True)
    assert not Task.objects.exists()
    call_command("import_tasks", path, collected=True, author=staff.email)
    task = Task.objects.get()
    assert (task.origin, task.author, task.stage) == ("collected", None, "draft")
    assert (task.hourly_rate, task.valid_until) == (Decimal("90.50"), date(2030, 1, 31))
    assert task.work_type is not None
    held = task.collection
    assert held is not None
    assert (held.owner, held.entered_by, held.collected_on) == (
        "Harbour Recruiting",
        staff,
        date(2026, 3, 3),
    )
    call_command("import_tasks", path, collected=True)
    assert "1 task already there, unchanged" in capsys.readouterr().out
    assert Task.objects.count() == 1


def test_a_changed_line_is_refused_with_the_differences(tmp_path, finance):
    call_command("import_tasks", written(tmp_path, LINE), collected=True)
    changed = LINE | {"hourly_rate": 100, "valid_until": "2031-01-31", "owner": "Another"}
    with pytest.raises(CommandError) as refusal:
        call_command("import_tasks", written(tmp_path, changed), collected=True)
    for name in ("hourly_rate", "valid_until", "owner"):
        assert f":1: {name}: It differs" in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"owner": None}, "owner"),
        ({"permission": None}, "permission"),
        (
            {"permission": {"by": "R. Lund", "on": "soon", "scope": "x", "text": "y"}},
            "permission.on",
        ),
        ({"permission": {"by": "R. Lund", "on": "2026-03-02", "scope": "x"}}, "permission"),
        ({"permission": {"by": "R. Lund", "on": "2026-03-02", "text": "x"}}, "permission.scope"),
        ({"collected_on": "yesterday"}, "collected_on"),
        ({"collected_on": "2999-01-01"}, "collected_on"),
        ({"valid_until": "2030-13-01"}, "valid_until"),
        ({"hourly_rate": -1}, "hourly_rate"),
        ({"hourly_rate": "1.234"}, "hourly_rate"),
        ({"origin": "own"}, "origin"),
        ({"work_type": "none-such"}, "work_type"),
    ],
)
def test_each_fault_is_named_with_its_line_and_field(tmp_path, finance, change, field):
    with pytest.raises(CommandError) as refusal:
        call_command("import_tasks", written(tmp_path, LINE | change), collected=True)
    assert f":1: {field}:" in str(refusal.value)
    assert not Task.objects.exists()


def test_origins_are_not_mixed(tmp_path, finance, author, staff):
    path = written(tmp_path, LINE)
    with pytest.raises(CommandError, match="with --collected"):
        call_command("import_tasks", path, author=author.email)
    with pytest.raises(CommandError, match="two origins"):
        call_command("import_tasks", path, external=True, collected=True)
    with pytest.raises(CommandError, match="names a member of staff"):
        call_command("import_tasks", path, collected=True, author=author.email)
    with pytest.raises(CommandError, match="Only a task from business"):
        call_command("import_tasks", written(tmp_path, LINE | {"origin": None}), external=True)


def test_an_export_has_the_facts_and_neither_owner_nor_permission(tmp_path, finance, capsys):
    call_command("import_tasks", written(tmp_path, LINE), collected=True)
    out = tmp_path / "out.jsonl"
    call_command("export_tasks", str(out), stage="draft")
    line = json.loads(out.read_text(encoding="utf-8"))
    assert line["origin"] == "collected"
    assert (line["hourly_rate"], line["valid_until"]) == ("90.50", "2030-01-31")
    assert line["collected_on"] == "2026-03-03"
    assert "Harbour" not in json.dumps(line)
    assert "Lund" not in json.dumps(line)
