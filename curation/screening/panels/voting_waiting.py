"""What waits for a person in authoring and screening: drafts, votes, stuck machine stages."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from curation.base.process.lifecycle import Stage
from curation.base.process.waiting import Waiting
from curation.screening.panels.voting_queries import Kind, open_places, place_rows, pool_counts
from curation.tasks.task.models import Task
from curation.tasks.task.queries import domain_name

S = Stage
MACHINE_PATIENCE = timedelta(hours=1)


def waiting(user: Any) -> list[Waiting]:
    """Return drafts, places and free places of a person; for staff also stuck machine stages."""
    found = [*_drafts(user)]
    if user.qualified_domain_ids():
        found += _places(user)
        found += _pool(user)
    if user.has_duty("editing"):
        found += _stuck()
    return found


def tasks_with_author(user: Any) -> list[dict[str, Any]]:
    """Return a person's drafts and the rubrics they refine, the latest edited first.

    Cached on the user, because several apps need them in one request.
    """
    if not hasattr(user, "tasks_in_own_hands"):
        user.tasks_in_own_hands = list(
            Task.objects.filter(
                Q(author=user, stage=S.DRAFT)
                | Q(author=user, rubric_author__isnull=True, stage=S.REFINING)
                | Q(rubric_author=user, stage=S.REFINING)
            )
            .order_by("-updated_at")
            .values(
                *("id", "key", "title", "origin", "stage", "stage_since", "screening_round"),
                *("domain__name", "domain__name_zh"),
            )
        )
    found: list[dict[str, Any]] = user.tasks_in_own_hands
    return found


NEW_FOR = timedelta(days=30)


def first_task(user: Any) -> Waiting | None:
    """Return the first task of a person who became an expert lately; None once they began one."""
    since = timezone.now() - NEW_FOR
    new = [
        held.domain
        for held in user.active_qualifications()
        if held.since >= since and not held.domain.external
    ]
    if not new or Task.objects.filter(author=user).exists():
        return None
    return Waiting(
        due=None,
        title=_("Write your first task"),
        detail=_(
            "Begin with work somebody paid you for. The draft is saved as you type; it takes no "
            "slot, and nobody reads it before you submit it."
        ),
        url=reverse("task-new"),
        button=_("Start writing"),
        later=True,
    )


def _drafts(user: Any) -> list[Waiting]:
    drafts = [row for row in tasks_with_author(user) if row["stage"] == S.DRAFT]
    return [
        Waiting(
            due=None,
            title=_("Improve a returned task")
            if row["screening_round"]
            else _("Finish your draft"),
            detail=_("%(title)s · %(domain)s")
            % {"title": row["title"] or _("Untitled draft"), "domain": domain_name(row)},
            url=reverse("task-edit", args=[row["id"]]),
            button=_("Read the reasons") if row["screening_round"] else _("Go on writing"),
            later=not row["screening_round"],
            section="tasks",
        )
        for row in sorted(drafts, key=lambda row: -row["screening_round"])
    ]


# The title, the page, and the button before and after opening.
_WORDS = {
    Kind.VOTE: (
        gettext_noop("Vote on a prompt"),
        "screening-vote",
        gettext_noop("Read and vote"),
        gettext_noop("Read and vote"),
    ),
    Kind.CHECK: (
        gettext_noop("Check a reference answer"),
        "reference-check",
        gettext_noop("Begin the check"),
        gettext_noop("Go on with the check"),
    ),
    Kind.SOLVE: (
        gettext_noop("Solve a question"),
        "solve",
        gettext_noop("Open the question"),
        gettext_noop("Go on solving"),
    ),
}


def _places(user: Any) -> list[Waiting]:
    """Return the person's open votes and checks, each with its due date."""
    found = []
    for row in place_rows(open_places(user)):
        title, route, begin, go_on = _WORDS[Kind(row["kind"])]
        begun = row["opened_at"] is not None
        found.append(
            Waiting(
                due=row["due_at"],
                title=_(title),
                detail=_detail(row, timed=row["kind"] != Kind.VOTE and not begun),
                url=reverse(route, args=[row["id"]]),
                button=_(go_on if begun else begin),
                blocks=True,
                section="screening",
            )
        )
    return found


def _detail(row: Mapping[str, Any], *, timed: bool) -> str:
    names = {"title": row["title"], "domain": row["domain"]}
    if timed:
        return _("%(title)s · %(domain)s · the clock starts when you open it") % names
    return _("%(title)s · %(domain)s") % names


def _pool(user: Any) -> list[Waiting]:
    votes, checks, solves = pool_counts(user)
    found = []
    if votes:
        text = ngettext(
            "%(n)s prompt in your domains is waiting for a colleague to read it.",
            "%(n)s prompts in your domains are waiting for a colleague to read them.",
            votes,
        )
        found.append((_("Join a panel"), text % {"n": votes}))
    if checks:
        text = ngettext(
            "%(n)s reference answer in your domains is waiting for a second expert.",
            "%(n)s reference answers in your domains are waiting for a second expert.",
            checks,
        )
        found.append((_("Take a check"), text % {"n": checks}))
    if solves:
        text = ngettext(
            "%(n)s question in your domains is waiting for a colleague to solve it.",
            "%(n)s questions in your domains are waiting for colleagues to solve them.",
            solves,
        )
        found.append((_("Solve a question"), text % {"n": solves}))
    return [
        Waiting(
            due=None,
            title=title,
            detail=detail,
            url=reverse("screening"),
            button=_("See the queue"),
            section="screening",
        )
        for title, detail in found
    ]


def _stuck() -> list[Waiting]:
    before = timezone.now() - MACHINE_PATIENCE
    stages = Task.process.machine_stages()
    counts = (
        Task.objects.filter(stage__in=stages, stage_since__lt=before)
        .values("stage")
        .annotate(n=Count("pk"))
        .order_by("stage")
    )
    return [
        Waiting(
            due=None,
            title=_("Look at the worker"),
            detail=ngettext(
                "%(n)s task has waited for the machine for more than an hour (%(stage)s).",
                "%(n)s tasks have waited for the machine for more than an hour (%(stage)s).",
                row["n"],
            )
            % {"n": row["n"], "stage": S(row["stage"]).label},
            url=f"{reverse('staff-tasks')}?stage={row['stage']}",
            button=_("See the tasks"),
            blocks=True,
            section="staff-tasks",
        )
        for row in counts
    ]
