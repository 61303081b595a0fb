"""Pages of gold: draws for anchors, releases and their files."""

import secrets
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.lists.page import list_response
from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go, status_of
from judge.base.gold_sets.models import Allocation
from judge.base.gold_sets.retirements import retired_now
from judge.gold.draws import actions, queries
from judge.gold.draws.forms import OWN, BuilderForm, ReleaseForm
from judge.gold.draws.release_list import RELEASES
from judge.gold.releases.draw import DrawSpec, plan
from judge.gold.releases.pool import Pool, pool
from judge.gold.releases.release import release_gold
from judge.gold.releases.strata import DOMAIN, LABELS, STRATA

FIRST_DRAW = 25  # anchors proposed at first


def gold(request: HttpRequest) -> HttpResponseBase:
    """List releases, filtered and sorted, also as a file; draws stand below them."""
    if request.GET.get("format"):
        return list_response(request, RELEASES, "gold/draws/list.html")
    found = pool()
    return list_response(
        request,
        RELEASES,
        "gold/draws/list.html",
        draws=queries.draws(),
        approved=len(found.entries),
        anchored=len(found.ready(allow_unanchored=False)),
        retired=retired_now(),
    )


@once
def gold_draw(request: HttpRequest) -> HttpResponse:
    """Draw approved tasks whose baseline answers experts will score."""
    found = pool(_strata_of(request))
    if not found.entries:
        return render(request, "gold/draws/empty.html", {"pool": found})
    if request.method == "POST" and "short" in request.POST:
        return _ask(request, found)
    if "preview" in request.POST:
        return _preview(request)
    form = BuilderForm(_values(request, found, new=True), pool=found)
    spec = form.spec(allow_unanchored=True) if form.is_valid() else None
    if request.method == "POST" and spec is not None:
        try:
            made = actions.draw_gold(actor=request.user, spec=spec)
        except BadInput as refusal:
            _refuse(form, refusal)
        else:
            return go(
                request,
                ngettext(
                    "Drawn: %(n)s task. Where a baseline response is missing, one is written now.",
                    "Drawn: %(n)s tasks. Where baseline responses are missing, they are written "
                    "now.",
                    made.size,
                )
                % {"n": made.size},
                "gold-draw-page",
                made.pk,
            )
    return _builder(request, found, form, spec, "gold/draws/draw.html")


def gold_release_new(request: HttpRequest) -> HttpResponse:
    """Preview and freeze a release."""
    found = pool(_strata_of(request))
    if not found.entries:
        return render(request, "gold/draws/empty.html", {"pool": found})
    if "preview" in request.POST:
        return _preview(request)
    form = ReleaseForm(_values(request, found), pool=found)
    spec = form.release_spec() if form.is_valid() else None
    if request.method == "POST" and spec is not None and not _was_shown(request, found, spec):
        form.add_error(
            None,
            _(
                "These are not the tasks of the preview: a setting was changed, or other tasks are "
                "ready now. Nothing is frozen. Read the new preview, then freeze it."
            ),
        )
    elif request.method == "POST" and spec is not None:
        try:
            release = release_gold(
                actor=request.user,
                spec=spec,
                formats=form.cleaned_data["formats"],
                with_responses=form.cleaned_data["with_responses"],
                with_composition=form.cleaned_data["with_composition"],
            )
        except BadInput as refusal:
            _refuse(form, refusal)
        else:
            return go(
                request,
                _("Release %(n)s is frozen. Its files can be downloaded here.")
                % {"n": release.number},
                "gold-release",
                release.number,
            )
    return _builder(request, found, form, spec, "gold/releases/release_new.html")


def _strata_of(request: HttpRequest) -> str:
    """Return the strata asked for; those by domain where nothing known is."""
    wanted = (request.POST or request.GET).get("strata", "")
    return wanted if wanted in STRATA else DOMAIN


def _was_shown(request: HttpRequest, found: Pool, spec: DrawSpec) -> bool:
    """Return whether the tasks are those of the preview that was sent along, if one was."""
    previewed = request.POST.get("previewed", "")
    return not previewed or _drawn(found, spec) == previewed


def _drawn(found: Pool, spec: DrawSpec) -> str:
    """Return the hash of what would be drawn; "" where nothing can be."""
    try:
        return plan(found, spec, partial=True).sha256
    except BadInput:
        return ""


# -- the builder ----------------------------------------------------------------------------------


def _preview(request: HttpRequest) -> HttpResponse:
    """Redirect to an address that holds the settings, so that it can be kept and shared."""
    values = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "preview", "previewed"):
        values.pop(name, None)
    if values.get("allocation") != OWN:  # the quotas follow from the size
        for name in [name for name in values if name.startswith("quota_")]:
            values.pop(name)
    return redirect(f"{request.path}?{values.urlencode()}")


def _values(request: HttpRequest, found: Pool, *, new: bool = False) -> Any:
    """Return the settings sent, else a first proposal; with `new` one that adds anchors."""
    if request.method == "POST":
        return request.POST
    given = request.GET.copy()
    if "size" not in given:
        ready = len(found.ready(allow_unanchored=False))
        asked = sum(not entry.lacks_anchor for entry in found.entries)
        more = min(len(found.entries), asked + FIRST_DRAW)
        given["size"] = str(more if new or not ready else ready)
    if "seed" not in given:
        given["seed"] = str(secrets.randbelow(10**8))
    given.setdefault("strata", DOMAIN)
    given.setdefault("allocation", "proportional")
    given.setdefault("redistribute", "")
    if "formats" not in given:
        given["formats"] = "jsonl"
    if given["allocation"] == OWN:
        _propose_quotas(given, found)
    return given


def _propose_quotas(given: QueryDict, found: Pool) -> None:
    """Begin own quotas with proportional ones, where none of these strata has one yet."""
    names = [f"quota_{name}" for name in found.strata]
    if any(given.get(name) for name in names):
        return
    values = given.copy()
    values["allocation"] = Allocation.PROPORTIONAL
    form = BuilderForm(values, pool=found)
    if form.is_valid():
        with suppress(BadInput):
            for row in plan(found, form.spec(allow_unanchored=True), partial=True).rows:
                given[f"quota_{row.stratum}"] = str(row.wanted)


def _builder(
    request: HttpRequest, found: Pool, form: Any, spec: DrawSpec | None, template: str
) -> HttpResponse:
    """Show the builder with a preview of the draw."""
    preview, previewed = None, ""
    if spec is not None:
        try:
            made = plan(found, spec, partial=True)
        except BadInput as refusal:
            _refuse(form, refusal)
        else:
            ready = len(made.pool.ready(allow_unanchored=spec.allow_unanchored))
            shown = 10_000 if request.GET.get("all") else queries.SHOWN
            preview = queries.preview(found, made, ready=ready, shown=shown)
            previewed = made.sha256
    wanted = {row.stratum: row.wanted for row in preview.rows} if preview else {}
    rows = [
        {
            "row": row,
            "field": form[f"quota_{row.stratum}"],
            "value": wanted.get(row.stratum, 0),
        }
        for row in (preview.rows if preview else ())
    ]
    return render(
        request,
        template,
        {
            "form": form,
            "p": preview,
            "previewed": previewed,
            "rows": rows,
            "pool": found,
            "kind": LABELS[found.kind],
            "outdated": sum(1 for entry in found.entries if entry.outdated),
            "own": OWN,
            "lowered": _lowered(form, preview) if preview and preview.missing else "",
            "spread": _spread(form) if preview and preview.can_spread else "",
        },
        status=status_of(form),
    )


def _asked_for(form: Any) -> Any:
    """Return the form's values as a query, without the token."""
    values = form.data.copy()
    for name in ("csrfmiddlewaretoken", "previewed"):
        values.pop(name, None)
    return values


def _lowered(form: Any, preview: queries.Preview) -> str:
    """Return the same settings with the quotas lowered to what each domain has, as a query."""
    values = _asked_for(form)
    values["allocation"] = OWN
    values["size"] = str(max(1, preview.drawn))
    for row in preview.rows:
        values[f"quota_{row.stratum}"] = str(row.drawn)
    return values.urlencode()


def _spread(form: Any) -> str:
    """Return the same settings with shortfalls spread over the other domains, as a query."""
    values = _asked_for(form)
    values["redistribute"] = "1"
    return values.urlencode()


def _refuse(form: Any, refusal: BadInput) -> None:
    """Show a refusal once, at its field or above the form."""
    where = next((name for name in ("size", "minimum") if name in refusal.fields), None)
    if str(refusal.detail) not in form.errors.get(where or "__all__", ()):
        form.add_error(where, str(refusal.detail))


def _ask(request: HttpRequest, found: Pool) -> HttpResponse:
    """Ask for the anchors that a release lacks."""
    missing = {}
    for part in request.POST.getlist("short"):
        name, _colon, number = part.rpartition(":")
        wanted = storable.whole_number(number, digits=6)
        if wanted is not None:
            missing[name] = wanted
    seed = storable.whole_number(request.POST.get("seed", ""))
    if seed is None:
        raise BadInput(_("A seed is a whole number of at least 0."))
    spec = DrawSpec(size=max(1, sum(missing.values())), seed=seed, strata=found.kind)
    made = actions.ask_for_anchors(actor=request.user, spec=spec, missing=missing)
    return go(
        request,
        ngettext(
            "%(n)s anchor is requested. A baseline response is written, then an expert scores it.",
            "%(n)s anchors are requested. Baseline responses are written, then experts score them.",
            made.size,
        )
        % {"n": made.size},
        "gold-draw-page",
        made.pk,
    )
