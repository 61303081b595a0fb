"""Pages of announcements: one as people read it, and staff's list, form and corrections."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.lists.page import list_response
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.telling.guidelines import announcement_actions as actions
from curation.telling.guidelines import announcement_queries as queries
from curation.telling.guidelines.announcement_access import access_announcement
from curation.telling.guidelines.announcement_forms import AnnouncementForm, CorrectionForm
from curation.telling.guidelines.announcement_list import ANNOUNCEMENTS
from curation.telling.guidelines.announcement_models import Announcement


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
