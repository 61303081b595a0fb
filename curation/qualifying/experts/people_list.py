"""The list of people."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE
from curation.base.text.wording import listed
from curation.base.web.look import count, when
from curation.joining.people.models import Qualification, User
from curation.qualifying.experts.forms import PeopleFilter

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
