"""The top bar: the menu entries of a person, with their counts in one query."""

from functools import cache
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import ngettext

from curation.base.access import permissions, trail
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.optional_urls import url_or_empty
from curation.joining.notices.queries import unread_of
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.queries import unmarked
from curation.qualifying.trials.models import Trial
from curation.screening.panels.voting_queries import open_places
from curation.staff.honoraria.sources import decided_entries, live_rates, own_entries
from judge.base.queue.models import heartbeats
from judge.results.product_index.collecting import free_cells
from judge.runs.engine.models import JudgeRun
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Review, Round
from review.senior_seats.models import standing_seats

# Routes in the order of the bar; what an entry is called, and its letter, is in its `urls.py`.
APPLICANT = ("home", "apply")
EXPERT = ("home", "tasks", "screening", "reviews", "scoring")
SENIOR = ("spot-checks", "trials", "answers", "agreement", "labels")
OPERATOR = ("collecting",)
STAFF = (
    *("staff-pipeline", "staff-tasks", "staff-screening", "work-maps", "labels", "staff-people"),
    *("staff-runs", "alignment", "agreement", "leaderboard", "gold", "staff-audit"),
)


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Add the top bar to the template context (a context processor).

    Keys: `nav`, `who`, `notices_unread`, `account_nav`, `search_url`, `single_keys`, `reload_at`,
    and for staff `worker_heartbeat`. The counts are lazy: a partial response has no bar and runs no
    query for them.
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
        "who_short": user.pseudonym,
        "notices_unread": SimpleLazyObject(lambda: facts().get("notices") or 0),
        "account_nav": SimpleLazyObject(lambda: _account_nav(user, facts())),
        "worker_heartbeat": lambda: facts().get("heartbeat"),
        "search_url": url_or_empty("search"),
        "single_keys": user.single_keys,
        "reload_at": _reload_at(request),
    }


def _account_nav(user: Any, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of the menu of one's own account."""
    rows = ["preferences", *(["honoraria"] if facts.get("honoraria") else [])]
    rows += ["questions", "guidelines", "apply", "errata"]
    if user.is_staff:
        rows += ["settings", "api-docs"]
    return [
        {"label": trail.of(row).label, "url": url} for row in rows if (url := url_or_empty(row))
    ]


def _reload_at(request: HttpRequest) -> str:
    """Return the address at which this page can be loaded by GET; "" if there is none."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    return request.get_full_path() if permissions.permission_of(route, "GET") else ""


def _bar(request: HttpRequest, user: Any, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of the bar with their counts and which one is current."""
    route = request.resolver_match.view_name if request.resolver_match else ""
    current = trail.of(route).menu
    return [
        {
            "label": entry.name,
            "url": url,
            "count": facts.get(entry.counts) or 0,
            "current": current == name,
            "go": entry.go,
        }
        for name in menu_entries(user)
        if (url := url_or_empty(name)) and (entry := trail.of(name))
    ]


def menu_entries(user: Any) -> tuple[str, ...]:
    """Return the menu entries of a person: applicant, expert, senior or staff."""
    found: tuple[str, ...] = ()
    if user.qualified_domain_ids():
        found = EXPERT
    if user.senior_domain_ids():
        found += SENIOR
    if user.is_operator:
        found = (found or ("home",)) + OPERATOR
    if user.is_staff:
        mine = found or ("home",)
        return (*mine, *(entry for entry in STAFF if entry not in mine))
    return found or APPLICANT


def counts_for(user: Any, **more: QuerySet[Any]) -> dict[str, Any]:
    """Count what waits behind each menu entry. One query.

    Args:
        more: further rows to count in the same query, for Home.

    Returns:
        name -> number; for staff also `heartbeat`, the worker's last one.
    """
    asked: dict[str, Any] = {name: _count(rows) for name, rows in more.items()}
    asked["notices"] = _count(unread_of(user))
    # The page of one's own work is there once the programme pays honoraria.
    asked["paid_here"] = Exists(live_rates()) | Exists(decided_entries())
    if not user.qualified_domain_ids():
        asked["works_here"] = Exists(own_entries(user))
    if user.qualified_domain_ids():
        asked["screening"] = _count(open_places(user))
        asked["reviews"] = _count(
            Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED).filter(
                Exists(Round.objects.filter(review=OuterRef("pk"), finished_at__isnull=True))
            )
        )
        asked["scoring"] = _count(Sheet.objects.filter(user=user, state=Sheet.State.OPEN))
    if user.senior_domain_ids():
        asked["spot_checks"] = _count(standing_seats().filter(user=user))
        asked["trials"] = _count(
            Trial.objects.filter(
                application__domain_id__in=user.senior_domain_ids(),
                application__stage=ApplicationStage.TRIAL,
                submitted_at__isnull=False,
                verdict="",
            ).exclude(application__user=user)
        )
        asked["answers"] = _count(unmarked(user))
    if user.is_operator:
        asked["collecting"] = _count(free_cells().exclude(operator=user, state="taken"))
    if user.is_staff:
        asked["applications"] = _count(Application.objects.filter(stage=ApplicationStage.APPLIED))
        asked["runs"] = _count(JudgeRun.objects.filter(state=JudgeRun.State.RUNNING))
        asked["heartbeat"] = Subquery(heartbeats()[:1])
    columns = {
        f"nav_{name}": column for name, column in asked.items()
    }  # the prefix avoids clashes with fields of User
    row = User.objects.filter(pk=user.pk).order_by().values(**columns).first() or {}
    found = {name.removeprefix("nav_"): value for name, value in row.items()}
    found["honoraria"] = bool(found.pop("paid_here", False) and found.pop("works_here", True))
    return found


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of rows as a column of another query."""
    counted = (
        rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk")).values("n")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _who(user: Any) -> str:
    """Return the pseudonym with the domain, for the top bar."""
    held = user.active_qualifications()
    if not held:
        return user.pseudonym
    where = (
        str(held[0].domain)
        if len(held) == 1
        else ngettext("%(n)s domain", "%(n)s domains", len(held)) % {"n": len(held)}
    )
    return f"{user.pseudonym} · {where}"
