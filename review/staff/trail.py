"""Verdicts, remarks, spot checks and decisions as entries of a task's trail and of the audit."""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.events import ActKind
from curation.base.process.roles import Role
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.trail import Reader, TrailEntry
from review.decisions.models import LineDecision
from review.rounds.assignment_models import Comment, LineReview
from review.rounds.verdict_steps import VerdictStep
from review.senior_seats.models import SpotCheck, SpotCheckMark

FINISHED = Q(round__finished_at__gt=F("round__opened_at"))
_VERDICTS = {**dict(LineReview.Verdict.choices), "": gettext_lazy("Verdict taken back")}
AUDIT_SOURCES = (
    AuditSource(
        "verdict",
        ActKind.VERDICT.label,
        lambda: VerdictStep.objects.filter(FINISHED),
        "round__review__task",
        lambda verdict: _VERDICTS.get(verdict, verdict),
        person="round__review__reviewer",
        reason="aspect",
        event="verdict",
        place=12,
    ),
    AuditSource(
        "remark",
        ActKind.REMARK.label,
        lambda: Comment.objects.filter(FINISHED | Q(round=None)),
        "task",
        lambda side: dict(Comment.Side.choices).get(side, side),
        person="person",
        reason="text",
        event="side",
        place=13,
    ),
)
_SIDES = {
    Comment.Side.AUTHOR: Role.AUTHOR,
    Comment.Side.REVIEWER: Role.REVIEWER,
    Comment.Side.SENIOR: Role.SPOT_CHECKER,
}


def review_trail(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    """Yield the review's entries of a task's trail. Five queries.

    The content of an open round is shown to nobody: staff see that a verdict was given, the author
    sees it when the round is finished.
    """
    yield from _verdicts(task, reader)
    yield from _remarks(task, reader)
    yield from _spot_checks(task)
    yield from _decisions(task)


def _verdicts(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    rows = VerdictStep.objects.filter(round__review__task=task).order_by("at", "id")
    if not reader.names:
        rows = rows.filter(round__finished_at__gt=F("round__opened_at"))
    for pk, at, verdict, aspect, finished, version, number, reviewer, key, text in rows.values_list(
        "pk",
        "at",
        "verdict",
        "aspect",
        "round__finished_at",
        "round__version__number",
        "round__review__number",
        "round__review__reviewer_id",
        "criterion__key",
        "criterion__text",
    ):
        head, icon, tone = _verdict(verdict) if finished else (_("Gave a verdict."), "dot", "")
        yield TrailEntry(
            at=at,
            source="verdict",
            pk=pk,
            kind=ActKind.VERDICT,
            role=Role.REVIEWER,
            person=reviewer,
            number=number,
            head=head,
            text=str(LineReview.Aspect(aspect).label)
            if finished and aspect
            else _("It can be read when the round is finished.")
            if not finished
            else "",
            version=version,
            line=key,
            words=text,
            icon=icon,
            tone=tone,
        )


def _verdict(verdict: str) -> tuple[str, str, str]:
    if verdict == LineReview.Verdict.APPROVE:
        return _("Approved the line."), "check", "yes"
    if verdict == LineReview.Verdict.CHANGE:
        return _("Requested a change."), "return", "wait"
    return _("Took the verdict back."), "dot", ""


def _remarks(task: Any, reader: Reader) -> Iterator[TrailEntry]:
    rows = Comment.objects.filter(task=task).order_by("at", "id")
    if not reader.names:
        rows = rows.exclude(round__isnull=False, round__finished_at__isnull=True)
    for (
        pk,
        at,
        side,
        person,
        round_id,
        finished,
        number,
        version,
        key,
        words,
        text,
    ) in rows.values_list(
        "pk",
        "at",
        "side",
        "person_id",
        "round_id",
        "round__finished_at",
        "round__review__number",
        "criterion__version__number",
        "line_key",
        "criterion__text",
        "text",
    ):
        readable = round_id is None or finished is not None
        yield TrailEntry(
            at=at,
            source="remark",
            pk=pk,
            kind=ActKind.REMARK,
            role=_SIDES[Comment.Side(side)],
            person=person,
            number=number,
            head=_("Answered in the thread.")
            if side == Comment.Side.AUTHOR
            else _("Wrote a remark."),
            text="" if readable else _("It can be read when the round is finished."),
            quote=text if readable else "",
            version=version,
            line=key,
            words=words,
            icon="quote",
        )


def _spot_checks(task: Any) -> Iterator[TrailEntry]:
    """Yield each spot check's tests and marks; its remarks are on the task's move."""
    for check in SpotCheck.objects.filter(task=task).select_related("version"):
        tests = (
            (_("consistent"), check.consistent),
            (_("aligned"), check.aligned),
            (_("evaluable"), check.evaluable),
        )
        yield TrailEntry(
            at=check.at,
            source="spot check",
            pk=check.pk,
            kind=ActKind.SENIOR,
            role=Role.SPOT_CHECKER,
            person=check.senior_id,
            head=_("Spot-checked the rubric: %(verdict)s.")
            % {"verdict": check.get_verdict_display()},
            text=", ".join(f"{name}: {_('yes') if holds else _('no')}" for name, holds in tests),
            version=check.version.number,
            icon="check" if check.verdict == SpotCheck.Verdict.ACCEPT else "return",
            tone="yes" if check.verdict == SpotCheck.Verdict.ACCEPT else "wait",
        )
    for mark in SpotCheckMark.objects.filter(spot_check__task=task).select_related(
        "spot_check__version", "criterion"
    ):
        yield TrailEntry(
            at=mark.spot_check.at,
            source="spot check mark",
            pk=mark.pk,
            kind=ActKind.SENIOR,
            role=Role.SPOT_CHECKER,
            person=mark.spot_check.senior_id,
            head=_("Marked a line."),
            text=mark.get_test_display(),
            quote=mark.remark,
            version=mark.spot_check.version.number,
            line=mark.criterion.key,
            words=mark.criterion.text,
            icon="return",
            tone="wait",
        )


def _decisions(task: Any) -> Iterator[TrailEntry]:
    """Yield closed decisions; they have no effect before all of them are closed together."""
    for decision in LineDecision.objects.filter(task=task, closed_at__isnull=False).select_related(
        "criterion__version"
    ):
        yield TrailEntry(
            at=decision.closed_at or decision.at,
            source="decision",
            pk=decision.pk,
            kind=ActKind.SENIOR,
            role=Role.DECIDER,
            person=decision.senior_id,
            head=_("Decided a line: %(outcome)s.") % {"outcome": decision.get_outcome_display()},
            quote=decision.reason,
            version=decision.criterion.version.number,
            line=decision.criterion.key,
            words=decision.criterion.text,
            icon="check",
            tone="yes",
        )
