"""Staff's pages about people: the list, and a person's record."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from curation.base.access.action import action
from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE, list_response
from curation.base.process.signals import seniority_ended
from curation.base.text.wording import listed
from curation.base.web.forms import ReasonForm, reason_field
from curation.base.web.look import count, when
from curation.base.web.once import ReadVersionField, once
from curation.base.web.optional_urls import url_or_empty
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict, Denied
from curation.base.web.step import go, refused_at
from curation.joining.accounts.adapter import end_sessions
from curation.joining.domains.forms import domain_filter
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, SeniorityChange, User, access_person
from curation.qualifying.experts import queries
from curation.qualifying.experts.record import facts_about
from curation.qualifying.experts.suspension import reinstate_expert, suspend_expert
from curation.tasks.authoring.actions import grant_slot


class StandingForm(forms.Form):
    """Suspend an expert in a domain (`active` is false) or reinstate them, with a reason."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    active = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class SeniorForm(forms.Form):
    """Make an expert a senior of a domain, or end that, with a reason."""

    domain = forms.ModelChoiceField(Domain.objects.all(), widget=forms.HiddenInput)
    senior = forms.TypedChoiceField(
        choices=[("1", "1"), ("0", "0")], coerce=lambda v: v == "1", widget=forms.HiddenInput
    )
    reason = reason_field(rows=2)


class PeopleFilter(forms.Form):
    q = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("Search"), widget=forms.SearchInput()
    )
    domain = domain_filter()
    standing = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Standing"),
        choices=[
            ("", gettext_lazy("Everybody")),
            ("active", gettext_lazy("Active experts")),
            ("senior", gettext_lazy("Seniors")),
            ("suspended", gettext_lazy("Suspended")),
            ("applicant", gettext_lazy("Not qualified yet")),
            ("staff", gettext_lazy("Staff")),
            ("closed", gettext_lazy("Closed accounts")),
        ],
    )


class SlotForm(ReasonForm):
    """One more slot, with its number, which tells a page that is older than the last grant."""

    number = ReadVersionField()


_HELD = Qualification.objects.filter(user=OuterRef("pk"))


def find(wanted: Mapping[str, Any]) -> QuerySet[User]:
    """Return the people who match. Every word is in a name, address, affiliation or pseudonym."""
    rows = User.objects.all()
    held = _HELD
    if wanted["domain"] is not None:
        held = held.filter(domain=wanted["domain"])
        rows = rows.filter(Exists(held))
    match wanted["standing"]:
        case "active":
            rows = rows.filter(Exists(held.filter(active=True)), is_active=True)
        case "senior":
            rows = rows.filter(Exists(held.filter(active=True, senior=True)), is_active=True)
        case "suspended":
            rows = rows.filter(Exists(held.filter(active=False)), is_active=True)
        case "applicant":
            rows = rows.filter(~Exists(held), is_active=True, is_staff=False)
        case "staff":
            rows = rows.filter(is_staff=True)
        case "closed":
            rows = rows.filter(is_active=False)
    for word in wanted["q"].split():
        if word.casefold() in ("expert", "staff"):  # the first part of pseudonyms
            continue
        match_ = (
            Q(display_name__icontains=word)
            | Q(email__icontains=word)
            | Q(affiliation__icontains=word)
        )
        if word.isdecimal() and len(word) < 10:
            match_ |= Q(pk=int(word))
        rows = rows.filter(match_)
    return rows


def load(keys: Sequence[int]) -> Mapping[int, User]:
    """Return people with their qualifications and numbers of slots. Two queries."""
    rows = (
        User.objects.filter(pk__in=keys)
        .annotate(
            slots_taken=Count("slots", distinct=True),
            granted=Count("slot_grants", distinct=True),
        )
        .prefetch_related(
            Prefetch(
                "qualifications",
                Qualification.objects.select_related("domain").order_by("domain__position"),
            )
        )
    )
    return {row.pk: row for row in rows}


def _pseudonym(person: User) -> str:
    return format_html(
        '<a href="{}" data-open>{}</a>', reverse("staff-person", args=[person.pk]), person.pseudonym
    )


def _domains(person: Any) -> str:
    return listed(_domain_words(held) for held in person.qualifications.all())


def _domain_words(held: Qualification) -> str:
    if not held.active:
        return _("%(domain)s (suspended)") % {"domain": held.domain}
    return _("%(domain)s (senior)") % {"domain": held.domain} if held.senior else str(held.domain)


def _domain_tags(person: Any) -> str:
    held = list(person.qualifications.all())
    if not held:
        words = _("staff") if person.is_staff else _("not qualified yet")
        return format_html('<span class="quiet">{}</span>', words)
    comma = pgettext("between the items of a list", ", ")
    parts = []
    for n, one in enumerate(held):
        tag = ""
        if not one.active:
            tag = format_html(' <span class="tag tag-wait">{}</span>', _("suspended"))
        elif one.senior:
            tag = format_html(' <span class="tag">{}</span>', _("senior"))
        parts.append((one.domain, tag, "" if tag or n == len(held) - 1 else comma))
    spans = format_html_join("", '<span class="nowrap">{}{}{}</span> ', parts)
    return format_html("<span>{}</span>", spans)


def _slots(person: Any) -> str:
    if not person.qualifications.all() and not person.slots_taken:
        return ""
    whole = settings.PROMPTS_PER_EXPERT + person.granted
    return _("%(n)s of %(all)s") % {"n": person.slots_taken, "all": whole}


PEOPLE = register(
    ListSpec(
        name="people",
        route="staff-people",
        filters=PeopleFilter,
        find=find,
        load=load,
        order="-joined",
        counted=lambda n: ngettext("%(n)s person", "%(n)s people", n) % {"n": count(n)},
        title=lambda person: person.pseudonym,
        columns=(
            Column(
                "number",
                gettext_lazy("Pseudonym"),
                lambda person: person.pseudonym,
                show=_pseudonym,
                sort=("pk",),
            ),
            Column(
                "name",
                gettext_lazy("Name"),
                lambda person: person.name_for_staff,
                sort=(Lower("display_name"), "email"),
            ),
            Column(
                "email",
                gettext_lazy("E-mail address"),
                lambda person: "" if person.name_was_removed else person.email,
                only_files=True,
            ),
            Column(
                "affiliation",
                gettext_lazy("Affiliation"),
                lambda person: person.affiliation,
                sort=(Lower("affiliation"),),
            ),
            Column("domains", gettext_lazy("Domains"), _domains, show=_domain_tags),
            Column("slots", gettext_lazy("Slots taken"), _slots, number=True),
            Column(
                "joined",
                gettext_lazy("Joined"),
                lambda person: person.date_joined,
                sort=("date_joined",),
            ),
            Column(
                "seen",
                gettext_lazy("Last signed in"),
                lambda person: person.last_login,
                show=lambda person: when(person.last_login) if person.last_login else NO_VALUE,
                sort=(F("last_login"),),
            ),
        ),
    )
)


@action("staff.recruiting")
@transaction.atomic
def set_senior(
    *, actor: Any, person: User, domain: Domain, senior: bool, reason: str
) -> Qualification:
    """Make an expert a senior of a domain, or end that, on the record.

    Raises:
        BadInput: no reason.
        Conflict: `not_qualified`, no active qualification in the domain; `no_change`, it is so
            already.
        Denied: the actor is not staff, or is the person.
    """
    if person.pk == actor.pk:
        raise Denied(_("You cannot decide on your own qualification. Somebody else has to."))
    reason = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    held = Qualification.objects.filter(user=person, domain=domain).first()
    if held is None or (senior and not held.active):
        raise Conflict(
            _("Only an active expert of a domain can be its senior."), code="not_qualified"
        )
    changed = Qualification.objects.filter(pk=held.pk, senior=not senior).update(senior=senior)
    if not changed:
        raise Conflict(_("This was decided already."), code="no_change")
    SeniorityChange.objects.create(qualification=held, actor=actor, senior=senior, reason=reason)
    if not senior:
        end_sessions(person)  # so that open pages lose the role at once
        seniority_ended.send(sender=Qualification, instance=held, actor=actor)
    held.senior = senior
    return held


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
            held = set_senior(actor=request.user, person=person, **form.cleaned_data)
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
