"""An anchor's way from the baseline response to a validated sheet."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import text
from curation.actions.seats import take_seat
from curation.errors import BadInput, Conflict, Denied, Stale
from curation.lifecycle import AnchorStage, Stage
from curation.models import Role
from judge.actions.opening import check_qualified, due, open_sheet
from judge.models import Anchor, MetaEvaluation, MetaLine, Sheet, SheetLine

REMARK_LIMIT = 5000  # characters
V = MetaEvaluation.Verdict


@transaction.atomic
def take_anchor(*, actor: Any, anchor: Anchor) -> Sheet:
    """Take a baseline response from the pool and open its sheet. Taking it twice opens it once.

    Raises:
        Denied: not qualified in the domain.
        Conflict: `seat_taken` (a colleague was faster, or another seat is held), `wrong_stage`,
            `scored_a_candidate`.
    """
    anchor = Anchor.objects.select_related("task__domain", "response__task__domain").get(
        pk=anchor.pk
    )
    check_qualified(actor, anchor.task)
    if anchor.stage != AnchorStage.SCORING or anchor.task.stage != Stage.APPROVED:
        raise Conflict(_("This response is not waiting to be scored now."), code="wrong_stage")
    assert anchor.response is not None
    mine = Sheet.objects.filter(response=anchor.response, user=actor).first()
    if mine is not None:
        return mine
    _release_sheet(anchor)
    sheet = open_sheet(response=anchor.response, scorer=actor, purpose=Sheet.Purpose.ANCHOR)
    anchor.history.create(
        actor=actor,
        from_stage=anchor.stage,
        to_stage=anchor.stage,
        data={"event": "taken", "sheet": sheet.pk},
    )
    return sheet


def _release_sheet(anchor: Anchor) -> None:
    """Take the open sheet from somebody who may no longer score: it would wait for ever."""
    held = Sheet.objects.filter(
        response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR, state=Sheet.State.OPEN
    ).select_related("user")
    for sheet in held:
        try:
            check_qualified(sheet.user, anchor.task)
        except Denied:
            reason = _("The scorer's qualification is no longer active.")
            hand_back(actor=None, anchor=anchor, reason=reason)


@transaction.atomic
def hand_back(*, actor: Any, anchor: Anchor, reason: str) -> None:
    """Give an anchor's open sheet back, so that a colleague can take it.

    What was scored stays in the anchor's history; the seat stays taken, because who has read the
    response as its scorer may not check it later.

    Args:
        actor: the scorer, or a member of staff; None where the scorer's qualification ended.

    Raises:
        BadInput: without a reason.
        Conflict: there is no open sheet.
    """
    problem = text.problem_with(reason, limit=REMARK_LIMIT)
    if problem or text.is_blank(reason):
        raise BadInput(fields={"reason": [problem or _("Say in a sentence why you hand it back.")]})
    # Locked: a submission of this moment comes before or finds no sheet, never in between.
    sheet = (
        Sheet.objects.select_for_update()
        .filter(response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR, state=Sheet.State.OPEN)
        .first()
    )
    if sheet is None or anchor.stage != AnchorStage.SCORING:
        raise Conflict(_("There is no open sheet to hand back."), code="wrong_stage")
    anchor.history.create(
        actor=actor,
        from_stage=anchor.stage,
        to_stage=anchor.stage,
        reason=text.clean(reason),
        data={"event": "handed_back", "scorer": sheet.user_id, "lines": _snapshot(sheet)},
    )
    SheetLine.objects.filter(sheet=sheet).delete()
    sheet.delete()


def hand_to_senior(*, actor: Any, sheet: Sheet) -> None:
    """Move the anchor of a submitted sheet on. A senior who checked it before checks it again.

    Runs inside the submission; the lines as they were submitted go into the history.

    Raises:
        Conflict: the anchor is not being scored.
    """
    anchor = Anchor.objects.select_related("task").get(response=sheet.response_id)
    before = (
        anchor.history.filter(to_stage=AnchorStage.META_EVALUATION)
        .exclude(from_stage=AnchorStage.META_EVALUATION)
        .last()
    )
    lines = _snapshot(sheet)
    anchor.advance(AnchorStage.META_EVALUATION, actor=actor, sheet=sheet.pk, lines=lines)
    last = anchor.evaluations.order_by("-number").first()
    if last is None or anchor.task.domain_id not in last.senior.senior_domain_ids():
        return
    MetaEvaluation.objects.create(
        anchor=anchor,
        number=last.number + 1,
        senior=last.senior,
        draft=_carried_over(last, before.data.get("lines", {}) if before else {}, lines),
    )


def _snapshot(sheet: Sheet) -> dict[str, list[Any]]:
    return {
        key: [met, why]
        for key, met, why in sheet.lines.values_list("criterion__key", "met", "rationale")
    }


def _carried_over(
    last: MetaEvaluation, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, str]:
    """Agreement with lines that did not change since stays; everything else is open again."""
    return {
        f"agrees-{line.criterion_id}": "true"
        for line in last.lines.filter(agrees=True).select_related("criterion")
        if before.get(line.criterion.key) == now.get(line.criterion.key)
    }


# --- the senior's check ---------------------------------------------------------------------------
@transaction.atomic
def take_meta(*, actor: Any, anchor: Anchor) -> MetaEvaluation:
    """Take the check of a scored anchor. Taking it twice opens it once.

    Raises:
        Denied: no senior of the domain.
        Conflict: `seat_taken` (another senior was faster, or another seat is held: who scored
            it cannot check it), `wrong_stage`.
    """
    anchor = Anchor.objects.select_related("task").get(pk=anchor.pk)
    if anchor.task.domain_id not in actor.senior_domain_ids():
        raise Denied(
            _("An anchor is checked by a senior of the task's domain."), code="not_eligible"
        )
    if anchor.stage != AnchorStage.META_EVALUATION:
        raise Conflict(_("This anchor is not waiting for a check now."), code="wrong_stage")
    mine = anchor.evaluations.filter(verdict="", senior=actor).first()
    if mine is not None:
        return mine
    take_seat(task=anchor.task, user=actor, role=Role.META_EVALUATOR)
    _release_check(anchor)
    number = (anchor.evaluations.aggregate(last=Max("number"))["last"] or 0) + 1
    try:
        with transaction.atomic():
            return MetaEvaluation.objects.create(anchor=anchor, number=number, senior=actor)
    except IntegrityError:
        raise Conflict(
            _("Another senior took this check a moment ago. Choose another one."),
            code="seat_taken",
        ) from None


def _release_check(anchor: Anchor) -> None:
    """Take the open check from somebody who is no senior any more: it would wait for ever."""
    for held in anchor.evaluations.filter(verdict="").select_related("senior"):
        domains = held.senior.senior_domain_ids() if held.senior.is_active else frozenset()
        if anchor.task.domain_id not in domains:
            MetaEvaluation.objects.filter(pk=held.pk, verdict="").delete()


@transaction.atomic
def keep_check(
    *, actor: Any, evaluation: MetaEvaluation, draft: Mapping[str, str], revision: int
) -> MetaEvaluation:
    """Keep what a senior has typed so far, unless it was changed since `revision` was read.

    Args:
        draft: form field -> text: agrees-ID (true, false), remark-ID, remarks.

    Raises:
        Stale: with both texts.
        Conflict: decided already.
        BadInput: a text that cannot be stored.
    """
    problems = {
        name: [problem]
        for name, value in draft.items()
        if (problem := text.problem_with(value, limit=REMARK_LIMIT))
    }
    if problems:
        raise BadInput(fields=problems)
    kept = {name: value for name, value in draft.items() if value}
    saved = MetaEvaluation.objects.filter(pk=evaluation.pk, verdict="", revision=revision).update(
        draft=kept, revision=F("revision") + 1, at=timezone.now()
    )
    now = MetaEvaluation.objects.get(pk=evaluation.pk)
    if saved or now.draft == kept:
        return now
    if now.verdict:
        raise Conflict(_("This check was decided already."), code="wrong_stage")
    raise Stale(
        data={
            "yours": dict(draft),
            "theirs": {name: now.draft.get(name, "") for name in {*draft, *now.draft}},
            "version": now.revision,
            "at": now.at.isoformat(),
        }
    )


@transaction.atomic
def decide_anchor(
    *,
    actor: Any,
    evaluation: MetaEvaluation,
    verdict: str,
    remarks: str,
    lines: Mapping[int, tuple[bool, str]],
) -> MetaEvaluation:
    """Validate an anchor, or send it back to its scorer with remarks.

    Args:
        lines: criterion id -> (agrees, remark). A disagreement needs its reason.

    Raises:
        BadInput: `fields` says what is missing: line-ID, remark-ID, remarks, verdict.
        Conflict: decided already, or the anchor has moved.
    """
    anchor = evaluation.anchor
    anchor.refresh_from_db()
    Anchor.process.check(
        anchor.stage, AnchorStage.VALIDATED if verdict == V.VALIDATED else AnchorStage.SCORING
    )
    sheet = Sheet.objects.get(response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR)
    asked = list(sheet.lines.order_by("criterion__position").values_list("criterion_id", flat=True))
    said = {pk: lines[pk] for pk in asked if pk in lines}
    _check_decision(verdict, remarks, asked, said)
    changed = MetaEvaluation.objects.filter(pk=evaluation.pk, verdict="").update(
        verdict=verdict, remarks=text.clean(remarks), draft={}, at=timezone.now()
    )
    if not changed:
        raise Conflict(_("This check was decided already."), code="wrong_stage")
    evaluation.refresh_from_db()
    MetaLine.objects.bulk_create(
        MetaLine(evaluation=evaluation, criterion_id=pk, agrees=agrees, remark=text.clean(remark))
        for pk, (agrees, remark) in said.items()
    )
    facts = {
        "check": evaluation.number,
        "disagreed": sum(not agrees for agrees, _r in said.values()),
    }
    if verdict == V.VALIDATED:
        Anchor.objects.filter(pk=anchor.pk, stage=anchor.stage).update(sheet=sheet)
        anchor.sheet = sheet
        anchor.advance(AnchorStage.VALIDATED, actor=actor, reason=evaluation.remarks, **facts)
    else:
        Sheet.objects.filter(pk=sheet.pk).update(
            state=Sheet.State.OPEN, submitted_at=None, due_at=due(), revision=F("revision") + 1
        )
        anchor.advance(AnchorStage.SCORING, actor=actor, reason=evaluation.remarks, **facts)
    return evaluation


def _check_decision(
    verdict: str, remarks: str, asked: list[int], said: Mapping[int, tuple[bool, str]]
) -> None:
    problems: dict[str, list[str]] = {}
    if verdict not in V.values:
        problems["verdict"] = [_("Choose: validate, or send back.")]
    problem = text.problem_with(remarks, limit=REMARK_LIMIT)
    if problem or (verdict == V.SENT_BACK and text.is_blank(remarks)):
        problems["remarks"] = [problem or _("Tell the scorer what to look at again.")]
    for pk, (agrees, remark) in said.items():
        problem = text.problem_with(remark, limit=REMARK_LIMIT)
        if problem or (not agrees and text.is_blank(remark)):
            problems[f"remark-{pk}"] = [problem or _("Say why you disagree with this line.")]
    if verdict == V.VALIDATED:
        for pk in asked:
            if pk not in said:
                problems[f"line-{pk}"] = [_("Agree or disagree with this line.")]
        disagreed = sum(not agrees for agrees, _remark in said.values())
        if disagreed:
            problems["verdict"] = [
                ngettext(
                    "You disagree with %(n)s line. An anchor is validated when you agree with "
                    "every line; send it back instead.",
                    "You disagree with %(n)s lines. An anchor is validated when you agree with "
                    "every line; send it back instead.",
                    disagreed,
                )
                % {"n": disagreed}
            ]
    if problems:
        raise BadInput(fields=problems)
