"""What graded sheets give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process import periodic_jobs
from curation.base.process.events import ActKind
from curation.base.process.periodic_jobs import Phase
from curation.base.process.roles import Role
from curation.joining.notices import notify
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
from judge.scoring.graded_sheets import notices
from judge.scoring.graded_sheets.models import GradedSheet


def _submitted() -> QuerySet[GradedSheet]:
    return GradedSheet.objects.filter(state=GradedSheet.State.SUBMITTED, user__isnull=False)


def graded_sheets_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield entries for staff: authors learn nothing of how responses are scored. One query."""
    if not reader.names:
        return
    rows = GradedSheet.objects.filter(
        response__task=task, kind=GradedSheet.Kind.EXPERT, submitted_at__isnull=False
    ).order_by("submitted_at", "pk")
    for pk, at, user, response, rater in rows.values_list(
        "pk", "submitted_at", "user_id", "response__key", "rater"
    ):
        yield TrailEntry(
            at=at,  # type: ignore[arg-type]  # only submitted sheets are selected
            source="graded sheet",
            pk=pk,
            kind=ActKind.SCORING,
            role=MACHINE if user is None else Role.SCORER,
            person=user,
            head=_("A grade for response %(key)s was handed in.") % {"key": response},
            text=rater if user is None else "",
            icon="check",
        )


notify.register(*notices.KINDS)
periodic_jobs.register(notices.remind_graders, phase=Phase.REMIND)
text_basis.register(
    rule_of_score(
        "GradedSheet",
        gettext_lazy("Graded sheets"),
        gettext_lazy(
            "An open one on a response to the earlier prompt ends, or loses its grade where the "
            "reference answer changed; a submitted one is left out."
        ),
    ),
)
parts.register(
    Part(
        "graded_sheets",
        GradedSheet,
        "user",
        (
            *("pk", "response__task__key", "state", "grade", "analysis", "due_at", "opened_at"),
            *("submitted_at", "worked_seconds"),
        ),
    ),
)
finished_work.register(
    FinishedSource(gettext_lazy("graded sheets"), _submitted, "response__task", "user")
)
sources.register(
    PaidSource(
        Work.GRADE,
        _submitted,
        *("user", "submitted_at", "response__task", "response__task__domain", "worked_seconds"),
    )
)
trail.register(graded_sheets_trail)
