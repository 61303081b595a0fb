"""Verdicts and remarks on the lines of a round."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, LineReview, Review
from tests.markup import one_line
from tests.review.steps import (
    PARTS,
    approve,
    approve_all,
    finish,
    line_url,
    lines,
    page_url,
    request_change,
    send,
)


def test_the_page_opens_at_the_first_line_without_a_verdict(desk: Client, review: Review) -> None:
    approve(desk, review, lines(review)[0])
    page = one_line(desk.get(page_url(review)).content.decode())
    assert f'action="{line_url(review, lines(review)[1])}" id="verdict-form"' in page
    assert "14 without a verdict" in page


def test_without_scripts_a_verdict_leads_to_the_next_open_line(
    desk: Client, review: Review
) -> None:
    first, second, *_rest = lines(review)
    answer = approve(desk, review, first)
    assert answer.status_code == 302
    assert f"?line={second.pk}" in answer["Location"]


def test_with_scripts_a_verdict_answers_with_the_line_and_the_bar(
    desk: Client, review: Review
) -> None:
    line = lines(review)[0]
    answer = desk.post(line_url(review, line), {"verdict": "approve"}, **PARTS)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert f'id="line-{line.pk}"' in html
    assert 'id="dock"' in html
    assert "1 approved" in html
    assert "<html" not in html


def test_a_request_is_made_by_its_words_alone(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    answer = desk.post(line_url(review, line), {"verdict": "change", "comment": "Half a thought"})
    assert answer.status_code == 302
    request = LineReview.objects.get()
    assert (request.verdict, request.aspect) == ("change", "")
    assert Comment.objects.get().text == "Half a thought"


def test_a_request_without_words_or_of_an_unknown_kind_is_refused_and_keeps_what_was_typed(
    desk: Client, review: Review
) -> None:
    line = lines(review)[0]
    page = desk.post(line_url(review, line), {"verdict": "change", "aspect": "factual"})
    assert page.status_code == 400
    assert "Say what should change" in page.content.decode()
    taste = {"verdict": "change", "aspect": "taste", "comment": "Half a thought"}
    html = desk.post(line_url(review, line), taste).content.decode()
    assert "Choose one of the four, or leave it open." in html
    assert "Half a thought" in html
    assert not LineReview.objects.exists()
    assert not Comment.objects.exists()


def test_the_database_knows_a_category_at_requests_alone(desk: Client, review: Review) -> None:
    approve(desk, review, lines(review)[0])
    approval = LineReview.objects.get()
    approval.aspect = "clarity"
    with pytest.raises(IntegrityError), transaction.atomic():
        approval.save()


def test_a_remark_on_an_approved_line_is_read_while_the_line_is_folded(
    desk: Client, review: Review
) -> None:
    first, second, *_rest = lines(review)
    answer = desk.post(
        line_url(review, first),
        {"verdict": "approve", "comment": "The figure is rounded."},
        **PARTS,
    )
    assert "<b>Remark:</b> The figure is rounded." in answer.content.decode()
    request_change(desk, review, second, comment="Which quarter?")
    page = desk.get(page_url(review)).content.decode()
    assert page.count("<b>Remark:</b>") == 1
    assert "<b>You:</b> Which quarter?" in page


def test_a_request_without_a_category_reads_well_on_every_page(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    first, second, third, *_rest = lines(review)
    for line in (first, second):
        request_change(desk, review, line, comment="Twice the same.", aspect="")
    approve(desk, review, third, comment="Almost too long.")
    approve_all(desk, review, but=3)
    finish(desk, review)
    page = one_line(study.get(reverse("rubric", args=[task.pk])).content.decode())
    assert "Change requested</span></p>" in page
    assert "<b>Remark:</b> Almost too long." in page
    story = study.get(reverse("task-story", args=[task.pk])).content.decode()
    assert "Requested a change." in story
    for line in (first, second):
        study.post(reverse("rubric-comment", args=[task.pk]), {"key": line.key, "comment": "No."})
    send(study, task)
    page = one_line(desk.get(page_url(review)).content.decode())
    assert "You asked for a change</span>" in page


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({}, 400),
        ({"verdict": "maybe"}, 400),
        ({"verdict": "change", "aspect": "taste", "comment": "x"}, 400),
        ({"verdict": "change", "aspect": "weight", "comment": "x" * 5001}, 400),
        ({"verdict": "approve", "comment": "a\x00b"}, 400),
        ({"verdict": "approve", "comment": "Fine now. 🙂"}, 302),
    ],
)
def test_what_a_verdict_accepts(
    desk: Client, review: Review, data: dict[str, str], status: int
) -> None:
    assert desk.post(line_url(review, lines(review)[0]), data).status_code == status
    assert LineReview.objects.exists() is (status == 302)


def test_a_new_verdict_replaces_the_old_one(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    request_change(desk, review, line)
    approve(desk, review, line)
    verdict = LineReview.objects.get(criterion=line)
    assert (verdict.verdict, verdict.aspect) == ("approve", "")


def test_a_verdict_is_taken_back_and_what_was_said_stays(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    answer = request_change(desk, review, line, comment="Name the figure.")
    page = desk.get(answer["Location"]).content.decode()
    undo = reverse("review-line-undo", args=[review.pk, line.pk])
    assert f'action="{undo}"' in page  # in the toast
    assert desk.post(undo).status_code == 302
    assert not LineReview.objects.exists()
    assert Comment.objects.get().text == "Name the figure."


def test_taking_back_a_second_thought_restores_the_carried_approval(
    desk: Client, study: Client, review: Review, task: Task
) -> None:
    first, second, *_rest = lines(review)
    request_change(desk, review, first)
    approve_all(desk, review, but=1)
    finish(desk, review)
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": first.key, "comment": "Because."})
    send(study, task)
    again = lines(review)[1]
    request_change(desk, review, again)
    desk.post(reverse("review-line-undo", args=[review.pk, again.pk]))
    restored = LineReview.objects.get(criterion=again)
    assert (restored.verdict, restored.carried_over) == ("approve", True)


def test_a_remark_without_a_verdict_goes_into_the_thread(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    address = reverse("review-comment", args=[review.pk, line.pk])
    assert desk.post(address, {"comment": "Is this in EUR?"}).status_code == 302
    assert desk.post(address, {"comment": "  "}).status_code == 400
    page = desk.get(page_url(review)).content.decode()
    assert "Is this in EUR?" in page
    assert "15 without a verdict" in page
    # having spoken, the reviewer may request the change without repeating it
    answer = desk.post(line_url(review, line), {"verdict": "change", "aspect": "clarity"})
    assert answer.status_code == 302


def test_markup_in_a_remark_is_shown_as_text(desk: Client, review: Review) -> None:
    line = lines(review)[0]
    request_change(desk, review, line, comment="<img src=x onerror=alert(1)> [x](javascript:y)")
    page = desk.get(page_url(review)).content.decode()
    assert "<img src=x" not in page
    assert "javascript:y" not in page.replace("](javascript:y)", "")
