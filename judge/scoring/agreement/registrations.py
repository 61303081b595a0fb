"""What rulings on disputed lines give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.base.process.roles import Role
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.text_basis import records
from curation.telling.activity import trail
from curation.telling.activity.trail import Reader, TrailEntry
from judge.scoring.agreement.models import Adjudication


def rulings_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield entries for staff: authors learn nothing of how responses are scored. One query."""
    if not reader.names:
        return
    for row in Adjudication.objects.filter(task=task).select_related("criterion__version"):
        yield TrailEntry(
            at=row.at,
            source="ruling",
            pk=row.pk,
            kind=ActKind.SENIOR,
            role=Role.ADJUDICATOR,
            person=row.senior_id,
            head=_("Ruled on a disputed line: %(ruling)s.") % {"ruling": row.get_ruling_display()},
            quote=row.reason,
            version=row.criterion.version.number,
            line=row.criterion.key,
            words=row.criterion.text,
            icon="check",
            tone="yes",
        )


text_basis.register(
    *records(gettext_lazy("It was decided or written on a line as it was."), "judge.Adjudication"),
)
parts.register(
    Part(
        "rulings",
        Adjudication,
        "senior",
        ("task__key", "criterion__key", "kind", "ruling", "reason", "at"),
    ),
)
finished_work.register(
    FinishedSource(gettext_lazy("rulings"), Adjudication.objects.all, "task", "senior")
)
trail.register(rulings_trail)
