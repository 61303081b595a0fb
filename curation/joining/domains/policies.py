"""Rules that staff set per domain, with a log of changes: for panels, rubrics, reviews, scorers.

Each noun has two tables: the rules, where the row without a domain holds for all domains without
their own, and the changes (`RuleChange`). A `RuleBook` describes them; `rule_pages.py` draws them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Max
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.permissions import authorize
from curation.base.process.history import AppendOnly
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain

COMMON = "all-others"  # in addresses: the rules of all domains without their own
LATEST = 100  # changes shown
Policy = TypeVar("Policy", bound=Any)
Row = TypeVar("Row", bound=Any)
Faults = dict[str, list[Any]]


class RuleChange(AppendOnly):
    """One change of rules by staff; a table adds the foreign key `policy`."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    before = models.JSONField(default=dict, blank=True)  # rule -> value
    after = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering = ("-at", "-id")


def no_faults(policy: Any) -> Faults:
    """Return nothing: the ranges say all."""
    return {}


@dataclass(frozen=True)
class RuleBook(Generic[Policy]):
    """The rules of one kind of work.

    Attributes:
        policies: the table of rules: one row per domain, and one without a domain.
        record: the table of changes: policy, actor, before, after, at.
        names: the columns with rules, in the order pages show them.
        common: returns the rules of all domains without their own.
        ranges: rule -> the least and the largest whole number.
        faults: returns rule -> sentences on what is wrong among rules that are within their ranges.
    """

    policies: type[Policy]
    record: type[Any]
    names: Sequence[str]
    common: Callable[[], Policy]
    ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    faults: Callable[[Policy], Faults] = no_faults

    def own(self, domain_id: int | None) -> Policy | None:
        """Return the rules stored for a domain, or for all others."""
        found: Policy | None = self.policies._default_manager.filter(domain_id=domain_id).first()
        return found

    def policy_for(self, domain_id: int | None) -> Policy:
        """Return the rules of a domain: its own, or else the common ones."""
        return self.own(domain_id) or self.common()

    def rules_of(self, policy: Any) -> dict[str, Any]:
        """Return rule -> value, of any object with these attributes."""
        return {name: getattr(policy, name) for name in self.names}

    @transaction.atomic
    def change(self, *, actor: Any, domain: Domain | None, **rules: Any) -> Policy:
        """Set the rules of a domain and log the change. The same rules again change nothing.

        Args:
            domain: None for the rules of all domains without their own.
            rules: a value for every one of `names`.

        Raises:
            Denied: the actor is not staff who edit.
            BadInput: a rule is out of its range; `fields` says which.
            Conflict: `policy_exists`: a parallel request gave the domain its first rules.
        """
        authorize(actor, "staff.editing")
        common = self.common()
        rows = self.policies._default_manager.select_for_update(of=("self",))
        held = rows.filter(domain=domain).first()
        before = self.rules_of(held or common)
        policy: Policy = held or self.policies(domain=domain)
        for name in self.names:
            setattr(policy, name, rules[name])
        problems = out_of_range(policy, self.ranges)
        problems = problems or self.faults(policy)
        try:
            policy.clean_fields(exclude=["domain", *problems])
        except ValidationError as found:
            problems |= found.message_dict
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
        """Return (key in addresses, domain, rules, whether its own), the common rules first."""
        common = self.common()
        own = {p.domain_id: p for p in self.policies._default_manager.exclude(domain=None)}
        return [(COMMON, None, common, True)] + [
            (domain.key, domain, own.get(domain.pk, common), domain.pk in own)
            for domain in Domain.objects.filter(external=False)
        ]

    def change_log(
        self, labels: Mapping[str, Any], choices: Mapping[str, Any], *of: Domain | None
    ) -> list[dict[str, Any]]:
        """Return the latest changes in words, newest first. One query.

        Args:
            labels: rule -> its label.
            choices: stored value -> its label.
            of: a domain, or None for the common rules; every change where nothing is given.

        Returns:
            dicts of at, who, domain, and `rules` as (label, before, after) of each changed rule.
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
                "who": row.actor.name_for_staff,
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
    """Add a row to a table of rules in which the newest row is in force and all are kept.

    Args:
        states: the table; its column `number` counts the rows.
        read: the number of the newest row when the page was read, 0 for none; None skips the check.

    Raises:
        Conflict: `changed_meanwhile`: another row was added since.
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
            "These rules were set after you opened the page, so yours were not saved. Load the "
            "page again to see the current rules."
        ),
        code="changed_meanwhile",
    )


def latest(states: type[Any]) -> int:
    """Return the number of the newest row; 0 if there is none."""
    return int(states._default_manager.aggregate(last=Max("number"))["last"] or 0)


def out_of_range(policy: Any, ranges: Mapping[str, tuple[int, int]]) -> Faults:
    """Return the faults of rules that are no whole number within their limits (inclusive)."""
    return {
        name: [_("A whole number from %(low)s to %(high)s.") % {"low": low, "high": high}]
        for name, (low, high) in ranges.items()
        if type(value := getattr(policy, name)) is not int or not low <= value <= high
    }


def domain_of(key: str) -> Domain | None:
    """Return the domain of an address; None for `COMMON`. Raises Http404 for an unknown key."""
    return None if key == COMMON else get_object_or_404(Domain, key=key, external=False)
