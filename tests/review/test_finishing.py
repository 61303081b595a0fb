"""Finishing a round: once, when every line has a verdict, and nothing after it."""

from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Task
from review.rounds.assignment_models import LineReview, Review
from tests.markup import one_line
from tests.review.steps import (
    PARTS,
    approve,
    approve_all,
    finish,
    line_url,
    lines,
    newest_round,
    page_url,
    request_change,
    send,
)


def test_pressing_finish_early_moves_to_the_first_open_line_and_says_so(
    desk: Client, review: Review
) -> None:
    approve(desk, review, lines(review)[0])
    answer = finish(desk, review)
    second = lines(review)[1]
    assert f"?line={second.pk}" in answer["Location"]
    page = desk.get(answer["Location"]).content.decode()
    assert "14 lines have no verdict yet." in page
    assert newest_round(review).finished_at is None


def test_the_finish_button_is_filled_when_every_line_has_a_verdict(
    desk: Client, review: Review
) -> None:
    page = one_line(desk.get(page_url(review)).content.decode())
    assert 'class="btn" data-key="ctrl+shift+enter"' in page
    approve_all(desk, review)
    page = one_line(desk.get(page_url(review)).content.decode())
    assert 'class="btn btn-primary" data-key="ctrl+shift+enter"' in page
    assert "every line has a verdict" in page


def test_a_round_is_finished_once(desk: Client, review: Review, task: Task) -> None:
    approve_all(desk, review)
    assert finish(desk, review).status_code == 302
    assert finish(desk, review).status_code == 409
    task.refresh_from_db()
    assert task.history.filter(to_stage=Stage.APPROVED).count() == 1


def test_a_verdict_after_the_finish_is_a_conflict_that_keeps_the_words(
    desk: Client, review: Review
) -> None:
    approve_all(desk, review)
    line = lines(review)[0]
    finish(desk, review)
    late = request_change(desk, review, line, comment="One more thing I saw.")
    assert late.status_code == 409
    assert "One more thing I saw." in late.content.decode()
    scripted = desk.post(line_url(review, line), {"verdict": "approve"}, **PARTS)
    assert scripted.status_code == 409
    assert scripted.json()["code"] == "round_finished"
    undo = reverse("review-line-undo", args=[review.pk, line.pk])
    assert desk.post(undo).status_code == 409
    comment = reverse("review-comment", args=[review.pk, line.pk])
    assert desk.post(comment, {"comment": "Late."}).status_code == 409
    assert LineReview.objects.get(criterion=line).verdict == "approve"


def test_a_finished_round_can_be_read(desk: Client, review: Review) -> None:
    request_change(desk, review, lines(review)[0], comment="Name the figure.")
    approve_all(desk, review, but=1)
    finish(desk, review)
    page = desk.get(page_url(review)).content.decode()
    assert "Round 1 is finished." in page
    assert "Name the figure." in page
    assert "verdict-form" not in page
    listed = desk.get(reverse("reviews")).content.decode()
    assert "With the author" in listed


def test_a_line_of_an_older_version_takes_no_verdict(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    old = lines(review)[0]
    request_change(desk, review, old)
    approve_all(desk, review, but=1)
    finish(desk, review)
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": old.key, "comment": "Why."})
    send(study, task)
    assert approve(desk, review, old).status_code == 409
