"""What sheets give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.base.process.roles import Role
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.telling.activity import trail
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry
from judge.asking.candidates.earlier_text import rule_of_score
from judge.scoring.sheets.models import Sheet, SheetLine


def _submitted() -> QuerySet[Sheet]:
    return Sheet.objects.filter(state=Sheet.State.SUBMITTED, user__isnull=False)


def _paid() -> QuerySet[Sheet]:
    """Select the sheets that are paid.

    A settled sheet is part of the senior's check of the anchor, and practice is no work. A known
    sheet is paid as any other: who scores it must not notice.
    """
    kinds = [Sheet.Purpose.ANCHOR, Sheet.Purpose.ALIGNMENT]
    return _submitted().filter(purpose__in=kinds).exclude(kind=Sheet.Kind.PRACTICE)


def sheets_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield entries for staff: authors learn nothing of how responses are scored. One query."""
    if not reader.names:
        return
    rows = Sheet.objects.filter(
        response__task=task, kind=Sheet.Kind.EXPERT, submitted_at__isnull=False
    ).order_by("submitted_at", "pk")
    for pk, at, user, response, version, purpose, rater in rows.values_list(
        "pk", "submitted_at", "user_id", "response__key", "version__number", "purpose", "rater"
    ):
        yield TrailEntry(
            at=at,  # type: ignore[arg-type]  # only submitted sheets are selected
            source="sheet",
            pk=pk,
            kind=ActKind.SCORING,
            role=MACHINE
            if user is None
            else Role.META_EVALUATOR
            if purpose == Sheet.Purpose.SETTLED
            else Role.SCORER,
            person=user,
            head=_("The sheet of response %(key)s was settled.") % {"key": response}
            if purpose == Sheet.Purpose.SETTLED
            else _("A sheet of response %(key)s was handed in.") % {"key": response},
            text=rater if purpose == Sheet.Purpose.IMPORTED else "",
            version=version,
            icon="check",
        )


text_basis.register(
    rule_of_score(
        "Sheet",
        gettext_lazy("Sheets"),
        gettext_lazy(
            "An open one on a response to the earlier prompt ends; a submitted one is left out."
        ),
    ),
    rule_of_score("SheetLine", gettext_lazy("Lines of sheets"), through="sheet__"),
)
parts.register(
    Part(
        "sheets",
        Sheet,
        "user",
        (
            *("pk", "response__task__key", "purpose", "state", "due_at", "opened_at"),
            *("submitted_at", "worked_seconds"),
        ),
    ),
    Part(
        "sheet_lines",
        SheetLine,
        "sheet__user",
        ("sheet_id", "criterion__key", "met", "rationale", "at"),
    ),
)
finished_work.register(FinishedSource(gettext_lazy("sheets"), _submitted, "response__task", "user"))
sources.register(
    PaidSource(
        Work.SHEET,
        _paid,
        *("user", "submitted_at", "response__task", "response__task__domain", "worked_seconds"),
    )
)
trail.register(sheets_trail)
