"""Staff enter what a candidate costs per task, and what the market of a domain pays."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.results.market_fit.models import DemandCurve, DemandPoint, TaskPrice

SOURCE_LIMIT = 1000  # characters
MOST_USD = Decimal(10_000_000)
MOST_POINTS = 50


@action("staff.scoring")
@transaction.atomic
def set_task_price(
    *,
    actor: Any,
    candidate: Candidate,
    domain: Domain,
    usd: Decimal | None,
    source: str,
    since: date | None = None,
) -> TaskPrice:
    """Enter the price of a candidate for a task of a domain; earlier entries stay.

    Args:
        usd: US dollars per task, 0 if it is free; None where the price is no longer known.
        source: where it stands, such as a price list, and how it was counted per task.
        since: from which day; today without one.

    Raises:
        BadInput: no source, a negative or huge price, or a price of a day to come.
    """
    source = _source(source)
    fields: dict[str, list[str]] = {}
    if usd is not None and not 0 <= usd <= MOST_USD:
        fields["usd"] = [_("A task costs between 0 and %(most)s dollars.") % {"most": "10,000,000"}]
    today = timezone.localdate()
    if since is not None and since > today:
        fields["since"] = [_("Enter a price when it has begun to apply.")]
    if fields:
        raise BadInput(fields=fields)
    return TaskPrice.objects.create(
        candidate=candidate, domain=domain, usd=usd, source=source, since=since or today, by=actor
    )


@action("staff.scoring")
@transaction.atomic
def set_demand(
    *,
    actor: Any,
    domain: Domain,
    points: Sequence[tuple[Decimal, Decimal]],
    human_score: Decimal | None,
    source: str,
    read: int | None = None,
) -> DemandCurve:
    """Enter what the market of a domain pays by score; the earlier curve stays in the history.

    Args:
        points: (score 0 to 100, the most the market pays for it in US dollars per task); none
            where the cost of human labour alone is the boundary.
        human_score: the score of a professional's own work; None where it is not known.
        read: key of the curve that the page showed, 0 where there was none; None to enter this one
            whatever is in force.

    Raises:
        BadInput: no source, a value out of range, a score given twice, or a higher score for which
            the market would pay less.
        Conflict: `changed_meanwhile`, another curve came into force since the page was read.
    """
    source = _source(source)
    wrong = _wrong_points(points)
    fields = {"points": wrong} if wrong else {}
    if human_score is not None and not 0 <= human_score <= 100:
        fields["human_score"] = [_("A score is between 0 and 100.")]
    if fields:
        raise BadInput(fields=fields)
    Domain.objects.select_for_update().get(pk=domain.pk)  # one curve after the other
    newest = DemandCurve.objects.filter(domain=domain).first()
    if read is not None and read != (newest.pk if newest else 0):
        raise Conflict(
            _("Somebody entered another demand meanwhile. Load the page again and compare."),
            code="changed_meanwhile",
        )
    curve = DemandCurve.objects.create(
        domain=domain, human_score=human_score, source=source, by=actor
    )
    DemandPoint.objects.bulk_create(
        DemandPoint(curve=curve, score=score, usd=usd) for score, usd in sorted(points)
    )
    return curve


def _source(source: str) -> str:
    return required_reason(
        source, _("Say where it comes from."), limit=SOURCE_LIMIT, field="source"
    )


def _wrong_points(points: Sequence[tuple[Decimal, Decimal]]) -> list[str]:
    """Return a sentence for each thing that is wrong with points of demand."""
    if len(points) > MOST_POINTS:
        return [_("Enter at most %(n)s points.") % {"n": MOST_POINTS}]
    wrong = []
    if any(not 0 <= score <= 100 for score, _usd in points):
        wrong.append(_("A score is between 0 and 100."))
    if any(not 0 < usd <= MOST_USD for _score, usd in points):
        wrong.append(_("The market pays more than 0 and at most 10,000,000 dollars."))
    ordered = sorted(points)
    for (score, usd), (next_score, next_usd) in zip(ordered, ordered[1:], strict=False):
        if score == next_score:
            wrong.append(_("The score %(score)s is there twice.") % {"score": f"{score:f}"})
        elif next_usd < usd:
            wrong.append(
                _(
                    "The market would pay less for %(more)s than for %(less)s. A higher score is "
                    "worth no less."
                )
                % {"more": f"{next_score:f}", "less": f"{score:f}"}
            )
    return wrong
