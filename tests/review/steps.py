"""What people do on the review pages, as their browsers send it."""

from typing import Any

from django.test import Client
from django.urls import reverse

from review.models import Review, Round
from rubrics.models import Criterion


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


def approve_all(browser: Client, review: Review, but: int = 0) -> None:
    """Approve every line of the round but the first few."""
    for line in lines(review)[but:]:
        approve(browser, review, line)


def finish(browser: Client, review: Review) -> Any:
    return browser.post(reverse("review-finish", args=[review.pk]))


def newest_round(review: Review) -> Round:
    return review.rounds.order_by("-number").first()  # type: ignore[return-value]
