"""The step on many candidates that the registry has: mark them as retired."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from judge.asking.candidates.models import Candidate
from judge.results.registry.actions import retire_candidate


def load_candidates(keys: Collection[int]) -> Mapping[int, Candidate]:
    """Return candidates for a step, by key. One query."""
    return Candidate.objects.in_bulk(list(keys))


def _retire(*, actor: Any, thing: Candidate) -> None:
    retire_candidate(actor=actor, candidate=thing)


STEPS = (
    BulkStep(
        key="retire",
        permission="staff.scoring",
        label=_("Retire …"),
        text=_("They count as no longer offered from today. Their responses and scores stay."),
        load=load_candidates,
        named=str,
        run=_retire,
        button=lambda n: ngettext("Retire %(n)s", "Retire %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s candidate is retired.", "%(n)s candidates are retired.", n) % {"n": n}
        ),
        danger=True,
    ),
)
