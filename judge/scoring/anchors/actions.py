"""Actions that take an anchor from its baseline response to a validated sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import AnchorStage, Stage
from curation.base.web.refusals import Conflict, Denied
from curation.joining.domains.policies import next_state
from judge.scoring.anchors.hand_back import NO_SCORER, hand_back_sheet, lines_of
from judge.scoring.anchors.models import Anchor, AnchorPolicy, MetaEvaluation
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.opening import check_qualified, open_sheet
from rubrics.versions.models import Criterion


@action("signed_in")
@transaction.atomic
def take_anchor(*, actor: Any, anchor: Anchor) -> Sheet:
    """Take a baseline response from the pool and open a sheet for it.

    A second call by the same person returns the open sheet.

    Raises:
        Denied: the person is not qualified in the domain.
        Conflict: `seat_taken` (a colleague was faster, or the person holds another seat),
            `wrong_stage`, `scored_a_candidate`.
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
    sheet = _open_in_free_slot(anchor, actor)
    anchor.note("taken", actor=actor, sheet=sheet.pk)
    return sheet


def _open_in_free_slot(anchor: Anchor, actor: Any) -> Sheet:
    """Open a sheet in the first free slot; the database allows one open sheet for each slot."""
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
    """Return the sheets that count towards the current scoring of an anchor.

    They are open, or were submitted since the anchor entered its stage. Sheets submitted earlier
    belong to an older version of the rubric.
    """
    return [
        sheet
        for sheet in anchor.current_sheets()
        if sheet.state == Sheet.State.OPEN
        or (sheet.submitted_at is not None and sheet.submitted_at >= anchor.stage_since)
    ]


def _release_sheet(anchor: Anchor) -> None:
    """Hand back open sheets of people who may no longer score; nobody would submit them."""
    held = Sheet.objects.filter(
        response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR, state=Sheet.State.OPEN
    ).select_related("user")
    for sheet in held:
        try:
            check_qualified(sheet.user, anchor.task)
        except Denied:
            hand_back_sheet(actor=None, sheet=sheet, reason=NO_SCORER)


def hand_to_senior(*, actor: Any, sheet: Sheet) -> None:
    """Send the anchor of a submitted sheet to its check.

    Where two people score the anchor, the first sheet waits for the second. A senior who checked
    the anchor before gets the new check. Runs in the transaction of the submission and writes
    the lines as submitted into the history.

    Raises:
        Conflict: the anchor is not being scored.
    """
    # Lock the anchor, so that the second of two concurrent submissions sees the first.
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
        for key, met_and_why in lines_of(other).items():
            lines[key] = [*lines.get(key, [None, ""]), *met_and_why]
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
    """Return the draft of a repeated check: agreement with the lines that did not change.

    A line is unchanged if its text and the scorers' verdicts and reasons are the same, and the
    scorers do not differ on it.
    """
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


def _differ(line: Sequence[Any]) -> bool:
    """Whether the scorers' verdicts differ on a line: [met, why] or [met, why, met, why]."""
    return len(set(line[::2])) > 1


@action("staff.gold")
def set_anchor_policy(*, actor: Any, scorers: int, read: int | None = None) -> AnchorPolicy:
    """Set how many people score anchors drawn from now on; earlier policies stay on record.

    Args:
        scorers: 1, or 2 whose differences a senior settles.
        read: the number of the policy the page showed; None skips the comparison.

    Raises:
        Conflict: another policy was set after the page was read.
    """
    return next_state(AnchorPolicy, read=read, scorers=scorers, set_by=actor)
