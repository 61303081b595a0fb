"""What people say instead of a judge, who may, and the scores that follow from it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from curation.base.access.permissions import allows
from curation.base.process.history import AppendOnly
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.methods.base.method import Method
from judge.methods.base.overruling import Overrulable, Said
from judge.methods.base.values import Score
from judge.runs.engine.models import Finding, Judgment


class Overrule(AppendOnly):
    """A person overrules a finding of a judgment with a reason, or takes that back.

    Of a finding the latest row counts. The judge's own finding stays as it is.

    Attributes:
        finding: its name within the judgment.
        answer: what counts instead, as the method names it; "" where an overrule is taken back.
        confidence: in percent, where the finding takes one.
        cited_page: what the page it cites says, as the method names it; "" as the judge said.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="overrules")
    finding = models.CharField(max_length=40)
    answer = models.CharField(max_length=20, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    cited_page = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(condition=~Q(finding=""), name="an_overrule_names_a_finding"),
            models.CheckConstraint(
                condition=Q(answer="") | ~Q(reason=""), name="an_overrule_has_a_reason"
            ),
            models.CheckConstraint(
                condition=~Q(answer="") | Q(confidence__isnull=True, cited_page="", reason=""),
                name="what_is_taken_back_says_nothing",
            ),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__lte=100),
                name="a_confidence_is_at_most_100_percent",
            ),
        ]

    @property
    def anchor(self) -> str:
        """Where the finding stands on the page of its response."""
        return self.finding.replace(":", "-")

    @property
    def taken_back(self) -> bool:
        return not self.answer

    @property
    def said(self) -> Said:
        """What counts instead of the judge's finding."""
        return Said(self.answer, self.confidence, self.cited_page)


class OverruledScore(models.Model):
    """The score of a judgment with what people overruled, beside the judge's own.

    There is a row while an overrule stands; it is computed again with each overrule, and when the
    judge finds more. The score is unknown while the numerator is null.
    """

    judgment = models.OneToOneField(
        Judgment, on_delete=models.PROTECT, related_name="overruled_score"
    )
    numerator = models.PositiveBigIntegerField(null=True, blank=True)
    denominator = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(denominator__gt=0), name="an_overruled_score_has_parts"
            ),
            models.CheckConstraint(
                condition=Q(numerator__isnull=True) | Q(numerator__lte=models.F("denominator")),
                name="an_overruled_score_is_at_most_1",
            ),
        ]


def collected_it(user: Any, response: int) -> bool:
    """Return whether a person collected the response by hand. One query."""
    return Response.objects.filter(pk=response, collected_as__operator=user).exists()


def may_overrule(user: Any, response: Response) -> bool:
    """Return whether the page offers a person to overrule a judge on a response. One query."""
    return allows(user, "judgment.overrule", response.task) and not collected_it(user, response.pk)


Rows = Mapping[str, list[Overrule]]  # finding -> its rows, the oldest first


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody said, in words; `by` is None for the judge."""

    answer: Any
    confidence: int | None
    cited_page: Any
    row: Overrule | None = None


@dataclass(frozen=True, slots=True)
class Overruling:
    """A finding as a page shows it: what the judge said, what people say, and the choices.

    Attributes:
        judge: None where the judge said nothing.
        now: what counts instead; None where nothing does.
        earlier: what was overruled before, and what was taken back, the oldest first.
    """

    name: str
    finding: Overrulable
    judge: Told | None
    now: Told | None
    earlier: tuple[Told, ...]

    @property
    def choice(self) -> Said:
        """What the form shows as chosen: what counts now."""
        if self.now is not None and self.now.row is not None:
            return self.now.row.said
        said = self.finding.said
        return Said(said.answer, said.confidence) if said else Said("", None)

    @property
    def confidence(self) -> str:
        """The confidence that the form shows; "" without one."""
        sure = self.choice.confidence
        return "" if sure is None else str(sure)


def findings_of(judgment: int) -> dict[str, Any]:
    """Return the findings of a judgment: name -> data, None for one that failed. One query."""
    return dict(Finding.objects.filter(judgment=judgment).values_list("name", "data"))


def overrules_of(judgments: Collection[int]) -> Mapping[int, Rows]:
    """Return judgment -> finding -> all rows, the oldest first. One query."""
    found: dict[int, dict[str, list[Overrule]]] = defaultdict(lambda: defaultdict(list))
    rows = Overrule.objects.filter(judgment__in=judgments).select_related("by").order_by("pk")
    for row in rows:
        found[row.judgment_id][row.finding].append(row)
    return found


def standing(rows: Rows) -> dict[str, Overrule]:
    """Return finding -> the overrule that counts, without those that were taken back."""
    return {name: mine[-1] for name, mine in rows.items() if not mine[-1].taken_back}


def laid_over(
    method: Method, findings: Mapping[str, Any], standing_rows: Mapping[str, Overrule]
) -> Mapping[str, Any]:
    """Return the findings with the overrules that count laid over them."""
    if not standing_rows:
        return findings
    said = {name: row.said for name, row in standing_rows.items()}
    return method.overruled(findings, said)


def score_with(
    method: Method, findings: Mapping[str, Any], standing_rows: Mapping[str, Overrule]
) -> Score:
    """Return the score that follows from the findings with the overrules that count."""
    return method.score_of(laid_over(method, findings, standing_rows))


def overrulings(
    method: Method, findings: Mapping[str, Any], rows: Rows
) -> Mapping[str, Overruling]:
    """Return each finding that can be overruled as a page shows it, by its name."""
    now = standing(rows)
    found = {}
    for name, finding in method.overrulable(findings).items():
        told = [_told(finding, row.said, row) for row in rows.get(name, ())]
        found[name] = Overruling(
            name=name,
            finding=finding,
            judge=_told(finding, finding.said) if finding.said else None,
            now=told.pop() if name in now else None,
            earlier=tuple(told),
        )
    return found


def exported_overrules(judgments: Collection[int]) -> Mapping[int, dict[str, Any]]:
    """Return judgment -> what a file has of its overrules, without who said it.

    `score` is that with overrules, from 0 to 1, None where it is unknown or nothing is overruled
    any more; `said` has the rows of each finding, the oldest first, and "" as the answer where one
    was taken back. One query, two where something was overruled.
    """
    found = overrules_of(judgments)
    if not found:
        return {}
    scores = OverruledScore.objects.filter(judgment__in=found)
    known = {
        judgment: above / below
        for judgment, above, below in scores.values_list("judgment", "numerator", "denominator")
        if above is not None
    }
    return {
        judgment: {
            "score": known.get(judgment),
            "said": {name: [_exported(row) for row in mine] for name, mine in rows.items()},
        }
        for judgment, rows in found.items()
    }


def _exported(row: Overrule) -> dict[str, Any]:
    return {
        "answer": row.answer,
        "confidence": row.confidence,
        "cited_page": row.cited_page,
        "reason": row.reason,
        "at": row.at.isoformat(timespec="seconds"),
    }


def _told(finding: Overrulable, said: Said, row: Overrule | None = None) -> Told:
    return Told(
        answer=finding.answers.get(said.answer, said.answer),
        confidence=said.confidence,
        cited_page=finding.cited_pages.get(said.cited_page, ""),
        row=row,
    )
