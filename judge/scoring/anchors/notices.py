"""Notices to scorers and seniors about sheets and anchors.

They never name the model that wrote a response, nor anybody's scores.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import AnchorStage
from curation.joining.notices.notify import (
    Kind,
    Reminder,
    Topic,
    domain_facts,
    remind,
    send_notice,
    send_notices,
    seniors_of,
)
from curation.joining.notices.saved_rows import on_saved
from curation.joining.people import User
from curation.tasks.task.models import Seat
from judge.scoring.anchors.models import AnchorEvent, MetaEvaluation
from judge.scoring.anchors.replace import REPLACED
from judge.scoring.sheets.models import Sheet

REMIND_BEFORE = timedelta(days=2)  # the time before a sheet is due

_SHEET = _("Open the sheet")

KINDS = (
    Kind(
        "sheet_assigned",
        Topic.SCORING,
        _("You have a response to score in %(domain)s"),
        _("Please score every line of “%(task)s” by %(due)s."),
        _SHEET,
    ),
    Kind(
        "sheet_due",
        Topic.SCORING,
        _("Your sheet for “%(task)s” is due on %(due)s"),
        _("What you have scored so far is kept."),
        _SHEET,
    ),
    Kind(
        "sheet_returned",
        Topic.SCORING,
        _("A senior sent your sheet for “%(task)s” back"),
        _("Your scores are kept. Look again at the lines with remarks, then submit it once more."),
        _SHEET,
    ),
    Kind(
        "baseline_replaced",
        Topic.SCORING,
        _("The response to “%(task)s” you were scoring was replaced"),
        _(
            "There is nothing more to do. Another response may be waiting to be scored from the "
            "start."
        ),
        _("Open Scoring"),
    ),
    Kind(
        "rubric_changed_score_again",
        Topic.SCORING,
        _("The rubric of “%(task)s” changed: please score the new lines"),
        _("Your scores of unchanged lines are kept. Submit the sheet again by %(due)s."),
        _SHEET,
    ),
    Kind(
        "sheet_of_earlier_text",
        Topic.SCORING,
        _("Your open sheet on “%(task)s” has ended"),
        _(
            "The task's text was amended, so the response answers an earlier one. There is nothing "
            "you need to do."
        ),
        _("Open Scoring"),
    ),
    Kind(
        "anchor_waiting",
        Topic.SCORING,
        _("A scored sheet in %(domain)s is waiting for a senior"),
        _("“%(task)s” is scored. Any senior with no role on the task may check it."),
        _("Open Scoring"),
    ),
    Kind(
        "anchor_again",
        Topic.SCORING,
        _("The sheet for “%(task)s” is back for your check"),
        _("The scorer has answered your remarks. What you agreed with and did not change is kept."),
        _("Open the check"),
    ),
)


def connect() -> None:
    """Connect the receivers of anchors' histories and of opened checks."""
    on_saved(AnchorEvent, anchor_moved)
    on_saved(MetaEvaluation, check_opened)


def anchor_moved(event: AnchorEvent, created: bool) -> None:
    """Tell the scorer of a sheet that came back or ended, and the seniors of one that waits."""
    moved = (event.from_stage, event.to_stage)
    anchor = event.anchor
    if created and event.reason == REPLACED and event.data.get("event") == "handed_back":
        send_notice(
            User.objects.get(pk=event.data["scorer"]),
            "baseline_replaced",
            once=f"anchor-event-{event.pk}",
            url=reverse("scoring"),
            task=str(anchor.task),
        )
        return
    if created and moved == (AnchorStage.META_EVALUATION, AnchorStage.SCORING):
        for sheet in Sheet.objects.filter(
            response=anchor.response_id,
            purpose=Sheet.Purpose.ANCHOR,
            state=Sheet.State.OPEN,
            user__isnull=False,
        ).select_related("user"):
            send_notice(
                sheet.user,  # type: ignore[arg-type]  # filtered by user__isnull=False
                "sheet_returned",
                once=f"anchor-event-{event.pk}",
                url=reverse("sheet", args=[sheet.pk]),
                task=str(anchor.task),
            )
    elif (
        created
        and moved == (AnchorStage.SCORING, AnchorStage.META_EVALUATION)
        and not anchor.evaluations.exists()
    ):
        # If it was checked before, `check_opened` tells the same senior.
        send_notices(
            seniors_of(anchor.task.domain_id).exclude(
                pk__in=Seat.objects.filter(task=anchor.task).values("user")
            ),
            "anchor_waiting",
            once=f"anchor-event-{event.pk}",
            url=reverse("scoring"),
            task=str(anchor.task),
            **domain_facts(anchor.task.domain),
        )


def check_opened(check: MetaEvaluation, created: bool) -> None:
    """Tell a senior that a sheet they sent back was submitted again."""
    if not created or check.number == 1 or check.verdict:
        return
    anchor = check.anchor
    if anchor.evaluations.filter(number=check.number - 1, senior=check.senior_id).exists():
        send_notice(
            check.senior,
            "anchor_again",
            once=f"check-{check.pk}",
            url=reverse("meta", args=[anchor.pk]),
            task=str(anchor.task),
        )


def remind_scorers(now: datetime | None = None) -> int:
    """Remind scorers whose open sheet is due soon; return how many were told."""
    return remind(_due(now or timezone.now()))


def _due(now: datetime) -> Iterator[Reminder]:
    sheets = (
        Sheet.objects.filter(
            state=Sheet.State.OPEN,
            user__isnull=False,
            opened_at__lte=now - REMIND_BEFORE,
            due_at__gt=now,
            due_at__lte=now + REMIND_BEFORE,
        )
        .select_related("user", "response__task")
        .order_by("pk")
    )
    for sheet in sheets:
        assert sheet.user is not None
        assert sheet.due_at is not None
        due = sheet.due_at.isoformat()
        facts = {"task": str(sheet.response.task), "due": due}
        url = reverse("sheet", args=[sheet.pk])
        yield Reminder(sheet.user, "sheet_due", f"sheet-due-{sheet.pk}-{due[:10]}", url, facts)
