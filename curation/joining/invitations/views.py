"""Pages of invitations: for staff, and an expert's own link."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.forms import usable_values
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, Gone, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.invitations import actions, mailing, queries
from curation.joining.invitations.actions import problems_with_person, problems_with_vendor
from curation.joining.invitations.links import STATES, path_of, state_of
from curation.joining.invitations.models import Invitation


class _Common(forms.Form):
    """The fields of every invitation by staff."""

    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        required=False,
        label=gettext_lazy("Domain"),
        empty_label=gettext_lazy("They choose"),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES,
        label=gettext_lazy("Language of the e-mail and of the workbench"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Please fill this in.")},
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days until it ends"),
        widget=forms.NumberInput(attrs={"class": "is-num", "min": 1, "max": 365}),
        error_messages={"required": gettext_lazy("Please fill this in.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].initial = "en"
        self.fields["days"].initial = settings.INVITATION_DAYS

    # Returns field -> what is wrong with it; one of the functions in the actions.
    problems: Callable[[Mapping[str, Any]], dict[str, list[str]]]

    def clean(self) -> dict[str, Any]:
        """Check the rules even if a field is missing, so that all errors are shown at once."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for name, sentences in type(self).problems(dict(given)).items():
            self.add_error(name, [str(sentence) for sentence in sentences])
        return given


class PersonForm(_Common):
    """Invites one person."""

    problems = staticmethod(problems_with_person)
    field_order = ["email", "name", "domain", "language", "days"]
    email = forms.CharField(
        max_length=254,
        label=gettext_lazy("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Type the address the link goes to.")},
    )
    name = forms.CharField(
        max_length=120,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Colleagues see a pseudonym. Only staff see the name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Type the person's name. Only staff see it.")},
    )


class VendorForm(_Common):
    """Makes a link for a vendor's people."""

    problems = staticmethod(problems_with_vendor)
    field_order = ["vendor", "email", "max_uses", "domain", "language", "days"]
    vendor = forms.CharField(
        max_length=200,
        label=gettext_lazy("Vendor"),
        error_messages={"required": gettext_lazy("Type the vendor's name.")},
    )
    email = forms.CharField(
        required=False,
        max_length=254,
        label=gettext_lazy("E-mail address of their contact"),
        help_text=gettext_lazy(
            "We send the link there. Without an address, copy it from the next page."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    max_uses = forms.IntegerField(
        label=gettext_lazy("People who may use it"),
        widget=forms.NumberInput(attrs={"class": "is-num", "min": 1}),
        error_messages={"required": gettext_lazy("Say how many people the link lets in.")},
    )


class InvitationFilter(forms.Form):
    """Narrows the list of invitations."""

    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Kind"),
        choices=[("", gettext_lazy("All kinds")), *Invitation.Kind.choices],
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("All states")), *STATES.items()],
    )


PER_PAGE = 50


# --- staff ----------------------------------------------------------------------------------------
def staff_invitations(request: HttpRequest) -> HttpResponse:
    """List all invitations with their states."""
    form = InvitationFilter(request.GET)
    wanted = usable_values(form)
    rows = queries.invitations(kind=wanted.get("kind", ""), state=wanted.get("state", ""))
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    return render(
        request,
        "joining/invitations/invitations.html",
        {
            "form": form,
            "page": page,
            "rows": [(row, state_of(row), STATES[state_of(row)]) for row in page],
            "query": f"{rest.urlencode()}&" if rest else "",
            "filtered": bool(wanted),
            "mail": queries.mail_under_way(),
            "mail_can_be_sent": bool(settings.PUBLIC_URL),
            "open_signup": settings.OPEN_SIGNUP,
            "second_factor": settings.REQUIRE_SECOND_FACTOR,
        },
    )


def staff_invite(request: HttpRequest) -> HttpResponse:
    """Invite one person."""
    return _invite(request, PersonForm, actions.invite_person, "joining/invitations/invite.html")


def staff_invite_vendor(request: HttpRequest) -> HttpResponse:
    """Make a link for a vendor's people."""
    return _invite(
        request, VendorForm, actions.invite_vendor, "joining/invitations/invite_vendor.html"
    )


def _invite(request: HttpRequest, kind: Any, action: Any, template: str) -> HttpResponse:
    created: list[Invitation] = []
    response = _create(request, kind, action, template, created)
    for invitation in created:  # after the transaction, which must not wait for a mail server
        if invitation.email:
            _send(request, invitation)
        else:
            messages.success(request, _("The link is ready. Copy it and pass it on."))
    return response


@once
def _create(
    request: HttpRequest, kind: Any, action: Any, template: str, created: list[Invitation]
) -> HttpResponse:
    form = kind(request.POST) if request.method == "POST" else kind()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            created.append(action(actor=request.user, **form.cleaned_data))
            return redirect("staff-invitation", created[0].pk)
    return render(request, template, {"form": form}, status=status_of(form))


def staff_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an invitation, its link and who used it; send it again or revoke it."""
    invitation = queries.access_invitation(pk)
    if request.method == "POST":
        again: list[Invitation] = []
        response = _step(request, invitation, again)
        for renewed in again:
            if renewed.email:
                _send(request, renewed)
            else:
                messages.success(request, _("The link works again."))
        return response
    state = state_of(invitation)
    return render(
        request,
        "joining/invitations/invitation.html",
        {
            "invitation": invitation,
            "state": state,
            "state_label": STATES[state],
            "link": request.build_absolute_uri(path_of(invitation)) if state == "open" else "",
            "arrivals": queries.arrivals(invitation),
            "most": queries.MOST_ARRIVALS,
        },
    )


@once
def _step(request: HttpRequest, invitation: Invitation, again: list[Invitation]) -> HttpResponse:
    step = request.POST.get("step", "")
    if step == "revoke":
        actions.revoke(actor=request.user, invitation=invitation)
        messages.success(request, _("Taken back. The link no longer lets anybody in."))
    elif step == "again":
        again.append(actions.extend(actor=request.user, invitation=invitation))
    else:
        raise BadInput(_("Choose one of the steps shown."))
    return redirect("staff-invitation", invitation.pk)


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _send(request: HttpRequest, invitation: Invitation) -> None:
    """Mail the link, and show a message on what became of it."""
    if not mailing.send(invitation, _origin(request)):
        messages.error(
            request,
            _(
                "The invitation is made, but the e-mail could not be sent. When the e-mail server "
                "works again, use “Send it again” on this page."
            ),
        )
        return
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        messages.warning(
            request,
            _(
                "No e-mail was sent: no mail server is set (EMAIL_URL), so it was printed to the "
                "server's output. Copy the link and send it yourself."
            ),
        )
        return
    messages.success(request, _("Sent to %(address)s.") % {"address": invitation.email})


# --- an expert's own link -------------------------------------------------------------------------
@once
def referral(request: HttpRequest) -> HttpResponse:
    """Show the person's own referral link; make a new one."""
    if request.method == "POST":
        actions.renew_referral(actor=request.user)
        return go(request, _("Your link is ready. Older links no longer work."), "referral")
    found = queries.referral_of(request.user)
    return render(
        request,
        "account/referral.html",
        {
            "invitation": found.invitation,
            "brought": found.brought,
            "most": settings.REFERRALS_PER_EXPERT,
            "link": request.build_absolute_uri(path_of(found.invitation))
            if found.invitation
            else "",
        },
    )


def closed_page(request: HttpRequest, refusal: Gone | NotFound) -> HttpResponse:
    return render(request, "account/join_closed.html", {"error": refusal}, status=refusal.status)
