"""The places of a person's role, for the top bar. One query for all of its counts."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.access import permissions as access
from curation.applications.models import Application
from curation.exams.queries import unmarked
from curation.notices.queries import unread_of
from curation.people.models import User
from curation.process.lifecycle import ApplicationStage, Stage
from curation.process.roles import Role
from curation.screening.queries import open_places
from curation.tasks.models import Seat
from curation.trials.models import Trial
from curation.web.safe_redirects import place
from judge.engine.models import JudgeRun
from judge.queue.queries import heartbeats
from judge.sheets.models import Sheet
from review.assignment.models import Review, Round


@dataclass(frozen=True)
class Place:
    """One entry of the bar. It is marked on the pages whose rows name its route as their menu.

    Attributes:
        counts: the key of its number, or empty.
        go: the letter after G.
    """

    route: str
    label: Any
    counts: str = ""
    go: str = ""


HOME = Place("home", _("Home"))
APPLICANT = (HOME, Place("apply", _("Apply")))
EXPERT = (
    HOME,
    Place("tasks", _("My tasks"), go="t"),
    Place("screening", _("Screening"), "screening", "s"),
    Place("reviews", _("Reviews"), "reviews", "r"),
    Place("scoring", _("Scoring"), "scoring", "o"),
)
AGREEMENT = Place("agreement", _("Agreement"), go="k")
SENIOR = (
    Place("spot-checks", _("Spot checks"), "spot_checks", "c"),
    Place("trials", _("Trials"), "trials", "i"),
    Place("answers", _("Answers"), "answers", "m"),
    AGREEMENT,
)
STAFF = (
    Place("staff-pipeline", _("Pipeline"), go="p"),
    Place("staff-tasks", _("Tasks"), go="a"),
    Place("staff-screening", _("Panels"), go="n"),
    Place("staff-people", _("People"), "applications", "e"),
    Place("staff-runs", _("Runs"), "runs", "u"),
    Place("alignment", _("Alignment"), go="l"),
    AGREEMENT,
    Place("leaderboard", _("Leaderboard"), go="b"),
    Place("gold", _("Gold"), go="g"),
    Place("staff-audit", _("Audit"), go="d"),
)


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Template context: `nav`, `who`, `notices_unread`, `account_nav`, `search_url`,
    `single_keys`, `reload_at`, and for staff `worker_heartbeat`.

    Found when a template asks for them: an answer that is a part of a page has no bar, and does
    not count what would stand in it.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"nav": [], "account_nav": [], "reload_at": _reload_at(request)}

    @cache
    def facts() -> dict[str, Any]:
        return getattr(request, "counts", None) or counts_for(user)

    return {
        "nav": SimpleLazyObject(lambda: _bar(request, user, facts())),
        "who": SimpleLazyObject(lambda: _who(user)),
        "notices_unread": SimpleLazyObject(lambda: facts().get("notices") or 0),
        "account_nav": [
            {"label": label, "url": url}
            for label, url in (
                (_("Preferences"), place("preferences")),
                (_("Apply in a domain"), place("apply")),
                *(
                    (
                        (_("Domains and categories"), place("admin:index")),
                        (_("API documentation"), place("api-docs")),
                    )
                    if user.is_staff
                    else ()
                ),
            )
            if url
        ],
        "worker_heartbeat": lambda: facts().get("heartbeat"),
        "search_url": place("search"),
        "single_keys": user.single_keys,
        "reload_at": _reload_at(request),
    }


def _reload_at(request: HttpRequest) -> str:
    """Where the page that answers a form can be loaded again; empty if it cannot."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    return request.get_full_path() if access.permission_of(route, "GET") else ""


def _bar(request: HttpRequest, user: Any, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of the bar, each with its number and whether the page is within it."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    return [
        {
            "label": where.label,
            "url": url,
            "count": facts.get(where.counts) or 0,
            "current": access.menu_of(route) == where.route,
            "go": where.go,
        }
        for where in places_of(user)
        if (url := place(where.route))
    ]


def places_of(user: Any) -> tuple[Place, ...]:
    """The places of a person, by what they are."""
    found: tuple[Place, ...] = ()
    if user.qualified_domain_ids():
        found = EXPERT
    if user.senior_domain_ids():
        found += SENIOR
    if user.is_staff:
        mine = found or (HOME,)
        return (*mine, *(place for place in STAFF if place not in mine))
    return found or APPLICANT


def counts_for(user: Any, **more: QuerySet[Any]) -> dict[str, Any]:
    """What waits in each place; for staff also the worker's last `heartbeat`. One query.

    Args:
        more: further rows to be counted along, so that Home needs no query of its own for them.
    """
    asked: dict[str, Any] = {name: _count(rows) for name, rows in more.items()}
    asked["notices"] = _count(unread_of(user))
    if user.qualified_domain_ids():
        asked["screening"] = _count(open_places(user))
        asked["reviews"] = _count(
            Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED).filter(
                Exists(Round.objects.filter(review=OuterRef("pk"), finished_at__isnull=True))
            )
        )
        asked["scoring"] = _count(Sheet.objects.filter(user=user, state=Sheet.State.OPEN))
    if user.senior_domain_ids():
        asked["spot_checks"] = _count(
            Seat.objects.filter(
                Q(role=Role.SPOT_CHECKER, task__stage=Stage.SPOT_CHECK)
                | Q(role=Role.DECIDER, task__stage=Stage.DECIDING),
                user=user,
            )
        )
        asked["trials"] = _count(
            Trial.objects.filter(
                application__domain_id__in=user.senior_domain_ids(),
                application__stage=ApplicationStage.TRIAL,
                submitted_at__isnull=False,
                verdict="",
            ).exclude(application__user=user)
        )
        asked["answers"] = _count(unmarked(user))
    if user.is_staff:
        asked["applications"] = _count(Application.objects.filter(stage=ApplicationStage.APPLIED))
        asked["runs"] = _count(JudgeRun.objects.filter(state=JudgeRun.State.RUNNING))
        asked["heartbeat"] = Subquery(heartbeats()[:1])
    columns = {f"nav_{name}": column for name, column in asked.items()}  # no clash with a field
    row = User.objects.filter(pk=user.pk).order_by().values(**columns).first() or {}
    return {name.removeprefix("nav_"): value for name, value in row.items()}


def _count(rows: QuerySet[Any]) -> Coalesce:
    """The number of rows, as a column of another query."""
    counted = (
        rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk")).values("n")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _who(user: Any) -> str:
    """The pseudonym with the domain, as the picture of the top bar has it."""
    held = user.active_qualifications()
    if not held:
        return user.pseudonym
    where = (
        str(held[0].domain)
        if len(held) == 1
        else ngettext("%(n)s domain", "%(n)s domains", len(held)) % {"n": len(held)}
    )
    return f"{user.pseudonym} · {where}"
