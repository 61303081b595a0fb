"""A change request that carries the line as the reviewer would write it."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.assignment_models import Comment, Review, Suggestion
from rubrics.versions.models import Criterion, LineChange
from tests.conftest import browser_of
from tests.markup import one_line, words_of
from tests.review.steps import (
    approve,
    approve_all,
    finish,
    line_url,
    lines,
    newest_round,
    page_url,
    send,
    suggest,
)
from tests.rubrics.walk import lines_of
from tests.worlds import World

BETTER = "States net debt after the purchase as EUR 134.4 million."


@pytest.fixture(scope="module")
def suggested_world(review_world: World) -> World:
    """Round 1 is finished with a suggestion on the first line."""
    review = Review.objects.get(task=review_world["task"])
    desk = browser_of(review_world["peer"])
    suggest(desk, review, lines(review)[0], text=BETTER, weight="9")
    approve_all(desk, review, but=1)
    finish(desk, review)
    return World()


@pytest.fixture
def suggested(suggested_world: World, task: Task) -> Suggestion:
    return Suggestion.objects.get()


def take(browser: Client, task: Task, suggestion: int, **more: str) -> Any:
    return browser.post(reverse("rubric-suggestion-take", args=[task.pk, suggestion]), more)


def page(browser: Client, task: Task) -> str:
    return one_line(browser.get(reverse("rubric", args=[task.pk])).content.decode())


def test_the_author_takes_it_in_one_step_takes_it_back_in_one_and_the_reviewer_sees_it(
    task: Task, suggested: Suggestion, study: Client, desk: Client, review: Review
) -> None:
    html = page(study, task)
    assert "Reviewer 1 suggests" in html
    assert "Take the suggestion" in html
    before = LineChange.objects.count()
    answer = take(study, task, suggested.pk, comment="Yes, clearer.")
    line = lines_of(task)[0]
    assert answer["Location"].startswith(f"{reverse('rubric', args=[task.pk])}?line={line.pk}")
    assert (line.text, line.weight) == (BETTER, 9)
    assert Comment.objects.filter(side="author").get().text == "Yes, clearer."
    step = LineChange.objects.latest("pk")
    assert (LineChange.objects.count() - before, step.kind) == (1, "suggested")
    take(study, task, suggested.pk)  # a doubled click
    assert LineChange.objects.count() - before == 1
    study.post(reverse("rubric-line-restore", args=[task.pk, step.pk]))
    assert lines_of(task)[0].text != BETTER
    take(study, task, suggested.pk)
    assert send(study, task).status_code == 302
    html = desk.get(page_url(review)).content.decode()
    assert "Your suggestion was taken" in html
    assert newest_round(review).lines.filter(criterion__key=line.key).count() == 0  # read again


def test_a_suggestion_of_another_weight_shows_the_change_without_the_words_that_stay(
    task: Task, review: Review, desk: Client, study: Client
) -> None:
    line = lines(review)[0]
    suggest(desk, review, line, weight=str(line.weight + 1))
    approve_all(desk, review, but=1)
    finish(desk, review)
    change = f"weight {line.weight} → {line.weight + 1}"
    (offered,) = re.findall(
        r"Reviewer 1 suggests</b> *(.*?)</p>", page(study, task), flags=re.DOTALL
    )
    assert offered == f'<span class="nowrap">{change}</span>'
    read = one_line(desk.get(page_url(review)).content.decode())
    (told,) = re.findall(r"Suggests:</span> *(.*?)</p>", read, flags=re.DOTALL)
    assert told == f'<span class="nowrap">{change}</span>'
    take(study, task, Suggestion.objects.get().pk)
    shown = words_of(page(study, task).replace("</b>", "</b> "))
    assert f"Reviewer 1 suggests {line.text}" in shown  # taken: no change is left


def test_an_answer_instead_leaves_the_line_and_stands_first_in_the_next_round(
    task: Task, suggested: Suggestion, study: Client, desk: Client, review: Review
) -> None:
    key = suggested.line.criterion.key
    study.post(reverse("rubric-comment", args=[task.pk]), {"key": key, "comment": "Gross it is."})
    last = lines_of(task)[-1]
    study.post(reverse("rubric-line", args=[task.pk, last.pk]), {"weight": "10"})
    send(study, task)
    html = desk.get(page_url(review)).content.decode()
    assert "You asked for a change: Clarity" in html
    assert "not changed since" in html
    first, second = lines(review)[0], lines(review)[-1]
    rest = lines(review)[1]
    places = [html.index(f'id="line-{line.pk}"') for line in (first, second, rest)]
    assert places == sorted(places)  # asked, changed, the rest


def test_what_was_asked_is_answered_although_the_reviewer_has_handed_back_since(
    task: Task, suggested: Suggestion, study: Client, desk: Client, review: Review
) -> None:
    reason = {"reason": "No time for a second round."}
    assert desk.post(reverse("review-decline", args=[review.pk]), reason).status_code == 302
    assert send(study, task).status_code == 400  # nothing is answered yet
    assert "Reviewer 1 suggests" in page(study, task)
    assert take(study, task, suggested.pk, comment="Yes.").status_code == 302
    assert send(study, task).status_code == 302


def test_a_suggestion_needs_no_comment_but_a_line_that_can_be_stored(
    review: Review, desk: Client
) -> None:
    line = lines(review)[0]
    assert suggest(desk, review, line, text=line.text).status_code == 400  # nothing differs
    for bad in ({"text": " "}, {"weight": "11"}, {"weight": "x"}, {"importance": "urgent"}):
        answer = suggest(desk, review, line, **bad)
        assert answer.status_code == 400, bad
    wanted = {"verdict": "change", "suggest_text": BETTER, "suggest_weight": "11"}
    answer = desk.post(line_url(review, line), wanted)
    assert answer.status_code == 400
    assert BETTER in answer.content.decode()  # nothing typed is lost
    assert not Suggestion.objects.exists()
    wanted = {"verdict": "change", "suggest_text": BETTER}
    assert desk.post(line_url(review, line), wanted).status_code == 302


def test_it_goes_with_its_verdict(review: Review, desk: Client) -> None:
    line = lines(review)[0]
    suggest(desk, review, line, text=BETTER)
    suggest(desk, review, line, text=BETTER + " Gross.")
    assert Suggestion.objects.get().text == BETTER + " Gross."
    approve(desk, review, line)
    assert not Suggestion.objects.exists()
    suggest(desk, review, line, weight="1")
    desk.post(reverse("review-line-undo", args=[review.pk, line.pk]))
    assert not Suggestion.objects.exists()


def test_nobody_else_takes_it_nor_anybody_before_the_round_is_finished(
    task: Task, review: Review, desk: Client, study: Client, sign_in: Any, senior: User, staff: User
) -> None:
    line = lines(review)[0]
    suggest(desk, review, line, text=BETTER)
    early = Suggestion.objects.get()
    assert BETTER not in page(study, task)
    assert take(study, task, early.pk).status_code == 404
    approve_all(desk, review, but=1)
    finish(desk, review)
    for browser, status in ((desk, 403), (sign_in(senior), 404), (sign_in(staff), 403)):
        assert take(browser, task, early.pk).status_code == status
    assert take(study, task, early.pk + 9).status_code == 404
    line_now = lines_of(task)[0]
    study.post(reverse("rubric-line-remove", args=[task.pk, line_now.pk]))
    assert take(study, task, early.pk).status_code == 409
    assert not Criterion.objects.filter(text=BETTER).exists()
