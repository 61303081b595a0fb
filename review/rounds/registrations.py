"""What reviews, their rounds and verdicts give to the nouns below."""

from typing import Any

from django.db.models import F, Q, QuerySet
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process import periodic_jobs
from curation.base.process.lifecycle import Stage
from curation.base.process.periodic_jobs import Phase
from curation.base.process.signals import stage_entered
from curation.joining.notices import notify
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.models import Task
from curation.tasks.task.text_basis import Basis, Rests, independent, records
from curation.telling.search import search
from curation.telling.search.queries import title_or_key
from curation.telling.search.search import Hit, SearchTerms, Source
from review.rounds import notices, verdict_steps
from review.rounds.actions import answer_request
from review.rounds.assignment_actions import begin_review
from review.rounds.assignment_models import Comment, LineReview, Review, Round, Suggestion
from review.rounds.author_queries import AuthorReader
from review.rounds.expiry import expire_overdue
from rubrics.lines import threads
from rubrics.versions.queries import stale_versions


def _stale_rounds(task: Any) -> "QuerySet[Round]":
    return Round.objects.filter(version__in=stale_versions(task))


def _stale_verdicts(task: Any) -> "QuerySet[LineReview]":
    return LineReview.objects.filter(round__version__in=stale_versions(task))


def _finished() -> "QuerySet[Round]":
    """Select the finished rounds. One that ended unfinished has the time of its opening."""
    return Round.objects.filter(finished_at__gt=F("opened_at"))


@receiver(stage_entered, sender=Task, dispatch_uid="review.start_review")
def start_review(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    if stage == Stage.IN_REVIEW:
        begin_review(task=instance)


def reviews(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find a reviewer's own reviews, including finished ones, by titles without names."""
    domains = user.qualified_domain_ids()
    if not domains:
        return []
    rows = (
        Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED, task__domain__in=domains)
        .exclude(task__stage__in=[Stage.WITHDRAWN, Stage.DISCARDED])
        .filter(title_or_key(words, "task__"))
        .order_by("-due_at", "-pk")
        .values("pk", "task__title", "task__key", "task__language", "task__stage")
    )
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse("review", args=[row["pk"]]),
            _("Review") + " · " + str(Stage(row["task__stage"]).label),
            row["task__language"],
        )
        for row in rows[:most]
    ]


verdict_steps.connect()
notify.register(*notices.KINDS)
notices.connect()
periodic_jobs.register(expire_overdue)
periodic_jobs.register(notices.remind_reviewers, phase=Phase.REMIND)
threads.register(AuthorReader(), answer_request)
search.register(Source("reviews", gettext_lazy("Reviews"), 11, reviews))
text_basis.register(
    Rests(
        model="review.Round",
        label=gettext_lazy("Rounds of review"),
        on=Basis.RUBRIC,
        then=gettext_lazy(
            "An open round ends; the next one begins with the rubric for the new text."
        ),
        stale=_stale_rounds,
    ),
    Rests(
        model="review.LineReview",
        label=gettext_lazy("Verdicts of reviewers"),
        on=Basis.RUBRIC,
        then=gettext_lazy("No approval is carried over: every line is reviewed again."),
        stale=_stale_verdicts,
    ),
    *records(
        gettext_lazy("It was said on a line as it was, and can be read beside it."),
        "review.Comment",
        "review.Suggestion",
        "review.VerdictStep",
    ),
    *independent(gettext_lazy("It says who reviews, by which rules."), "review.Review"),
)
parts.register(
    Part(
        "reviews",
        Review,
        "reviewer",
        ("task__key", "state", "number", "reason", "assigned_at", "due_at"),
    ),
    Part(
        "review_verdicts",
        LineReview,
        "round__review__reviewer",
        (
            *("round__review__task__key", "round__number", "criterion__key"),
            *("verdict", "aspect", "carried_over", "at"),
        ),
    ),
    Part(
        "review_suggestions",
        Suggestion,
        "line__round__review__reviewer",
        (
            *("line__round__review__task__key", "line__criterion__key", "text"),
            *("importance", "weight", "dimension"),
        ),
    ),
    Part(
        "comments_on_own_lines",
        Comment,
        "task__author",
        ("task__key", "line_key", "side", "text", "at"),
        Q(round=None) | Q(round__finished_at__isnull=False),
    ),
    Part("comments", Comment, "person", ("task__key", "line_key", "side", "text", "at")),
)
finished_work.register(
    FinishedSource(gettext_lazy("review rounds"), _finished, "review__task", "review__reviewer")
)
sources.register(
    PaidSource(
        Work.ROUND,
        _finished,
        *("review__reviewer", "finished_at", "review__task", "review__task__domain"),
    )
)
