"""A step on many people: close their accounts."""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import Denied
from curation.joining.people import Qualification, User
from curation.leaving.closed_accounts.actions import end_account
from curation.qualifying.experts.suspension import hand_over_work


def _load(keys: Collection[int]) -> Mapping[int, User]:
    return User.objects.in_bulk(list(keys))


def _named(person: User) -> str:
    return f"{person.pseudonym} · {person.name_for_staff}"


def _close(*, actor: Any, thing: User, reason: str) -> list[Qualification]:
    if thing.pk == actor.pk:
        raise Denied(_("This is your own account. You close it under Preferences."))
    return end_account(actor=actor, person=thing, reason=reason)


def _hand_over(*, actor: Any, returned: list[list[Qualification]], **_values: Any) -> None:
    hand_over_work(list(chain.from_iterable(returned)), actor=actor)


STEPS = (
    BulkStep(
        key="close",
        label=gettext_lazy("Close accounts …"),
        text=gettext_lazy(
            "They are signed out and can no longer sign in; open work goes to colleagues, and "
            "applications under way are withdrawn. What they wrote stays. You can open an account "
            "again."
        ),
        permission="staff.administration",
        load=_load,
        named=_named,
        run=_close,
        finish=_hand_over,
        form=ReasonForm,
        asks_first=True,
        button=lambda n: ngettext("Close %(n)s account", "Close %(n)s accounts", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s account is closed.", "%(n)s accounts are closed.", n) % {"n": n}
        ),
        danger=True,
        place=1,
    ),
)
