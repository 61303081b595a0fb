"""The models that the programme itself asks: for drafts, baselines, probes, opinions on lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import BadInput
from curation.joining.domains.policies import next_state
from judge.asking.calls import model_client
from judge.asking.endpoints.models import ProgrammeModels

MOST_PROBES = 20


@dataclass(frozen=True)
class InUse:
    """A model for each purpose as "provider:model".

    Attributes:
        draft, baseline, grader, labels: "" for the offline rules.
        lint: "" where authors may ask nobody.
        probes: empty where prompts are not probed.
    """

    draft: str
    baseline: str
    lint: str
    probes: tuple[str, ...]
    grader: str
    labels: str


def in_use() -> InUse:
    """Return the models that staff have chosen, or else those of the environment. One query."""
    row = ProgrammeModels.objects.first()
    if row is None:
        return InUse(
            draft=settings.DRAFT_MODEL,
            baseline=settings.BASELINE_MODEL,
            lint=settings.LINT_MODEL,
            probes=tuple(settings.PROBE_MODELS),
            grader=settings.PROBE_GRADER,
            labels=settings.LABEL_MODEL,
        )
    return InUse(row.draft, row.baseline, row.lint, tuple(row.probes), row.grader, row.labels)


def served_purposes() -> list[str]:
    """Return the purposes, of "draft" and "probe", for which a model is chosen. One query."""
    chosen = in_use()
    return [*(["draft"] if chosen.draft else []), *(["probe"] if chosen.probes else [])]


@action("staff.scoring")
@transaction.atomic
def choose_models(
    *,
    actor: Any,
    read: int | None = None,
    draft: str = "",
    baseline: str = "",
    lint: str = "",
    probes: Sequence[str] = (),
    grader: str = "",
    labels: str = "",
) -> ProgrammeModels:
    """Choose the models that the programme asks from now on; the earlier choice stays on record.

    Args:
        read: the number of the choice on the page, to refuse a stale one.
        draft, baseline, lint, probes, grader, labels: as in `InUse`.

    Raises:
        BadInput: `fields` names what cannot be asked.
        Conflict: `changed_meanwhile`.
    """
    chosen: dict[str, Any] = {
        "draft": draft, "baseline": baseline, "lint": lint, "grader": grader, "labels": labels,
        "probes": list(dict.fromkeys(probes)),
    }  # fmt: skip
    fields: dict[str, list[str]] = {}
    for name, specs in chosen.items():
        for spec in [specs] if isinstance(specs, str) else specs:
            try:
                model_client.chosen(spec)
            except BadInput as refusal:
                fields.setdefault(name, []).append(str(refusal.detail))
    if len(chosen["probes"]) > MOST_PROBES:
        fields["probes"] = [_("At most %(most)s models.") % {"most": MOST_PROBES}]
    if fields:
        raise BadInput(fields=fields)
    return next_state(ProgrammeModels, read=read, set_by=actor, **chosen)
