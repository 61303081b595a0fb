"""The leaderboard of a domain as a table for a paper, with its files."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.refusals import NotFound
from judge.results.alignment.raters import find_judge, judges
from judge.results.leaderboard import tables
from judge.results.leaderboard.tables import PaperTable

_FILES = {
    "csv": (tables.as_csv, "text/csv; charset=utf-8"),
    "md": (tables.as_markdown, "text/markdown; charset=utf-8"),
    "tex": (tables.as_latex, "application/x-tex; charset=utf-8"),
}


def board_table(request: HttpRequest) -> HttpResponse:
    """Show the table of a domain."""
    judge = find_judge(request.GET.get("run"), field="run")
    domains = tables.domains_with_responses(judge) if judge else []
    if judge is None or not domains:
        return render(request, "results/leaderboard/empty.html")
    domain = request.GET.get("domain") or domains[0].key
    query = {"run": judge.name, "domain": domain}
    if named := request.GET.get("tasks", ""):
        query["tasks"] = named
    found = tables.paper_table(judge, domain, tasks=named or None)
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
        domain = next((one.key for one in tables.domains_with_responses(judge)), "")
    return tables.paper_table(judge, domain, tasks=request.GET.get("tasks") or None)
