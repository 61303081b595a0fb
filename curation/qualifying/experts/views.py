"""Staff's pages about people: the list, and a person's record."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.lists.page import list_response
from curation.base.web.once import once
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.step import go, refused_at
from curation.joining.people.access import access_person
from curation.joining.people.models import User
from curation.qualifying.experts import actions, queries
from curation.qualifying.experts.forms import SeniorForm, SlotForm, StandingForm
from curation.qualifying.experts.people_list import PEOPLE
from curation.qualifying.experts.record import facts_about
from curation.qualifying.experts.suspension import reinstate_expert, suspend_expert
from curation.tasks.authoring.actions import grant_slot


def staff_people(request: HttpRequest) -> HttpResponseBase:
    """Show the list of people, with their qualifications and slots; also as a file."""
    return list_response(request, PEOPLE, "qualifying/experts/people.html")


def staff_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's record."""
    return _person(request, access_person(pk))


def _person(
    request: HttpRequest,
    person: User,
    *,
    slot_form: SlotForm | None = None,
    senior_form: SeniorForm | None = None,
    standing_form: StandingForm | None = None,
    status: int = 200,
) -> HttpResponse:
    record = queries.record(person)
    return render(
        request,
        "qualifying/experts/person.html",
        {
            "person": person,
            "record": record,
            "invited": not person.has_usable_password(),
            "slot_form": slot_form
            or SlotForm(prefix="slot", initial={"number": len(record.grants) + 1}),
            "senior_form": senior_form,
            "standing_form": standing_form,
            "facts": facts_about(person),
            "conflicts": url_or_empty("staff-conflicts"),
        },
        status=status,
    )


@once
def staff_grant_slot(request: HttpRequest, pk: int) -> HttpResponse:
    """Grant one more slot, with a reason."""
    person = access_person(pk)
    form = SlotForm(request.POST, prefix="slot")
    if form.is_valid():
        with refused_at(form):
            grant_slot(actor=request.user, expert=person, **form.cleaned_data)
            return go(
                request,
                _("%(who)s can submit one more prompt. The reason is on the record.")
                % {"who": person.pseudonym},
                "staff-person",
                person.pk,
            )
    return _person(request, person, slot_form=form, status=400)


def staff_senior(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a person a senior of a domain, or end that, with a reason."""
    person = access_person(pk)
    form = SeniorForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            held = actions.set_senior(actor=request.user, person=person, **form.cleaned_data)
            words = (
                _("%(who)s is a senior in %(domain)s now.")
                if held.senior
                else _("%(who)s is no longer a senior in %(domain)s.")
            )
            return go(
                request,
                words % {"who": person.pseudonym, "domain": held.domain},
                "staff-person",
                person.pk,
            )
    return _person(request, person, senior_form=form, status=400)


def staff_standing(request: HttpRequest, pk: int) -> HttpResponse:
    """Suspend a person in a domain or reinstate them, with a reason that they read."""
    person = access_person(pk)
    form = StandingForm(request.POST)
    if form.is_valid():
        wanted = dict(form.cleaned_data)
        who = {"who": person.pseudonym, "domain": wanted["domain"]}
        with refused_at(form):
            if wanted.pop("active"):
                reinstate_expert(actor=request.user, person=person, **wanted)
                said = _("%(who)s works in %(domain)s again.") % who
            else:
                released = suspend_expert(actor=request.user, person=person, **wanted)
                said = _suspended(released) % {**who, "n": released}
            return go(request, said, "staff-person", person.pk)
    return _person(request, person, standing_form=form, status=400)


def _suspended(released: int) -> str:
    if not released:
        return _("%(who)s is suspended in %(domain)s. No open work had to be handed over.")
    return ngettext(
        "%(who)s is suspended in %(domain)s. %(n)s piece of open work was handed over.",
        "%(who)s is suspended in %(domain)s. %(n)s pieces of open work were handed over.",
        released,
    )
