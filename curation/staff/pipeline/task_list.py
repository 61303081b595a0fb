"""The list of tasks."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.process.lifecycle import TASK, Stage
from curation.base.web.look import count, pill
from curation.joining.domains.models import Category
from curation.staff.pipeline.forms import PROCESS, TaskFilter
from curation.tasks.authoring.forms import language_name
from curation.tasks.task.models import ANSWERABLE, THROUGH_THE_PROCESS, Origin, Task
from curation.tasks.task.queries import domain_name
from curation.telling.search.search import SearchTerms

FIELDS = (
    *("id", "key", "title", "stage", "stage_since", "origin", "language"),
    *("domain__name", "domain__name_zh", "category__name", "category__name_zh"),
    *("author__display_name", "author__email"),
)


def find(wanted: Mapping[str, Any]) -> QuerySet[Task]:
    """Return the tasks that match; skills only where their origin is asked for."""
    rows = Task.objects.all()
    for name in ("stage", "domain"):
        if wanted[name]:
            rows = rows.filter(**{name: wanted[name]})
    origin = wanted["origin"]
    several = {"": ANSWERABLE, PROCESS: THROUGH_THE_PROCESS}
    rows = rows.filter(origin__in=several.get(origin, (origin,)))
    if wanted["days"]:
        rows = rows.filter(stage_since__lte=timezone.now() - timedelta(days=int(wanted["days"])))
        if not wanted["stage"]:  # what has ended waits for nobody
            rows = rows.exclude(stage__in=TASK.ended)
    if wanted["q"].strip():
        terms = SearchTerms.read(wanted["q"])
        rows = rows.filter(terms.in_columns("title", "key", number="pk"))
    return rows


def load(keys: Sequence[int]) -> Mapping[int, dict[str, Any]]:
    """Return the rows without the texts of the tasks. One query."""
    return {row["id"]: row for row in Task.objects.filter(pk__in=keys).values(*FIELDS)}


def author_of(row: Mapping[str, Any]) -> str:
    """Return the author's name for staff; "" for a task without one."""
    return row["author__display_name"] or row["author__email"] or ""


def _no_author(row: Mapping[str, Any]) -> str:
    return format_html('<span class="quiet">{}</span>', Origin(row["origin"]).label)


def _title(row: Mapping[str, Any]) -> str:
    return row["title"] or row["key"]


def _link(row: Mapping[str, Any]) -> str:
    link = format_html(
        '<a href="{}" data-open>{}</a>', reverse("staff-task", args=[row["id"]]), _title(row)
    )
    if not row["title"]:
        return link
    key = row["key"] if len(row["key"]) <= 40 else f"{row['key'][:39]}…"
    return format_html('{} <span class="hint mono">{}</span>', link, key)


def _category(row: Mapping[str, Any]) -> str:
    named = Category(name=row["category__name"] or "", name_zh=row["category__name_zh"] or "")
    return str(named)


def _stage(row: Mapping[str, Any]) -> str:
    return str(Task.process.stage_label(row["stage"]))


def _days(row: Mapping[str, Any]) -> int:
    return (timezone.now() - row["stage_since"]).days


TASKS = register(
    ListSpec(
        name="tasks",
        route="staff-tasks",
        filters=TaskFilter,
        find=find,
        load=load,
        order="-number",
        counted=lambda n: ngettext("%(shown)s task", "%(shown)s tasks", n) % {"shown": count(n)},
        title=_title,
        columns=(
            Column(
                "title", gettext_lazy("Title"), _title, show=_link, sort=(Lower("title"), "key")
            ),
            Column("key", gettext_lazy("Key"), lambda row: row["key"], only_files=True),
            Column(
                "number",
                gettext_lazy("Number"),
                lambda row: row["id"],
                show=lambda row: row["id"],
                sort=("pk",),
                number=True,
            ),
            Column(
                "stage",
                gettext_lazy("Stage"),
                _stage,
                show=lambda row: pill(row["stage"], _stage(row)),
                sort=(in_order_of("stage", Stage.values),),
            ),
            Column("domain", gettext_lazy("Domain"), domain_name, sort=("domain__name",)),
            Column(
                "category",
                gettext_lazy("Category"),
                _category,
                sort=("category__name",),
            ),
            Column(
                "author",
                gettext_lazy("Author"),
                author_of,
                show=lambda row: author_of(row) or _no_author(row),
                sort=(Lower("author__display_name"), "author__email"),
            ),
            Column(
                "language",
                gettext_lazy("Language"),
                lambda row: language_name(row["language"]),
                only_files=True,
            ),
            Column(
                "since",
                gettext_lazy("In this stage since"),
                lambda row: row["stage_since"],
                sort=("stage_since",),
            ),
            Column("days", gettext_lazy("Days"), _days, number=True),
        ),
    )
)
