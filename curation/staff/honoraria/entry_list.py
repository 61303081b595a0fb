"""The list of finished work, for staff, with its steps on many rows."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE
from curation.base.process.waiting import Waiting
from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.look import count, pill
from curation.joining.domains.forms import domain_filter
from curation.staff.honoraria.access import readable_by
from curation.staff.honoraria.actions import approve, mark_as_paid, open_again, refuse
from curation.staff.honoraria.models import Honorarium, Work
from curation.staff.honoraria.rates import priced, start_of


class EntryFilter(forms.Form):
    """The filter of the list of finished work."""

    q = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("Person"), widget=forms.SearchInput()
    )
    domain = domain_filter()
    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Work"),
        choices=[("", gettext_lazy("All work")), *Work.choices],
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("Any state")), *Honorarium.State.choices],
    )
    since = DayField(label=gettext_lazy("From"))
    until = DayField(label=gettext_lazy("To"))
    file = forms.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, label=gettext_lazy("Payroll file")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers([self.fields["file"]])


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


def _person(entry: Honorarium) -> str:
    return format_html(
        '<a href="{}" data-open>{}</a>',
        reverse("staff-honoraria-person", args=[entry.person_id]),
        entry.person.name_for_staff,
    )


def _work(entry: Honorarium) -> str:
    title = format_html('<div class="quiet">{}</div>', entry.title) if entry.title else ""
    return format_html("<div>{}{}</div>", entry.get_kind_display(), title)


def _amount(entry: Honorarium) -> str:
    if entry.price.words:
        return format_html('<span class="nowrap">{}</span>', entry.price.words)
    if entry.state == Honorarium.State.REFUSED:
        return NO_VALUE
    return format_html('<span class="hint">{}</span>', entry.price.reason)


def _state(entry: Honorarium) -> str:
    shown = pill(entry.shape, entry.get_state_display())
    if entry.payroll is None:
        return shown
    inside = _("in file %(n)s") % {"n": entry.payroll.number}
    return format_html('{} <span class="hint nowrap">{}</span>', shown, inside)


ENTRIES = register(
    ListSpec(
        name="honoraria",
        route="staff-honoraria",
        filters=EntryFilter,
        find=find,
        load=priced,
        order="-finished",
        readable=readable_by,
        counted=lambda n: ngettext("%(n)s piece", "%(n)s pieces", n) % {"n": count(n)},
        title=lambda entry: f"{entry} · {entry.person.pseudonym}",
        columns=(
            Column(
                "person",
                gettext_lazy("Person"),
                lambda entry: entry.person.name_for_staff,
                show=_person,
                sort=(Lower("person__display_name"), "person__email"),
            ),
            Column(
                "kind",
                gettext_lazy("Work"),
                lambda entry: entry.get_kind_display(),
                show=_work,
                sort=(in_order_of("kind", Work.values),),
            ),
            Column(
                "title",
                gettext_lazy("Title"),
                lambda entry: entry.title,
                only_files=True,
            ),
            Column(
                "domain",
                gettext_lazy("Domain"),
                lambda entry: str(entry.domain or ""),
                sort=("domain__position",),
            ),
            Column(
                "finished",
                gettext_lazy("Finished"),
                lambda entry: entry.finished_at,
                sort=("finished_at",),
            ),
            Column(
                "minutes",
                gettext_lazy("Minutes stated"),
                lambda entry: entry.minutes,
                sort=("minutes",),
                number=True,
            ),
            Column(
                "amount",
                gettext_lazy("Amount"),
                lambda entry: entry.price.amount,
                show=_amount,
                sort=("currency", "amount"),
                number=True,
            ),
            Column(
                "currency",
                gettext_lazy("Currency"),
                lambda entry: entry.price.currency,
                only_files=True,
            ),
            Column(
                "state",
                gettext_lazy("State"),
                lambda entry: entry.get_state_display(),
                show=_state,
                sort=(in_order_of("state", Honorarium.State.values),),
            ),
            Column(
                "why",
                gettext_lazy("Why no amount"),
                lambda entry: entry.reason or entry.price.reason,
                only_files=True,
            ),
            Column(
                "payroll",
                gettext_lazy("Payroll file"),
                lambda entry: entry.payroll.number if entry.payroll else None,
                only_files=True,
            ),
        ),
    )
)


# --- steps on many rows ---------------------------------------------------------------------------
class RefusalForm(forms.Form):
    """Why pieces are refused."""

    reason = reason_field(
        gettext_lazy("Why they are not paid"),
        help_text=gettext_lazy("The person reads it."),
        rows=2,
    )


def _named(entry: Honorarium) -> str:
    parts = [entry.person.name_for_staff, str(entry), entry.title, entry.price.words]
    return " · ".join(part for part in parts if part)


def _on_row(step: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *, actor, thing, **more: step(actor=actor, entry=thing, **more) and None


STEPS = (
    BulkStep(
        key="approve",
        permission="staff.administration",
        label=gettext_lazy("Approve …"),
        text=gettext_lazy(
            "Each piece is approved at what its rate pays now, and keeps that amount. Its person "
            "is told. Nobody approves their own work."
        ),
        load=priced,
        named=_named,
        run=_on_row(approve),
        button=lambda n: ngettext("Approve %(n)s", "Approve %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is approved.", "%(n)s pieces are approved.", n) % {"n": n}
        ),
    ),
    BulkStep(
        key="paid",
        permission="staff.administration",
        label=gettext_lazy("Mark as paid …"),
        text=gettext_lazy(
            "Approved pieces are recorded as paid, and their person is told. It stays so."
        ),
        load=priced,
        named=_named,
        run=_on_row(mark_as_paid),
        button=lambda n: ngettext("Mark %(n)s as paid", "Mark %(n)s as paid", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is marked as paid.", "%(n)s pieces are marked as paid.", n)
            % {"n": n}
        ),
        place=1,
    ),
    BulkStep(
        key="again",
        permission="staff.administration",
        label=gettext_lazy("Let it wait again …"),
        text=gettext_lazy("Refused pieces wait for approval again."),
        load=priced,
        named=_named,
        run=_on_row(open_again),
        button=lambda n: ngettext("Let %(n)s wait again", "Let %(n)s wait again", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece waits again.", "%(n)s pieces wait again.", n) % {"n": n}
        ),
        place=2,
    ),
    BulkStep(
        key="refuse",
        permission="staff.administration",
        label=gettext_lazy("Refuse …"),
        text=gettext_lazy(
            "The pieces are not paid, and each person reads the reason. Approved pieces can be "
            "refused until a payroll file holds them."
        ),
        load=priced,
        named=_named,
        run=_on_row(refuse),
        form=RefusalForm,
        asks_first=True,
        danger=True,
        button=lambda n: ngettext("Refuse %(n)s", "Refuse %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is refused.", "%(n)s pieces are refused.", n) % {"n": n}
        ),
    ),
)


def waiting(user: Any) -> list[Waiting]:
    """Return one item that counts the work of others. One query; none without the duty."""
    if not user.has_duty("administration"):
        return []
    waits = Honorarium.objects.filter(state=Honorarium.State.WAITING)
    pieces = readable_by(waits, user).exclude(person=user)
    number = pieces.count()
    if not number:
        return []
    return [
        Waiting(
            due=None,
            title=ngettext(
                "%(n)s piece of finished work waits for approval",
                "%(n)s pieces of finished work wait for approval",
                number,
            )
            % {"n": f"{number:,}"},
            detail=_("Approved work goes into the next payroll file"),
            url=f"{reverse('staff-honoraria')}?state={Honorarium.State.WAITING}",
            button=_("Open the list"),
            section="staff-people",
        )
    ]
