"""Staff's pages of the source tiers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.web.forms import read_filter, reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import next_state
from judge.methods.evidence.tiers.hosts import LONGEST_ADDRESS
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.evidence.tiers.queries import ListPage, list_page, source, tiers_in_force
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


class AddressFilter(forms.Form):
    """An address whose tier is asked for."""

    address = forms.CharField(
        label=gettext_lazy("Which tier does this address have?"),
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs={"size": 60}),
    )


class TiersForm(forms.Form):
    """The domains of each tier, with spaces or new lines between them."""

    reason = reason_field(
        gettext_lazy("Why this list"),
        help_text=gettext_lazy("It stays on record with the list."),
        rows=2,
    )
    read = ReadVersionField()

    def __init__(self, data: Any, *, page: ListPage) -> None:
        shown = {f"tier_{row.tier}": " ".join(row.domains) for row in page.tiers}
        super().__init__(data, initial={**shown, "read": page.number})
        for row in page.tiers:
            self.fields[f"tier_{row.tier}"] = forms.CharField(
                label=gettext_lazy("Tier %(n)s: %(name)s") % {"n": row.tier, "name": row.name},
                help_text=row.hint,
                required=False,
                widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
            )
        self.order_fields((*(f"tier_{tier}" for tier in TIERS), "reason", "read"))

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `set_tiers`."""
        data = self.cleaned_data
        return {
            "names": {tier: data[f"tier_{tier}"].split() for tier in TIERS},
            "reason": data["reason"],
            "read": data["read"],
        }


def staff_source_tiers(request: HttpRequest) -> HttpResponse:
    """Show the list in force with its history, and the tier of one address."""
    form = read_filter(AddressFilter, request.GET)
    address = form.cleaned_data["address"]
    return render(
        request,
        "source_tiers/tiers.html",
        {
            "p": list_page(),
            "form": form,
            "found": source(tiers_in_force().tier_of(address)) if address else None,
        },
    )


@once
def staff_source_tiers_edit(request: HttpRequest) -> HttpResponse:
    """Set the list."""
    form = TiersForm(request.POST if request.method == "POST" else None, page=list_page())
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            set_tiers(actor=request.user, **form.values())
            return go(
                request, _("Saved. Sources have these tiers from now on."), "staff-source-tiers"
            )
    return render(request, "source_tiers/edit.html", {"form": form}, status=status_of(form))
