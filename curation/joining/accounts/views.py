"""The page of a person's sessions, and staff's page of an account."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access import second_factor
from curation.base.web.forms import ReasonForm
from curation.base.web.step import go, refused_at, status_of
from curation.joining.accounts import actions, queries
from curation.joining.accounts.session_store import row_key_of
from curation.joining.people import access_person


def sessions(request: HttpRequest) -> HttpResponse:
    """List a person's open sessions; end one, or all but the current one."""
    current = row_key_of(request.session)
    if request.method == "POST":
        raw = request.POST.get("end", "")
        if raw == "others":
            ended = actions.end_other_sessions(actor=request.user, current=current)
            messages.success(
                request,
                ngettext("Signed out in %(n)s place.", "Signed out in %(n)s places.", ended)
                % {"n": ended},
            )
        else:
            pk = int(raw) if raw.isdecimal() and len(raw) < 18 else 0
            actions.end_session(actor=request.user, pk=pk, current=current)
            messages.success(request, _("Signed out there."))
        return redirect("sessions")
    return render(
        request,
        "usersessions/usersession_list.html",
        {"sessions": queries.open_sessions(request.user, current=current)},
    )


def staff_account(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's account; reset the second factor with a reason."""
    person = access_person(pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                actions.reset_second_factor(
                    actor=request.user, person=person, reason=form.cleaned_data["reason"]
                )
                return go(
                    request,
                    _("Reset, and signed out everywhere. %(who)s now signs in with the password.")
                    % {"who": person.pseudonym},
                    "staff-account",
                    person.pk,
                )
    return render(
        request,
        "joining/accounts/account.html",
        {
            "person": person,
            "account": queries.account(person),
            "form": form,
            "required": settings.REQUIRE_SECOND_FACTOR,
            "must": second_factor.must_have_one(person),
            "own": person.pk == request.user.pk,
        },
        status=status_of(form),
    )
