"""Curation's facts about a person's work: their prompts, votes and places on panels."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import ngettext

from curation.base.process.lifecycle import Stage
from curation.base.web.optional_urls import url_or_empty
from curation.qualifying.experts.record import MOST_EVIDENCE, Evidence, Fact
from curation.screening.panels.models import PanelPlace, ScreeningVote
from curation.tasks.task.models import Task, TaskEvent

State = PanelPlace.State


def evidence_of(tasks: Any) -> tuple[Evidence, ...]:
    """Return links to the staff's pages of the first tasks, in the order given.

    Args:
        tasks: tasks with pk, title and key, the newest first.
    """
    return tuple(
        Evidence(str(task), url_or_empty("staff-task", task.pk))
        for task in list(tasks)[:MOST_EVIDENCE]
    )


def facts(person: Any) -> Iterator[Fact]:
    """Yield facts: prompts rejected or returned, votes against the outcome, places given up.

    Three queries.
    """
    yield from _prompts(person)
    yield from _votes(person)
    yield from _places(person)


def _prompts(person: Any) -> Iterator[Fact]:
    returned = TaskEvent.objects.filter(
        task=OuterRef("pk"), from_stage=Stage.SCREENING, to_stage=Stage.DRAFT
    )
    tasks = list(
        Task.objects.filter(author=person, slot__isnull=False)
        .annotate(returned=Exists(returned))
        .only("pk", "title", "key", "stage")
        .order_by("-pk")
    )
    rejected = [task for task in tasks if task.stage == Stage.REJECTED]
    back = [task for task in tasks if task.returned]
    n, of = len(rejected), len(tasks)
    yield Fact(
        ngettext(
            "%(n)s of %(of)s submitted prompts was rejected by its panel.",
            "%(n)s of %(of)s submitted prompts were rejected by their panels.",
            n,
        )
        % {"n": n, "of": of},
        n,
        of,
        evidence_of(rejected),
    )
    n = len(back)
    yield Fact(
        ngettext(
            "%(n)s of %(of)s submitted prompts was returned at least once.",
            "%(n)s of %(of)s submitted prompts were returned at least once.",
            n,
        )
        % {"n": n, "of": of},
        n,
        of,
        evidence_of(back),
    )


def _votes(person: Any) -> Iterator[Fact]:
    """Count votes that differ from the panel's decision, in the last screening of each task."""
    outcome = {
        **dict.fromkeys((Stage.REJECTED,), "reject"),
        **dict.fromkeys(
            (
                *(Stage.DRAFTING, Stage.REFINING, Stage.IN_REVIEW, Stage.DECIDING),
                Stage.SPOT_CHECK,
                *(Stage.APPROVED, Stage.DISCARDED),
            ),
            "keep",
        ),
    }
    votes = [
        vote
        for vote in ScreeningVote.objects.filter(member=person)
        .select_related("task")
        .order_by("-pk")
        if vote.task.stage in outcome and vote.round == vote.task.screening_round
    ]
    against = [vote.task for vote in votes if vote.decision != outcome[Stage(vote.task.stage)]]
    n, of = len(against), len(votes)
    yield Fact(
        ngettext(
            "%(n)s of %(of)s votes on a panel differed from what the panel decided.",
            "%(n)s of %(of)s votes on panels differed from what the panel decided.",
            n,
        )
        % {"n": n, "of": of},
        n,
        of,
        evidence_of(against),
    )


def _places(person: Any) -> Iterator[Fact]:
    counted = PanelPlace.objects.filter(member=person).aggregate(
        all=Count("pk", filter=~Q(state=State.OPEN)),
        expired=Count("pk", filter=Q(state=State.EXPIRED)),
        skipped=Count("pk", filter=Q(state=State.SKIPPED)),
    )
    of, expired, skipped = counted["all"], counted["expired"], counted["skipped"]
    yield Fact(
        ngettext(
            "%(n)s of %(of)s places on panels expired without a vote.",
            "%(n)s of %(of)s places on panels expired without a vote.",
            expired,
        )
        % {"n": expired, "of": of},
        expired,
        of,
    )
    yield Fact(
        ngettext(
            "%(n)s of %(of)s places on panels was handed back or taken back.",
            "%(n)s of %(of)s places on panels were handed back or taken back.",
            skipped,
        )
        % {"n": skipped, "of": of},
        skipped,
        of,
    )
