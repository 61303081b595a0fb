"""Staff set the list of source tiers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput
from curation.joining.domains.policies import next_state
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.evidence.tiers.queries import tiers_in_force
from judge.methods.evidence.tiers.tier_list import MOST_ENTRIES, TIERS, read_domains

_NAMED = 5  # domains that a refusal names


@action("staff.scoring")
@transaction.atomic
def set_tiers(
    *, actor: Any, names: Mapping[int, Sequence[str]], reason: str, read: int | None = None
) -> SourceTiers:
    """Set the whole list of source tiers; earlier lists stay on record.

    Args:
        names: tier -> its domains as they were typed; empty ones are left out.
        read: the number of the list that the page showed, 0 for the built-in one; None skips the
            comparison.

    Raises:
        BadInput: a name is no domain, a domain has two tiers, nothing is listed or changed, the
            list is too long, or there is no reason.
        Conflict: another list was set meanwhile.
    """
    reason = required_reason(reason)
    fields: dict[str, list[str]] = {}
    entries: dict[str, int] = {}
    several: Counter[str] = Counter()
    for tier in TIERS:
        domains, wrong = read_domains(names.get(tier, ()))
        if wrong:
            fields[f"tier_{tier}"] = [
                _("These are no domains: %(names)s. Write example.org, without https:// and paths.")
                % {"names": _some(wrong)}
            ]
        several.update(set(domains))
        entries |= dict.fromkeys(domains, tier)
    twice = sorted(domain for domain, n in several.items() if n > 1)
    if fields:
        raise BadInput(fields=fields)
    if twice:
        raise BadInput(_("A domain has one tier; these have several: %s.") % _some(twice))
    if not entries:
        raise BadInput(_("List at least one domain."))
    if len(entries) > MOST_ENTRIES:
        raise BadInput(_("A list has at most %(most)s domains.") % {"most": f"{MOST_ENTRIES:,}"})
    if entries == tiers_in_force().entries:
        raise BadInput(_("This is the list in force: nothing changed."))
    return next_state(
        SourceTiers, read=read, entries=dict(sorted(entries.items())), reason=reason, set_by=actor
    )


def _some(names: Sequence[str]) -> str:
    """Return the first of several, each cut to what fits into a sentence."""
    shown = ", ".join(name[:60] for name in names[:_NAMED])
    return f"{shown} …" if len(names) > _NAMED else shown
