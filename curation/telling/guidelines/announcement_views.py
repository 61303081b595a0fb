"""Pages of announcements: one as people read it, and staff's list, form and corrections."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE, list_response
from curation.base.text.wording import listed
from curation.base.web.fields import DayField
from curation.base.web.look import count, when
from curation.base.web.once import ReadVersionField, once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.telling.guidelines import announcement_actions as actions
from curation.telling.guidelines import announcements as queries
from curation.telling.guidelines.announcement_actions import TEXT_LIMIT, TITLE_LIMIT
from curation.telling.guidelines.announcements import (
    STATES,
    Announcement,
    access_announcement,
    shown_now,
    with_facts,
)


class _Words(forms.Form):
    """Title and text; the actions check them."""

    title = forms.CharField(
        max_length=TITLE_LIMIT,
        label=gettext_lazy("Title"),
        error_messages={"required": gettext_lazy("Give the announcement a title.")},
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        error_messages={"required": gettext_lazy("Write what you announce.")},
        help_text=gettext_lazy("In Markdown."),
        widget=forms.Textarea(attrs={"rows": 8, "maxlength": TEXT_LIMIT}),
    )


class AnnouncementForm(_Words):
    """A new announcement."""

    for_everybody = forms.TypedChoiceField(
        label=gettext_lazy("For whom"),
        choices=[("1", gettext_lazy("Everybody, applicants too")), ("0", gettext_lazy("Experts"))],
        coerce=lambda value: value == "1",
        initial="1",
        widget=forms.RadioSelect,
    )
    domains = forms.ModelMultipleChoiceField(
        Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=gettext_lazy("Domains"),
        help_text=gettext_lazy(
            "For the experts of these alone; choose none for the experts of all."
        ),
        widget=forms.CheckboxSelectMultiple,
    )
    shown_from = DayField(
        label=gettext_lazy("First day"),
        help_text=gettext_lazy("Empty for today. Notices go out on this day."),
    )
    shown_until = DayField(
        label=gettext_lazy("Last day"), help_text=gettext_lazy("Empty to show it until you end it.")
    )

    def values(self) -> dict[str, Any]:
        """Return the arguments of `announce`."""
        return {**self.cleaned_data, "domains": list(self.cleaned_data["domains"])}


class CorrectionForm(_Words):
    """New words for an announcement."""

    version = ReadVersionField()


class AnnouncementFilter(forms.Form):
    """The filter of staff's list."""

    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("All")), *STATES.items()],
    )


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


def announcement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an announcement to somebody it is for."""
    found = access_announcement(request.user, pk)
    return render(
        request,
        "telling/announcements/announcement.html",
        {
            "announcement": found,
            "words": queries.wording_of(found),
            "read": found.readings.filter(user=request.user.pk).exists(),
        },
    )


def announcement_read(request: HttpRequest, pk: int) -> HttpResponse:
    """Note that the person has read it."""
    found = access_announcement(request.user, pk)
    actions.note_announcement_read(actor=request.user, announcement=found)
    return go(request, _("Noted. Home does not show it any more."), "home")


def staff_announcements(request: HttpRequest) -> HttpResponseBase:
    return list_response(request, ANNOUNCEMENTS, "telling/announcements/list.html")


@once
def staff_announcement_new(request: HttpRequest) -> HttpResponse:
    """Write an announcement."""
    form = AnnouncementForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            made = actions.announce(actor=request.user, **form.values())
            said = (
                _("Announced. Everybody it is for was told, and sees it on Home.")
                if made.told_at
                else _("It is announced on its first day.")
            )
            return go(request, said, "staff-announcement", made.pk)
    return render(request, "telling/announcements/new.html", {"form": form}, status=status_of(form))


def _access(pk: int) -> Announcement:
    found = queries.with_wordings(pk)
    if found is None:
        raise NotFound()
    return found


@once
def staff_announcement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an announcement with its readers in numbers; a POST corrects its words."""
    found = _access(pk)
    now = found.wordings.all()[0]
    form = CorrectionForm(
        request.POST or None,
        initial={"version": now.number, "title": now.title, "text": now.text},
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.correct_announcement(
                actor=request.user, announcement=found, **form.cleaned_data
            )
            said = _("Corrected. Nobody is told again; Home shows the new words.")
            return go(request, said, "staff-announcement", pk)
    done, everybody = queries.readers_in_numbers(found)
    return render(
        request,
        "telling/announcements/staff.html",
        {
            "announcement": found,
            "words": now,
            "form": form if found.ended_at is None else None,
            "done": done,
            "everybody": everybody,
        },
        status=status_of(form),
    )


def staff_announcement_end(request: HttpRequest, pk: int) -> HttpResponse:
    actions.end_announcement(actor=request.user, announcement=_access(pk))
    return go(request, _("Ended. Home shows it to nobody any more."), "staff-announcement", pk)
