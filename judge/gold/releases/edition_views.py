"""Pages of editions: all, a new one with its preview, one with its files."""

import re
from datetime import date
from typing import Any

import orjson
from django import forms
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from curation.base.web.fields import set_numbers
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.gold.releases import edition_actions as actions
from judge.gold.releases.edition_actions import newest, next_quarter, quarter_of
from judge.gold.releases.edition_content import as_markdown
from judge.gold.releases.editions import Edition, shown

OFFERED = 50  # releases


class ReleaseChoice(forms.ModelChoiceField):
    """A choice of a release by its number."""

    def label_from_instance(self, obj: GoldRelease) -> str:
        tasks = ngettext("%(n)s task", "%(n)s tasks", obj.size) % {"n": f"{obj.size:,}"}
        return gettext("Release %(n)s: %(tasks)s") % {"n": obj.number, "tasks": tasks}


class EditionForm(forms.Form):
    """Which quarter, and which release for all domains or for each."""

    year = forms.IntegerField(label=gettext_lazy("Year"), min_value=2000, max_value=2999)
    quarter = forms.TypedChoiceField(
        label=gettext_lazy("Quarter"), choices=[(n, f"Q{n}") for n in range(1, 5)], coerce=int
    )
    release = ReleaseChoice(
        label=gettext_lazy("Release for all domains"),
        queryset=GoldRelease.objects.none(),
        required=False,
        empty_label=gettext_lazy("One for each domain"),
        help_text=gettext_lazy("Or choose one for each domain below."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", proposal())
        super().__init__(*args, **kwargs)
        recent = GoldRelease.objects.filter(same_as__isnull=True).order_by("-number")
        keys = list(recent.values_list("pk", flat=True)[:OFFERED])
        offered = GoldRelease.objects.filter(pk__in=keys).order_by("-number")
        offered = offered.only("number", "size")
        self.fields["release"].queryset = offered  # type: ignore[attr-defined]
        held = GoldItem.objects.filter(task__domain=OuterRef("pk"))
        self.domains = list(Domain.objects.filter(Exists(held)))
        for domain in self.domains:
            self.fields[f"domain_{domain.pk}"] = ReleaseChoice(
                label=gettext_lazy("Release for %(domain)s") % {"domain": domain},
                queryset=offered.filter(
                    Exists(GoldItem.objects.filter(release=OuterRef("pk"), task__domain=domain))
                ),
                required=False,
                empty_label=gettext_lazy("That of all domains, or none"),
            )
        set_numbers(self.fields.values())

    def values(self) -> dict[str, Any]:
        """Return the arguments of `planned` and `publish_edition`."""
        data = self.cleaned_data
        return {
            "year": data["year"],
            "quarter": data["quarter"],
            "release": data["release"],
            "by_domain": {
                domain: data[f"domain_{domain.pk}"]
                for domain in self.domains
                if data[f"domain_{domain.pk}"]
            },
        }


def begins() -> date | None:
    """Return when the quarter of the next edition begins; None if it can be published today."""
    next_one = proposal()
    day = date(next_one["year"], 3 * next_one["quarter"] - 2, 1)
    return day if day > timezone.localdate() else None


def proposal() -> dict[str, Any]:
    """Return the first values: the present quarter, or the one after the newest edition."""
    last = newest()
    year, quarter = quarter_of(timezone.localdate())
    if last is not None and (last.year, last.quarter) >= (year, quarter):
        year, quarter = next_quarter(last.year, last.quarter)
    return {"year": year, "quarter": quarter}


_KEY = re.compile(r"([0-9]{4})-[qQ]([1-4])")


def editions(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "gold/editions/list.html",
        {
            "rows": Edition.objects.select_related("by"),
            "releases": GoldRelease.objects.exists(),
            "begins": begins(),
        },
    )


@once
def edition_new(request: HttpRequest) -> HttpResponse:
    """Name the releases of a quarter, look at what changed, and publish."""
    form = EditionForm(request.POST) if request.method == "POST" else EditionForm()
    content: dict[str, Any] | None = None
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            if "look" in request.POST:
                content = actions.planned(**form.values())
            else:
                made = actions.publish_edition(actor=request.user, **form.values())
                return go(
                    request, _("Edition %(key)s is published.") % {"key": made.key},
                    "edition", made.key,
                )  # fmt: skip
    return render(
        request,
        "gold/editions/new.html",
        {"form": form, "c": shown(content) if content else None, "begins": begins()},
        status=status_of(form),
    )


def edition(request: HttpRequest, key: str) -> HttpResponse:
    one = _edition(key)
    return render(
        request,
        "gold/editions/edition.html",
        {"edition": one, "c": shown(one.content)},
    )


def edition_json(request: HttpRequest, key: str) -> HttpResponse:
    """Download the content of an edition."""
    one = _edition(key)
    data = orjson.dumps(
        {**one.content, "sha256": one.sha256, "published_at": one.at.isoformat(timespec="seconds")},
        option=orjson.OPT_INDENT_2,
    )
    return _download(data + b"\n", "application/json", f"edition-{one.key}.json")


def edition_markdown(request: HttpRequest, key: str) -> HttpResponse:
    """Download an edition as Markdown."""
    one = _edition(key)
    text = as_markdown(one.content, one.sha256)
    return _download(text.encode(), "text/markdown; charset=utf-8", f"edition-{one.key}.md")


def _download(data: bytes, content_type: str, name: str) -> HttpResponse:
    return HttpResponse(
        data,
        content_type=content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )


def _edition(key: str) -> Edition:
    match = _KEY.fullmatch(key)
    if match is None:
        raise NotFound()
    rows = Edition.objects.select_related("by")
    return get_object_or_404(rows, year=int(match[1]), quarter=int(match[2]))
