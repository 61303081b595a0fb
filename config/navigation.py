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

from curation import access
from curation.lifecycle import ApplicationStage, Stage
from curation.models import Application, Role, Seat, Trial, User
from curation.places import place
from curation.queries.exams import unmarked
from curation.queries.notices import unread_of
from curation.queries.screening import open_places
from judge.models import JudgeRun, Sheet
from judge.queries.worker import heartbeats
from review.models import Review, Round


@dataclass(frozen=True)
class Place:
    """One entry of the bar.

    Attributes:
        owns: beginnings of the route names that belong to the place.
        counts: the key of its number, or empty.
        go: the letter after G.
    """

    route: str
    label: Any
    owns: tuple[str, ...] = ()
    counts: str = ""
    go: str = ""


HOME = Place("home", _("Home"), ("home",))
APPLICANT = (
    HOME,
    Place(
        "apply",
        _("Apply"),
        ("apply", "application", "exam", "training", "training-unit", "training-changes", "trial"),
    ),
)
EXPERT = (
    HOME,
    Place("tasks", _("My tasks"), ("task", "rubric"), go="t"),
    Place("screening", _("Screening"), ("screening", "reference-check"), "screening", "s"),
    Place("reviews", _("Reviews"), ("review",), "reviews", "r"),
    Place("scoring", _("Scoring"), ("scoring", "sheet", "meta"), "scoring", "o"),
)
AGREEMENT = Place("agreement", _("Agreement"), ("agreement",), go="k")
SENIOR = (
    Place("spot-checks", _("Spot checks"), ("spot-check", "decision"), "spot_checks", "c"),
    Place("trials", _("Trials"), ("trial",), "trials", "i"),
    Place("answers", _("Answers"), ("answer",), "answers", "m"),
    AGREEMENT,
)
STAFF = (
    Place("staff-pipeline", _("Pipeline"), ("staff-pipeline",), go="p"),
    Place(
        "staff-tasks",
        _("Tasks"),
        ("staff-task", "staff-review", "staff-rubric", "staff-marks"),
        go="a",
    ),
    Place(
        "staff-screening",
        _("Panels"),
        ("staff-screening", "staff-panel", "staff-place", "staff-policy", "staff-policies"),
        go="n",
    ),
    Place(
        "staff-people",
        _("People"),
        (
            "staff-people",
            "staff-person",
            "staff-application",
            "staff-invite",
            "staff-invitation",
            "staff-account",
            "staff-senior",
            "staff-exam",
            "staff-question",
            "staff-items",
            "staff-questions",
            "staff-standing",
        ),
        "applications",
        "e",
    ),
    Place(
        "staff-runs",
        _("Runs"),
        (
            "staff-run",
            "staff-call",
            "staff-candidate",
            "staff-price",
            "staff-generation",
            "staff-response",
            "staff-draft",
        ),
        "runs",
        "u",
    ),
    Place("alignment", _("Alignment"), ("alignment", "staff-sheet"), go="l"),
    AGREEMENT,
    Place("leaderboard", _("Leaderboard"), ("leaderboard",), go="b"),
    Place("gold", _("Gold"), ("gold",), go="g"),
    Place("staff-audit", _("Audit"), ("staff-audit",), go="d"),
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
            "current": is_within(route, where),
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


def is_within(route: str, where: Place) -> bool:
    """Whether a page belongs to a place: its route is one of `owns`, or begins with one and "-"."""
    return any(route in (own, f"{own}s") or route.startswith(f"{own}-") for own in where.owns)


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
