"""Pages of editions: all, a new one with its preview, one with its files."""

import re
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases import edition_actions as actions
from judge.gold.releases.edition_content import as_markdown
from judge.gold.releases.edition_forms import EditionForm, begins
from judge.gold.releases.edition_models import Edition
from judge.gold.releases.edition_queries import shown

_KEY = re.compile(r"([0-9]{4})-[qQ]([1-4])")


def editions(request: HttpRequest) -> HttpResponse:
    """List the editions."""
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
    """Show an edition."""
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
