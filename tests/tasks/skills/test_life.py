"""A skill's life: checkpoints written, reviewed line by line, spot-checked and audited."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.notices.models import Notice
from curation.tasks.skills.activation import activated
from judge.suggesting.drafts.actions import ask_for_draft
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from review.spot_checks.actions import decide_spot_check, take_spot_check
from rubrics.lines.actions import edit_line
from rubrics.lines.add import add_line
from rubrics.policy.checkpoints import checkpoint_weight
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.sending.actions import send_to_review
from rubrics.versions.checkpoints import checkpoints_of
from rubrics.versions.models import Criterion
from tests.conftest import browser_of
from tests.rubrics.walk import open_version, to_refining
from tests.tasks.skills.conftest import new_skill, written


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


@pytest.fixture
def skill(staff, finance, author):
    return new_skill(staff, finance, "Compare offers", author)


def approve_all(task: Any) -> Any:
    """Approve every line in the reviewer's first round."""
    review = Review.objects.get(task=task)
    round_1 = review.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=review.reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=review.reviewer, round=round_1)
    task.refresh_from_db()
    return task


def test_the_page_of_a_skill_has_no_parts_of_a_task(skill, author, sign_in):
    page = sign_in(author).get(reverse("task", args=[skill.pk])).content.decode()
    assert "When a task has this label" in page
    for words in ("Reference answer", "Output requirements", "Propose an amendment"):
        assert words not in page


def test_no_mark_asks_for_another_weight_as_it_follows_by_itself(skill, author, sign_in):
    said = {"importance": "optional", "dimension": "critical_flaw"}
    add_line(actor=author, task=skill, text="Compares offers of other terms as equal.", **said)
    page = sign_in(author).get(reverse("rubric", args=[skill.pk])).content.decode()
    assert "is unusual for this importance" not in page
    assert "−15" in page
    assert 'name="weight"' not in page


@pytest.mark.parametrize(
    ("importance", "dimension", "weight"),
    [
        ("essential", "accuracy", 10),
        ("important", "accuracy", 5),
        ("optional", "structure", 5),
        ("essential", "critical_flaw", -15),
        ("optional", "critical_flaw", -15),
    ],
)
def test_a_checkpoint_counts_by_its_importance_and_a_flaw_counts_against(
    importance, dimension, weight
):
    assert checkpoint_weight(importance, dimension) == weight


def test_the_writer_adds_checkpoints_in_the_workbench_and_their_weights_follow(skill, author):
    browser = browser_of(author)
    page = browser.get(reverse("rubric", args=[skill.pk])).content.decode()
    assert "Critical flaw" in page
    assert reverse("rubric-reference", args=[skill.pk]) not in page
    assert "Ask the model for a draft" not in page
    add = reverse("rubric-line-add", args=[skill.pk])
    browser.post(add, {"text": "Compares at least two offers on the same terms."})
    line = Criterion.objects.get()
    assert line.weight == 5
    change = reverse("rubric-line", args=[skill.pk, line.pk])
    sent = {"text": line.text, "importance": "essential", "weight": "3", "dimension": "depth"}
    browser.post(change, sent)
    line.refresh_from_db()
    assert (line.importance, line.weight) == (Importance.ESSENTIAL, 10)
    browser.post(change, sent | {"dimension": "critical_flaw", "importance": "optional"})
    line.refresh_from_db()
    assert (line.dimension, line.weight) == (Dimension.CRITICAL_FLAW, 10)


def test_a_task_has_no_critical_flaws(author, person, finance):
    task = to_refining(author, person("screener", finance), finance)
    line = open_version(task).criteria.first()
    with pytest.raises(BadInput) as refusal:
        edit_line(actor=author, task=task, criterion=line, dimension="critical_flaw")
    assert "dimension" in refusal.value.fields
    page = browser_of(author).get(reverse("rubric", args=[task.pk])).content.decode()
    assert "critical_flaw" not in page
    assert reverse("rubric-reference", args=[task.pk]) in page


def test_too_few_checkpoints_and_flaws_alone_are_not_sent(skill, author):
    add_line(actor=author, task=skill, text="Names a price.", dimension="critical_flaw")
    add_line(actor=author, task=skill, text="Names a seller.", dimension="critical_flaw")
    with pytest.raises(BadInput) as refusal:
        send_to_review(actor=author, task=skill)
    assert refusal.value.code == "only_flaws"
    for line in list(open_version(skill).criteria.all())[1:]:
        line.delete()
    Criterion.objects.update(dimension="accuracy")
    with pytest.raises(BadInput) as refusal:
        send_to_review(actor=author, task=skill)
    assert refusal.value.code == "too_few_lines"


def test_no_model_drafts_a_skill(skill, author):
    with pytest.raises(Conflict) as refusal:
        ask_for_draft(actor=author, task=skill, remarks="Be strict.")
    assert refusal.value.code == "no_draft"


def test_it_is_reviewed_line_by_line_and_its_checkpoints_count(
    skill, staff, author, person, finance
):
    reviewer = person("reviewer", finance)
    written(author, skill)
    page = browser_of(author).post(reverse("rubric-send", args=[skill.pk]))
    assert page.status_code == 302
    review = Review.objects.get(task=skill)
    assert review.reviewer == reviewer
    shown = browser_of(reviewer).get(reverse("review", args=[review.pk])).content.decode()
    assert "Critical flaw" in shown
    assert checkpoints_of([skill.pk])  # the sent version counts, as of any rubric
    assert activated(skill).of == 0  # but an unapproved skill activates nothing
    approve_all(skill)
    assert skill.stage == Stage.APPROVED
    assert Notice.objects.filter(recipient=author, kind="skill_approved").exists()
    found = checkpoints_of([skill.pk])
    assert [(one.weight, one.flaw) for one in found] == [(10, False), (5, False), (-15, True)]
    assert len({one.version for one in found}) == 1
    assert [one.text for one in found][-1] == "Compares offers whose terms differ as if equal."
    for address in ("/staff/tasks/%s/", "/tasks/%s/", "/tasks/%s/story/"):
        page = browser_of(staff).get(address % skill.pk)
        assert page.status_code == 200, address
        assert "part of the benchmark" not in page.content.decode(), address
    for address in (f"/tasks/{skill.pk}/", f"/tasks/{skill.pk}/rubric/"):
        assert browser_of(author).get(address).status_code == 200, address
        assert browser_of(reviewer).get(f"/tasks/{skill.pk}/").status_code == 200


def test_a_reviewer_may_suggest_a_critical_flaw(skill, author, person, finance):
    person("reviewer", finance)
    written(author, skill)
    send_to_review(actor=author, task=skill)
    review = Review.objects.get(task=skill)
    round_1 = review.rounds.get()
    line = round_1.version.criteria.first()
    set_verdict(
        actor=review.reviewer,
        round=round_1,
        criterion=line,
        verdict="change",
        suggestion={"text": "Invents an offer.", "dimension": "critical_flaw"},
    )
    page = browser_of(author).get(f"/tasks/{skill.pk}/rubric/").content.decode()
    assert "Invents an offer." not in page  # the author reads it once the review is sent
    stored = round_1.lines.get(criterion=line).suggestion
    assert (stored.text, stored.dimension) == ("Invents an offer.", "critical_flaw")


def test_it_can_be_drawn_for_a_spot_check_and_sent_back(skill, author, person, finance, settings):
    settings.SPOT_CHECK_RATE = 1.0
    person("reviewer", finance)
    senior = person("senior", finance, senior=True)
    written(author, skill)
    send_to_review(actor=author, task=skill)
    approve_all(skill)
    assert skill.stage == Stage.SPOT_CHECK
    take_spot_check(actor=senior, task=skill)
    skill.refresh_from_db()
    page = browser_of(senior).get(reverse("spot-check", args=[skill.pk]))
    assert page.status_code == 200
    decide_spot_check(
        actor=senior,
        task=skill,
        consistent=True,
        aligned=True,
        evaluable=False,
        verdict="send_back",
        remarks="Say how to weigh the terms.",
    )
    skill.refresh_from_db()
    assert skill.stage == Stage.REFINING
    assert open_version(skill).criteria.count() == 3
