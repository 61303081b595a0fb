"""What drafts of rubrics give to the nouns below."""

from collections.abc import Iterator
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.base.process.roles import Role
from curation.joining.notices import notify
from curation.joining.notices.notify import Kind, Topic
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from curation.telling.activity import trail
from curation.telling.activity.trail import MACHINE, Reader, TrailEntry
from judge.suggesting.drafts.models import DraftRequest


def drafts_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the drafts that were asked for, and those that failed. One query."""
    for asked in DraftRequest.objects.filter(task=task).select_related("version"):
        yield TrailEntry(
            at=asked.asked_at,
            source="draft request",
            pk=asked.pk,
            kind=ActKind.VERSION,
            role=Role.AUTHOR,
            person=asked.asked_by_id,
            head=_("Asked for another draft."),
            text=asked.get_state_display(),
            quote=asked.remarks,
            version=asked.version.number if asked.version else None,
        )
        if asked.state == DraftRequest.State.FAILED:
            yield TrailEntry(
                at=asked.ended_at or asked.asked_at,
                source="draft failed",
                pk=asked.pk,
                kind=ActKind.VERSION,
                role=MACHINE,
                head=_("The draft was not written."),
                text=asked.get_failure_display(),
                quote=asked.problem if reader.names else "",
                icon="warning",
                tone="wait",
            )


notify.register(
    Kind(
        "draft_written",
        Topic.TASKS,
        gettext_lazy("The draft you asked for is ready."),
        format_lazy(
            "“%(task)s”. {}",
            gettext_lazy(
                "A draft is never changed and never changes your lines. "
                "You take over what you like."
            ),
        ),
        gettext_lazy("Read it beside your lines"),
    ),
    Kind(
        "draft_not_written",
        Topic.TASKS,
        gettext_lazy("The draft you asked for was not written."),
        format_lazy("“%(task)s” · {}", gettext_lazy("Drafts of this rubric")),
        gettext_lazy("See what you can do"),
    ),
)
text_basis.register(
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.DraftRequest",
    ),
)
parts.register(
    Part("draft_requests", DraftRequest, "asked_by", ("task__key", "remarks", "asked_at")),
)
trail.register(drafts_trail)
