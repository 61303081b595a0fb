"""The sample programme's own skills library."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.sample import read_file
from curation.process.lifecycle import Stage
from curation.skills.activation import activated
from curation.skills.labelling import set_labels
from curation.skills.models import EffortEntry, SkillLabel
from curation.tasks.models import Task
from rubrics.policy.dimensions import TASK_DIMENSIONS
from rubrics.versions.checkpoints import checkpoints_of
from tests.programme import sample_programme


@pytest.mark.django_db
def test_it_needs_the_sample_programme():
    with pytest.raises(CommandError, match="sample programme first"):
        call_command("sample_skills")


@pytest.mark.django_db
def test_every_skill_is_approved_and_a_second_time_changes_nothing():
    sample_programme()
    said = StringIO()
    call_command("sample_skills", stdout=said)
    assert "10 written" in said.getvalue()
    skills = Task.objects.filter(origin="skill")
    assert set(skills.values_list("stage", flat=True)) == {Stage.APPROVED}
    assert skills.count() == SkillLabel.objects.count() == EffortEntry.objects.count() == 10
    call_command("sample_skills", stdout=said)
    assert "skills: 0 written" in said.getvalue()
    task = Task.objects.get(key="finance-equity-bridge")
    on = SkillLabel.objects.filter(domain=task.domain)[:2]
    set_labels(actor=None, task=task, labels=[label.pk for label in on], seen=[])
    found = activated(task)
    assert (len(found.labels), found.of) == (2, 5)
    weights = [one.weight for one in checkpoints_of(found.skills)]
    assert weights == [10, 10, 5, -15, 10, 5, 5, -15]


def test_the_file_is_written_as_the_rules_ask():
    for row in read_file("skills.json"):
        assert {entry["level"] for entry in row["labels"]} == {1, 2, 3}
        for entry in row["labels"]:
            assert entry["name_zh"], entry["name"]
            assert entry["description_zh"], entry["name"]
            flaws = [c for c in entry["checkpoints"] if c["dimension"] == "critical_flaw"]
            assert (len(flaws), len(entry["checkpoints"])) == (1, 4)
            others = {c["dimension"] for c in entry["checkpoints"]} - {"critical_flaw"}
            assert others <= set(TASK_DIMENSIONS)
