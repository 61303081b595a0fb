"""The sample programme's own skills library, and the checklists of its tasks."""

import pytest

from config.sample import read_file
from config.sample.checklists import load_checklists
from config.sample.skills import load_skills
from curation.base.process.lifecycle import Stage
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.skills.models import EffortEntry, SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.models import QueryChecklist
from judge.methods.query_checklists.queries import frozen_for
from rubrics.policy.dimensions import TASK_DIMENSIONS
from tests.programme import sample_programme


@pytest.mark.django_db
def test_every_skill_is_approved_and_four_tasks_have_a_checklist_in_use():
    sample_programme()
    staff, senior = (User.objects.get(email=f"{who}@example.test") for who in ("staff", "senior"))
    load_skills(staff)
    skills = Task.objects.filter(origin="skill")
    assert set(skills.values_list("stage", flat=True)) == {Stage.APPROVED}
    assert skills.count() == EffortEntry.objects.count() == 8
    assert SkillLabel.objects.filter(skill__isnull=True).count() == 3
    assert Notice.objects.filter(kind="skill_approved").exists()
    load_checklists(staff, senior)
    keys = dict(Task.objects.values_list("pk", "key"))
    found = {keys[pk]: one for pk, one in frozen_for(keys).items()}
    weights = {key: [line.weight for line in one.lines] for key, one in found.items()}
    assert weights == {
        "finance-equity-bridge": [10, 10, 5, -15, 10, 10, 5, -15],
        "finance-wind-lock-up": [10, 10, 5, -15, 10, 10, 5, -15, 10, 5, -15],
        "law-lease-break": [10, 10, 5, -15, 10, 5, 5, -15, 10, 5, 5, -15],
        "law-germany-redundancies": [10, 10, 5, -15, 10, 10, 5, -15, 10, 5, 5, -15],
    }
    waiting = QueryChecklist.objects.get(state="proposed")
    assert waiting.task.key == "finance-fx-hedge-policy"
    assert waiting.overrules.get().by == senior


def test_the_file_is_written_as_the_rules_ask():
    for row in read_file("skills.json"):
        assert {entry["level"] for entry in row["labels"]} == {1, 2, 3}
        for entry in row["labels"]:
            assert entry["name_zh"], entry["name"]
            assert entry["description_zh"], entry["name"]
            if "checkpoints" not in entry:
                continue  # nobody has begun its skill
            flaws = [c for c in entry["checkpoints"] if c["dimension"] == "critical_flaw"]
            assert (len(flaws), len(entry["checkpoints"])) == (1, 4)
            others = {c["dimension"] for c in entry["checkpoints"]} - {"critical_flaw"}
            assert others <= set(TASK_DIMENSIONS)
