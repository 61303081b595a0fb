"""Notices to scorers about their graded sheets."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Reminder, Topic, domain_facts, remind, send_notice
from judge.scoring.graded_sheets.models import GradedSheet

REMIND_BEFORE = timedelta(days=2)  # the time before a sheet is due

_SHEET = _("Open the sheet")

KINDS = (
    Kind(
        "graded_sheet_assigned",
        Topic.SCORING,
        _("You have a response to grade in %(domain)s"),
        _("Please give the answer to “%(task)s” one grade, with your reasons, by %(due)s."),
        _SHEET,
    ),
    Kind(
        "graded_sheet_due",
        Topic.SCORING,
        _("Your grade for “%(task)s” is due on %(due)s"),
        _("What you have written so far is kept."),
        _SHEET,
    ),
    Kind(
        "graded_sheet_again",
        Topic.SCORING,
        _("The reference answer to “%(task)s” was amended: please grade again"),
        _(
            "The grade you had chosen is taken back, because it was given by the earlier answer. "
            "Your reasons are kept. Read the new reference answer first; the sheet is due on "
            "%(due)s."
        ),
        _SHEET,
    ),
)


def graded_sheet_assigned(sheet: GradedSheet) -> None:
    """Tell a scorer that a graded sheet was assigned to them."""
    task = sheet.response.task
    assert sheet.user is not None
    send_notice(
        sheet.user,
        "graded_sheet_assigned",
        once=f"graded-sheet-{sheet.pk}",
        url=reverse("graded-sheet", args=[sheet.pk]),
        task=str(task),
        due=(sheet.due_at or timezone.now()).isoformat(),
        **domain_facts(task.domain),
    )


def graded_sheet_ended(sheet: GradedSheet) -> None:
    """Tell a scorer that their open sheet ended because the task's text was amended."""
    if sheet.user is None:
        return
    send_notice(
        sheet.user,
        "sheet_of_earlier_text",
        once=f"graded-sheet-{sheet.pk}-amended",
        url=reverse("scoring"),
        task=str(sheet.response.task),
    )


def graded_sheet_again(sheet: GradedSheet) -> None:
    """Tell a scorer that the grade of their open sheet was taken back with the earlier answer."""
    if sheet.user is None:
        return
    send_notice(
        sheet.user,
        "graded_sheet_again",
        once=f"graded-sheet-{sheet.pk}-answer-{sheet.answer_version}",
        url=reverse("graded-sheet", args=[sheet.pk]),
        task=str(sheet.response.task),
        due=(sheet.due_at or timezone.now()).isoformat(),
    )


def remind_graders(now: datetime | None = None) -> int:
    """Remind scorers whose open graded sheet is due soon; return how many were told."""
    return remind(_due(now or timezone.now()))


def _due(now: datetime) -> Iterator[Reminder]:
    sheets = GradedSheet.objects.filter(
        state=GradedSheet.State.OPEN,
        opened_at__lte=now - REMIND_BEFORE,
        due_at__gt=now,
        due_at__lte=now + REMIND_BEFORE,
    )
    for sheet in sheets.select_related("user", "response__task").order_by("pk"):
        assert sheet.user is not None
        assert sheet.due_at is not None
        due = sheet.due_at.isoformat()
        yield Reminder(
            sheet.user,
            "graded_sheet_due",
            f"graded-sheet-due-{sheet.pk}-{due[:10]}",
            reverse("graded-sheet", args=[sheet.pk]),
            {"task": str(sheet.response.task), "due": due},
        )
