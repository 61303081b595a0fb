"""Staff's page of applications."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, in_order_of, register
from curation.base.lists.page import NO_VALUE, list_response
from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.look import count, pill
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.views import YEARS, QueueFilter

# The columns that a search looks into; other data about a person cannot be searched.
SEARCHED = ("user__display_name", "user__email", "affiliation", "degree")
_WAITING_FIRST = Case(
    When(stage=ApplicationStage.APPLIED, then=Value(0)),
    default=Value(1),
    output_field=IntegerField(),
)


def find(wanted: Mapping[str, Any]) -> QuerySet[Application]:
    """Return the applications that match."""
    rows = Application.objects.all()
    for name in ("stage", "domain", "route"):
        if wanted[name]:
            rows = rows.filter(**{name: wanted[name]})
    if wanted["years"]:
        rows = rows.filter(years__range=YEARS[wanted["years"]])
    if wanted["days"]:
        rows = rows.filter(stage_since__lte=timezone.now() - timedelta(days=int(wanted["days"])))
    return rows.filter(_matches(wanted["q"]))


def _matches(words: str) -> Q:
    """Return a condition: each word is in a searched column; "Expert 12" finds number 12."""
    found = Q()
    for word in words.split()[:8]:
        one = Q()
        for column in SEARCHED:
            one |= Q(**{f"{column}__icontains": word})
        if word.isascii() and word.isdecimal() and len(word) < 10:
            one |= Q(user=int(word))
        if word.casefold() not in ("expert", "专家"):
            found &= one
    return found


def load(keys: Sequence[int]) -> Mapping[int, Application]:
    """Return applications with all that a row shows. One query."""
    again = Application.objects.filter(user=OuterRef("user")).exclude(pk=OuterRef("pk"))
    held = Q(certifications__evidence__isnull=False)
    held &= Q(certifications__evidence__removed_at__isnull=True)
    rows = (
        Application.objects.filter(pk__in=keys)
        .select_related("domain", "user")
        .defer("credentials")  # a long text, which the list does not show
        .annotate(
            named=Count("certifications", distinct=True),
            shown=Count("certifications", filter=held, distinct=True),
            again=Exists(again),
        )
    )
    return {row.pk: row for row in rows}


def _who(row: Application) -> str:
    link = format_html(
        '<a href="{}" data-open>{}</a>',
        reverse("staff-application", args=[row.pk]),
        row.user.pseudonym,
    )
    name = row.user.display_name
    return format_html('{} <span class="quiet">{}</span>', link, name) if name else link


def _domain(row: Any) -> Any:
    if not row.again:
        return row.domain
    hint = _("applies in another domain, too")
    return format_html('{}<br><span class="hint">{}</span>', row.domain, hint)


def _stage(row: Application) -> str:
    return str(ApplicationStage(row.stage).label)


def _certified(row: Any) -> str:
    if not row.named:
        return ""
    return _("%(n)s of %(all)s with evidence") % {"n": row.shown, "all": row.named}


APPLICATIONS = register(
    ListSpec(
        name="applications",
        route="staff-applications",
        filters=QueueFilter,
        find=find,
        load=load,
        order="waiting",
        orders={"waiting": (gettext_lazy("Waiting first"), (_WAITING_FIRST, "stage_since", "pk"))},
        counted=lambda n: ngettext("%(n)s application", "%(n)s applications", n) % {"n": count(n)},
        title=lambda row: row.user.pseudonym,
        columns=(
            Column(
                "number",
                gettext_lazy("Applicant"),
                lambda row: row.user.pseudonym,
                show=_who,
                sort=("user_id",),
            ),
            Column(
                "name",
                gettext_lazy("Name"),
                lambda row: row.user.name_for_staff,
                only_files=True,
                sort=(Lower("user__display_name"),),
            ),
            Column(
                "domain",
                gettext_lazy("Domain"),
                lambda row: row.domain,
                show=_domain,
                sort=("domain__position", "domain__key"),
            ),
            Column(
                "affiliation",
                gettext_lazy("Affiliation"),
                lambda row: row.affiliation,
                sort=(Lower("affiliation"),),
            ),
            Column(
                "years",
                gettext_lazy("Years of practice"),
                lambda row: row.years,
                number=True,
                sort=("years",),
            ),
            Column(
                "route",
                gettext_lazy("How they came to us"),
                lambda row: str(Application.Route(row.route).label),
                sort=("route",),
            ),
            Column(
                "certifications",
                gettext_lazy("Certifications"),
                _certified,
                show=lambda row: _certified(row) or NO_VALUE,
            ),
            Column(
                "stage",
                gettext_lazy("Stage"),
                _stage,
                show=lambda row: pill(row.stage, _stage(row)),
                sort=(in_order_of("stage", ApplicationStage.values),),
            ),
            Column(
                "since",
                gettext_lazy("In this stage since"),
                lambda row: row.stage_since,
                sort=("stage_since",),
            ),
            Column(
                "applied",
                gettext_lazy("Applied"),
                lambda row: row.created_at,
                only_files=True,
                sort=("created_at",),
            ),
        ),
    )
)


def staff_applications(request: HttpRequest) -> HttpResponseBase:
    """Show all applications, those that wait for staff first; also as a file."""
    return list_response(request, APPLICATIONS, "qualifying/qualification/staff_applications.html")
