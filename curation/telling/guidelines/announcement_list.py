"""Staff's list of announcements."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE
from curation.base.text.wording import listed
from curation.base.web.look import count, when
from curation.telling.guidelines.announcement_forms import AnnouncementFilter
from curation.telling.guidelines.announcement_models import Announcement
from curation.telling.guidelines.announcement_queries import shown_now, with_facts


def find(wanted: Mapping[str, Any]) -> QuerySet[Announcement]:
    """Return the announcements in a state."""
    today, rows = timezone.localdate(), Announcement.objects.all()
    match wanted["state"]:
        case "shown":
            return shown_now()
        case "to_come":
            return rows.filter(ended_at=None, shown_from__gt=today)
        case "over":
            return rows.filter(ended_at=None, shown_until__lt=today, shown_from__lte=today)
        case "ended":
            return rows.filter(~Q(ended_at=None))
    return rows


def _for_whom(row: Any) -> str:
    if row.for_everybody:
        return _("Everybody")
    return listed(str(d) for d in row.domains.all()) or _("All experts")


def _title(row: Any) -> str:
    address = reverse("staff-announcement", args=[row.pk])
    return format_html('<a href="{}" data-open>{}</a>', address, row.title)


def _day(name: str, label: Any) -> Column:
    return Column(
        name,
        label,
        lambda row: getattr(row, name),
        show=lambda row: when(getattr(row, name)) if getattr(row, name) else NO_VALUE,
        sort=(name,),
    )


ANNOUNCEMENTS = register(
    ListSpec(
        name="announcements",
        route="staff-announcements",
        filters=AnnouncementFilter,
        find=find,
        load=with_facts,
        order="-shown_from",
        counted=lambda n: (
            ngettext("%(n)s announcement", "%(n)s announcements", n) % {"n": count(n)}
        ),
        title=lambda row: row.title,
        columns=(
            Column("title", gettext_lazy("Title"), lambda row: row.title, show=_title),
            Column("for", gettext_lazy("For whom"), _for_whom),
            _day("shown_from", gettext_lazy("First day")),
            _day("shown_until", gettext_lazy("Last day")),
            Column("state", gettext_lazy("State"), lambda row: str(row.state_label)),
            Column("read", gettext_lazy("Read by"), lambda row: row.read, number=True),
        ),
    )
)
