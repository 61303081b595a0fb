"""The list of frozen releases."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.lists.declared import Column, ListSpec, register
from curation.base.web.look import count, when
from curation.telling.search.search import SearchTerms
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.strata import LABELS

HASH_SHOWN = 16  # characters


class ReleaseFilter(forms.Form):
    """The filter of the list of releases."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Number, hash or person"),
        widget=forms.SearchInput(),
    )
    strata = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Strata"),
        choices=[("", gettext_lazy("All")), *LABELS.items()],
    )


def find(wanted: Mapping[str, Any]) -> QuerySet[GoldRelease]:
    """Return the releases that match; a word may be a number or the beginning of a hash."""
    rows = GoldRelease.objects.all()
    if wanted["strata"]:
        rows = rows.filter(strata=wanted["strata"])
    for word in SearchTerms.read(wanted["q"]).words:
        one = SearchTerms.read(word)
        rows = rows.filter(
            one.in_columns("created_by__display_name", "created_by__email", number="number")
            | Q(sha256__startswith=word.lower())
        )
    return rows


def load(keys: Sequence[int]) -> Mapping[int, GoldRelease]:
    """Return releases with the people who froze them. One query."""
    rows = GoldRelease.objects.select_related("created_by", "same_as").defer("same_as__manifest")
    return rows.in_bulk(list(keys))


def _name(release: GoldRelease) -> str:
    return _("Release %(n)s") % {"n": release.number}


def _link(release: GoldRelease) -> str:
    same = ""
    if release.same_as is not None:
        words = _("same as %(n)s") % {"n": release.same_as.number}
        same = format_html(' <span class="quiet">{}</span>', words)
    address = reverse("gold-release", args=[release.number])
    return format_html(
        '<span><a href="{}" data-open>{}</a>{}</span>', address, _name(release), same
    )


def _counted(name: str) -> Any:
    def counted(release: GoldRelease) -> int | None:
        found = release.manifest.get("counts", {}).get(name)
        return None if found is None else int(found)

    return counted


def _frozen(release: GoldRelease) -> str:
    words = when(release.created_at, clock=True)
    if release.created_by is None:
        return words
    return format_html("<span>{} · {}</span>", words, release.created_by)


def _hash(release: GoldRelease) -> str:
    return format_html('<span class="mono quiet">{}</span>', release.sha256[:HASH_SHOWN])


RELEASES = register(
    ListSpec(
        name="releases",
        route="gold",
        filters=ReleaseFilter,
        find=find,
        load=load,
        order="-number",
        counted=lambda n: ngettext("%(n)s release", "%(n)s releases", n) % {"n": count(n)},
        title=_name,
        columns=(
            Column("number", gettext_lazy("Release"), _name, show=_link, sort=("number",)),
            Column("tasks", gettext_lazy("Tasks"), _counted("tasks"), number=True, sort=("size",)),
            Column("lines", gettext_lazy("Lines"), _counted("lines"), number=True),
            Column("anchors", gettext_lazy("Anchors"), _counted("anchors"), number=True),
            Column(
                "strata",
                gettext_lazy("Strata"),
                lambda release: str(LABELS.get(release.strata, release.strata)),
                only_files=True,
            ),
            Column(
                "seed",
                gettext_lazy("Seed"),
                lambda release: release.seed,
                show=lambda release: str(release.seed),
                number=True,
            ),
            Column(
                "frozen",
                gettext_lazy("Frozen"),
                lambda release: release.created_at,
                show=_frozen,
                sort=("created_at",),
            ),
            Column(
                "by",
                gettext_lazy("Frozen by"),
                lambda release: release.created_by.name_for_staff if release.created_by else None,
                only_files=True,
            ),
            Column("hash", gettext_lazy("Hash"), lambda release: release.sha256, show=_hash),
        ),
    )
)
