"""The list of candidates."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.lists.page import NO_VALUE
from curation.base.text.wording import percent
from curation.base.web.look import count
from curation.telling.search.search import SearchTerms
from judge.asking.candidates.models import Candidate, Response
from judge.results.registry.queries import CandidateRow, candidate_rows, off_the_board

OFFERED, RETIRED, OFF_BOARD = "offered", "retired", "off-board"


class CandidateFilter(forms.Form):
    """The filter of the list of candidates."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Name, house or model"),
        widget=forms.SearchInput(),
    )
    kind = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Kind"),
        choices=[("", gettext_lazy("All")), *Candidate.Kind.choices],
    )
    licence = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Licence"),
        choices=[("", gettext_lazy("All")), *Candidate.Licence.choices],
    )
    state = forms.ChoiceField(
        required=False,
        label=gettext_lazy("State"),
        choices=[
            ("", gettext_lazy("All states")),
            (OFFERED, gettext_lazy("Offered")),
            (RETIRED, gettext_lazy("Retired")),
            (OFF_BOARD, gettext_lazy("Off the open board")),
        ],
    )


def find(wanted: Mapping[str, Any]) -> QuerySet[Candidate]:
    """Return the candidates that match."""
    rows = Candidate.objects.all()
    retired = Q(retired_on__lte=timezone.localdate())
    match wanted["state"]:
        case "offered":
            rows = rows.filter(Q(retired_on__isnull=True) | ~retired)
        case "retired":
            rows = rows.filter(retired)
        case "off-board":
            rows = rows.filter(off_the_board())
    for name in ("kind", "licence"):
        if wanted[name]:
            rows = rows.filter(**{name: wanted[name]})
    if wanted["q"].strip():
        terms = SearchTerms.read(wanted["q"])
        rows = rows.filter(
            terms.in_columns("name", "version", "family", "model", "provider", number="pk")
        )
    return rows


def load(keys: Sequence[int]) -> Mapping[int, CandidateRow]:
    """Return the rows with their counts. Six queries, however many candidates."""
    return {row.pk: row for row in candidate_rows(keys)}


def _link(row: CandidateRow) -> str:
    facts = [row.version, row.kind, row.asked]
    if row.retired:
        facts.append(_("retired"))
    if row.off_board:
        facts.append(_("off the open board"))
    return format_html(
        '<span><a href="{}" data-open>{}</a><span class="task-key">{}</span></span>',
        reverse("staff-candidate", args=[row.pk]),
        row.name,
        format_html_join(" · ", "{}", ((fact,) for fact in facts if fact)),
    )


def _responses(row: CandidateRow) -> str:
    if not row.baselines:
        return count(row.responses)
    more = ngettext("and %(n)s baseline", "and %(n)s baselines", row.baselines)
    words = more % {"n": row.baselines}
    return format_html('{} <span class="muted">{}</span>', count(row.responses), words)


def _share(row: CandidateRow) -> Any:
    return NO_VALUE if row.coverage is None else percent(row.coverage)


def _counted(rows: QuerySet[Any]) -> Coalesce:
    """Return an expression for the number of rows of a candidate, for sorting."""
    own = rows.filter(candidate=OuterRef("pk")).order_by().values("candidate")
    return Coalesce(Subquery(own.annotate(n=Count("id")).values("n")), 0)


def _state(row: CandidateRow) -> str:
    words = [_("retired") if row.retired else _("offered")]
    return ", ".join(words + ([_("off the open board")] if row.off_board else []))


_ANSWERS = Response.objects.filter(baseline=False)


CANDIDATES = register(
    ListSpec(
        name="candidates",
        route="staff-candidates",
        filters=CandidateFilter,
        find=find,
        load=load,
        order="name",
        counted=lambda n: ngettext("%(n)s candidate", "%(n)s candidates", n) % {"n": count(n)},
        title=lambda row: row.name,
        columns=(
            Column(
                "name",
                gettext_lazy("Candidate"),
                lambda row: row.name,
                show=_link,
                sort=(Lower("name"),),
            ),
            Column("version", gettext_lazy("Version"), lambda row: row.version, only_files=True),
            Column("kind", gettext_lazy("Kind"), lambda row: row.kind, only_files=True),
            Column("asked", gettext_lazy("Asked as"), lambda row: row.asked, only_files=True),
            Column("state", gettext_lazy("State"), _state, only_files=True),
            Column("house", gettext_lazy("House"), lambda row: row.family, sort=(Lower("family"),)),
            Column("price", gettext_lazy("Price"), lambda row: row.price),
            Column(
                "released",
                gettext_lazy("Released"),
                lambda row: row.released_on,
                sort=("released_on",),
            ),
            Column(
                "responses",
                gettext_lazy("Responses"),
                lambda row: row.responses,
                show=_responses,
                number=True,
                sort=(_counted(_ANSWERS),),
            ),
            Column(
                "baselines",
                gettext_lazy("Baselines"),
                lambda row: row.baselines,
                number=True,
                only_files=True,
            ),
            Column("tasks", gettext_lazy("Tasks answered"), lambda row: row.tasks, number=True),
            Column(
                "share",
                gettext_lazy("Share of approved tasks"),
                lambda row: row.coverage,
                show=_share,
                number=True,
            ),
            Column("sheets", gettext_lazy("Expert sheets"), lambda row: row.sheets, number=True),
            Column("latest", gettext_lazy("Latest"), lambda row: row.latest),
        ),
    )
)
