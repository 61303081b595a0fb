"""Verdicts of a judge that people hold to be wrong."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.joining.people.models import User
from judge.asking.candidates.models import Response
from judge.runs.engine.models import Judgment, Verdict
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
