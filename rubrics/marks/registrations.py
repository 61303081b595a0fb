"""What the linter's marks give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import independent, records
from curation.telling.activity import audit, trail
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.trail import Reader, TrailEntry
from rubrics.linter.rules import RULES
from rubrics.marks import model_opinions
from rubrics.marks.models import Waiver
from rubrics.versions.trail import writer_of

MARKED_BY = (*RULES, model_opinions.RULE)


def waivers_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the marks that were set aside or reopened. One query."""
    for waiver in (
        Waiver.objects.filter(version__task=task)
        .select_related("version")
        .only("key", "code", "reason", "actor", "at", "version__number")
        .order_by("id")
    ):
        rule = next((rule for rule in MARKED_BY if rule.code == waiver.code), None)
        yield TrailEntry(
            at=waiver.at,
            source="waiver",
            pk=waiver.pk,
            kind=ActKind.LINE,
            role=writer_of(waiver.actor_id, task),
            person=waiver.actor_id,
            head=_("Set a mark of the linter aside.")
            if waiver.reason
            else _("Took the reason for a mark back."),
            text=str(rule.name) if rule else waiver.code,
            quote=waiver.reason,
            version=waiver.version.number,
            line=waiver.key,
        )


text_basis.register(
    *records(
        gettext_lazy("It is a step, a reason or a mark on a line as it was."),
        "rubrics.Waiver",
        "rubrics.SentMarks",
    ),
    *independent(
        gettext_lazy("It carries a hash of the text, and is computed anew from another one."),
        "rubrics.StoredMarks",
    ),
)
parts.register(
    Part("waivers", Waiver, "actor", ("version__task__key", "key", "code", "reason", "at"))
)
audit.register(
    AuditSource(
        "waiver",
        gettext_lazy("Reasons for marks of the linter"),
        Waiver.objects.all,
        "version__task",
        lambda code: next((rule.name for rule in MARKED_BY if rule.code == code), code),
        event="code",
        place=11,
    )
)
trail.register(waivers_trail)
