"""Staff's list of questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, npgettext, pgettext, pgettext_lazy

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE
from curation.base.web.look import count, when
from curation.telling.questions.access import readable_by_staff
from curation.telling.questions.forms import QuestionFilter
from curation.telling.questions.models import AskedQuestion, SharedAnswer

_SHARED = SharedAnswer.objects.filter(question=OuterRef("pk"), ended_at=None)


def find(wanted: Mapping[str, Any]) -> QuerySet[AskedQuestion]:
    """Return the questions that match."""
    rows = AskedQuestion.objects.all()
    if wanted["domain"] is not None:
        rows = rows.filter(domain=wanted["domain"])
    if wanted["state"] == "shared":
        rows = rows.filter(Exists(_SHARED))
    elif wanted["state"]:
        rows = rows.filter(state=wanted["state"])
    match wanted["about"]:
        case "task":
            rows = rows.filter(task__isnull=False, line_key="")
        case "line":
            rows = rows.exclude(line_key="")
        case "rule":
            rows = rows.filter(task=None)
    return rows


def load(keys: Sequence[int]) -> Mapping[int, Any]:
    """Return questions with their domains, and whether they are shared. One query."""
    rows = AskedQuestion.objects.filter(pk__in=keys).select_related("domain")
    return {row.pk: row for row in rows.annotate(is_shared=Exists(_SHARED))}


def _number(row: Any) -> str:
    address = reverse("asked-question", args=[row.pk])
    return format_html('<a href="{}" data-open>{}</a>', address, _title(row))


def _title(row: Any) -> str:
    return pgettext("asked", "Question %(n)s") % {"n": row.pk}


def _state(row: Any) -> str:
    waits = row.state == AskedQuestion.State.OPEN
    css = "tag-wait" if waits else ""
    return format_html('<span class="tag {}">{}</span>', css, row.get_state_display())


QUESTIONS = register(
    ListSpec(
        name="questions",
        route="staff-asked-questions",
        filters=QuestionFilter,
        find=find,
        load=load,
        order="state",
        readable=readable_by_staff,
        counted=lambda n: (
            npgettext("asked", "%(n)s question", "%(n)s questions", n) % {"n": count(n)}
        ),
        title=_title,
        columns=(
            Column("number", gettext_lazy("Number"), _title, show=_number, sort=("pk",)),
            Column(
                "domain",
                gettext_lazy("Domain"),
                lambda row: str(row.domain),
                sort=("domain__position", "domain__key"),
            ),
            Column("about", gettext_lazy("About"), lambda row: row.about),
            Column("who", gettext_lazy("Asked by"), lambda row: str(row.asker)),
            Column(
                "state",
                gettext_lazy("State"),
                lambda row: row.get_state_display(),
                show=_state,
                sort=(in_order_of("state", AskedQuestion.State.values), "waits_since"),
            ),
            Column(
                "since",
                pgettext_lazy("asked", "Asked"),
                lambda row: row.waits_since,
                show=lambda row: when(row.waits_since),
                sort=("waits_since",),
            ),
            Column(
                "shared",
                gettext_lazy("Shared"),
                lambda row: _("yes") if row.is_shared else None,
                show=lambda row: _("yes") if row.is_shared else NO_VALUE,
            ),
        ),
    )
)
