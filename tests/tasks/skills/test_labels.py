"""Labels of tasks: given by people, proposed by models, and what they activate."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.tasks.skills.actions import retire_label
from curation.tasks.skills.activation import activated
from curation.tasks.skills.labelling import record_round, set_labels
from curation.tasks.skills.models import LabelOnTask, LabelProposal, SkillLabel
from curation.tasks.skills.validation import Counts, compare, validation_of
from curation.tasks.task.models import Task
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.prompts.labels import parse_labels
from judge.jobs.jobs import drain
from judge.suggesting.skill_labels.models import LabelRequest
from tests.conftest import browser_of
from tests.rubrics.walk import to_refining
from tests.tasks.skills.conftest import new_label, new_skill


@pytest.fixture
def task(author, person, finance) -> Task:
    return to_refining(author, person("screener", finance), finance)


@pytest.fixture
def labels(staff, finance) -> dict[str, SkillLabel]:
    """Two labels whose words the task has, and one whose words it lacks."""
    return {
        "debt": new_label(staff, finance, "Net debt", 2),
        "memo": new_label(
            staff, finance, "Advice", 1, description="A memo with a recommendation for a committee."
        ),
        "tax": new_label(staff, finance, "Tax of partnerships", 3),
    }


def sent(task: Task, *chosen: SkillLabel, seen: str = "") -> dict[str, Any]:
    data: dict[str, Any] = {"seen": seen}
    for label in chosen:
        data.setdefault(f"level_{label.level}", []).append(str(label.pk))
    return data


def page(browser: Client, task: Task) -> str:
    return browser.get(reverse("task-labels", args=[task.pk])).content.decode()


def standing(task: Task) -> set[str]:
    rows = LabelOnTask.objects.filter(task=task, removed_at__isnull=True)
    return set(rows.values_list("label__name", flat=True))


def approve(skill: Task) -> None:
    Task.objects.filter(pk=skill.pk).update(stage=Stage.APPROVED)


def test_staff_and_a_senior_label_a_task_at_several_levels(person, finance, staff, task, labels):
    senior = person("senior", finance, senior=True)
    address = reverse("task-labels", args=[task.pk])
    answer = browser_of(staff).post(address, sent(task, labels["debt"], labels["memo"]))
    assert answer.status_code == 302
    assert standing(task) == {"Net debt", "Advice"}
    browser = browser_of(senior)
    assert task.title in browser.get(reverse("labels")).content.decode()
    shown = page(browser, task)
    assert "Net debt rises" not in shown  # the reference answer is not shown
    assert "You advise a credit committee." in shown
    seen = f"{labels['debt'].pk},{labels['memo'].pk}"
    browser.post(address, sent(task, labels["tax"], labels["memo"], seen=seen))
    assert standing(task) == {"Tax of partnerships", "Advice"}
    gone = LabelOnTask.objects.get(label=labels["debt"])
    assert (gone.given_by, gone.removed_by) == (staff, senior)
    late = browser.post(address, sent(task, labels["debt"], seen=seen))
    assert late.status_code == 409
    assert standing(task) == {"Tax of partnerships", "Advice"}
    story = browser_of(staff).get(f"/staff/tasks/{task.pk}/").content.decode()
    assert "A person changed the labels of the task." in story


def test_who_may_not_label(person, finance, law, author, task, labels):
    outsiders = (
        author,
        person("expert", finance),
        person("lawyer", law, senior=True),
    )
    for somebody in outsiders:
        for address in (
            reverse("task-labels", args=[task.pk]),
            reverse("labels-ask", args=[task.pk]),
        ):
            answer = browser_of(somebody).post(address, sent(task, labels["debt"]))
            assert answer.status_code in (403, 404), (somebody, address)
    assert standing(task) == set()


def test_a_senior_does_not_label_their_own_task(person, finance, labels):
    own = person("own", finance, senior=True)
    mine = to_refining(own, person("screener", finance), finance, title="Mine")
    answer = browser_of(own).get(reverse("task-labels", args=[mine.pk]))
    assert answer.status_code == 404
    assert "Mine" not in browser_of(own).get(reverse("labels")).content.decode()


def test_a_senior_reads_no_prompt_before_its_panel_has_kept_it(person, finance, task, labels):
    browser = browser_of(person("senior", finance, senior=True))
    for stage in (Stage.DRAFT, Stage.SUBMITTED, Stage.SCREENING):
        Task.objects.filter(pk=task.pk).update(stage=stage)
        assert browser.get(reverse("task-labels", args=[task.pk])).status_code == 404
        assert task.title not in browser.get(reverse("labels")).content.decode()


def test_labels_of_other_domains_and_retired_ones_cannot_be_given(
    staff, law, finance, task, labels
):
    other = new_label(staff, law, "Lease")
    address = reverse("task-labels", args=[task.pk])
    assert browser_of(staff).post(address, sent(task, other)).status_code == 400
    new_label(staff, finance, "Another constraint", 3)
    retire_label(
        actor=staff, label=labels["tax"], version=labels["tax"].version, reason="Too narrow."
    )
    assert browser_of(staff).post(address, sent(task, labels["tax"])).status_code == 400
    assert standing(task) == set()


def test_skills_and_drafts_have_no_labels(staff, finance, author, labels):
    skill = new_skill(staff, finance, "A skill", author)
    answer = browser_of(staff).post(
        reverse("task-labels", args=[skill.pk]), sent(skill, labels["debt"])
    )
    assert answer.status_code == 409
    assert standing(skill) == set()


def test_only_approved_skills_of_standing_labels_are_active(staff, finance, author, task, labels):
    first = new_skill(staff, finance, "First", author, level=2)
    second = new_skill(staff, finance, "Second", author, level=1)
    third = new_skill(staff, finance, "Third", author, level=1)
    on = [first.skill_label, second.skill_label, labels["debt"]]
    set_labels(actor=staff, task=task, labels=[label.pk for label in on], seen=[])
    assert activated(task).labels == ()
    for skill in (first, second, third):
        approve(skill)
    found = activated(task)
    assert [str(label) for label in found.labels] == ["Second", "First"]  # by level
    assert found.skills == [second.pk, first.pk]
    assert found.of == 3
    assert activated(task) == found
    for address in (f"/staff/tasks/{task.pk}/", reverse("task-labels", args=[task.pk])):
        shown = browser_of(staff).get(address).content.decode()
        assert "2 of 3 skills active" in " ".join(shown.split()), address
    label = SkillLabel.objects.get(skill=second)
    retire_label(actor=staff, label=label, version=label.version, reason="Merged into another.")
    assert [str(label) for label in activated(task).labels] == ["First"]
    assert activated(task).of == 2


def test_a_proposal_counts_only_once_a_person_confirms_it(staff, finance, task, labels, settings):
    settings.LABEL_MODEL = ""
    browser = browser_of(staff)
    ask = reverse("labels-ask", args=[task.pk])
    assert browser.post(ask).status_code == 302
    assert browser.post(ask).status_code == 409
    drain()
    request = LabelRequest.objects.get()
    assert request.state == "read", request.problem
    assert request.call.purpose == Call.Purpose.LABELS
    assert request.round.by_rule
    proposed = {p.label.name: p for p in LabelProposal.objects.all()}
    assert proposed.keys() == {"Net debt", "Advice"}
    assert standing(task) == set()
    shown = page(browser, task)
    assert "A proposal counts for nothing until a person confirms it." in shown
    assert "The offline rules compared words; no model read it." in shown
    decide = reverse("label-proposal", args=[proposed["Net debt"].pk])
    assert browser.post(decide, {"decision": "confirm"}).status_code == 302
    assert browser.post(decide, {"decision": "reject"}).status_code == 409
    reject = reverse("label-proposal", args=[proposed["Advice"].pk])
    assert browser.post(reject, {"decision": "reject"}).status_code == 302
    assert standing(task) == {"Net debt"}
    assert LabelOnTask.objects.get().how == LabelOnTask.How.CONFIRMED
    assert "A proposal counts for nothing" not in page(browser, task)


def test_a_new_reading_replaces_proposals_that_nobody_decided(task, labels):
    record_round(task=task, model="Model A", by_rule=False, labels=[labels["debt"]])
    record_round(task=task, model="Model A", by_rule=False, labels=[labels["tax"]])
    states = dict(LabelProposal.objects.values_list("label__name", "state"))
    assert states == {"Net debt": "rejected", "Tax of partnerships": "waiting"}


def test_a_used_up_budget_stops_the_model_and_says_so(staff, task, labels, settings):
    settings.LABEL_MODEL = "openai:reader"
    MonthlyBudget.objects.create(labels=1)
    browser_of(staff).post(reverse("labels-ask", args=[task.pk]))
    drain()
    request = LabelRequest.objects.get()
    assert request.state == "failed"
    assert request.problem
    assert not LabelProposal.objects.exists()


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"labels": ["b", "a", "a"]}', ["a", "b"]),
        ('{"labels": ["z", 3, null]}', []),
        ('{"labels": []}', []),
        ("Sure: both fit.", None),
        ('{"labels": ["a"]} {"labels": ["b"]}', None),
    ],
)
def test_of_a_reply_only_known_labels_count(reply, found):
    assert parse_labels(reply, ["a", "b"]) == found


def test_precision_and_recall_by_hand():
    found = compare([({1, 2}, {2, 3}), ({1}, {1}), ({2}, set())])
    assert found[1] == Counts(both=1, given=1)
    assert found[2] == Counts(both=1, given=1)
    assert found[3] == Counts(proposed=1)
    assert (found[3].precision, found[3].recall) == (Fraction(0), None)
    whole = sum(found.values(), Counts())
    assert (whole.precision, whole.recall) == (Fraction(2, 3), Fraction(1, 2))
    assert Counts().precision is None


def test_validation_counts_only_what_people_said_before_the_model(staff, finance, task, labels):
    set_labels(actor=staff, task=task, labels=[labels["debt"].pk, labels["tax"].pk], seen=[])
    record_round(task=task, model="Model A", by_rule=False, labels=[labels["debt"], labels["memo"]])
    there = [labels["debt"].pk, labels["tax"].pk]
    set_labels(actor=staff, task=task, labels=[*there, labels["memo"].pk], seen=there)
    found = validation_of(finance)
    assert (found.tasks, found.by_rule) == (1, 0)
    assert found.labels[labels["memo"].pk] == Counts(proposed=1)  # given after the reading
    assert found.overall == Counts(both=1, proposed=1, given=1)
    shown = browser_of(staff).get(reverse("skills", args=[finance.key])).content.decode()
    assert "On 1 task with labels of both: precision 50" in " ".join(shown.split())
    assert "3 on average, from 3 to 3" in " ".join(shown.replace("3.00", "3").split())


def test_the_database_keeps_the_rules_too(staff, task, labels):
    given = {"task": task, "label": labels["debt"], "how": "annotated"}
    LabelOnTask.objects.create(**given)
    with pytest.raises(IntegrityError), transaction.atomic():
        LabelOnTask.objects.create(**given)
    made = record_round(task=task, model="Model A", by_rule=False, labels=[labels["debt"]])
    with pytest.raises(IntegrityError), transaction.atomic():
        LabelProposal.objects.create(round=made, label=labels["debt"])
    with pytest.raises(IntegrityError), transaction.atomic():
        LabelRequest.objects.create(task=task, state="read")


def test_the_library_asks_the_database_the_same_number_of_questions(staff, finance, labels, task):
    browser = browser_of(staff)

    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            page_of = browser.get(reverse("skills", args=[finance.key]))
        assert page_of.status_code == 200
        return len(asked)

    before = count()
    for n in range(5):
        new_label(staff, finance, f"Label {n}", 1 + n % 3)
    assert count() == before


def domain_of_another_benchmark() -> Domain:
    return Domain.objects.create(key="bench", name="Bench", external=True)


def test_a_domain_of_another_benchmark_may_have_a_library(staff, finance):
    other = domain_of_another_benchmark()
    new_label(staff, other, "Choose")
    shown = browser_of(staff).get(reverse("skills", args=[other.key])).content.decode()
    assert "Choose" in shown
