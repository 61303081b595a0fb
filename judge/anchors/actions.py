"""An anchor's way from the baseline response to a validated sheet."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.access.action import action
from curation.domains.policies import next_state
from curation.process.lifecycle import AnchorStage, Stage
from curation.process.roles import Role
from curation.process.states import move
from curation.tasks.seats import take_seat
from curation.text import storable
from curation.web.refusals import BadInput, Conflict, Denied, Stale
from judge.anchors import replace, settle
from judge.anchors.hand_back import NO_SCORER, NO_SENIOR, hand_back_sheet, lines_of, release_check
from judge.anchors.models import Anchor, AnchorPolicy, MetaEvaluation, MetaLine
from judge.sheets.models import Sheet
from judge.sheets.opening import check_qualified, due, open_sheet
from rubrics.versions.models import Criterion

REMARK_LIMIT = 5000  # characters
V = MetaEvaluation.Verdict
_LEADS_TO: Mapping[str, str] = {
    V.VALIDATED: AnchorStage.VALIDATED,
    V.REPLACED: AnchorStage.ANSWERING,
}


@action("signed_in")
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
    mine = Sheet.objects.filter(
        response=anchor.response, user=actor, state=Sheet.State.OPEN, purpose=Sheet.Purpose.ANCHOR
    ).first()
    if mine is not None:
        return mine
    _release_sheet(anchor)
    sheet = _open_in_a_free_place(anchor, actor)
    anchor.note("taken", actor=actor, sheet=sheet.pk)
    return sheet


def _open_in_a_free_place(anchor: Anchor, actor: Any) -> Sheet:
    """Open the sheet of the first scorer who is missing; the database holds one for each place."""
    taken = {sheet.slot for sheet in sheets_of_this_round(anchor)}
    for slot in (slot for slot in range(1, anchor.scorers + 1) if slot not in taken):
        try:
            return open_sheet(
                response=anchor.response,  # type: ignore[arg-type]
                scorer=actor,
                purpose=Sheet.Purpose.ANCHOR,
                slot=slot,
            )
        except Conflict as refused:
            if refused.code != "seat_taken" or slot == anchor.scorers:
                raise
    raise Conflict(
        _("A colleague took this response a moment ago. Choose another one."), code="seat_taken"
    )


def sheets_of_this_round(anchor: Anchor) -> list[Sheet]:
    """The sheets of an anchor that is being scored: open, or handed in since it came to scoring.

    What was handed in before belongs to an older rubric, and is history.
    """
    return [
        sheet
        for sheet in anchor.current_sheets()
        if sheet.state == Sheet.State.OPEN
        or (sheet.submitted_at is not None and sheet.submitted_at >= anchor.stage_since)
    ]


def _release_sheet(anchor: Anchor) -> None:
    """Take the open sheet from somebody who may no longer score: it would wait for ever."""
    held = Sheet.objects.filter(
        response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR, state=Sheet.State.OPEN
    ).select_related("user")
    for sheet in held:
        try:
            check_qualified(sheet.user, anchor.task)
        except Denied:
            hand_back_sheet(actor=None, sheet=sheet, reason=NO_SCORER)


def hand_to_senior(*, actor: Any, sheet: Sheet) -> None:
    """Move the anchor of a submitted sheet on. A senior who checked it before checks it again.

    Where two people score it, the first sheet waits for the second.

    Runs inside the submission; the lines as they were submitted go into the history.

    Raises:
        Conflict: the anchor is not being scored.
    """
    # Locked: of two sheets that come at once, the second one finds the first.
    anchor = (
        Anchor.objects.select_for_update(of=("self",))
        .select_related("task")
        .get(response=sheet.response_id)
    )
    done = [one for one in sheets_of_this_round(anchor) if one.state == Sheet.State.SUBMITTED]
    if anchor.stage == AnchorStage.SCORING and len(done) < anchor.scorers:
        anchor.note("one_of_two_handed_in", actor=actor, sheet=sheet.pk, lines=lines_of(sheet))
        return
    before = (
        anchor.history.filter(to_stage=AnchorStage.META_EVALUATION)
        .exclude(from_stage=AnchorStage.META_EVALUATION)
        .last()
    )
    sheet, *others = done or [sheet]
    lines = lines_of(sheet)
    for other in others:
        for key, said in lines_of(other).items():
            lines[key] = [*lines.get(key, [None, ""]), *said]
    anchor.advance(AnchorStage.META_EVALUATION, actor=actor, sheet=sheet.pk, lines=lines)
    last = anchor.evaluations.order_by("-number").first()
    if last is None or anchor.task.domain_id not in last.senior.senior_domain_ids():
        return
    MetaEvaluation.objects.create(
        anchor=anchor,
        sheet=sheet,
        second=others[0] if others else None,
        number=last.number + 1,
        senior=last.senior,
        draft=_carried_over(last, sheet, before.data.get("lines", {}) if before else {}, lines),
    )


def _carried_over(
    last: MetaEvaluation, sheet: Sheet, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, str]:
    """Agreement stays with lines of which neither the words nor the scorer's verdict and reason
    changed since; everything else is open again."""
    agreed = {
        line.criterion.key: line.criterion.text
        for line in last.lines.filter(agrees=True).select_related("criterion")
    }
    asked = Criterion.objects.filter(version=sheet.version_id)
    return {
        f"agrees-{pk}": "true"
        for pk, key, words in asked.values_list("pk", "key", "text")
        if agreed.get(key) == words and before.get(key) == now.get(key) and not _differ(now[key])
    }


def _differ(said: Sequence[Any]) -> bool:
    """Whether two scorers' verdicts on a line differ: [met, why] or [met, why, met, why]."""
    return len(set(said[::2])) > 1


# --- the senior's check ---------------------------------------------------------------------------
@action("signed_in")
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
            sheet, *others = anchor.current_sheets()
            return MetaEvaluation.objects.create(
                anchor=anchor,
                sheet=sheet,
                second=others[0] if anchor.scorers > 1 and others else None,
                number=number,
                senior=actor,
            )
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
            release_check(actor=None, evaluation=held, reason=NO_SENIOR)


@action("anchor.check", about="evaluation")
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
        if (problem := storable.problem_with(value, limit=REMARK_LIMIT))
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


@action("anchor.check", about="evaluation")
@transaction.atomic
def decide_anchor(
    *,
    actor: Any,
    evaluation: MetaEvaluation,
    verdict: str,
    remarks: str,
    lines: Mapping[int, tuple[bool, str]],
    corrections: Mapping[int, bool] | None = None,
) -> MetaEvaluation:
    """Validate an anchor, send it back to its scorers with remarks, or ask for another baseline.

    Args:
        lines: criterion id -> (agrees, remark). A disagreement needs its reason.
        corrections: criterion id -> the verdict that counts instead, for lines disagreed with. An
            anchor with corrections can be validated: they stand in a sheet of their own, and what
            the scorers wrote stays as it is. Where two scorers differ on a line, the senior says
            which verdict counts.

    Raises:
        BadInput: `fields` says what is missing: line-ID, remark-ID, remarks, verdict.
        Conflict: decided already, or the anchor has moved.
    """
    anchor = evaluation.anchor
    anchor.refresh_from_db()
    Anchor.process.check(anchor.stage, _LEADS_TO.get(str(verdict), AnchorStage.SCORING))
    sheet = anchor.current_sheet()
    assert sheet is not None, "an anchor with a senior has its sheet"
    asked = list(sheet.lines.order_by("criterion__position").values_list("criterion_id", flat=True))
    said = {pk: lines[pk] for pk in asked if pk in lines}
    counts = {pk: met for pk, met in (corrections or {}).items() if pk in said and not said[pk][0]}
    disputed = settle.differing(sheet, evaluation.second)
    _check_decision(verdict, remarks, asked, said, counts, disputed)
    model = replace.next_model(anchor) if verdict == V.REPLACED else ""
    changed = MetaEvaluation.objects.filter(pk=evaluation.pk, verdict="").update(
        verdict=verdict, remarks=storable.clean(remarks), draft={}, at=timezone.now()
    )
    if not changed:
        raise Conflict(_("This check was decided already."), code="wrong_stage")
    evaluation.refresh_from_db()
    MetaLine.objects.bulk_create(
        MetaLine(
            evaluation=evaluation,
            criterion_id=pk,
            agrees=agrees,
            met=counts.get(pk),
            remark=storable.clean(remark),
        )
        for pk, (agrees, remark) in said.items()
    )
    facts = {
        "check": evaluation.number,
        "disagreed": sum(not agrees for agrees, _r in said.values()),
        "corrected": len(counts),
    }
    if verdict == V.REPLACED:
        replace.replace(
            actor=actor, anchor=anchor, reason=evaluation.remarks, model=model, facts=facts
        )
    elif verdict == V.VALIDATED:
        if counts or evaluation.second is not None:
            sheet = settle.settle_anchor(
                actor=actor, evaluation=evaluation, sheet=sheet, said=said, counts=counts
            )
            settle.rule_on(actor=actor, anchor=anchor, disputed=disputed, said=said, counts=counts)
        Anchor.objects.filter(pk=anchor.pk, stage=anchor.stage).update(sheet=sheet)
        anchor.sheet = sheet
        anchor.advance(AnchorStage.VALIDATED, actor=actor, reason=evaluation.remarks, **facts)
    else:
        move(
            Sheet.objects.filter(pk__in=[evaluation.sheet_id, evaluation.second_id]),
            Sheet.State.OPEN,
            submitted_at=None,
            due_at=due(),
            revision=F("revision") + 1,
        )
        anchor.advance(AnchorStage.SCORING, actor=actor, reason=evaluation.remarks, **facts)
    return evaluation


def _check_decision(
    verdict: str,
    remarks: str,
    asked: list[int],
    said: Mapping[int, tuple[bool, str]],
    counts: Mapping[int, bool],
    disputed: Collection[int],
) -> None:
    problems: dict[str, list[str]] = {}
    if verdict not in V.values:
        problems["verdict"] = [_("Choose: validate, or send back.")]
    problem = storable.problem_with(remarks, limit=REMARK_LIMIT)
    if problem or (verdict != V.VALIDATED and storable.is_blank(remarks)):
        problems["remarks"] = [
            problem
            or (
                _("Say why another response is needed; it stays on record.")
                if verdict == V.REPLACED
                else _("Tell the scorer what to look at again.")
            )
        ]
    for pk, (agrees, remark) in said.items():
        problem = storable.problem_with(remark, limit=REMARK_LIMIT)
        if problem or (not agrees and storable.is_blank(remark)):
            problems[f"remark-{pk}"] = [problem or _("Say why you disagree with this line.")]
    if verdict == V.VALIDATED:
        for pk in asked:
            if pk not in said:
                problems[f"line-{pk}"] = [_("Agree or disagree with this line.")]
            elif pk in disputed and pk not in counts:
                problems[f"line-{pk}"] = [_("The scorers differ here: say which verdict counts.")]
        disagreed = sum(not said[pk][0] and pk not in counts and pk not in disputed for pk in said)
        if disagreed:
            problems["verdict"] = [
                ngettext(
                    "You disagree with %(n)s line. An anchor is validated when every line is "
                    "agreed or corrected; correct it, or send the sheet back.",
                    "You disagree with %(n)s lines. An anchor is validated when every line is "
                    "agreed or corrected; correct them, or send the sheet back.",
                    disagreed,
                )
                % {"n": disagreed}
            ]
    if problems:
        raise BadInput(fields=problems)


@action("staff")
def set_anchor_policy(*, actor: Any, scorers: int, read: int | None = None) -> AnchorPolicy:
    """Say how many people score the anchors drawn from now on; earlier policies stay on record.

    Args:
        scorers: 1, or 2 whose differences a senior settles.
        read: the number of the policy as the page had it; Conflict where it is another one.
    """
    return next_state(AnchorPolicy, read=read, scorers=scorers, set_by=actor)
