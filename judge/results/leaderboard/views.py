"""Pages of the leaderboard of a judge: a run, or a rater with imported sheets."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web import csv_export
from curation.base.web.refusals import NotFound
from judge.base.gold_sets.forms import ReportSetField
from judge.methods.base import registry
from judge.results.alignment.raters import find_judge, judges
from judge.results.leaderboard import queries
from judge.results.leaderboard.ranking import BY, Board, board, without_example
from judge.runs.engine.unfinished_runs import notes_on


class BoardForm(forms.Form):
    """A judge (a run or a rater) and a grouping, both optional."""

    run = forms.ChoiceField(label=gettext_lazy("Judge"), required=False)
    by = forms.ChoiceField(
        label=gettext_lazy("Columns"),
        choices=[
            ("domain", gettext_lazy("By domain")),
            ("category", gettext_lazy("By category")),
            ("dimension", gettext_lazy("By dimension")),
            ("importance", gettext_lazy("By importance")),
        ],
        required=False,
    )
    tasks = ReportSetField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        self.fields["run"].choices = [("", ""), *judges()]  # type: ignore[attr-defined]


def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show the leaderboard of a judge."""
    found = _found(request)
    if found is None:
        return render(request, "results/leaderboard/empty.html")
    named = request.GET.get("tasks", "")
    form = BoardForm({"run": found.judge.name, "by": found.by, "tasks": named})
    query = {"run": found.judge.name, "by": found.by} | ({"tasks": named} if named else {})
    columns = form.fields["by"].choices  # type: ignore[attr-defined]  # a ChoiceField has them
    return render(
        request,
        "results/leaderboard/board.html",
        {
            "p": queries.page(found),
            "unfinished": notes_on([found.judge.run]),
            "form": form,
            "named": named,
            "sets": form.fields["tasks"].has_sets,  # type: ignore[attr-defined]
            "without_example": without_example(found.judge),
            "by_lines": registry.get(found.judge.method).scored_by_lines
            if found.judge.run
            else not found.judge.gives_grades,
            "whole": urlencode(query),
            "query": urlencode(query | ({"group": found.group} if found.group else {})),
            "by": [(urlencode(query | {"by": key}), key, str(name)) for key, name in columns],
        },
    )


def leaderboard_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the leaderboard as a table."""
    found = _required(request)
    return csv_export.download(
        f"leaderboard-{found.judge.file_name}.csv",
        queries.csv_header(found),
        queries.csv_rows(found),
    )


def leaderboard_json(request: HttpRequest) -> HttpResponse:
    """Return the leaderboard as the command prints it."""
    return JsonResponse(_required(request).as_dict())


def _found(request: HttpRequest) -> Board | None:
    """Return the board asked for; None if no judge is named and no run has finished."""
    judge = find_judge(request.GET.get("run"), field="run")
    if judge is None:
        return None
    by = request.GET.get("by") or BY[0]
    return board(
        judge,
        by=by,
        group=request.GET.get("group") or None,
        tasks=request.GET.get("tasks") or None,
    )


def _required(request: HttpRequest) -> Board:
    found = _found(request)
    if found is None:
        raise NotFound(_("There is no finished run yet, so there is no leaderboard."))
    return found
