"""Pages on which people make and end their API tokens, and staff end those of others."""

from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.accounts import api_tokens as actions
from curation.joining.accounts import api_tokens as queries
from curation.joining.accounts.api_tokens import DEFAULT_DAYS
from curation.joining.people import access_person


class TokenForm(forms.Form):
    """The name and last day of a token."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy(
            "The program that will use it, so that you know it again in the list."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    until = forms.DateField(
        label=gettext_lazy("Works until"),
        help_text=gettext_lazy("The last day it works, at most a year away."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    @classmethod
    def new(cls) -> "TokenForm":
        """Return an unbound form with the default last day."""
        return cls(initial={"until": timezone.localdate() + timedelta(days=DEFAULT_DAYS)})


def tokens(request: HttpRequest) -> HttpResponse:
    """List a person's own tokens."""
    return render(request, "account/tokens.html", {"tokens": queries.tokens_of(request.user)})


@reauthentication_required
@once
def token_new(request: HttpRequest) -> HttpResponse:
    """Make a token; only the response shows its key."""
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
            answer["Content-Location"] = reverse("tokens")  # where a repeated press is redirected
            return answer
    return render(request, "account/token_new.html", {"form": form}, status=status_of(form))


def token_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the person's own tokens."""
    token = queries.access_token(request.user, pk)
    actions.end_token(actor=request.user, token=token)
    return go(request, _("Ended: %(name)s. It no longer works.") % {"name": token}, "tokens")


def staff_token_end(request: HttpRequest, pk: int, token: int) -> HttpResponse:
    """End somebody's token as staff, with a reason for its owner."""
    person = access_person(pk)
    found = queries.access_token(person, token)
    actions.end_token(actor=request.user, token=found, reason=request.POST.get("reason", ""))
    return go(
        request,
        _("Ended: %(name)s. It no longer works.") % {"name": found},
        "staff-account",
        person.pk,
    )
