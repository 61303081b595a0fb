"""What scorers and seniors find by the search."""

from typing import Any

from django.db.models import F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.screening.panels.actions import count_per_task
from curation.telling.search import search
from curation.telling.search.queries import title_or_key
from curation.telling.search.search import Hit, SearchTerms, Source
from judge.asking.candidates.models import Response
from judge.scoring.pages.queue import my_checks
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet


def sheets(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find a scorer's own sheets, open and submitted.

    By the task's title or key only: no column that names a candidate, a purpose or another person
    is read.
    """
    domains = user.qualified_domain_ids()
    if not domains:
        return []
    before = Response.objects.filter(
        task=OuterRef("response__task_id"), pk__lt=OuterRef("response")
    )
    rows = (
        Sheet.objects.filter(user=user)
        .exclude(purpose=Sheet.Purpose.SETTLED)
        .filter(Q(response__task__domain__in=domains) | Q(response__task__domain__external=True))
        .filter(title_or_key(words, "response__task__"))
        .annotate(
            task=F("response__task"),
            title=F("response__task__title"),
            task_key=F("response__task__key"),
            language=F("response__task__language"),
            rank=count_per_task(before),
        )
        .order_by("state", "due_at", "pk")  # open ones first
        .values("pk", "state", "task", "title", "task_key", "language", "rank")
    )
    return [
        Hit(
            row["title"] or row["task_key"],
            reverse("sheet", args=[row["pk"]]),
            _("Response %(letter)s") % {"letter": rules.letter(row["task"], row["rank"])}
            + f" · {Sheet.State(row['state']).label}",
            row["language"],
        )
        for row in rows[:most]
    ]


def checks(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find the scored responses whose check a senior has open."""
    if not user.senior_domain_ids():
        return []
    rows = my_checks(user).filter(title_or_key(words, "task__"))
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse("meta", args=[row["pk"]]),
            _("Check of a scored response"),
            row["task__language"],
        )
        for row in rows.values("pk", "task__title", "task__key", "task__language")[:most]
    ]


search.register(
    Source("sheets", gettext_lazy("Scoring"), 13, sheets),
    Source("meta", gettext_lazy("Checks of scored responses"), 13, checks),
)
