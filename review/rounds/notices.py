"""Notices to reviewers, authors and seniors about reviews.

A notice has the task's title and dates but no names: reviewers are numbers, authors unnamed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from curation.base.process.events import Notice
from curation.base.process.lifecycle import Stage
from curation.joining.notices.notify import (
    Kind,
    Reminder,
    Topic,
    domain_facts,
    remind,
    send_notice,
)
from curation.joining.notices.saved_rows import on_saved
from curation.tasks.task.models import TaskEvent
from curation.tasks.task.notices import register
from review.policy.actions import terms_of
from review.rounds.assignment_models import Review, Round
from review.senior_seats.models import SpotCheck

SOON = timedelta(days=2)  # before a review is due

_RUBRIC = _("Open the rubric")
_REVIEW = _("Open the review")

KINDS = (
    Kind(
        "review_assigned",
        Topic.REVIEWS,
        _("You have a rubric to review in %(domain)s"),
        _("Please look at every line of “%(task)s” by %(due)s, or hand it back with a reason."),
        _REVIEW,
    ),
    Kind(
        "review_due",
        Topic.REVIEWS,
        _("Your review of “%(task)s” is due on %(due)s"),
        _("What you have decided so far is kept. You can also hand it back with a reason."),
        _REVIEW,
    ),
    Kind(
        "review_answered",
        Topic.REVIEWS,
        _("The author of “%(task)s” has answered: round %(round)s is open"),
        _("Lines you approved and that did not change stay approved. Please finish by %(due)s."),
        _REVIEW,
    ),
    Kind(
        "review_expired",
        Topic.REVIEWS,
        _("Your review of “%(task)s” was due and went back to the pool"),
        _("Until somebody takes it over, you can take it again; your verdicts are kept."),
        _("See your reviews"),
    ),
    Kind(
        "review_text_amended",
        Topic.REVIEWS,
        _("The text of “%(task)s”, which you review, was amended"),
        _("A senior agreed, and the rubric fits it. Your verdicts stay; read what changed."),
        _("See what changed"),
    ),
    Kind(
        "review_begins_anew",
        Topic.REVIEWS,
        _("The text of “%(task)s”, which you reviewed, was amended"),
        _("Its author goes through the rubric first. Then every line comes to you again."),
        _("See what changed"),
    ),
    Kind(
        "conflict_to_confirm",
        Topic.PROGRAMME,
        _("Please confirm a conflict of interest"),
        _(
            "A conflict of interest between you and somebody else was declared. Neither of you "
            "judges the other's work now. Confirm it, or tell staff what is wrong."
        ),
        _("Answer"),
    ),
    Kind(
        "conflict_work_ended",
        Topic.PROGRAMME,
        _("A colleague continues your work on “%(task)s”"),
        _(
            "A conflict of interest with its author is known now. What you finished stays; what "
            "was open was given back. There is nothing more you need to do."
        ),
        _("See what waits for you"),
    ),
    Kind(
        "conflict_upheld",
        Topic.PROGRAMME,
        _("Staff upheld a conflict of interest that was disputed"),
        _("It keeps counting: neither of you judges the other's work."),
        _("See your conflicts of interest"),
    ),
    Kind(
        "conflict_ended",
        Topic.PROGRAMME,
        _("Staff ended a conflict of interest"),
        _("It no longer keeps the two of you from each other's work."),
        _("See your conflicts of interest"),
    ),
    Kind(
        "review_to_senior",
        Topic.TASKS,
        _("A senior decides the open lines of “%(task)s”"),
        _(
            "The rounds did not settle them. The senior reads both sides; there is nothing you "
            "need to do."
        ),
        _("Open the task"),
    ),
    Kind(
        "lines_decided",
        Topic.TASKS,
        _("A senior decided the open lines of “%(task)s”"),
        _("The reasons are in the threads. The rubric is approved or goes to a spot check next."),
        _("Open the task"),
    ),
    Kind(
        "one_more_round",
        Topic.TASKS,
        _("“%(task)s” gets one more round"),
        _("The staff wrote why. Change or answer what is open, then send the rubric again."),
        _RUBRIC,
    ),
    Kind(
        "decision_waiting",
        Topic.REVIEWS,
        _("Open lines of a rubric in %(domain)s are waiting for a senior"),
        _(
            "“%(task)s”: the rounds did not settle them. Any senior with no role on the task may "
            "take it."
        ),
        _("See what is waiting"),
    ),
    Kind(
        "review_returned",
        Topic.TASKS,
        ngettext_lazy(
            "The review of “%(task)s” asks for a change on %(n)s line",
            "The review of “%(task)s” asks for changes on %(n)s lines",
            "n",
        ),
        _("Change each of these lines or answer the reviewer, then send the rubric again."),
        _RUBRIC,
    ),
    Kind(
        "task_approved",
        Topic.TASKS,
        _("“%(task)s” is approved"),
        _("It is in the benchmark now. There is nothing more you need to do."),
        _("Open the task"),
    ),
    Kind(
        "skill_approved",
        Topic.TASKS,
        _("The skill “%(task)s” is approved"),
        _("Tasks with its label are checked by it now. There is nothing more you need to do."),
        _("Open the skill"),
    ),
    Kind(
        "task_reopened",
        Topic.TASKS,
        _("“%(task)s” was opened again"),
        _("The staff wrote why. Change the rubric and send it to review once more."),
        _RUBRIC,
    ),
    Kind(
        "spot_check_returned",
        Topic.TASKS,
        _("A spot check sent “%(task)s” back to you"),
        _("A senior wrote what to change. The rubric then goes to its reviewers again."),
        _RUBRIC,
    ),
    Kind(
        "spot_check_waiting",
        Topic.REVIEWS,
        _("A rubric in %(domain)s is waiting for a spot check"),
        _("“%(task)s” was drawn by lot. Any senior with no role on the task may take it."),
        _("See the spot checks"),
    ),
    Kind(
        "spot_check_accepted",
        Topic.REVIEWS,
        _("The rubric of “%(task)s”, which you reviewed, passed its spot check"),
        _("It is approved. There is nothing more you need to do."),
        _REVIEW,
    ),
    Kind(
        "spot_check_reviewed_again",
        Topic.REVIEWS,
        _("A spot check sent the rubric of “%(task)s” back to its author"),
        _("You reviewed it. It comes to you again when the author has changed it."),
        _REVIEW,
    ),
    Kind(
        "spot_check_discarded",
        Topic.REVIEWS,
        _("“%(task)s”, which you reviewed, was taken out after a spot check"),
        _("There is nothing more you need to do."),
        _REVIEW,
    ),
)

_TO_REVIEWERS = {
    SpotCheck.Verdict.ACCEPT: "spot_check_accepted",
    SpotCheck.Verdict.SEND_BACK: "spot_check_reviewed_again",
    SpotCheck.Verdict.DISCARD: "spot_check_discarded",
}


def connect() -> None:
    """Connect the receivers of saved reviews, rounds and spot checks."""
    register("reviewer", tell_reviewer)
    on_saved(Review, review_assigned)
    on_saved(Round, round_opened)
    on_saved(SpotCheck, spot_check_decided)


def tell_reviewer(row: TaskEvent, notice: Notice, kind: str) -> None:
    """Notify the reviewer whose number the event names."""
    review = row.task.reviews.filter(number=row.data["reviewer"]).first()
    if review is not None:
        send_notice(
            review.reviewer,
            kind,
            once=f"task-event-{row.pk}",
            url=reverse(notice.page),
            task=str(row.task),
        )


def review_assigned(review: Review, created: bool) -> None:
    """Notify a reviewer who was drawn or assigned by staff, but not one who took the review."""
    if created and review.assigned_by_id != review.reviewer_id:
        send_notice(
            review.reviewer,
            "review_assigned",
            once=f"review-{review.pk}",
            url=reverse("review", args=[review.pk]),
            task=str(review.task),
            due=review.due_at.isoformat(),
            **domain_facts(review.task.domain),
        )


def round_opened(opened: Round, created: bool) -> None:
    """Notify a reviewer that the author has answered."""
    if not created or opened.number == 1:
        return
    review = opened.review
    send_notice(
        review.reviewer,
        "review_answered",
        once=f"round-{opened.pk}",
        url=reverse("review", args=[review.pk]),
        task=str(review.task),
        round=opened.number,
        due=(opened.opened_at + timedelta(days=terms_of(review.task).days)).isoformat(),
    )


def spot_check_decided(check: SpotCheck, created: bool) -> None:
    """Notify the rubric's reviewers of the senior's verdict."""
    if not created:
        return
    reviews = check.task.reviews.filter(state=Review.State.ASSIGNED).select_related("reviewer")
    for review in reviews:
        send_notice(
            review.reviewer,
            _TO_REVIEWERS[SpotCheck.Verdict(check.verdict)],
            once=f"spot-check-{check.pk}",
            url=reverse("review", args=[review.pk]),
            task=str(check.task),
        )


def remind_reviewers(now: datetime | None = None) -> int:
    """Remind reviewers whose open round is due soon; return how many. A periodic job."""
    return remind(_due(now or timezone.now()))


def _due(now: datetime) -> Iterator[Reminder]:
    rounds = (
        Round.objects.filter(
            finished_at__isnull=True,
            opened_at__lte=now - SOON,
            review__state=Review.State.ASSIGNED,
            review__due_at__gt=now,
            review__due_at__lte=now + SOON,
            review__task__stage=Stage.IN_REVIEW,
        )
        .select_related("review__reviewer", "review__task")
        .order_by("pk")
    )
    for opened in rounds:
        review = opened.review
        facts: dict[str, Any] = {"task": str(review.task), "due": review.due_at.isoformat()}
        url = reverse("review", args=[review.pk])
        once = f"round-due-{opened.pk}-{review.due_at:%Y%m%d}"  # each due date anew
        yield Reminder(review.reviewer, "review_due", once, url, facts)
