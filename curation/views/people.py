"""Staff's pages about people: the list, a person's record, and the invitation."""

import logging
from smtplib import SMTPException

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib import messages
from django.core.mail import send_mail
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from curation.actions import people as actions
from curation.actions.tasks import grant_slot
from curation.errors import BadInput, Conflict
from curation.forms.qualification import (
    InvitationForm,
    PeopleFilter,
    ReasonForm,
    SeniorForm,
    kept,
    take_back,
)
from curation.models import User
from curation.queries import people as queries

log = logging.getLogger(__name__)
PER_PAGE = 50


def staff_people(request: HttpRequest) -> HttpResponse:
    """Everybody, with standing and slots."""
    form = PeopleFilter(request.GET)
    wanted = kept(form)
    rows = queries.people(words=wanted.get("q", ""), domain=wanted.get("domain"))
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    return render(
        request,
        "people/people.html",
        {
            "form": form,
            "page": page,
            "policy": settings.PROMPTS_PER_EXPERT,
            "query": f"{rest.urlencode()}&" if rest else "",
            "filtered": bool(wanted),
        },
    )


def staff_person(request: HttpRequest, pk: int) -> HttpResponse:
    """One person's record."""
    return _person(request, queries.access_person(pk))


def _person(
    request: HttpRequest,
    person: User,
    *,
    slot_form: ReasonForm | None = None,
    senior_form: SeniorForm | None = None,
    status: int = 200,
) -> HttpResponse:
    return render(
        request,
        "people/person.html",
        {
            "person": person,
            "record": queries.record(person),
            "invited": not person.has_usable_password(),
            "slot_form": slot_form or ReasonForm(prefix="slot"),
            "senior_form": senior_form,
        },
        status=status,
    )


def staff_grant_slot(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one more slot, with a reason."""
    person = queries.access_person(pk)
    form = ReasonForm(request.POST, prefix="slot")
    if form.is_valid():
        try:
            grant_slot(actor=request.user, expert=person, reason=form.cleaned_data["reason"])
        except BadInput as refusal:
            take_back(form, refusal)
        else:
            messages.success(
                request,
                _("%(who)s can submit one more prompt. The reason is on the record.")
                % {"who": person.pseudonym},
            )
            return redirect("staff-person", person.pk)
    return _person(request, person, slot_form=form, status=400)


def staff_senior(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a person a senior of a domain, or end that, with a reason."""
    person = queries.access_person(pk)
    form = SeniorForm(request.POST)
    if form.is_valid():
        try:
            held = actions.set_senior(actor=request.user, person=person, **form.cleaned_data)
        except BadInput as refusal:
            take_back(form, refusal)
        else:
            words = (
                _("%(who)s is a senior in %(domain)s now.")
                if held.senior
                else _("%(who)s is no longer a senior in %(domain)s.")
            )
            messages.success(request, words % {"who": person.pseudonym, "domain": held.domain})
            return redirect("staff-person", person.pk)
    return _person(request, person, senior_form=form, status=400)


# --- invitations ----------------------------------------------------------------------------------
def staff_invite(request: HttpRequest) -> HttpResponse:
    """Create an account and send the link that sets its password; or send the link once more."""
    if request.method == "POST" and "again" in request.POST:
        return _invite_again(request)
    form = InvitationForm(request.POST or None, initial={"language": "en"})
    if request.method == "POST":
        form = InvitationForm(request.POST)
        if form.is_valid():
            try:
                person = actions.invite(actor=request.user, **form.cleaned_data)
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                _send_link(request, person)
                return redirect("staff-person", person.pk)
    return render(
        request,
        "people/invite.html",
        {"form": form, "days": settings.PASSWORD_RESET_TIMEOUT // 86400},
        status=400 if form.errors else 200,
    )


def _invite_again(request: HttpRequest) -> HttpResponse:
    raw = request.POST["again"]
    person = queries.access_person(int(raw) if raw.isdecimal() and len(raw) < 10 else 0)
    if person.has_usable_password():
        raise Conflict(
            _("This person has set a password already and can sign in."), code="has_password"
        )
    _send_link(request, person)
    return redirect("staff-person", person.pk)


def _send_link(request: HttpRequest, person: User) -> None:
    """Send the one-time link; an e-mail server that is down never undoes the account."""
    path = reverse(
        "account_reset_password_from_key",
        kwargs={
            "uidb36": user_pk_to_url_str(person),
            "key": default_token_generator.make_token(person),
        },
    )
    with translation.override(person.language):
        facts = {
            "person": person,
            "link": request.build_absolute_uri(path),
            "days": settings.PASSWORD_RESET_TIMEOUT // 86400,
        }
        subject = render_to_string("people/invitation_subject.txt", facts).strip()
        body = render_to_string("people/invitation.txt", facts)
    try:
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [person.email])
    except (OSError, SMTPException):
        log.exception("The invitation of person %s could not be sent.", person.pk)
        messages.error(
            request,
            _(
                "The account exists, but the e-mail could not be sent. When the e-mail server "
                "works again, use “Send the invitation again” on this page."
            ),
        )
        return
    messages.success(
        request,
        _("Invitation sent to %(address)s. The link works once, for %(days)s days.")
        % {"address": person.email, "days": facts["days"]},
    )
