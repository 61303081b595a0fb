"""Two browsers at the same instant, and the same form sent twice: nothing lost, nothing doubled."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Review, Round
from review.rounds.verdict_steps import VerdictStep
from rubrics.versions.models import Criterion, RubricVersion
from tests.review.steps import approve_all, line_url, lines, request_change, suggest
from tests.rubrics.desk import editor
from tests.rubrics.walk import lines_of

Request = tuple[Client, str, dict[str, Any]]
JSON = {"HTTP_ACCEPT": "application/json, text/html"}


def send_at_once(requests: list[Request]) -> list[int]:
    """The answers to requests that are all on their way before the first is answered."""
    start, answers = threading.Barrier(len(requests)), [0] * len(requests)

    def run(n: int) -> None:
        browser, path, form = requests[n]
        try:
            start.wait(timeout=20)
            answers[n] = browser.post(path, form, **JSON).status_code
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=run, args=[n]) for n in range(len(requests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


@pytest.fixture
def task(in_review: Callable[..., Task]) -> Task:
    return in_review()


@pytest.fixture
def pair(
    rules: Any, in_review: Callable[..., Task], reviewer: User, senior: User, sign_in: Any
) -> list[tuple[Client, Review]]:
    """Two reviewers of the same rubric, each in their own browser."""
    rules(reviewers=2, quorum=2)
    task = in_review()
    reviews = Review.objects.filter(task=task).select_related("reviewer").order_by("number")
    return [(sign_in(review.reviewer), review) for review in reviews]


def change(comment: str, aspect: str = "clarity") -> dict[str, str]:
    return {"verdict": "change", "aspect": aspect, "comment": comment}


@pytest.mark.django_db(transaction=True)
def test_two_reviewers_on_one_line_at_the_same_instant_keep_their_own_verdicts(
    pair: list[tuple[Client, Review]], author: User
) -> None:
    (one, first), (two, second) = pair
    line, *others = lines(first)
    before = Notice.objects.filter(recipient=author).count()
    both: list[Request] = [
        (one, line_url(first, line), change("Which quarter?")),
        (two, line_url(second, line), change("Too heavy for what it checks.", "weight")),
    ]
    for other in others:  # everything either of them says about the rest, in the same rush
        both += [(b, line_url(r, other), {"verdict": "approve"}) for b, r in pair]
    for start in range(0, len(both), 6):
        assert set(send_at_once(both[start : start + 6])) <= {200, 302}
    said = LineReview.objects.filter(criterion=line).order_by("round__review__number")
    assert list(said.values_list("aspect", flat=True)) == ["clarity", "weight"]
    assert LineReview.objects.filter(verdict="approve").count() == 2 * len(others)
    assert Comment.objects.count() == 2

    # Both finish at once: the rubric goes back to its author once, with one open version.
    ends = send_at_once([(b, reverse("review-finish", args=[r.pk]), {}) for b, r in pair])
    assert ends == [302, 302]
    task = Task.objects.get(pk=first.task_id)
    assert task.stage == Stage.REFINING
    assert task.history.filter(to_stage=Stage.REFINING, from_stage=Stage.IN_REVIEW).count() == 1
    assert task.rubric_versions.filter(frozen_at__isnull=True).count() == 1
    assert Notice.objects.filter(recipient=author).count() == before + 1


@pytest.mark.django_db(transaction=True)
def test_a_verdict_a_remark_and_the_end_of_a_round_count_once_however_often_they_arrive(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    asked, *others = lines(review)
    request = (desk, line_url(review, asked), change("Name the quarter."))
    assert len(set(send_at_once([request] * 4))) == 1
    request_change(desk, review, asked, comment="Name the quarter.")  # and sent again later
    assert LineReview.objects.filter(criterion=asked).count() == 1
    assert VerdictStep.objects.filter(criterion=asked).count() == 1
    assert Comment.objects.count() == 1

    remark = reverse("review-comment", args=[review.pk, others[0].pk])
    send_at_once([(desk, remark, {"comment": "See also line 1."})] * 4)
    assert Comment.objects.filter(line_key=others[0].key).count() == 1

    approve_all(desk, review, but=1)
    ends = send_at_once([(desk, reverse("review-finish", args=[review.pk]), {})] * 4)
    assert Counter(ends) == {302: 1, 409: 3}
    assert task.history.filter(data__event="round_finished").count() == 1

    # The author's answer, and the rubric sent again, in the same way.
    answer = {"key": asked.key, "comment": "The third quarter, as the memo says."}
    send_at_once([(study, reverse("rubric-comment", args=[task.pk]), answer)] * 4)
    assert Comment.objects.filter(side=Comment.Side.AUTHOR).count() == 1
    sends = send_at_once([(study, reverse("rubric-send", args=[task.pk]), {"as_drafted": "1"})] * 4)
    assert Counter(sends) == {302: 1, 409: 3}
    assert Round.objects.filter(review=review).count() == 2
    assert task.rubric_versions.filter(frozen_at__isnull=True).count() == 0
    moved = task.history.filter(from_stage=Stage.REFINING, to_stage=Stage.IN_REVIEW)
    assert moved.count() == 2


@pytest.mark.django_db
def test_the_same_words_in_another_round_are_said_again(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    line = lines(review)[0]
    for number in (1, 2):
        request_change(desk, review, lines(review)[0], comment="Name the quarter.")
        approve_all(desk, review, but=1)
        assert desk.post(reverse("review-finish", args=[review.pk])).status_code == 302
        if number == 1:
            words = {"key": line.key, "comment": "It stands in the memo."}
            study.post(reverse("rubric-comment", args=[task.pk]), words)
            study.post(reverse("rubric-send", args=[task.pk]), {"as_drafted": "1"})
    said = Comment.objects.filter(side=Comment.Side.REVIEWER).values_list("round__number", "text")
    assert sorted(said) == [(1, "Name the quarter."), (2, "Name the quarter.")]


@pytest.mark.django_db(transaction=True)
def test_what_the_author_types_while_it_is_sent_is_in_the_version_or_refused_in_words(
    task: Task, refining: Callable[..., Task], author: User, sign_in: Any
) -> None:
    """Tabs that save while another one sends: what was answered 200 is what the reviewer reads."""
    mine = refining(title="Bridge loan")
    edited = lines_of(mine)[:5]
    texts = {line.pk: f"States tranche {line.key} as EUR 7 million." for line in edited}
    requests: list[Request] = [
        (
            sign_in(author),
            reverse("rubric-line", args=[mine.pk, line.pk]),
            editor(line, text=texts[line.pk]),
        )
        for line in edited
    ]
    sending: Request = (
        sign_in(author),
        reverse("rubric-send", args=[mine.pk]),
        {"as_drafted": "1"},
    )
    *saves, sent = send_at_once([*requests, sending])
    assert sent == 302
    assert set(saves) <= {200, 409}
    version = RubricVersion.objects.get(task=mine, origin="expert")
    assert version.sha256 == version.content_sha256()
    now = dict(Criterion.objects.filter(version=version).values_list("pk", "text"))
    for line, status in zip(edited, saves, strict=True):
        assert (now[line.pk] == texts[line.pk]) == (status == 200)


@pytest.mark.django_db(transaction=True)
def test_a_line_edited_while_its_suggestion_is_taken_ends_as_one_of_the_two(
    desk: Client, study: Client, review: Review, task: Task, author: User, sign_in: Any
) -> None:
    line = lines(review)[0]
    suggest(desk, review, line, text="States net debt of EUR 134.4 million.", weight=9)
    approve_all(desk, review, but=1)
    desk.post(reverse("review-finish", args=[review.pk]))
    offered = LineReview.objects.get(criterion=line).suggestion  # type: ignore[attr-defined]
    mine = next(each for each in lines_of(task) if each.key == line.key)
    take = reverse("rubric-suggestion-take", args=[task.pk, offered.pk])
    edit = reverse("rubric-line", args=[task.pk, mine.pk])
    typed = editor(mine, text="States net debt after the purchase.")
    answers = send_at_once([(study, take, {}), (sign_in(author), edit, typed)] * 2)
    assert set(answers) <= {200, 302, 409}
    steps = list(mine.version.changes.filter(key=line.key).order_by("revision"))
    mine.refresh_from_db()
    assert mine.text == steps[-1].after[0]["text"]
    for earlier, later in zip(steps, steps[1:], strict=False):
        assert later.before == earlier.after  # no step overwrote another one unseen
    assert len(steps) == len({str(step.after) for step in steps})
