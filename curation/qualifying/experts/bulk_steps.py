"""Steps on many people: suspend them in a domain, lift the suspension."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.forms import ReasonForm
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.qualifying.experts.suspension import end_standing, hand_over_work, reinstate_expert


class StandingOfManyForm(ReasonForm):
    """In which domain, and why."""

    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False), to_field_name="key", label=_("Domain")
    )
    field_order = ("domain", "reason")


def _load(keys: Collection[int]) -> Mapping[int, User]:
    return User.objects.in_bulk(list(keys))


def _named(person: User) -> str:
    return f"{person.pseudonym} · {person.name_for_staff}"


def _suspend(*, actor: Any, thing: User, domain: Domain, reason: str) -> Qualification:
    return end_standing(actor=actor, person=thing, domain=domain, reason=reason)


def _hand_over(*, actor: Any, returned: list[Qualification], **_values: Any) -> None:
    hand_over_work(returned, actor=actor)


def _reinstate(*, actor: Any, thing: User, domain: Domain, reason: str) -> None:
    reinstate_expert(actor=actor, person=thing, domain=domain, reason=reason)


STEPS = (
    BulkStep(
        key="suspend",
        label=_("Suspend …"),
        text=_(
            "They are signed out everywhere and can no longer work in the domain; open work goes "
            "to colleagues. Each of them reads your reason."
        ),
        permission="staff.recruiting",
        load=_load,
        named=_named,
        run=_suspend,
        finish=_hand_over,
        form=StandingOfManyForm,
        asks_first=True,
        button=lambda n: ngettext("Suspend %(n)s", "Suspend %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s person is suspended.", "%(n)s people are suspended.", n) % {"n": n}
        ),
        danger=True,
    ),
    BulkStep(
        key="reinstate",
        label=_("Lift the suspension …"),
        text=_("They work in the domain again. Work that was handed over stays with colleagues."),
        permission="staff.recruiting",
        load=_load,
        named=_named,
        run=_reinstate,
        form=StandingOfManyForm,
        asks_first=True,
        button=lambda n: (
            ngettext("Lift the suspension of %(n)s", "Lift the suspension of %(n)s", n) % {"n": n}
        ),
        done=lambda n: (
            ngettext("%(n)s person works again.", "%(n)s people work again.", n) % {"n": n}
        ),
    ),
)
