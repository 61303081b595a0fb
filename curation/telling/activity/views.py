"""The page of a task's history: who did what, when, to which version, and why; also as a file."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind
from curation.base.web import csv_export
from curation.base.web.fields import DayField
from curation.base.web.forms import query_of, read_filter
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from curation.telling.activity import trail
from curation.telling.activity.trail import Filters


class StoryFilter(forms.Form):
    """The filter of a history: person, kind, version and period."""

    who = forms.ChoiceField(required=False, label=_("Who"))
    kind = forms.ChoiceField(
        required=False, label=_("What"), choices=[("", _("Everything")), *ActKind.choices]
    )
    version = forms.TypedChoiceField(
        required=False, label=_("Version"), coerce=int, empty_value=None
    )
    after = DayField(label=_("From"))
    before = DayField(label=_("To"))
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    format = forms.ChoiceField(
        required=False,
        choices=[("", ""), ("csv", "csv"), ("jsonl", "jsonl")],
        widget=forms.HiddenInput,
    )

    def __init__(self, data: Any, *, people: list[tuple[str, str]], versions: list[int]) -> None:
        super().__init__(data)
        everybody: list[tuple[str, Any]] = [("", _("Everybody"))]
        every: list[tuple[str, Any]] = [("", _("All versions"))]
        self.fields["who"].choices = everybody + people  # type: ignore[attr-defined]
        self.fields["version"].choices = every + [  # type: ignore[attr-defined]
            (str(n), str(n)) for n in versions
        ]

    def filters(self) -> Filters:
        """Return the filters for the trail."""
        wanted = ("who", "kind", "version", "after", "before")
        return Filters(**{name: self.cleaned_data[name] for name in wanted})


SESSIONS_ON_A_PAGE = 40
HEAD = (
    "at", "who", "role", "kind", "what", "detail", "reason", "version", "line", "words", "source",
    "row",
)  # fmt: skip


def task_history(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show everything that happened to a task, oldest first, as this reader may know it."""
    user: Any = request.user
    rows = Task.objects.select_related("domain").defer(*TEXT_PARTS)
    task = access_task(user, pk, "task.story", rows=rows)
    reader = trail.Reader(user.pk, names=user.is_staff and task.author_id != user.pk)
    every_entry = trail.trail_of(task, reader)
    form: StoryFilter = read_filter(
        partial(  # type: ignore[arg-type]
            StoryFilter,
            people=trail.people_of(every_entry),
            versions=trail.versions_of(every_entry),
        ),
        request.GET,
    )
    wanted = form.filters()
    found = [entry for entry in every_entry if wanted.take(entry)]
    name = f"story-{task.pk}"
    if form.cleaned_data["format"] == "csv":
        return csv_export.download(f"{name}.csv", HEAD, (_cells(entry) for entry in found))
    if form.cleaned_data["format"] == "jsonl":
        return _lines(f"{name}.jsonl", found)
    page = Paginator(trail.work_sessions(found), SESSIONS_ON_A_PAGE).get_page(
        form.cleaned_data["page"]
    )
    query = query_of({k: v for k, v in request.GET.dict().items() if k != "format"})
    return render(
        request,
        "telling/activity/task_history.html",
        {
            "task": task,
            "reader": reader,
            "form": form,
            "page": page,
            "acts": len(found),
            "query": query,
        },
    )


def _cells(entry: trail.TrailEntry) -> tuple[Any, ...]:
    """Return an entry as a row under the header HEAD."""
    return (
        entry.at.isoformat(timespec="seconds"), entry.who, entry.role, entry.kind, entry.head,
        entry.text, entry.quote, "" if entry.version is None else entry.version, entry.line,
        entry.words, entry.source, entry.pk,
    )  # fmt: skip


def _lines(name: str, found: Iterable[trail.TrailEntry]) -> StreamingHttpResponse:
    """Stream the entries as JSON Lines."""

    def write() -> Iterator[str]:
        for entry in found:
            row = dict(zip(HEAD, _cells(entry), strict=True)) | {"version": entry.version}
            yield json.dumps(row, ensure_ascii=False) + "\n"

    return StreamingHttpResponse(
        write(),
        content_type="application/x-ndjson; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
