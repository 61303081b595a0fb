"""Search sources of curation: people, tasks, panels, trials and applications."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import ApplicationStage, Stage
from curation.base.process.roles import Role
from curation.joining.people import User
from curation.qualifying.applications.queries import own_applications
from curation.qualifying.trials.queries import trials_to_decide
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.voting_queries import my_places
from curation.tasks.authoring.queries import visible_to
from curation.tasks.task.models import Seat
from curation.tasks.task.queries import domain_name
from curation.telling.search.search import Hit, SearchTerms, Source

PSEUDONYMS = ("expert", "staff", "专家", "工作人员")  # the first part of every pseudonym


def best_first(
    rows: QuerySet[Any], words: SearchTerms, *columns: str, number: str = ""
) -> QuerySet[Any]:
    """Order rows: exact matches of a column or the number, then prefix matches, then the newest."""
    typed = " ".join(words.words)
    cases = [When(**{f"{column}__iexact": typed}, then=Value(0)) for column in columns]
    if number and words.number is not None:
        cases.append(When(**{number: words.number}, then=Value(0)))
    cases += [When(**{f"{column}__istartswith": typed}, then=Value(1)) for column in columns]
    return rows.order_by(Case(*cases, default=Value(2), output_field=IntegerField()), "-pk")


def title_or_key(words: SearchTerms, task: str = "") -> Q:
    """Return a condition: the words are in the name that blind pages give the task.

    This is the title, or the key if there is no title. A key may come from a file and reveal more
    than its readers may know.
    """
    named = words.in_columns(f"{task}title")
    return named | (Q(**{f"{task}title": ""}) & words.in_columns(f"{task}key"))


def tasks(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find tasks: staff by title, key and number, others the tasks whose page they may open."""
    if user.is_staff:
        wanted = words.in_columns("title", "key", number="pk")
    else:
        wanted = title_or_key(words) | (Q(author=user) & words.in_columns("title", "key"))
    found = best_first(visible_to(user).filter(wanted), words, "key", "title", number="pk")
    columns = ("pk", "title", "key", "stage", "language", "author_id")
    rows = list(found.values(*columns, "domain__name", "domain__name_zh")[:most])
    seats = {} if user.is_staff else _seats(user, [row["pk"] for row in rows])
    hits = []
    for row in rows:
        mine = row["author_id"] == user.pk
        detail = [str(Stage(row["stage"]).label), domain_name(row)]
        if user.is_staff and row["title"]:
            detail.append(row["key"])
        if seats.get(row["pk"], Role.AUTHOR) != Role.AUTHOR:
            detail.insert(0, str(Role(seats[row["pk"]]).label))
        page = "staff-task" if user.is_staff and not mine else "task"
        hits.append(
            Hit(
                row["title"] or (row["key"] if user.is_staff else _("Untitled draft")),
                reverse(page, args=[row["pk"]]),
                " · ".join(detail),
                row["language"] if row["title"] else "",
            )
        )
    return hits


def _seats(user: Any, tasks: list[int]) -> dict[int, str]:
    return dict(Seat.objects.filter(user=user, task__in=tasks).values_list("task_id", "role"))


def all_tasks(user: Any, typed: str) -> str:
    """Return the address of the staff's list of these tasks; empty for others."""
    return f"{reverse('staff-tasks')}?{urlencode({'q': typed})}" if user.is_staff else ""


PAGE_OF_PLACE = {
    PanelPlace.Kind.VOTE: "screening-vote",
    PanelPlace.Kind.CHECK: "reference-check",
    PanelPlace.Kind.SOLVE: "solve",
}


def panels(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find the prompts that wait for a panel member, and those they voted on."""
    if not user.qualified_domain_ids():
        return []
    kind = PanelPlace.Kind
    rows = (
        my_places(user)
        .filter(Q(kind=kind.VOTE) | Q(state=PanelPlace.State.OPEN))
        .filter(title_or_key(words, "task__"))
        .order_by("due_at", "pk")
        .values("task_id", "kind", "task__title", "task__key", "task__language")
    )
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse(
                PAGE_OF_PLACE[kind(row["kind"])],
                args=[row["task_id"]],
            ),
            str(kind(row["kind"]).label),
            row["task__language"],
        )
        for row in rows[:most]
    ]


def trials(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find the trial tasks that wait for a senior's decision. Reads no names."""
    if not user.senior_domain_ids():
        return []
    rows = trials_to_decide(user).filter(words.in_columns("title"))
    columns = ("pk", "title", "language", "number")
    domain = ("application__domain__name", "application__domain__name_zh")
    return [
        Hit(
            row["title"] or _("Untitled draft"),
            reverse("trial-decide", args=[row["pk"]]),
            domain_name(row, "application__domain__"),
            row["language"],
        )
        for row in rows.select_related(None).values(*columns, *domain)[:most]
    ]


def applications(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find a person's own applications by domain. Filtered in Python, as few have more than one."""
    return [
        Hit(
            _("Application: %(domain)s") % {"domain": one.domain},
            reverse("application", args=[one.pk]),
            str(ApplicationStage(one.stage).label),
        )
        for one in own_applications(user)
        if words.in_texts(one.domain.name, one.domain.name_zh or "", _("Application"))
    ][:most]


def people(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find people by name, e-mail, affiliation or number of the pseudonym. Staff only."""
    if not user.is_staff:
        return []
    words = words.without(*PSEUDONYMS)
    wanted = words.in_columns("display_name", "email", "affiliation", number="pk")
    found = best_first(User.objects.filter(wanted), words, "email", "display_name", number="pk")
    return [
        Hit(
            person.name_for_staff,
            reverse("staff-person", args=[person.pk]),
            " · ".join(filter(None, (person.pseudonym, person.email, person.affiliation))),
        )
        for person in found.only("pk", "display_name", "email", "affiliation", "is_staff")[:most]
    ]


def all_people(user: Any, typed: str) -> str:
    """Return the address of the staff's list of these people."""
    return f"{reverse('staff-people')}?{urlencode({'q': typed})}"


SOURCES = (
    Source("panels", gettext_lazy("Panel"), 10, panels),
    Source("trials", gettext_lazy("Trial tasks"), 14, trials),
    Source("tasks", gettext_lazy("Tasks"), 20, tasks, all_tasks),
    Source("people", gettext_lazy("People"), 30, people, all_people),
    Source("applications", gettext_lazy("Applications"), 32, applications),
)
