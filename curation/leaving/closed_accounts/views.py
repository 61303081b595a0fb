"""Pages on which a person closes their account, and staff close, open and clear accounts."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.forms import ReasonForm
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User, access_person
from curation.leaving.closed_accounts import actions, queries

STEPS = ("close", "open", "remove_name")  # of staff, on one page


@reauthentication_required
def close_own(request: HttpRequest) -> HttpResponse:
    """Let a person close their own account."""
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].label = _("Anything we should know")
    form.fields["reason"].help_text = _("Optional. Staff read it.")
    if form.is_bound and form.is_valid():
        person: Any = request.user
        with refused_at(form):
            actions.close_account(actor=person, person=person, reason=form.cleaned_data["reason"])
            logout(request)
            return go(request, _("Your account is closed. Thank you for your work."), "home")
    return render(
        request, "leaving/closed_accounts/close.html", {"form": form}, status=status_of(form)
    )


def staff_closing(request: HttpRequest, pk: int) -> HttpResponse:
    """Show whether an account is closed, and what staff can do about it."""
    return _page(request, access_person(pk))


def _page(
    request: HttpRequest, person: User, refused: str = "", form: ReasonForm | None = None
) -> HttpResponse:
    """Render the page, with the form of the step that was refused."""
    forms = {step: ReasonForm(auto_id=f"{step}-%s") for step in STEPS}
    if form is not None:
        forms[refused] = form
    return render(
        request,
        "leaving/closed_accounts/closing.html",
        {
            "person": person,
            "closing": queries.closing_of(person),
            "forms": forms,
            "own": person.pk == request.user.pk,
        },
        status=400 if form else 200,
    )


def _read(request: HttpRequest, step: str) -> tuple[ReasonForm, str]:
    form = ReasonForm(request.POST, auto_id=f"{step}-%s")
    form.is_valid()
    return form, form.cleaned_data.get("reason", "")


def staff_close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an account, with a reason."""
    person = access_person(pk)
    form, reason = _read(request, "close")
    with refused_at(form):
        released = actions.close_account(actor=request.user, person=person, reason=reason)
        said = ngettext(
            "Closed. %(n)s piece of open work was handed over.",
            "Closed. %(n)s pieces of open work were handed over.",
            released,
        )
        return go(request, said % {"n": released}, "staff-closing", person.pk)
    return _page(request, person, "close", form)


def staff_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a closed account again, with a reason."""
    person = access_person(pk)
    form, reason = _read(request, "open")
    with refused_at(form):
        actions.open_account(actor=request.user, person=person, reason=reason)
        return go(
            request,
            _("Opened. Reinstate the person in each domain in which they are to work."),
            "staff-closing",
            person.pk,
        )
    return _page(request, person, "open", form)


def staff_remove_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a person's name for good, with a reason."""
    person = access_person(pk)
    form, reason = _read(request, "remove_name")
    with refused_at(form):
        actions.remove_name(actor=request.user, person=person, reason=reason)
        return go(
            request,
            _("Removed. What this person wrote stays under %(who)s.") % {"who": person.pseudonym},
            "staff-closing",
            person.pk,
        )
    return _page(request, person, "remove_name", form)
