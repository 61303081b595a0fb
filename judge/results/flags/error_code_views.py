"""Staff's pages of error codes: the taxonomy, one response, the report. Scorers see none of it."""

from typing import Any

import orjson
from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from curation.base.web import csv_export
from curation.base.web.forms import ReasonForm, reason_field
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import is_closed, why_closed
from judge.results.flags import error_code_actions as actions
from judge.results.flags import error_code_queries as queries
from judge.results.flags.error_code_models import (
    CodedError,
    CodeRequest,
    ErrorCode,
    ErrorCodeChange,
)
from judge.results.flags.error_code_queries import CodedLine
from judge.runs.engine.models import JudgeRun


class CodeForm(forms.Form):
    """The texts of a failure mode."""

    name = forms.CharField(
        required=False, max_length=120, label=gettext_lazy("Name of the failure mode")
    )
    definition = forms.CharField(
        required=False,
        label=gettext_lazy("When it applies"),
        help_text=gettext_lazy(
            "In one or two sentences, so that two people code alike. Models read it too."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    name_zh = forms.CharField(
        required=False,
        max_length=120,
        label=gettext_lazy("Name in Chinese"),
        help_text=gettext_lazy("May stay empty."),
    )
    definition_zh = forms.CharField(
        required=False,
        label=gettext_lazy("When it applies, in Chinese"),
        help_text=gettext_lazy("May stay empty."),
        widget=forms.Textarea({"rows": 3}),
    )


class EditForm(CodeForm):
    """The texts of a failure mode, with the reason of a change."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    reason = reason_field(gettext_lazy("Why it changes"), rows=2)


class ErrorForm(forms.Form):
    """A code on a line, on the whole response, or on a disagreement of judge and expert."""

    line = forms.TypedChoiceField(label=gettext_lazy("Where"), coerce=int)
    code = forms.TypedChoiceField(label=gettext_lazy("Error code"), coerce=int)
    run = forms.TypedChoiceField(
        label=gettext_lazy("What it explains"), coerce=int, required=False, empty_value=None
    )
    reason = reason_field(
        gettext_lazy("What shows it"),
        help_text=gettext_lazy("Quote or name the passage. Scorers never see it."),
        rows=3,
    )

    def __init__(
        self, *args: Any, response: Response, lines: list[CodedLine], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.response, self.lines = response, {line.n: line for line in lines}
        codes = ErrorCode.objects.filter(domain=response.task.domain_id, retired_at__isnull=True)
        runs = sorted({run for line in lines for run in line.differ}, reverse=True)
        shown = [(n, _line(n, line)) for n, line in self.lines.items()]
        self._offer("line", [(0, gettext_lazy("The whole response")), *shown])
        self._offer("code", [(code.pk, str(code)) for code in codes])
        names = [
            (run, gettext_lazy("Run %(n)s differs from an expert there") % {"n": run})
            for run in runs
        ]
        self._offer("run", [("", gettext_lazy("Why the response fails there")), *names])

    def _offer(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def values(self) -> dict[str, Any]:
        """Return the arguments of `code_error`, without run and code as rows."""
        said = self.cleaned_data
        line = self.lines.get(said["line"])
        return {"criterion": line.criterion if line else None, "reason": said["reason"]}


def _line(n: int, line: CodedLine) -> str:
    text = line.criterion.text
    return f"{n} · {text if len(text) <= 70 else text[:69] + '…'}"


def taxonomies(request: HttpRequest) -> HttpResponse:
    """List the domains with their codes and errors."""
    return render(
        request, "results/error_codes/domains.html", {"domains": queries.domains_with_codes()}
    )


@once
def taxonomy(request: HttpRequest, key: str) -> HttpResponse:
    """Show failure modes by candidate, the codes of a domain and their history; add a code."""
    domain = get_object_or_404(Domain, key=key)
    form = CodeForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            code = actions.add_code(actor=request.user, domain=domain, **form.cleaned_data)
            said = _("“%(name)s” is in the taxonomy.") % {"name": code}
            return go(request, said, "error-codes", domain.key)
    return _domain(request, domain, form)


def _domain(
    request: HttpRequest,
    domain: Domain,
    form: CodeForm,
    wrong: dict[int, Any] | None = None,
) -> HttpResponse:
    rows = []
    for code in queries.codes_of(domain):
        texts = {name: getattr(code, name) for name in actions.TEXTS}
        given = (wrong or {}).get(code.pk)
        rows.append(
            {
                "code": code,
                "definition": code.text_in(get_language(), "definition"),
                "edit": given
                if isinstance(given, EditForm)
                else EditForm(initial={**texts, "version": code.version}, prefix=f"code-{code.pk}"),
                "state": given
                if isinstance(given, ReasonForm)
                else ReasonForm(prefix=f"state-{code.pk}"),
            }
        )
    changes = ErrorCodeChange.objects.filter(code__domain=domain).select_related("code", "actor")
    return render(
        request,
        "results/error_codes/taxonomy.html",
        {
            "domain": domain,
            "rows": rows,
            "form": form,
            "report": queries.report(domain),
            "changes": changes[:50],
        },
        status=400 if form.errors or wrong else 200,
    )


def code_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the texts of a code."""
    code = get_object_or_404(ErrorCode.objects.select_related("domain"), pk=pk)
    form = EditForm(request.POST, prefix=f"code-{pk}")
    with refused_at(form):
        if form.is_valid():
            actions.edit_code(actor=request.user, code=code, **form.cleaned_data)
            return go(request, _("Changed. The earlier texts stay in the history."),
                      "error-codes", code.domain.key)  # fmt: skip
    return _domain(request, code.domain, CodeForm(), {pk: form})


def code_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a code, or take it into use again."""
    code = get_object_or_404(ErrorCode.objects.select_related("domain"), pk=pk)
    form = ReasonForm(request.POST, prefix=f"state-{pk}")
    in_use = request.POST.get("in_use") == "1"
    with refused_at(form):
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            actions.set_in_use(actor=request.user, code=code, in_use=in_use, reason=reason)
            said = (
                _("The code is in use again.")
                if in_use
                else _("Retired. What has the code keeps it.")
            )
            return go(request, said, "error-codes", code.domain.key)
    return _domain(request, code.domain, CodeForm(), {pk: form})


def _response(pk: int) -> Response:
    rows = Response.objects.select_related("task__domain", "candidate")
    return get_object_or_404(rows, pk=pk)


@once
def response_codes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the lines of a response with their codes; put a code on one."""
    response = _response(pk)
    closed = is_closed(response.task_id)
    lines = [] if closed else queries.lines_of(response)
    wanted = {name: request.GET[name] for name in ("line", "run") if name in request.GET}
    form = ErrorForm(
        request.POST or None, response=response, lines=lines, initial={"line": 0, **wanted}
    )
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            said = form.cleaned_data
            actions.code_error(
                actor=request.user,
                response=response,
                code=ErrorCode.objects.get(pk=said["code"]),
                run=JudgeRun.objects.filter(pk=said["run"]).first() if said["run"] else None,
                **form.values(),
            )
            return go(request, _("The code stands on the record."), "response-codes", pk)
    why_none = why_closed() if closed else actions.why_baseline() if response.baseline else ""
    whole = [] if closed else [e for e in queries.errors_of(response) if e.criterion_id is None]
    return render(
        request,
        "results/error_codes/response.html",
        {
            "response": response,
            "lines": lines,
            "whole": whole,
            "form": form,
            "why_none": why_none,
            "has_codes": bool(form.fields["code"].choices),  # type: ignore[attr-defined]
            "reading": CodeRequest.objects.filter(response=response).first(),
            "decide": ReasonForm(),
        },
        status=status_of(form),
    )


def error_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or dismiss a proposal, or take a code back; `decision` says which."""
    rows = CodedError.objects.select_related("response__task")
    error = get_object_or_404(rows, pk=pk)
    decision, reason = request.POST.get("decision", ""), request.POST.get("reason", "")
    if decision == "take_back":
        actions.take_code_back(actor=request.user, error=error, reason=reason)
        said = _("Taken back. It stays on record and counts no longer.")
    else:
        confirm = decision == "confirm"
        actions.decide_proposal(actor=request.user, error=error, confirm=confirm, reason=reason)
        said = _("Confirmed. It counts now.") if confirm else _("Dismissed.")
    return go(request, said, "response-codes", error.response_id)


def codes_ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a model propose codes for a response, in the background."""
    actions.ask_for_codes(actor=request.user, response=_response(pk))
    said = _("Asked. What the model proposes appears here in a minute; load the page again.")
    return go(request, said, "response-codes", pk)


def report_csv(request: HttpRequest, key: str) -> HttpResponseBase:
    """Download the failure modes of a domain by candidate."""
    found = queries.report(get_object_or_404(Domain, key=key))
    head = ["candidate", "coded", "looked_at", *(code.key for code in found.codes)]
    rows = [[name, n, of, *(cell.n for cell in cells)] for name, n, of, cells in found.rows]
    return csv_export.download(f"failure-modes-{key}.csv", head, rows)


def errors_jsonl(request: HttpRequest) -> HttpResponse:
    """Download all errors that count, one JSON object a line."""
    rows = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
            for row in queries.exported_errors())  # fmt: skip
    answer = HttpResponse(b"".join(rows), content_type="application/x-ndjson")
    answer["Content-Disposition"] = 'attachment; filename="error-codes.jsonl"'
    return answer
