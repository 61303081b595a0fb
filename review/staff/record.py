"""Facts about a person's reviews for staff: spot checks, dropped requests, declined reviews."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import ngettext

from curation.base.web.optional_urls import url_or_empty
from curation.qualifying.experts.record import MOST_EVIDENCE, Evidence, Fact
from curation.tasks.task.models import Task
from review.rounds import pace
from review.rounds.assignment_actions import ENDED_BY_RULE
from review.rounds.assignment_models import LineReview, Review
from review.senior_seats.models import SpotCheck
from rubrics.versions.diff import same_content

MOST_LINES = 500  # a reviewer's newest verdicts that are considered
CHANGE, APPROVE = LineReview.Verdict.CHANGE, LineReview.Verdict.APPROVE


def facts(person: Any) -> Iterator[Fact]:
    """Yield facts on spot checks (as author and as reviewer), dropped requests, declined reviews.

    Also facts on the pace of approvals and confirmations. Ten queries at most.
    """
    checks = (
        SpotCheck.objects.filter(taken_back_at__isnull=True)
        .select_related("task")
        .annotate(
            lines=Count("version__criteria", distinct=True), marked=Count("marks", distinct=True)
        )
        .order_by("-pk")
    )
    # A rubric that somebody took over counts for them, not for the author.
    written = Q(task__rubric_author=person) | Q(task__author=person, task__rubric_author=None)
    own = list(checks.filter(written))
    yield _failed(
        own,
        lambda n: ngettext(
            "%(n)s of %(of)s spot checks of the person's own rubrics failed.",
            "%(n)s of %(of)s spot checks of the person's own rubrics failed.",
            n,
        ),
    )
    reviewed = Task.objects.filter(
        reviews__reviewer=person, reviews__state=Review.State.ASSIGNED
    ).values("pk")
    approved = list(checks.filter(task__in=reviewed))
    yield _failed(
        approved,
        lambda n: ngettext(
            "%(n)s of %(of)s spot checks of rubrics this person had approved failed.",
            "%(n)s of %(of)s spot checks of rubrics this person had approved failed.",
            n,
        ),
    )
    yield _marked(
        own,
        lambda n: ngettext(
            "%(n)s of %(of)s lines of the person's own rubrics was marked in a spot check.",
            "%(n)s of %(of)s lines of the person's own rubrics were marked in spot checks.",
            n,
        ),
    )
    yield _marked(
        approved,
        lambda n: ngettext(
            "%(n)s of %(of)s lines of rubrics this person had approved was marked in a spot check.",
            "%(n)s of %(of)s lines of rubrics this person had approved were marked in spot checks.",
            n,
        ),
    )
    yield _overturned(person)
    yield _declined(person)
    yield _fast(pace.approvals(MOST_LINES, round__review__reviewer=person), pace.approved_fast)
    yield _fast(pace.confirmations(MOST_LINES, actor=person), pace.confirmed_fast)


def _fast(found: pace.Pace, words: Callable[[int, int], str]) -> Fact:
    tasks = Task.objects.filter(pk__in=found.tasks[:MOST_EVIDENCE]).order_by("-pk")
    return Fact(words(found.n, found.of), found.n, found.of, _links(list(tasks)))


def _failed(checks: Sequence[SpotCheck], words: Any) -> Fact:
    failed = [check for check in checks if check.verdict != SpotCheck.Verdict.ACCEPT]
    n, of = len(failed), len(checks)
    return Fact(words(n) % {"n": n, "of": of}, n, of, _links([check.task for check in failed]))


def _marked(checks: list[Any], words: Any) -> Fact:
    """Return how many lines of the spot-checked versions a senior marked."""
    n, of = sum(check.marked for check in checks), sum(check.lines for check in checks)
    tasks = {check.task_id: check.task for check in checks if check.marked}
    return Fact(words(n) % {"n": n, "of": of}, n, of, _links(list(tasks.values())))


def _overturned(person: Any) -> Fact:
    """Return how many requests the reviewer dropped by approving the unchanged line next round.

    Only requests whose line is in the next round count.
    """
    rows = list(
        LineReview.objects.filter(round__review__reviewer=person)
        .select_related("criterion", "round__review__task")
        .order_by("-pk")[:MOST_LINES]
    )
    later = {(row.round.review_id, row.round.number, row.criterion.key): row for row in rows}
    n = of = 0
    tasks: dict[int, Any] = {}
    for row in rows:
        if row.verdict != CHANGE:
            continue
        after = later.get((row.round.review_id, row.round.number + 1, row.criterion.key))
        if after is None:
            continue
        of += 1
        if after.verdict == APPROVE and same_content(row.criterion, after.criterion):
            n += 1
            tasks.setdefault(row.round.review.task_id, row.round.review.task)
    sentence = ngettext(
        "%(n)s of %(of)s answered requests was given up: the same line was approved afterwards.",
        "%(n)s of %(of)s answered requests were given up: the same line was approved afterwards.",
        n,
    )
    return Fact(sentence % {"n": n, "of": of}, n, of, _links(list(tasks.values())))


def _declined(person: Any) -> Fact:
    reviews = list(Review.objects.filter(reviewer=person).select_related("task").order_by("-pk"))
    counted = [review for review in reviews if review.reason not in ENDED_BY_RULE]
    declined = [review for review in counted if review.state == Review.State.DECLINED]
    n, of = len(declined), len(counted)
    sentence = ngettext(
        "%(n)s of %(of)s reviews was handed back.", "%(n)s of %(of)s reviews were handed back.", n
    )
    return Fact(sentence % {"n": n, "of": of}, n, of, _links([r.task for r in declined]))


def _links(tasks: list[Any]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(str(task), url_or_empty("staff-task", task.pk)) for task in tasks[:MOST_EVIDENCE]
    )
