"""Pages of technology-market fit: all domains, one domain, and what staff enter for it."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web import csv_export
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from judge.asking.calls.money import dollars
from judge.base.figures.fit_plot import Line, Mark, Words, is_logarithmic, performance_and_cost
from judge.base.figures.sentences import reason_text
from judge.results.alignment.raters import Rater, find_judge, judges, newest_judge
from judge.results.market_fit import entries, queries, words
from judge.results.market_fit.actions import set_demand, set_task_price
from judge.results.market_fit.forms import DemandForm, TaskPriceForm
from judge.results.market_fit.queries import DomainFit
from judge.runs.engine.models import RunItem


def market_fit(request: HttpRequest) -> HttpResponse:
    """List the domains with their stages."""
    judge = _judge(request)
    if judge is None:
        return render(request, "results/leaderboard/empty.html")
    found = queries.overview(judge, request.GET.get("tasks") or None)
    return render(
        request,
        "results/market_fit/overview.html",
        {
            "p": found,
            "rows": [_summary(one) for one in found.domains],
            "judges": judges(),
            "query": _query(request, judge),
            "set": found.tasks.label,
        },
    )


def market_fit_domain(request: HttpRequest, key: str) -> HttpResponse:
    """Show the graph of a domain with its products, prices and demand."""
    judge = _judge(request, key)
    if judge is None:
        return render(request, "results/leaderboard/empty.html")
    found, whole = queries.domain_fit(judge, key, request.GET.get("tasks") or None)
    return render(
        request,
        "results/market_fit/domain.html",
        {
            "f": found,
            "p": whole,
            "stage": words.stage_name(found),
            "sentence": words.sentence(found),
            "area": words.area_words(found),
            "notes": words.notes(found),
            "rule": words.rule_of_stage_3(),
            "chart": _chart(found),
            "narrow": _chart(found, narrow=True),
            "logarithmic": is_logarithmic(_amounts(found)),
            "rows": [_row(row) for row in found.rows],
            "points": [(words.points(p.score), dollars(p.price)) for p in found.points],
            "human_cost": dollars(found.human.cost) if found.human.cost else "",
            "human_score": "" if found.human.score is None else words.points(found.human.score),
            "prices": entries.price_history(found.domain),
            "curves": entries.demand_history(found.domain),
            "judges": judges(),
            "query": _query(request, judge),
            "set": whole.tasks.label,
        },
    )


def market_fit_csv(request: HttpRequest, key: str) -> HttpResponseBase:
    """Download the figures of a domain as a table."""
    judge = _judge(request, key)
    if judge is None:
        raise NotFound(_("There is no finished run yet, so there is nothing to download."))
    found, _whole = queries.domain_fit(judge, key, request.GET.get("tasks") or None)
    return csv_export.download(
        f"market-fit-{found.domain.key}.csv", queries.CSV_HEAD, queries.csv_rows(found)
    )


@once
def market_fit_price(request: HttpRequest, key: str) -> HttpResponse:
    """Enter the price of a product per task."""
    domain = get_object_or_404(Domain, key=key)
    if request.method == "POST":
        form = TaskPriceForm(request.POST, domain=domain)
        if form.is_valid():
            with refused_at(form):
                set_task_price(actor=request.user, domain=domain, **form.cleaned_data)
                return go(request, _("Saved with its source."), "market-fit-domain", key)
    else:
        number = storable.whole_number(request.GET.get("candidate", ""))
        form = TaskPriceForm(initial={"candidate": number}, domain=domain)
    return render(
        request,
        "results/market_fit/form.html",
        {"domain": domain, "form": form, "title": _("Price of a product per task"),
         "prices": entries.price_history(domain)},
        status=status_of(form),
    )  # fmt: skip


@once
def market_fit_demand(request: HttpRequest, key: str) -> HttpResponse:
    """Enter what the market of a domain pays."""
    domain = get_object_or_404(Domain, key=key)
    if request.method == "POST":
        form = DemandForm(request.POST)
        if form.is_valid():
            with refused_at(form):
                set_demand(actor=request.user, domain=domain, **form.cleaned_data)
                return go(request, _("Saved with its source."), "market-fit-domain", key)
    else:
        form = DemandForm(initial=_in_force(domain))
    return render(
        request,
        "results/market_fit/form.html",
        {"domain": domain, "form": form, "title": _("What the market pays"),
         "curves": entries.demand_history(domain)},
        status=status_of(form),
    )  # fmt: skip


def _judge(request: HttpRequest, key: str = "") -> Rater | None:
    """Return the run that was asked for, else the newest that judged the page's domain."""
    name = request.GET.get("run")
    if name or not key:
        return find_judge(name, field="run")
    return newest_judge(RunItem.objects.filter(response__task__domain__key=key))


def _query(request: HttpRequest, judge: Rater) -> str:
    named = request.GET.get("tasks", "")
    return urlencode({"run": judge.name} | ({"tasks": named} if named else {}))


def _in_force(domain: Domain) -> dict[str, Any]:
    """Return the newest curve as the form shows it, without its source."""
    curve = entries.curves_in_force([domain]).get(domain.pk)
    if curve is None:
        return {"read": 0}
    rows = (" ".join(one.amounts) for one in curve.points.all())
    return {
        "read": curve.pk,
        "points": "\n".join(rows),
        "human_score": curve.human,
    }


def _summary(found: DomainFit) -> dict[str, Any]:
    return {
        "domain": found.domain,
        "stage": words.stage_name(found),
        "number": found.fit.stage,
        "sentence": words.sentence(found),
        "area": words.area_words(found),
        "products": len(found.rows),
        "priced": len(found.offers),
    }


def _row(row: queries.ProductRow) -> dict[str, Any]:
    ends = row.ci95
    return {
        "row": row,
        "score": None if row.score is None else float(row.score),
        "interval": f"{ends[0]:.1f}–{ends[1]:.1f}" if ends else "–",
        "why_no_interval": reason_text(row.why_no_ci95),
        "price": dollars(row.price.usd) if row.price else "–",
    }


def _amounts(found: DomainFit) -> list[float]:
    pieces = found.demand.pieces if found.demand else ()
    amounts = [offer.price for offer in found.offers]
    amounts += [amount for piece in pieces for amount in (piece.left, piece.right)]
    human = found.human
    amounts += [human.cost] if human.cost is not None and human.score is not None else []
    return [float(amount) for amount in amounts]


def _chart(found: DomainFit, *, narrow: bool = False) -> Any:
    """Draw the graph of a domain; "" without a price and without demand."""
    pieces = found.demand.pieces if found.demand else ()
    human = found.human
    return performance_and_cost(
        [
            Mark(row.number, float(row.price.usd), float(row.score), row.on_frontier)
            for row in found.rows
            if row.number is not None and row.price is not None and row.score is not None
        ],
        [Line(*map(float, piece)) for piece in pieces],
        (float(human.cost), float(human.score))
        if human.cost is not None and human.score is not None
        else None,
        Words(
            title=words.sentence(found),
            cost=_("Cost of a task in US dollars"),
            score=_("Score"),
            accessible=_("technology reaches this"),
            acceptable=_("the market accepts this"),
            human=_("a human"),
        ),
        narrow=narrow,
    )
