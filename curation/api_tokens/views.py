"""Tokens for the API: one's own, and those of somebody else for staff."""

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.api_tokens import actions, queries
from curation.api_tokens.forms import TokenForm
from curation.people import access as people
from curation.web.once import once
from curation.web.step import go, refused_at, status_of


def tokens(request: HttpRequest) -> HttpResponse:
    """One's own tokens."""
    return render(request, "account/tokens.html", {"tokens": queries.tokens_of(request.user)})


@reauthentication_required
@once
def token_new(request: HttpRequest) -> HttpResponse:
    """Make a token; the answer alone shows its key."""
    form = TokenForm(request.POST) if request.method == "POST" else TokenForm.new()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            token, key = actions.make_token(actor=request.user, **form.cleaned_data)
            shown = {
                "token": token,
                "key": key,
                "address": request.build_absolute_uri(reverse("api-tasks")),
            }
            answer = render(request, "account/token_made.html", shown)
            answer["Cache-Control"] = "no-store"
            answer["Content-Location"] = reverse("tokens")  # a doubled press is led there
            return answer
    return render(request, "account/token_new.html", {"form": form}, status=status_of(form))


def token_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of one's own tokens."""
    token = queries.access_token(request.user, pk)
    actions.end_token(actor=request.user, token=token)
    return go(request, _("Ended: %(name)s. It opens nothing any more.") % {"name": token}, "tokens")


def staff_token_end(request: HttpRequest, pk: int, token: int) -> HttpResponse:
    """Staff end somebody's token, with a reason its owner reads."""
    person = people.access_person(pk)
    found = queries.access_token(person, token)
    actions.end_token(actor=request.user, token=found, reason=request.POST.get("reason", ""))
    return go(
        request,
        _("Ended: %(name)s. It opens nothing any more.") % {"name": found},
        "staff-account",
        person.pk,
    )
