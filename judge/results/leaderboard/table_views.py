"""The leaderboard of a domain as a table for a paper, with its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.text.wording import listed
from curation.base.web import csv_export
from curation.base.web.refusals import BadInput, NotFound
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.results.alignment.raters import Rater, find_judge, judges
from judge.results.leaderboard.queries import rank_range
from judge.results.leaderboard.ranking import Board, board
from judge.runs.engine.models import RunItem
from judge.scoring.sheets.models import Sheet

# Rank, product, house, kind, average and a column per category, scores from 0 to 100; as CSV,
# Markdown or LaTeX.


DECIMALS = 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """A candidate; scores are points of 100, None without a score.

    `rank` counts the candidates with a higher average, `places` is the range that the tests leave
    open.
    """

    rank: int | None
    places: str
    product: str
    version: str
    house: str
    kind: str
    average: float | None
    by: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """The table of one domain, with what its caption has to say."""

    domain: Domain
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    tasks: int
    judge: str
    board: Board

    @property
    def caption(self) -> str:
        """One sentence, in the reader's language."""
        return _("Evaluation results on %(domain)s: %(n)s tasks, scores from 0 to 100.") % {
            "domain": self.domain,
            "n": f"{self.tasks:,}",
        }

    @property
    def head(self) -> list[str]:
        return [
            _("Rank"), _("Product"), _("Version"), _("House"), _("Kind"), _("Average"),
            *self.columns,
        ]  # fmt: skip

    def cells(self) -> list[list[str]]:
        """Return the rows as texts, a dash for what is not known."""
        return [
            [
                "–" if row.rank is None else str(row.rank),
                row.product,
                row.version,
                row.house,
                row.kind,
                points(row.average),
                *map(points, row.by),
            ]
            for row in self.rows
        ]


def domains_with_responses(judge: Rater) -> list[Domain]:
    """Return the domains that a judge was asked about. One query."""
    rows: QuerySet[Any] = (
        RunItem.objects.filter(run=judge.run).exclude(reason="baseline")
        if judge.run
        else Sheet.objects.filter(rater=judge.name)
    )
    return list(
        Domain.objects.filter(pk__in=rows.order_by().values("response__task__domain").distinct())
    )


def paper_table(judge: Rater, domain: str, *, tasks: str | None = None) -> PaperTable:
    """Return the table of a domain.

    Args:
        domain: its key.
        tasks: as in `board`.

    Raises:
        BadInput: the judge was asked about no task of it, or as `board`.
    """
    known = {one.key: one for one in domains_with_responses(judge)}
    if domain not in known:
        detail = _("This judge was asked about no task of “%(name)s”. Available: %(known)s.") % {
            "name": domain[:80],
            "known": listed(known) or "–",
        }
        raise BadInput(detail, code="unknown_domain", fields={"domain": [detail]})
    found = board(judge, by="category", domain=domain, tasks=tasks)
    candidates = _candidates([entry.standing.candidate for entry in found.candidates])
    means = [
        round(entry.standing.mean, 12)
        for entry in found.candidates
        if entry.standing.mean is not None
    ]
    rows = []
    for entry in found.candidates:
        standing, who = entry.standing, candidates.get(entry.standing.candidate)
        mean = standing.mean
        rows.append(
            TableRow(
                rank=None if mean is None else 1 + sum(one > round(mean, 12) for one in means),
                places=rank_range(standing.best_place, standing.worst_place),
                product=who.product.name if who and who.product else standing.candidate,
                version=who.version if who else "",
                house=who.family if who else "",
                kind=str(who.get_kind_display()) if who else "",
                average=_of_100(mean),
                by=tuple(_of_100(entry.by[key]) for key in found.columns),
            )
        )
    return PaperTable(
        domain=known[domain],
        columns=tuple(found.columns.values()),
        rows=tuple(rows),
        tasks=found.tasks,
        judge=judge.label,
        board=found,
    )


def _candidates(names: Sequence[str]) -> Mapping[str, Candidate]:
    rows = Candidate.objects.filter(name__in=names).select_related("product")
    return {row.name: row for row in rows}


def _of_100(share: float | None) -> float | None:
    return None if share is None else 100 * share


def points(value: float | None) -> str:
    """Format points with one decimal; a dash for None."""
    return "–" if value is None else f"{value:.{DECIMALS}f}"


# -- files ----------------------------------------------------------------------------------------

_MARKDOWN = str.maketrans(
    {"|": r"\|", "\\": r"\\", "`": r"\`", "*": r"\*", "_": r"\_", "<": "&lt;"}
)
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
        "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--",
    }
)  # fmt: skip
_WORDS = 5  # columns of words and ranks before the numbers


def as_csv(table: PaperTable) -> str:
    """Return the table as CSV with full decimals and the range of places; empty: not known."""
    head = ["rank", "places", "product", "version", "house", "kind", "average", *table.columns]
    rows = [
        [
            "" if value is None else value
            for value in (
                row.rank, row.places, row.product, row.version, row.house, row.kind,
                *(None if one is None else round(one, 6) for one in (row.average, *row.by)),
            )
        ]
        for row in table.rows
    ]  # fmt: skip
    return "".join(csv_export.lines(head, rows))


def as_markdown(table: PaperTable) -> str:
    """Return the table in the Markdown of GitHub, with its caption."""
    head = [_plain(name).translate(_MARKDOWN) for name in table.head]
    rule = [":---"] * _WORDS + ["---:"] * (len(head) - _WORDS)
    rows = [[_plain(cell).translate(_MARKDOWN) for cell in row] for row in table.cells()]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
    return "\n".join([*lines, "", _plain(table.caption).translate(_MARKDOWN), ""])


def as_latex(table: PaperTable) -> str:
    """Return the table as a floating table in LaTeX; it needs no package."""
    rows = [" & ".join(_plain(c).translate(_LATEX) for c in row) for row in table.cells()]
    columns = "r" + "l" * (_WORDS - 1) + "r" * (len(table.head) - _WORDS)
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_plain(table.caption).translate(_LATEX)}}}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\hline",
            " & ".join(_plain(name).translate(_LATEX) for name in table.head) + r" \\",
            r"\hline",
            *(row + r" \\" for row in rows),
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


_FILES = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "md": (as_markdown, "text/markdown; charset=utf-8"),
    "tex": (as_latex, "application/x-tex; charset=utf-8"),
}


def board_table(request: HttpRequest) -> HttpResponse:
    """Show the table of a domain."""
    judge = find_judge(request.GET.get("run"), field="run")
    domains = domains_with_responses(judge) if judge else []
    if judge is None or not domains:
        return render(request, "results/leaderboard/empty.html")
    domain = request.GET.get("domain") or domains[0].key
    query = {"run": judge.name, "domain": domain}
    if named := request.GET.get("tasks", ""):
        query["tasks"] = named
    found = paper_table(judge, domain, tasks=named or None)
    return render(
        request,
        "results/leaderboard/table.html",
        {
            "t": found,
            "rows": [
                (row, cells, list(zip(found.columns, row.by, strict=True)))
                for row, cells in zip(found.rows, found.cells(), strict=True)
            ],
            "domains": [
                (urlencode(query | {"domain": one.key}), one.key, str(one)) for one in domains
            ],
            "judges": judges(),
            "named": named,
            "query": urlencode(query),
            "files": [("csv", "CSV"), ("md", "Markdown"), ("tex", "LaTeX")],
        },
    )


def board_table_file(request: HttpRequest, kind: str) -> HttpResponse:
    """Download the table of a domain as CSV, Markdown or LaTeX."""
    if kind not in _FILES:
        raise NotFound()
    render_as, content_type = _FILES[kind]
    found = _required(request)
    return HttpResponse(
        render_as(found),
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="table-{found.domain.key}.{kind}"',
            "X-Content-Type-Options": "nosniff",
        },
    )


def _required(request: HttpRequest) -> PaperTable:
    judge = find_judge(request.GET.get("run"), field="run")
    if judge is None:
        raise NotFound(_("There is no finished run yet, so there is no leaderboard."))
    domain = request.GET.get("domain", "")
    if not domain:
        domain = next((one.key for one in domains_with_responses(judge)), "")
    return paper_table(judge, domain, tasks=request.GET.get("tasks") or None)
