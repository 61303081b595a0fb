"""Replacement of the baseline of an anchor whose response is a poor example.

The old response, its sheets and its checks stay on record. The old response stays out of every
comparison.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from judge.asking.calls import model_client
from judge.asking.candidates.models import Response
from judge.asking.endpoints import programme
from judge.scoring.anchors.hand_back import hand_back_sheet, release_check
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import Sheet

# Stored in English and translated when the history is shown.
REPLACED = gettext_noop("Another baseline response is asked for.")


@action("staff.gold")
@transaction.atomic
def replace_baseline(
    *, actor: Any, anchor: Anchor, reason: str, model: str = "", response: Response | None = None
) -> Anchor:
    """Replace the baseline of an anchor by a model's answer or by an existing response.

    Args:
        model: the model to ask, as "provider:model"; empty for the programme's baseline model.
        response: an existing response to the task that nobody scored or judged; None asks a model.

    Raises:
        BadInput: the reason is missing, the model cannot write another text, or the response
            cannot be a baseline.
        Conflict: `wrong_stage`, there is no baseline yet or the task is not approved.
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
    """Return `model` after checking that it can write a text other than the current baseline.

    Raises:
        BadInput: `model`, the offline rules would write the same text again.
    """
    who = model_client.chosen(model or programme.in_use().baseline)
    before = Response.objects.filter(
        task=anchor.task_id, baseline=True, candidate__name=f"{who.model} (baseline)"
    )
    if who.provider.offline and before.exists():
        problem = _(
            "The offline rules write the same words each time. Name another model, or choose an "
            "existing response."
        )
        raise BadInput(problem, fields={"model": [problem]})
    return model


def _check_response(anchor: Anchor, response: Response) -> None:
    taken = (
        response.task_id != anchor.task_id
        or response.baseline
        or storable.is_blank(response.text)
        or response.text_version < anchor.task.prompt_since
        or Sheet.objects.filter(response=response).exists()
        or response.run_items.exists()
    )
    if taken:
        raise BadInput(
            fields={
                "response": [
                    _(
                        "Choose a response to this task's present text that nobody has scored and "
                        "no run has judged."
                    )
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
    """Retire the baseline and return the anchor to the stage where it gets one.

    Open sheets and an open check are handed back; what was typed stays in the history. The caller
    has checked the arguments.
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
