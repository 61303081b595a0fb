"""The list of finished work, for staff."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE
from curation.base.web.look import count, pill
from curation.staff.honoraria.forms import EntryFilter
from curation.staff.honoraria.models import Honorarium, Work
from curation.staff.honoraria.prices import start_of
from curation.staff.honoraria.queries import Piece, pieces_of, readable_by

SHAPES = {"waiting": "ring", "approved": "half", "paid": "full", "refused": "cross"}


def find(wanted: Mapping[str, Any]) -> QuerySet[Honorarium]:
    """Return the entries that match; words are looked for in name, address and pseudonym."""
    rows = Honorarium.objects.all()
    for name in ("domain", "kind", "state"):
        if wanted[name]:
            rows = rows.filter(**{name: wanted[name]})
    if wanted["since"] is not None:
        rows = rows.filter(finished_at__gte=start_of(wanted["since"]))
    if wanted["until"] is not None:
        rows = rows.filter(finished_at__lt=start_of(wanted["until"] + timedelta(days=1)))
    if wanted["file"] is not None:
        rows = rows.filter(payroll__number=wanted["file"])
    for word in wanted["q"].split():
        if word.casefold() in ("expert", "staff"):  # the first part of pseudonyms
            continue
        match = Q(person__display_name__icontains=word) | Q(person__email__icontains=word)
        if word.isdecimal() and len(word) < 10:
            match |= Q(person=int(word))
        rows = rows.filter(match)
    return rows


def state_pill(entry: Honorarium) -> str:
    """Return the state of an entry as a pill."""
    return pill(SHAPES[entry.state], entry.get_state_display())


def _person(piece: Piece) -> str:
    person = piece.entry.person
    return format_html(
        '<a href="{}" data-open>{}</a>',
        reverse("staff-honoraria-person", args=[person.pk]),
        person.name_for_staff,
    )


def _work(piece: Piece) -> str:
    entry = piece.entry
    title = format_html('<div class="quiet">{}</div>', entry.title) if entry.title else ""
    return format_html("<div>{}{}</div>", entry.get_kind_display(), title)


def _amount(piece: Piece) -> str:
    if piece.amount:
        return format_html('<span class="nowrap">{}</span>', piece.amount)
    if piece.refused:
        return NO_VALUE
    return format_html('<span class="hint">{}</span>', piece.price.reason)


def _why(piece: Piece) -> str:
    return piece.entry.reason if piece.refused else piece.price.reason


def _state(piece: Piece) -> str:
    shown = state_pill(piece.entry)
    if piece.entry.payroll is None:
        return shown
    inside = _("in file %(n)s") % {"n": piece.entry.payroll.number}
    return format_html('{} <span class="hint nowrap">{}</span>', shown, inside)


ENTRIES = register(
    ListSpec(
        name="honoraria",
        route="staff-honoraria",
        filters=EntryFilter,
        find=find,
        load=pieces_of,
        order="-finished",
        readable=readable_by,
        counted=lambda n: ngettext("%(n)s piece", "%(n)s pieces", n) % {"n": count(n)},
        title=lambda piece: f"{piece.entry} · {piece.entry.person.pseudonym}",
        columns=(
            Column(
                "person",
                gettext_lazy("Person"),
                lambda piece: piece.entry.person.name_for_staff,
                show=_person,
                sort=(Lower("person__display_name"), "person__email"),
            ),
            Column(
                "kind",
                gettext_lazy("Work"),
                lambda piece: piece.entry.get_kind_display(),
                show=_work,
                sort=(in_order_of("kind", Work.values),),
            ),
            Column(
                "title",
                gettext_lazy("Title"),
                lambda piece: piece.entry.title,
                only_files=True,
            ),
            Column(
                "domain",
                gettext_lazy("Domain"),
                lambda piece: str(piece.entry.domain or ""),
                sort=("domain__position",),
            ),
            Column(
                "finished",
                gettext_lazy("Finished"),
                lambda piece: piece.entry.finished_at,
                sort=("finished_at",),
            ),
            Column(
                "minutes",
                gettext_lazy("Minutes stated"),
                lambda piece: piece.entry.minutes,
                sort=("minutes",),
                number=True,
            ),
            Column(
                "amount",
                gettext_lazy("Amount"),
                lambda piece: piece.price.amount,
                show=_amount,
                sort=("currency", "amount"),
                number=True,
            ),
            Column(
                "currency",
                gettext_lazy("Currency"),
                lambda piece: piece.price.currency,
                only_files=True,
            ),
            Column(
                "state",
                gettext_lazy("State"),
                lambda piece: piece.entry.get_state_display(),
                show=_state,
                sort=(in_order_of("state", Honorarium.State.values),),
            ),
            Column("why", gettext_lazy("Why no amount"), _why, only_files=True),
            Column(
                "payroll",
                gettext_lazy("Payroll file"),
                lambda piece: piece.entry.payroll.number if piece.entry.payroll else None,
                only_files=True,
            ),
        ),
    )
)
