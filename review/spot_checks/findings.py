"""What spot checks found, by domain and by reviewer, and how often they overturned a review."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.joining.domains.models import Domain
from review.rounds.assignment_models import Review
from review.senior_seats.models import SpotCheck, SpotCheckMark
from review.spot_checks.queries import rates

OVERTURNED = ~Q(verdict=SpotCheck.Verdict.ACCEPT)


@dataclass(frozen=True)
class DomainRow:
    """The findings in one domain.

    Attributes:
        closed: rubrics that passed their review.
        drawn: those of them drawn for a spot check.
        decided, overturned: spot checks decided; those whose verdict was not "accept".
        inconsistent, misaligned, not_evaluable: spot checks in which the test failed.
        marked: lines marked.
    """

    domain: str
    closed: int
    drawn: int
    decided: int
    overturned: int
    inconsistent: int
    misaligned: int
    not_evaluable: int
    marked: int

    @property
    def share(self) -> float | None:
        return self.drawn / self.closed if self.closed else None


@dataclass(frozen=True)
class ReviewerRow:
    """The spot checks of rubrics one reviewer passed, and how many overturned the review."""

    pk: int
    name: str
    checked: int
    overturned: int
    marked: int


@dataclass(frozen=True)
class Findings:
    """The data of staff's page of findings. `rate` is the share to draw, 0 to 1."""

    domains: tuple[DomainRow, ...]
    reviewers: tuple[ReviewerRow, ...]
    rate: float

    def total(self, name: str) -> int:
        return sum(getattr(row, name) for row in self.domains)

    @property
    def headline(self) -> str:
        """The figures in one or two sentences."""
        closed, drawn = self.total("closed"), self.total("drawn")
        decided, overturned = self.total("decided"), self.total("overturned")
        if not closed:
            return _("No review has closed yet.")
        first = ngettext(
            "%(drawn)s of %(n)s reviewed rubric was drawn for a spot check.",
            "%(drawn)s of %(n)s reviewed rubrics were drawn for a spot check.",
            closed,
        ) % {"drawn": drawn, "n": closed}
        if not decided:
            return first + " " + _("None of them is decided yet.")
        second = ngettext(
            "%(overturned)s of %(n)s decided spot check overturned the review.",
            "%(overturned)s of %(n)s decided spot checks overturned the review.",
            decided,
        ) % {"n": decided, "overturned": overturned}
        return f"{first} {second}"


def findings() -> Findings:
    """Load the page. Five queries."""
    drawn = {row["domain"]: row for row in rates()}
    checks: dict[int, Any] = {
        row["task__domain"]: row
        for row in SpotCheck.objects.filter(taken_back_at__isnull=True)
        .order_by()
        .values("task__domain")
        .annotate(
            decided=Count("pk"),
            overturned=Count("pk", filter=OVERTURNED),
            inconsistent=Count("pk", filter=Q(consistent=False)),
            misaligned=Count("pk", filter=Q(aligned=False)),
            not_evaluable=Count("pk", filter=Q(evaluable=False)),
        )
    }
    marks = dict(
        SpotCheckMark.objects.filter(spot_check__taken_back_at__isnull=True)
        .order_by()
        .values_list("spot_check__task__domain")
        .annotate(n=Count("pk"))
    )
    domains = []
    for domain in Domain.objects.filter(external=False):
        found: Any = checks.get(domain.pk, {})
        share: dict[str, Any] = drawn.get(str(domain), {})
        if not found and not share:
            continue
        domains.append(
            DomainRow(
                domain=str(domain),
                closed=share.get("closed", 0),
                drawn=share.get("drawn", 0),
                decided=found.get("decided", 0),
                overturned=found.get("overturned", 0),
                inconsistent=found.get("inconsistent", 0),
                misaligned=found.get("misaligned", 0),
                not_evaluable=found.get("not_evaluable", 0),
                marked=marks.get(domain.pk, 0),
            )
        )
    return Findings(tuple(domains), _by_reviewer(), settings.SPOT_CHECK_RATE)


def _by_reviewer() -> tuple[ReviewerRow, ...]:
    rows: Any = (
        Review.objects.filter(
            state=Review.State.ASSIGNED,
            task__spot_checks__isnull=False,
            task__spot_checks__taken_back_at__isnull=True,
        )
        .order_by()
        .values(
            "reviewer",
            name=F("reviewer__display_name"),
            email=F("reviewer__email"),
        )
        .annotate(
            checked=Count("task__spot_checks", distinct=True),
            overturned=Count(
                "task__spot_checks",
                distinct=True,
                filter=~Q(task__spot_checks__verdict=SpotCheck.Verdict.ACCEPT),
            ),
            marked=Count("task__spot_checks__marks", distinct=True),
        )
    )
    found = [
        ReviewerRow(
            row["reviewer"],
            row["name"] or row["email"],
            row["checked"],
            row["overturned"],
            row["marked"],
        )
        for row in rows
    ]
    return tuple(sorted(found, key=lambda row: (-row.overturned, -row.checked, row.name)))
