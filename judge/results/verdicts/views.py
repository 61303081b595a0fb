"""Pages of verdicts: responses of a judge, one with all its lines, flags, overrules, files."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import orjson
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.web.forms import query_of, read_filter
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.methods.evidence.tiers.queries import sources_of
from judge.results.alignment.raters import Rater, find_judge, find_run
from judge.results.flags import flags as flag_actions
from judge.results.flags import overrule_actions as overrule_actions
from judge.results.flags.flags import VerdictFlag, flag_rows, list_flags
from judge.results.flags.forms import FlagFilter
from judge.results.flags.overrule_forms import OverruleForm
from judge.results.flags.overrules import Overrule, may_overrule
from judge.results.verdicts.export import VerdictExport, verdicts_of
from judge.results.verdicts.forms import FlagForm, VerdictFilter
from judge.results.verdicts.judge_comparison import compare_judges
from judge.results.verdicts.response_list import list_responses, response_rows
from judge.results.verdicts.response_page import response_page
from judge.runs.engine.models import Judgment, Verdict
from judge.runs.pages.forms import JudgedRunsForm
from judge.runs.pages.repeats import agreement_of_runs
from judge.scoring.sheets.models import Sheet, SheetLine

ON_A_PAGE = 50


def verdicts(request: HttpRequest) -> HttpResponse:
    """List the responses that a judge was asked about, with their scores."""
    judge = find_judge(request.GET.get("judge"))
    if judge is None:
        return render(request, "results/verdicts/empty.html")
    named = request.GET.copy()
    named["judge"] = judge.name  # what the form and all links name, the default judge too
    form = read_filter(VerdictFilter, named)
    page = Paginator(list_responses(judge, form.wanted()), ON_A_PAGE).get_page(
        form.cleaned_data["page"]
    )
    return render(
        request,
        "results/verdicts/responses.html",
        {
            "judge": judge,
            "form": form,
            "fields": form.of(*VerdictFilter.LIST),
            "narrowed": bool(set(form.changed_data) - {"judge", "page", "order"}),
            "page": page,
            "rows": response_rows(judge, list(page.object_list), form.line_fields()),
            "query": query_of(named.dict()),
        },
    )


def verdict(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a response with every line, and what the judge, experts and the anchor say of it."""
    return _page(request, pk, FlagForm())


def _page(
    request: HttpRequest, pk: int, flag_form: FlagForm, overrule_form: OverruleForm | None = None
) -> HttpResponse:
    form = read_filter(VerdictFilter, request.GET)
    judge = find_judge(form.cleaned_data["judge"])
    page = response_page(pk, judge)
    fields = form.line_fields()
    lines = [
        line
        for line in page.lines
        if line.fits(form.cleaned_data["lines"])
        and all(getattr(line, field) == value for field, value in fields.items())
    ]
    ids = list(list_responses(judge, form.wanted())) if judge else []
    at = ids.index(pk) if pk in ids else None
    query = query_of({**request.GET.dict(), "judge": judge.name if judge else ""})
    return render(
        request,
        "results/verdicts/response.html",
        {
            "judge": judge,
            "page": page,
            "sources": sources_of(page.response.text),
            "lines": lines,
            "fields": form.of(*VerdictFilter.PAGE),
            "kept": [
                (name, value)
                for name, value in request.GET.items()
                if value and name not in (*VerdictFilter.PAGE, "page")
            ],
            "narrowed": len(lines) < len(page.lines),
            "position": None if at is None else at + 1,
            "of": len(ids),
            "before": ids[at - 1] if at else None,
            "after": ids[at + 1] if at is not None and at + 1 < len(ids) else None,
            "query": query,
            "flag_form": flag_form,
            "to_flag": form.cleaned_data["flag"],
            "refused": flag_form.anchor() if flag_form.errors else "",
            "overrule_form": overrule_form or OverruleForm(),
            "may_overrule": page.overrules is not None
            and may_overrule(request.user, page.response),
        },
        status=status_of(overrule_form or flag_form),
    )


@once
def flag(request: HttpRequest, pk: int) -> HttpResponse:
    """Flag a verdict on the response as wrong."""
    form = FlagForm(request.POST)
    if form.is_valid():
        verdict = _verdict_on(pk, form.cleaned_data)
        with refused_at(form):
            flag_actions.flag_verdict(
                actor=request.user, verdict=verdict, reason=form.cleaned_data["reason"]
            )
            return go(
                request,
                _("Flagged. No score changes."),
                _back(request, pk, form.anchor()),
            )
    return _page(request, pk, form)


def _verdict_on(response: int, named: Mapping[str, Any]) -> Verdict | SheetLine:
    """Return the verdict that a form names. Raises NotFound if the response has no such one."""
    found: Verdict | SheetLine | None
    if named["verdict"]:
        found = Verdict.objects.filter(pk=named["verdict"], judgment__response=response).first()
    else:
        found = SheetLine.objects.filter(
            pk=named["sheet_line"],
            sheet__response=response,
            sheet__kind=Sheet.Kind.JUDGE,
            sheet__state=Sheet.State.SUBMITTED,
        ).first()
    if found is None:
        raise NotFound()
    return found


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a flag back; it stays on record."""
    flag = get_object_or_404(VerdictFlag, pk=pk)
    flag_actions.withdraw_flag(actor=request.user, flag=flag)
    return go(request, _("Taken back."), _back(request, flag.response.pk, flag.anchor))


@once
def overrule(request: HttpRequest, pk: int) -> HttpResponse:
    """Overrule what the judge says of an item or a claim of the response."""
    form = OverruleForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        judgment = get_object_or_404(Judgment, pk=values["judgment"], response=pk)
        with refused_at(form):
            made = overrule_actions.overrule_finding(
                actor=request.user,
                judgment=judgment,
                finding=values["finding"],
                said=form.said(),
                reason=values["reason"],
            )
            said = _("Overruled. The judge's own answer and score are kept beside it.")
            return go(request, said, _back(request, pk, made.anchor))
    return _page(request, pk, FlagForm(), form)


def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an overrule back; it stays on record."""
    row = get_object_or_404(Overrule.objects.select_related("judgment"), pk=pk)
    overrule_actions.take_back_overrule(actor=request.user, overrule=row)
    said = _("Taken back. The judge's answer counts again.")
    return go(request, said, _back(request, row.judgment.response_id, row.anchor))


def _back(request: HttpRequest, response: int, anchor: str) -> str:
    """Return the address of a line on the page of a response."""
    kept = urlencode({name: value for name, value in request.GET.items() if value})
    return f"{reverse('verdict', args=[response])}{'?' if kept else ''}{kept}#{anchor}"


def judge_comparison(request: HttpRequest) -> HttpResponse:
    """Show how far several judges agree, and what their majority says."""
    form = JudgedRunsForm(request.GET)
    found, refused = None, ""
    if not form.is_valid():
        refused = _("Choose among the runs below.")
    elif form.cleaned_data["runs"]:
        try:
            found = compare_judges(form.cleaned_data["runs"])
        except BadInput as refusal:
            refused = str(refusal.detail)
    return render(
        request,
        "results/verdicts/judge_comparison.html",
        {"form": form, "comparison": found, "refused": refused, "query": request.GET.urlencode()},
        status=400 if refused else 200,
    )


def judge_comparison_jsonl(request: HttpRequest) -> HttpResponseBase:
    """Download the majority of several runs as `import_scores` reads it."""
    form = JudgedRunsForm(request.GET)
    if not form.is_valid():
        raise BadInput(_("Choose the runs on the page of several judges."))
    found = agreement_of_runs(form.cleaned_data["runs"])
    name = "majority-" + "-".join(map(str, found.runs))
    return _download(
        (orjson.dumps(sheet) + b"\n" for sheet in found.as_scores(name)),
        "application/x-ndjson",
        f"{name}.jsonl",
    )


def flags(request: HttpRequest) -> HttpResponse:
    """List the open flags, and what experts said of the flagged lines."""
    wanted = read_filter(FlagFilter, request.GET).cleaned_data
    rows = list_flags()
    if wanted["run"]:
        rows = rows.filter(verdict__judgment__items__run=wanted["run"])
    page = Paginator(rows, ON_A_PAGE).get_page(wanted["page"])
    return render(
        request,
        "results/verdicts/flags.html",
        {
            "page": page,
            "rows": flag_rows(list(page.object_list)),
            "run": wanted["run"],
            "query": query_of(request.GET.dict()),
        },
    )


def verdicts_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the verdicts of a run as a table, one line of a rubric per row."""
    judge, found = _exported(request)
    return _download(found.as_csv(), "text/csv; charset=utf-8", f"verdicts-{judge.file_name}.csv")


def verdicts_jsonl(request: HttpRequest) -> HttpResponseBase:
    """Download the verdicts of a run as `import_scores` reads them."""
    judge, found = _exported(request)
    name = f"verdicts-{judge.file_name}.jsonl"
    return _download(found.as_scores(), "application/x-ndjson", name)


def _exported(request: HttpRequest) -> tuple[Rater, VerdictExport]:
    run = find_run(request.GET.get("judge"))
    if run is None:
        raise NotFound(_("There is no finished run yet."))
    found = verdicts_of(run)
    if not found.judgments and found.stale_left_out:
        raise BadInput(_("Every task of this run was amended after it was judged."))
    if not found.judgments:
        raise BadInput(_("This run has no verdict that can be exported yet."))
    return Rater(str(run.pk), run), found


def _download(lines: Any, kind: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        lines,
        content_type=kind,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
