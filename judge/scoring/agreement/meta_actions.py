"""Actions of a senior's check of an anchor, and the settled sheet that it can result in.

Where the senior corrects a line or two scorers differ, the verdicts that count are written to a
settled sheet, which becomes the sheet of the anchor. The scorers' sheets do not change.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import AnchorStage
from curation.base.process.roles import Role
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import Kind, rulings
from judge.scoring.anchors import replace
from judge.scoring.anchors.hand_back import NO_SENIOR, release_check
from judge.scoring.anchors.models import Anchor, MetaEvaluation, MetaLine
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.opening import due
from rubrics.versions.models import Criterion

RATER = "settled"  # rater of a settled sheet
REMARK_LIMIT = 5000  # characters
Verdict = MetaEvaluation.Verdict
_NEXT_STAGE: Mapping[str, str] = {
    Verdict.VALIDATED: AnchorStage.VALIDATED,
    Verdict.REPLACED: AnchorStage.ANSWERING,
}


@action("signed_in")
@transaction.atomic
def take_meta(*, actor: Any, anchor: Anchor) -> MetaEvaluation:
    """Take the check of a scored anchor.

    A second call by the same senior returns the open check.

    Raises:
        Denied: the person is no senior of the domain.
        Conflict: `seat_taken` (another senior was faster, or the person holds another seat, for
            example because they scored the anchor), `wrong_stage`.
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
    """Release open checks of people who are no longer seniors; nobody would decide them."""
    for held in anchor.evaluations.filter(verdict="").select_related("senior"):
        domains = held.senior.senior_domain_ids() if held.senior.is_active else frozenset()
        if anchor.task.domain_id not in domains:
            release_check(actor=None, evaluation=held, reason=NO_SENIOR)


@action("anchor.check", about="evaluation")
@transaction.atomic
def keep_check(
    *, actor: Any, evaluation: MetaEvaluation, draft: Mapping[str, str], revision: int
) -> MetaEvaluation:
    """Save the draft of an open check, unless it changed since `revision` was read.

    Args:
        draft: form field -> text; the fields are agrees-ID ("true" or "false"), remark-ID and
            remarks.

    Raises:
        Stale: the draft changed since; carries both texts.
        Conflict: the check is decided already.
        BadInput: a text cannot be stored.
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
        raise Conflict(_("This check has already been decided."), code="wrong_stage")
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
        lines: criterion id -> (agrees, remark). A disagreement needs a remark.
        corrections: criterion id -> the senior's verdict, for lines the senior disagrees with and
            lines on which two scorers differ. Corrections are stored in a sheet of their own;
            the scorers' sheets do not change.

    Raises:
        BadInput: something is missing; `fields` has line-ID, remark-ID, remarks or verdict.
        Conflict: the check is decided already, or the anchor is at another stage.
    """
    anchor = evaluation.anchor
    anchor.refresh_from_db()
    Anchor.process.check(anchor.stage, _NEXT_STAGE.get(str(verdict), AnchorStage.SCORING))
    sheet = anchor.current_sheet()
    assert sheet is not None, "an anchor with a senior has its sheet"
    asked = list(sheet.lines.order_by("criterion__position").values_list("criterion_id", flat=True))
    checks = {pk: lines[pk] for pk in asked if pk in lines}
    corrected = {
        pk: met for pk, met in (corrections or {}).items() if pk in checks and not checks[pk][0]
    }
    disputed = differing_lines(sheet, evaluation.second)
    _check_decision(verdict, remarks, asked, checks, corrected, disputed)
    model = replace.next_model(anchor) if verdict == Verdict.REPLACED else ""
    changed = MetaEvaluation.objects.filter(pk=evaluation.pk, verdict="").update(
        verdict=verdict, remarks=storable.clean(remarks), draft={}, at=timezone.now()
    )
    if not changed:
        raise Conflict(_("This check has already been decided."), code="wrong_stage")
    evaluation.refresh_from_db()
    MetaLine.objects.bulk_create(
        MetaLine(
            evaluation=evaluation,
            criterion_id=pk,
            agrees=agrees,
            met=corrected.get(pk),
            remark=storable.clean(remark),
        )
        for pk, (agrees, remark) in checks.items()
    )
    facts = {
        "check": evaluation.number,
        "disagreed": sum(not agrees for agrees, _r in checks.values()),
        "corrected": len(corrected),
    }
    if verdict == Verdict.REPLACED:
        replace.replace(
            actor=actor, anchor=anchor, reason=evaluation.remarks, model=model, facts=facts
        )
    elif verdict == Verdict.VALIDATED:
        if corrected or evaluation.second is not None:
            sheet = settle_anchor(
                actor=actor, evaluation=evaluation, sheet=sheet, checks=checks, corrected=corrected
            )
            rule_on(
                actor=actor, anchor=anchor, disputed=disputed, checks=checks, corrected=corrected
            )
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
    checks: Mapping[int, tuple[bool, str]],
    corrected: Mapping[int, bool],
    disputed: Collection[int],
) -> None:
    problems: dict[str, list[str]] = {}
    if verdict not in Verdict.values:
        problems["verdict"] = [_("Choose: validate, or return.")]
    problem = storable.problem_with(remarks, limit=REMARK_LIMIT)
    if problem or (verdict != Verdict.VALIDATED and storable.is_blank(remarks)):
        problems["remarks"] = [
            problem
            or (
                _("Say why another response is needed; it stays on record.")
                if verdict == Verdict.REPLACED
                else _("Tell the scorer what to look at again.")
            )
        ]
    for pk, (agrees, remark) in checks.items():
        problem = storable.problem_with(remark, limit=REMARK_LIMIT)
        if problem or (not agrees and storable.is_blank(remark)):
            problems[f"remark-{pk}"] = [problem or _("Say why you disagree with this line.")]
    if verdict == Verdict.VALIDATED:
        for pk in asked:
            if pk not in checks:
                problems[f"line-{pk}"] = [_("Agree or disagree with this line.")]
            elif pk in disputed and pk not in corrected:
                problems[f"line-{pk}"] = [_("The scorers differ here: say which verdict counts.")]
        disagreed = sum(
            not agrees and pk not in corrected and pk not in disputed
            for pk, (agrees, _remark) in checks.items()
        )
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


# --- the settled sheet ---
def differing_lines(first: Sheet, second: Sheet | None) -> frozenset[int]:
    """Return the ids of the lines on which two scorers differ; none without a second sheet."""
    if second is None:
        return frozenset()
    verdicts = [dict(sheet.lines.values_list("criterion_id", "met")) for sheet in (first, second)]
    return frozenset(pk for pk, met in verdicts[0].items() if verdicts[1].get(pk) != met)


def settle_anchor(
    *,
    actor: Any,
    evaluation: MetaEvaluation,
    sheet: Sheet,
    checks: Mapping[int, tuple[bool, str]],
    corrected: Mapping[int, bool],
) -> Sheet:
    """Write the settled sheet and return it.

    Corrected lines get the senior's verdict and remark, the others the first scorer's. Runs in
    the transaction of the senior's decision.

    Args:
        checks: criterion id -> (agrees, remark).
        corrected: criterion id -> the senior's verdict.
    """
    now = timezone.now()
    settled = Sheet.objects.create(
        response=sheet.response,
        version=sheet.version,
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.SETTLED,
        rater=RATER,
        user=actor,
        state=Sheet.State.SUBMITTED,
        saved_at=now,
        submitted_at=now,
    )
    SheetLine.objects.bulk_create(
        SheetLine(
            sheet=settled,
            criterion_id=line.criterion_id,
            met=corrected.get(line.criterion_id, line.met),
            rationale=storable.clean(checks[line.criterion_id][1])
            if line.criterion_id in corrected
            else line.rationale,
            at=now,
        )
        for line in sheet.lines.order_by("criterion__position", "criterion_id")
    )
    return settled


def rule_on(
    *,
    actor: Any,
    anchor: Anchor,
    disputed: Collection[int],
    checks: Mapping[int, tuple[bool, str]],
    corrected: Mapping[int, bool],
) -> None:
    """Record the senior's verdicts on the lines where two scorers differ as rulings."""
    if not disputed:
        return
    last = rulings(Kind.SHEET, Task.objects.filter(pk=anchor.task_id))
    lines = Criterion.objects.in_bulk(list(disputed))
    for pk in sorted(disputed):
        line = lines[pk]
        before = last.get((anchor.task_id, anchor.response_id, line.key, line.text))
        Adjudication.objects.create(
            kind=Kind.SHEET,
            task_id=anchor.task_id,
            response_id=anchor.response_id,
            criterion=line,
            number=before.number + 1 if before else 1,
            ruling=Adjudication.Ruling.MET if corrected[pk] else Adjudication.Ruling.UNMET,
            reason=storable.clean(checks[pk][1]),
            senior=actor,
        )
