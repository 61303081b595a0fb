"""Staff's page of the programme in numbers: its panel, its prompts, its rubrics."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import sentences
from curation.base.web import csv_export
from curation.qualifying.applications.profiles import CheckedCertificate, Panel, certificates, panel
from curation.tasks.coverage.chart import histogram
from curation.tasks.coverage.figures import Bar, bars, percent_of
from rubrics.composition.queries import FEWEST_PEOPLE, Collected, Group, collection


def composition(request: HttpRequest) -> HttpResponse:
    """Show the panel, the certificates, the prompts and the rubrics in numbers."""
    people, found = panel(), collection()
    checked = certificates()
    return render(
        request,
        "composition/composition.html",
        {
            "sentence": _sentence(people, found),
            "panel": people,
            "figures": [
                _figure(_("Years of practice"), people.years),
                _figure(_("Degrees"), people.degrees),
                _figure(_("Languages they work in"), people.languages, of=people.experts),
            ],
            "certificates": checked,
            "certificate_sentence": _certificate_sentence(checked),
            "found": found,
            "prompt_figures": [
                _figure(_("Prompts"), [(str(g.domain), g.prompts) for g, _p in found.domains]),
                _figure(
                    _("Rubric lines"), [(str(g.domain), sum(g.lines)) for g, _p in found.domains]
                ),
            ],
            "fewest": FEWEST_PEOPLE,
        },
    )


def _figure(title: str, counts: list[tuple[str, int]], of: int | None = None) -> dict[str, Any]:
    """Return a picture for desks and one for phones, with the numbers they show.

    Args:
        of: the whole of the shares, where the counts overlap; None for their sum.
    """
    rows: list[Bar] = bars(counts)
    if of is not None:
        rows = [replace(row, percent=percent_of(row.count, of)) for row in rows]
    return {
        "title": title,
        "bars": rows,
        "wide": histogram(rows, title=title),
        "narrow": histogram(rows, title=title, narrow=True),
    }


def _sentence(people: Panel, found: Collected) -> str:
    experts = ngettext("%(n)s expert", "%(n)s experts", people.experts) % {"n": people.experts}
    who = ngettext(
        "%(who)s in %(n)s domain.",
        "%(who)s in %(n)s domains.",
        len(people.domains),
    ) % {"who": experts, "n": len(people.domains)}
    what = ngettext(
        "There is %(n)s prompt; rubrics hold %(lines)s lines.",
        "There are %(n)s prompts; rubrics hold %(lines)s lines.",
        found.prompts,
    ) % {"n": f"{found.prompts:,}", "lines": f"{found.lines:,}"}
    return sentences((who, what))


def _certificate_sentence(rows: list[CheckedCertificate]) -> str:
    states = [row.state for row in rows]
    return _(
        "%(all)s certificates are named: %(good)s confirmed and in force, %(ended)s ended, "
        "%(bad)s not confirmed, %(open)s not checked yet."
    ) % {
        "all": len(rows),
        "good": states.count("in_force"),
        "ended": states.count("ended"),
        "bad": states.count("not_confirmed"),
        "open": states.count("unchecked"),
    }


def composition_csv(request: HttpRequest) -> HttpResponseBase:
    """Download prompts and rubrics by domain and category as a table."""
    head = [
        *("domain", "category", "prompts", "prompt_characters_median", "minutes_median"),
        *("rubrics", "lines_fewest", "lines_median", "lines_most", "weight_mean"),
        "line_characters_median",
    ]
    rows = []
    for whole, parts in collection().domains:
        rows += [_csv_row(whole, ""), *(_csv_row(part, part.name) for part in parts)]
    return csv_export.download("prompts-and-rubrics.csv", head, rows)


def _csv_row(group: Group, category: str) -> list[Any]:
    weight, length = group.mean_weight, group.median_line_length
    return [
        *(str(group.domain), category, group.prompts, group.median_prompt, group.median_minutes),
        *(group.rubrics, group.fewest, group.median_lines, group.most),
        *("" if n is None else round(n, 2) for n in (weight, length)),
    ]
