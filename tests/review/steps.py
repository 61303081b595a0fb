"""What people do on the review pages, as their browsers send it."""

from typing import Any

from django.test import Client
from django.urls import reverse

from curation.tasks.task.models import Task
from review.rounds.actions import set_verdict
from review.rounds.assignment_models import Review, Round
from rubrics.versions.models import Criterion
from tests.rubrics.walk import lines_of

PARTS = {"HTTP_X_PARTS": "1", "HTTP_ACCEPT": "application/json, text/html"}


def page_url(review: Review) -> str:
    return reverse("review", args=[review.pk])


def lines(review: Review) -> list[Criterion]:
    """The lines of the newest round, in order."""
    version = review.rounds.order_by("-number").first().version  # type: ignore[union-attr]
    return list(version.criteria.order_by("position", "id"))


def line_url(review: Review, line: Criterion) -> str:
    return reverse("review-line", args=[review.pk, line.pk])


def approve(browser: Client, review: Review, line: Criterion, **more: Any) -> Any:
    return browser.post(line_url(review, line), {"verdict": "approve", **more})


def request_change(
    browser: Client,
    review: Review,
    line: Criterion,
    *,
    comment: str = "Name the figure.",
    aspect: str = "clarity",
) -> Any:
    return browser.post(
        line_url(review, line), {"verdict": "change", "aspect": aspect, "comment": comment}
    )


def suggest(browser: Client, review: Review, line: Criterion, **wanted: Any) -> Any:
    """Request a change and word the line: `suggest(desk, review, line, text="…", weight=7)`."""
    boxes = {f"suggest_{name}": value for name, value in wanted.items()}
    return browser.post(
        line_url(review, line),
        {"verdict": "change", "aspect": "clarity", "comment": "", **boxes},
    )


def approve_all(browser: Client, review: Review, but: int = 0) -> None:
    """Approve every line of the round but the first few.

    The first over its address, the others by the action behind it: forty pages more would say
    nothing new.
    """
    first, *others = lines(review)[but:]
    approve(browser, review, first)
    current = newest_round(review)
    for line in others:
        set_verdict(actor=review.reviewer, round=current, criterion=line, verdict="approve")


def finish(browser: Client, review: Review) -> Any:
    return browser.post(reverse("review-finish", args=[review.pk]))


def newest_round(review: Review) -> Round:
    return review.rounds.order_by("-number").first()  # type: ignore[return-value]


def send(browser: Client, task: Task) -> Any:
    """Send the rubric to its reviewers, lines of the draft that nobody read included."""
    return browser.post(reverse("rubric-send", args=[task.pk]), {"as_drafted": "1"})


def answer(browser: Client, task: Task, key: str, words: str) -> Any:
    return browser.post(reverse("rubric-comment", args=[task.pk]), {"key": key, "comment": words})


def change_text(browser: Client, task: Task, key: str, words: str) -> Any:
    line = next(line for line in lines_of(task) if line.key == key)
    return browser.post(reverse("rubric-line", args=[task.pk, line.pk]), {"text": words})


def stage(task: Task) -> str:
    task.refresh_from_db()
    return task.stage
