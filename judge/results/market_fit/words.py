"""The stage of a domain and its reasons in sentences."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judge.asking.calls.money import dollars
from judge.base.figures.sentences import reason_text
from judge.base.stats.market_fit import FEWEST_TASKS, NEARLY_ALL, Offer, Stage, Unknown
from judge.results.market_fit.queries import DomainFit

STAGES: Mapping[Stage, Any] = {
    Stage.NO_FIT: gettext_lazy("Stage 1: no fit yet"),
    Stage.COLLABORATING: gettext_lazy("Stage 2: agents and humans collaborate"),
    Stage.SPECIALISED: gettext_lazy("Stage 3: specialised agents"),
}

WHY: Mapping[Unknown, Any] = {
    Unknown.NO_SCORE: gettext_lazy("no product has a score"),
    Unknown.NO_PRICE: gettext_lazy(
        "no product with a score has a price per task; enter one, or generate responses here"
    ),
    Unknown.NO_DEMAND: gettext_lazy(
        "what the market pays is not known; enter points of demand, or the score of a human and "
        "the minutes and rates of the tasks"
    ),
    Unknown.NO_HUMAN_SCORE: gettext_lazy("the score of a human is not known"),
    Unknown.NO_HUMAN_COST: gettext_lazy("no task has the minutes and the rate of a human"),
    Unknown.FEW_TASKS: gettext_lazy("too few tasks have the minutes and the rate of a human"),
}


def points(value: Fraction) -> str:
    """Format a score of 100 with one decimal."""
    return f"{float(value):.1f}"


def stage_name(found: DomainFit) -> str:
    return str(STAGES[found.fit.stage]) if found.fit.stage else _("Stage not known")


def sentence(found: DomainFit) -> str:
    """Say in one sentence which stage a domain has reached, and why."""
    stage = found.fit.stage
    if stage is None:
        return _("The stage of %(domain)s is not known: %(why)s.") % {
            "domain": found.domain,
            "why": _why_unknown(found),
        }
    if stage is Stage.NO_FIT:
        return _("%(domain)s is at stage 1, no fit yet: %(why)s.") % {
            "domain": found.domain,
            "why": _nearest(found),
        }
    words = {"domain": found.domain, "why": _met(found)}
    if stage is Stage.COLLABORATING:
        return (
            _("%(domain)s is at stage 2, agents and humans collaborate: %(why)s, but %(not_yet)s.")
        ) % {**words, "not_yet": _not_yet(found)}
    covered = found.fit.coverage
    return _(
        "%(domain)s is at stage 3, specialised agents: %(why)s, and on %(n)s of %(all)s tasks some "
        "product reaches the human score for less than the human costs."
    ) % {**words, "n": f"{covered.covered:,}", "all": f"{covered.tasks:,}"}


def _why_unknown(found: DomainFit) -> str:
    why = found.fit.why
    if why is Unknown.NO_PRICE and not any(row.score is not None for row in found.rows):
        why = Unknown.NO_SCORE
    return str(WHY[why]) if why else ""


def _met(found: DomainFit) -> str:
    best = max(found.fit.meeting, key=lambda offer: offer.score)
    return _(
        "%(name)s scores %(score)s at %(price)s a task, for which the market pays up to %(paid)s"
    ) % {
        "name": best.product,
        "score": points(best.score),
        "price": dollars(best.price),
        "paid": dollars(_paid(found, best)),
    }


def _nearest(found: DomainFit) -> str:
    """Say how far the nearest product is from demand."""
    line = found.demand
    assert line is not None
    paid_for = [offer for offer in found.fit.frontier if line.at(offer.score) is not None]
    if not paid_for:
        best = max(found.fit.frontier, key=lambda offer: offer.score)
        return _(
            "the market pays from a score of %(start)s on, and the best product with a price, "
            "%(name)s, has %(score)s"
        ) % {
            "start": points(line.start),
            "name": best.product,
            "score": points(best.score),
        }
    nearest = min(paid_for, key=lambda offer: offer.price - _paid(found, offer))
    return _(
        "%(name)s comes nearest, but costs %(price)s a task, and for its score of %(score)s the "
        "market pays at most %(paid)s"
    ) % {
        "name": nearest.product,
        "score": points(nearest.score),
        "price": dollars(nearest.price),
        "paid": dollars(_paid(found, nearest)),
    }


def _not_yet(found: DomainFit) -> str:
    """Say what is missing for stage 3."""
    covered = found.fit.coverage
    if covered.share is None:
        reason = WHY[covered.why] if covered.why else ""
        return _(
            "whether products do nearly all tasks as well as a human is not known (%(why)s)"
        ) % {"why": reason}
    return _(
        "on only %(n)s of %(all)s tasks some product reaches the human score for less than the "
        "human costs; stage 3 begins at %(share)s %%"
    ) % {
        "n": f"{covered.covered:,}",
        "all": f"{covered.tasks:,}",
        "share": f"{100 * float(NEARLY_ALL):.0f}",
    }


def _paid(found: DomainFit, offer: Offer) -> Fraction:
    paid = found.demand.at(offer.score) if found.demand else None
    return Fraction(0) if paid is None else paid


def area_words(found: DomainFit) -> str:
    """Give the area of the intersection; a dash where it is not known."""
    if found.fit.area is None:
        return "–"
    return _("%(n)s dollars × points") % {"n": f"{float(found.fit.area):,.1f}"}


def notes(found: DomainFit) -> list[str]:
    """Return sentences on what the figure leaves open: missing prices, intervals, human labour."""
    said = []
    if found.unpriced:
        said.append(
            ngettext(
                "%(n)s product has a score and no price, so it is not on the graph.",
                "%(n)s products have a score and no price, so they are not on the graph.",
                found.unpriced,
            )
            % {"n": f"{found.unpriced:,}"}
        )
    if found.fit.stage and found.low and found.high:
        said.append(_at_the_ends(found))
    elif found.fit.stage and (
        open_rows := [row for row in found.rows if row.offer and not row.ci95]
    ):
        reason = open_rows[0].why_no_ci95
        said.append(
            ngettext(
                "%(n)s product on the graph has a score without an interval, so chance may decide "
                "the stage: %(why)s.",
                "%(n)s products on the graph have scores without intervals, so chance may decide "
                "the stage: %(why)s.",
                len(open_rows),
            )
            % {"n": f"{len(open_rows):,}", "why": reason_text(reason)}
        )
    human = found.human
    if human.cost is None:
        said.append(_("What a human costs on these tasks is not known."))
    else:
        said.append(
            _(
                "Human labour costs at least %(cost)s a task, the mean over the %(n)s of %(all)s "
                "tasks whose minutes and rate are known."
            )
            % {"cost": dollars(human.cost), "n": f"{human.known:,}", "all": f"{human.tasks:,}"}
        )
    return said


def _at_the_ends(found: DomainFit) -> str:
    """Say whether chance could undo the fit, or make one."""
    met = Stage.COLLABORATING
    if found.low == found.high == met:
        return _("Demand is met at both ends of the scores' intervals (95 %).")
    if found.low == found.high:
        return _("Demand is met at neither end of the scores' intervals (95 %).")
    return _(
        "The tasks leave it open: demand is met at the upper ends of the scores' intervals (95 %), "
        "and not at the lower ones."
    )


def rule_of_stage_3() -> str:
    """State our rule of stage 3."""
    return _(
        "Stage 3: on at least %(share)s %% of the tasks some product reaches the human score for "
        "less than the human costs on that task, at least %(n)s tasks being known. The xbench "
        "paper (section 5.2) gives no number for it, so this rule is ours."
    ) % {"share": f"{100 * float(NEARLY_ALL):.0f}", "n": FEWEST_TASKS}
