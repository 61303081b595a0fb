"""A rubric from the machine's draft to the benchmark, with the keyboard alone."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Suggestion
from review.senior_seats.models import SpotCheck
from rubrics.marks.models import Waiver
from rubrics.versions.models import Criterion, LineChange
from tests.browser import rubric_day
from tests.browser.axe import faults_on
from tests.browser.hands import Hands
from tests.rubrics.walk import to_refining

pytestmark = pytest.mark.django_db(transaction=True)


def sent(task: Task) -> list[Criterion]:
    """The lines of the version that was sent last, in order."""
    version = task.rubric_versions.filter(frozen_at__isnull=False).latest("number")
    return list(version.criteria.order_by("position"))


def test_a_rubric_is_refined_reviewed_twice_and_checked_by_keyboard_alone(
    desk: Any, author: User, peer: User, person: Any, finance: Domain, settings: Any
) -> None:
    settings.SPOT_CHECK_RATE = 1.0
    task = to_refining(author, person("screener", finance), finance, lines=rubric_day.DRAFT)
    windows = [desk(who.email) for who in (author, peer, person("senior", finance, senior=True))]
    ana, rui, sen = [Hands(window.page, window.url) for window in windows]

    # The author makes the draft hers and sends it.
    rubric = f"/tasks/{task.pk}/rubric/"
    ana.open(rubric)
    assert faults_on(ana.page) == []
    rubric_day.refine(ana)
    first = sent(task)
    assert [line.text for line in first] == rubric_day.REFINED
    moved = first[8]
    assert (moved.weight, moved.importance, moved.dimension) == (9, "essential", "novelty")
    kinds = set(LineChange.objects.filter(version__task=task).values_list("kind", flat=True))
    assert {"split", "merged", "undone", "edited", "moved", "confirmed"} <= kinds
    assert [w.reason for w in Waiver.objects.filter(version__task=task)] == [rubric_day.BECAUSE]

    # The reviewer asks for five changes; one with a suggestion; she follows three.
    rui.open("/")
    rubric_day.open_review(rui)
    rubric_day.decide(rui)
    asked = LineReview.objects.filter(verdict="change", criterion__in=first)
    assert {first.index(row.criterion) + 1: row.aspect for row in asked} == {
        n: aspect for n, aspect, _words in rubric_day.ASKED
    }
    # Only where she worded the line herself is there a suggestion, and it keeps what she left.
    (suggested,) = Suggestion.objects.filter(line__in=asked)
    own = suggested.line.criterion
    assert first.index(own) + 1 == 11
    assert suggested.text == rubric_day.SUGGESTED
    assert (suggested.importance, suggested.weight, suggested.dimension) == (
        own.importance,
        own.weight,
        own.dimension,
    )
    ana.open(rubric)
    assert faults_on(ana.page) == []
    rubric_day.answer(ana)
    second = sent(task)
    assert [
        n for n, (a, b) in enumerate(zip(first, second, strict=True), 1) if a.text != b.text
    ] == [5, 11]
    assert second[7].weight == 10
    assert Comment.objects.filter(task=task, side="author").count() == 2

    # Everything is approved, and a senior finds it sound.
    rui.open("/")
    rubric_day.open_review(rui)
    assert faults_on(rui.page) == []
    rubric_day.approve_the_rest(rui)
    sen.open("/")
    rubric_day.take_spot_check(sen)
    assert faults_on(sen.page) == []
    rubric_day.accept(sen)
    assert SpotCheck.objects.get(task=task).verdict == "accept"
    moves = [e.to_stage for e in task.history.order_by("pk") if e.from_stage != e.to_stage]
    assert moves[-6:] == [
        "refining", "in_review", "refining", "in_review", "spot_check", "approved",
    ]  # fmt: skip
