"""Another baseline for an anchor whose response makes a poor example.

The life of the old one stays on record: its response, its sheets and its checks are kept, and its
response stays out of every comparison.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.process.lifecycle import AnchorStage, Stage
from curation.text import storable
from curation.web.reasons import required_reason
from curation.web.refusals import BadInput, Conflict
from judge.anchors.hand_back import hand_back_sheet, release_check
from judge.anchors.models import Anchor
from judge.calls import model_client
from judge.candidates.models import Response
from judge.sheets.models import Sheet

# Stored in English; whoever reads the history reads it in their language.
REPLACED = gettext_noop("Another baseline response is asked for.")


@action("staff")
@transaction.atomic
def replace_baseline(
    *, actor: Any, anchor: Anchor, reason: str, model: str = "", response: Response | None = None
) -> Anchor:
    """Put another baseline in the place of an anchor's response: a model's, or one that is here.

    Args:
        model: "provider:model" to ask; the programme's own baseline model where empty.
        response: a response to the task that nobody scored or judged yet, in place of a model's.

    Raises:
        BadInput: no reason, a model that cannot bring another text, or a response that cannot be
            a baseline.
        Conflict: `wrong_stage`: there is no baseline yet, or the task is not approved.
    """
    anchor = Anchor.objects.select_for_update(of=("self",)).select_related("task").get(pk=anchor.pk)
    reason = required_reason(reason)
    if anchor.stage == AnchorStage.ANSWERING or anchor.task.stage != Stage.APPROVED:
        raise Conflict(_("This anchor has no baseline that could be replaced."), code="wrong_stage")
    if response is None:
        model = next_model(anchor, model)
    else:
        _check_response(anchor, response)
    return replace(actor=actor, anchor=anchor, reason=reason, model=model, response=response)


def next_model(anchor: Anchor, model: str = "") -> str:
    """The model to ask, checked: one that can bring a text other than the one before.

    Raises:
        BadInput: `model`: the offline rules would write the same words again.
    """
    who = model_client.chosen(model or settings.BASELINE_MODEL)
    before = Response.objects.filter(
        task=anchor.task_id, baseline=True, candidate__name=f"{who.model} (baseline)"
    )
    if who.provider.offline and before.exists():
        told = _(
            "The offline rules write the same words each time. Name another model, or choose a "
            "response that is here."
        )
        raise BadInput(told, fields={"model": [told]})
    return model


def _check_response(anchor: Anchor, response: Response) -> None:
    taken = (
        response.task_id != anchor.task_id
        or response.baseline
        or storable.is_blank(response.text)
        or Sheet.objects.filter(response=response).exists()
        or response.run_items.exists()
    )
    if taken:
        raise BadInput(
            fields={
                "response": [
                    _("Choose a response to this task that nobody scored and no run judged.")
                ]
            }
        )


@transaction.atomic
def replace(
    *,
    actor: Any,
    anchor: Anchor,
    reason: str,
    model: str = "",
    response: Response | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Anchor:
    """Retire the baseline and send the anchor back to the machine. The caller has checked it all.

    Sheets that are open are handed back, their lines kept in the history; an open check likewise.
    """
    old, sheet = anchor.response, anchor.sheet_id
    for held in Sheet.objects.filter(response=old, state=Sheet.State.OPEN, user__isnull=False):
        hand_back_sheet(actor=None, sheet=held, reason=REPLACED)
    for check in anchor.evaluations.filter(verdict=""):
        release_check(actor=None, evaluation=check, reason=REPLACED)
    anchor.advance(
        AnchorStage.ANSWERING,
        actor=actor,
        reason=reason,
        event="baseline_replaced",
        response=old.key if old else "",
        sheet=sheet,
        **(facts or {}),
    )
    if old is not None:
        Response.objects.filter(pk=old.pk).update(superseded_at=timezone.now())
    if response is not None:
        Response.objects.filter(pk=response.pk).update(baseline=True)
    Anchor.objects.filter(pk=anchor.pk).update(response=None, sheet=None, model=model)
    anchor.response = anchor.sheet = None
    anchor.model = model
    return anchor
