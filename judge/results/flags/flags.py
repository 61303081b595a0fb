"""Verdicts of a judge that people hold to be wrong: flag one, take it back, list them."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import Conflict
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed, is_closed, why_closed
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion


class VerdictFlag(models.Model):
    """One person's remark that a verdict is wrong; it changes no score.

    The verdict is one of a run (`verdict`), or a line of an imported judge's sheet (`sheet_line`).
    A flag that was taken back stays on record.
    """

    verdict = models.ForeignKey(
        Verdict, null=True, blank=True, on_delete=models.PROTECT, related_name="flags"
    )
    sheet_line = models.ForeignKey(
        SheetLine, null=True, blank=True, on_delete=models.PROTECT, related_name="flags"
    )
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # Null for flags taken back before the person was recorded.
    withdrawn_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["verdict", "by"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_open_flag_per_verdict_and_person",
            ),
            models.UniqueConstraint(
                fields=["sheet_line", "by"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_open_flag_per_sheet_line_and_person",
            ),
            models.CheckConstraint(
                condition=Q(verdict__isnull=False, sheet_line__isnull=True)
                | Q(verdict__isnull=True, sheet_line__isnull=False),
                name="a_flag_is_on_one_verdict",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_flag_has_a_reason"),
            models.CheckConstraint(
                condition=Q(withdrawn_by__isnull=True) | Q(withdrawn_at__isnull=False),
                name="who_takes_a_flag_back_does_it_at_a_time",
            ),
        ]

    @property
    def response(self) -> Response:
        """The response that the verdict is about."""
        return self._said_in.response

    @property
    def criterion(self) -> Criterion:
        """The line of the rubric that the verdict is about."""
        verdict = self.verdict or self.sheet_line
        assert verdict is not None, "a constraint keeps one of them"
        return verdict.criterion

    @property
    def met(self) -> bool:
        """What the judge said; only a decided verdict is flagged."""
        if self.sheet_line is not None:
            return bool(self.sheet_line.met)
        return self.verdict is not None and self.verdict.outcome == Verdict.Outcome.MET

    @property
    def judge(self) -> str:
        """The run's number or the imported judge's name; "" if the run is gone."""
        said_in = self._said_in
        if isinstance(said_in, Sheet):
            return said_in.rater
        return str(said_in.run_id or "")

    @property
    def anchor(self) -> str:
        """Where the verdict stands on the page of its response."""
        return anchor_of(verdict=self.verdict_id, sheet_line=self.sheet_line_id)

    @property
    def _said_in(self) -> Judgment | Sheet:
        if self.verdict is not None:
            return self.verdict.judgment
        assert self.sheet_line is not None, "a constraint keeps one of them"
        return self.sheet_line.sheet


def anchor_of(*, verdict: int | None, sheet_line: int | None) -> str:
    """Return the id of a verdict on the page of its response; "" for none."""
    if verdict is not None:
        return f"verdict-{verdict}"
    return "" if sheet_line is None else f"sheet-line-{sheet_line}"


_OPEN = Q(withdrawn_at__isnull=True)
_RESPONSES = ("verdict__judgment__response", "sheet_line__sheet__response")  # from a flag
_RESPONSE = Coalesce(*(f"{path}_id" for path in _RESPONSES))
_LONG = ("scenario", "materials", "requirements", "reference_answer")
_BY_OTHERS = Q(withdrawn_by__isnull=False) & ~Q(withdrawn_by=F("by"))


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A flag as a row of the list.

    Attributes:
        met: what the judge said.
        agree, differ: experts whose submitted sheet agrees with the judge on this line, and those
            whose sheet differs, as the flag does.
        judge: the run that asked for the verdict or the imported judge, as pages take it.
    """

    flag: VerdictFlag
    response: int
    task: str
    language: str
    candidate: str
    line: str
    met: bool
    agree: int
    differ: int
    judge: str


def open_flags() -> "QuerySet[Any]":
    """Select the flags that nobody took back, each with its `response_id`."""
    return VerdictFlag.objects.filter(_OPEN).annotate(response_id=_RESPONSE)


def flags_of(run: JudgeRun | None, rater: str) -> "QuerySet[Any]":
    """Select the open flags on a judge's verdicts.

    Args:
        run: flags on its verdicts, those it shares with another run included.
        rater: without a run, the imported judge.
    """
    if run is not None:
        # Beginning at the flags, which are few: a run may have tens of thousands of responses.
        of_run = RunItem.objects.filter(run=run, judgment=OuterRef("verdict__judgment"))
        return open_flags().filter(Exists(of_run))
    return open_flags().filter(sheet_line__sheet__rater=rater)


def flagged_responses(flags: "QuerySet[Any]") -> set[int]:
    """Return the responses that some open flags are about. One query."""
    return set(flags.values_list("response_id", flat=True))


def flaggers() -> dict[int, set[int]]:
    """Return response -> the people who ever flagged a verdict on it. One query."""
    found: dict[int, set[int]] = {}
    flags = VerdictFlag.objects.annotate(response_id=_RESPONSE)
    for response, person in flags.values_list("response_id", "by_id"):
        found.setdefault(response, set()).add(person)
    return found


def shown_flags() -> "QuerySet[VerdictFlag]":
    """Select the flags that pages show: open ones, and those that others than their author took
    back."""
    return VerdictFlag.objects.filter(_OPEN | _BY_OTHERS)


def list_flags() -> "QuerySet[VerdictFlag]":
    """Select `shown_flags` with what their rows show, open ones first, then newest first.

    Those on tasks of a closed held-out half are left out.
    """
    shown = shown_flags().annotate(task_id=Coalesce(*(f"{path}__task_id" for path in _RESPONSES)))
    return (
        shown.exclude(task_id__in=closed())
        .select_related(
            "by", "withdrawn_by", "verdict__criterion", "sheet_line__criterion",
            *(f"{path}__{name}" for path in _RESPONSES for name in ("candidate", "task")),
        )
        .order_by(F("withdrawn_at").asc(nulls_first=True), "-pk")
        .defer(
            *(f"{path}__text" for path in _RESPONSES),
            *(f"{path}__task__{part}" for path in _RESPONSES for part in _LONG),
        )
    )  # fmt: skip


def flag_rows(flags: Collection[VerdictFlag]) -> list[FlagRow]:
    """Return the rows of one page of the list. One query, however many flags."""
    said = _experts_said(flags)
    rows = []
    for flag in flags:
        line, response, met = flag.criterion, flag.response, flag.met
        counts = said.get((response.pk, line.key, line.text), {})
        rows.append(
            FlagRow(
                flag=flag,
                response=response.pk,
                task=response.task.title or response.task.key,
                language=response.task.language,
                candidate=response.candidate.name,
                line=line.text,
                met=met,
                agree=counts.get(met, 0),
                differ=counts.get(not met, 0),
                judge=flag.judge,
            )
        )
    return rows


def _experts_said(
    flags: Collection[VerdictFlag],
) -> Mapping[tuple[int, str, str], Mapping[bool, int]]:
    """Count the experts' verdicts by response and by key and text of the line."""
    found: dict[tuple[int, str, str], Counter[bool]] = {}
    rows: Any = SheetLine.objects.filter(
        sheet__response__in={flag.response.pk for flag in flags},
        sheet__kind=Sheet.Kind.EXPERT,
        sheet__state=Sheet.State.SUBMITTED,
        met__isnull=False,
    ).values_list("sheet__response_id", "criterion__key", "criterion__text", "met")
    for response, key, text, met in rows:
        found.setdefault((response, key, text), Counter())[met] += 1
    return found


REASON_LIMIT = 2000  # characters
_DECIDED = (Verdict.Outcome.MET, Verdict.Outcome.UNMET)


@action("staff.scoring")
@transaction.atomic
def flag_verdict(*, actor: Any, verdict: Verdict | SheetLine, reason: str) -> VerdictFlag:
    """Flag a judge's verdict as wrong. No score changes.

    Args:
        verdict: a run's verdict, or a line of an imported judge's sheet.

    Raises:
        BadInput: no reason, or one that is too long.
        Conflict: `undecided`, the line has no verdict; `flagged_already` by this person;
            `held_out`, its task is in a closed held-out half; `not_a_judge`, an expert said so.
    """
    reason = required_reason(
        reason, _("Say why the verdict is wrong. Scorers never see it."), limit=REASON_LIMIT
    )
    about, task, decided = _locked(verdict)
    if is_closed(task):
        raise Conflict(why_closed(), code="held_out")
    if not decided:
        raise Conflict(_("The judge decided nothing on this line."), code="undecided")
    if VerdictFlag.objects.filter(**about, by=actor, withdrawn_at__isnull=True).exists():
        raise Conflict(_("You have flagged this verdict already."), code="flagged_already")
    return VerdictFlag.objects.create(**about, by=actor, reason=reason)


def _locked(verdict: Verdict | SheetLine) -> tuple[dict[str, Any], int, bool]:
    """Lock what is flagged; return it as a field of the flag, its task, and if it was decided."""
    if isinstance(verdict, Verdict):
        said = Verdict.objects.select_for_update().get(pk=verdict.pk)
        return {"verdict": said}, said.judgment.response.task_id, said.outcome in _DECIDED
    line = SheetLine.objects.select_for_update().get(pk=verdict.pk)
    if line.sheet.kind != Sheet.Kind.JUDGE:
        raise Conflict(_("Only the verdict of a judge can be flagged."), code="not_a_judge")
    return {"sheet_line": line}, line.sheet.response.task_id, line.met is not None


@action("staff.scoring")
@transaction.atomic
def withdraw_flag(*, actor: Any, flag: VerdictFlag) -> None:
    """Take a flag back, one's own or a colleague's; a second call changes nothing."""
    VerdictFlag.objects.filter(pk=flag.pk, withdrawn_at__isnull=True).update(
        withdrawn_at=timezone.now(), withdrawn_by=actor
    )
