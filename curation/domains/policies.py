"""Rules that staff set per domain, on the record: one way for panels, rubrics and reviews.

An app keeps two tables of its own: the rules of a domain, where the row without a domain holds for
all others, and the changes of them. It says what its rules are called, what is wrong with a set of
them, and what holds for all others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from curation.access.permissions import authorize
from curation.domains.models import Domain
from curation.web.refusals import BadInput, Conflict

COMMON = "all-others"  # in addresses: the rules of all domains without their own
LATEST = 100  # changes on a page
Policy = TypeVar("Policy", bound=Any)
Row = TypeVar("Row", bound=Any)
Faults = dict[str, list[Any]]


@dataclass(frozen=True)
class RuleBook(Generic[Policy]):
    """The rules of one kind of work.

    Attributes:
        policies: the table of rules; one row a domain, and one without.
        record: the table of changes: policy, actor, before, after, at.
        names: what the rules are called, in the order pages tell them.
        common: gives the rules of all domains without their own.
        faults: rule -> what is wrong with it, in the reader's words; empty if nothing is.
    """

    policies: type[Policy]
    record: type[Any]
    names: Sequence[str]
    common: Callable[[], Policy]
    faults: Callable[[Policy], Faults]

    def rules_of(self, policy: Any) -> dict[str, Any]:
        """Rule -> value, of whatever holds rules by these names."""
        return {name: getattr(policy, name) for name in self.names}

    @transaction.atomic
    def change(self, *, actor: Any, domain: Domain | None, **rules: Any) -> Policy:
        """Set the rules of a domain, or of all others. The same rules again change nothing.

        Args:
            domain: None for the rules of all domains without their own.
            rules: every one of `names`.

        Raises:
            Denied: the actor is not staff.
            BadInput: a rule is out of its range; `fields` says which.
            Conflict: somebody else gave the domain its first rules at the same moment.
        """
        authorize(actor, "staff")
        common = self.common()
        rows = self.policies._default_manager.select_for_update(of=("self",))
        held = rows.filter(domain=domain).first()
        before = self.rules_of(held or common)
        policy: Policy = held or self.policies(domain=domain)
        for name in self.names:
            setattr(policy, name, rules[name])
        problems = self.faults(policy)
        if problems:
            raise BadInput(fields=problems)
        if held and self.rules_of(policy) == before:
            return policy
        try:
            with transaction.atomic():
                policy.save()
        except IntegrityError:
            raise Conflict(code="policy_exists") from None
        self.record._default_manager.create(
            policy=policy, actor=actor, before=before, after=self.rules_of(policy)
        )
        return policy

    def listed(self) -> list[tuple[str, Domain | None, Policy, bool]]:
        """(key in addresses, domain, its rules, whether they are its own): all others first."""
        common = self.common()
        own = {p.domain_id: p for p in self.policies._default_manager.exclude(domain=None)}
        return [(COMMON, None, common, True)] + [
            (domain.key, domain, own.get(domain.pk, common), domain.pk in own)
            for domain in Domain.objects.filter(external=False)
        ]

    def told(
        self, labels: Mapping[str, Any], choices: Mapping[str, Any], *of: Domain | None
    ) -> list[dict[str, Any]]:
        """The latest changes in words, newest first. One query.

        Args:
            labels: rule -> what a page calls it.
            choices: stored value -> its words.
            of: a domain, or None for all others; every change where nothing is given.

        Returns:
            at, who, domain, and `rules` as (label, before, after) of each rule that changed.
        """
        rows = self.record._default_manager.select_related("actor", "policy__domain")
        for domain in of:
            rows = rows.filter(policy__domain=domain)

        def word(value: Any) -> Any:
            if isinstance(value, bool):
                return _("yes") if value else _("no")
            return choices.get(value, value) if isinstance(value, str) else value

        return [
            {
                "at": row.at,
                "who": row.actor.display_name or row.actor.email,
                "domain": row.policy.domain,
                "rules": [
                    (labels[name], word(row.before.get(name)), word(row.after.get(name)))
                    for name in self.names
                    if row.before.get(name) != row.after.get(name)
                ],
            }
            for row in rows[:LATEST]
        ]


def next_state(states: type[Row], *, read: int | None, **values: Any) -> Row:
    """Set the rules of which the newest row counts and every row is kept.

    Args:
        states: the table; `number` counts its rows.
        read: the number of the newest row when the rules were read, 0 for none; None takes
            whatever is there.

    Raises:
        Conflict: `changed_meanwhile`: they were set by somebody else, or by the same form.
    """
    last = latest(states)
    if read in (None, last):
        try:
            with transaction.atomic():
                return states._default_manager.create(number=last + 1, **values)
        except IntegrityError:
            pass
    raise Conflict(
        _(
            "These rules were set after you opened the page, so yours were not kept. Load the "
            "page again to see how they stand."
        ),
        code="changed_meanwhile",
    )


def latest(states: type[Any]) -> int:
    """The number of the newest row; 0 if there is none."""
    return int(states._default_manager.aggregate(last=Max("number"))["last"] or 0)


def out_of_range(policy: Any, ranges: Mapping[str, tuple[int, int]]) -> Faults:
    """The rules that are no whole number within their limits, both ends included."""
    return {
        name: [_("A whole number from %(low)s to %(high)s.") % {"low": low, "high": high}]
        for name, (low, high) in ranges.items()
        if type(value := getattr(policy, name)) is not int or not low <= value <= high
    }


def domain_of(key: str) -> Domain | None:
    """The domain that an address names; None for all others. Raises Http404 for no domain."""
    return None if key == COMMON else get_object_or_404(Domain, key=key, external=False)
