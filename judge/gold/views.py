"""Pages of gold: draws for anchors, releases and their files."""

import secrets
import tempfile
import zipfile
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.text import storable
from curation.web.once import once
from curation.web.refusals import BadInput
from curation.web.step import go, status_of
from judge.gold import actions, queries
from judge.gold.forms import OWN, BuilderForm, ReleaseForm
from judge.releases.checking import folder_of, path_of, verify
from judge.releases.draw import DrawSpec, Pool, plan, pool
from judge.releases.models import GoldRelease
from judge.releases.release import release_gold

ZIP = "all-zip"
FIRST_DRAW = 25  # anchors proposed at first
_TYPES = {
    ".jsonl": "application/x-ndjson",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
}


def gold(request: HttpRequest) -> HttpResponse:
    """List draws and releases."""
    found = pool()
    return render(
        request,
        "gold/list.html",
        {
            "draws": queries.draws(),
            "releases": queries.releases(),
            "approved": len(found.entries),
            "anchored": len(found.ready(allow_unanchored=False)),
        },
    )


@once
def gold_draw(request: HttpRequest) -> HttpResponse:
    """Draw approved tasks whose baseline answers experts will score."""
    found = pool()
    if not found.entries:
        return render(request, "gold/empty.html", {"pool": found})
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
                "gold",
            )
    return _builder(request, found, form, spec, "gold/draw.html")


def gold_release_new(request: HttpRequest) -> HttpResponse:
    """Preview and freeze a release."""
    found = pool()
    if not found.entries:
        return render(request, "gold/empty.html", {"pool": found})
    if "preview" in request.POST:
        return _preview(request)
    form = ReleaseForm(_values(request, found), pool=found)
    spec = form.release_spec() if form.is_valid() else None
    if request.method == "POST" and spec is not None:
        try:
            release = release_gold(
                actor=request.user,
                spec=spec,
                formats=form.cleaned_data["formats"],
                with_responses=form.cleaned_data["with_responses"],
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
    return _builder(request, found, form, spec, "releases/release_new.html")


def gold_release(request: HttpRequest, number: int) -> HttpResponse:
    """Show a release; every file is hashed again when the page is opened."""
    release = get_object_or_404(
        GoldRelease.objects.select_related("created_by", "same_as"), number=number
    )
    checks = verify(release)
    return render(
        request,
        "releases/release.html",
        {
            "amended": list(queries.amended_since(release)),
            "release": release,
            "m": release.manifest,
            "words": queries.release_words(release.manifest),
            "checks": checks,
            "fine": all(check.fine for check in checks),
            "zip": ZIP,
            "size": sum(check.size for check in checks),
        },
    )


def gold_download(request: HttpRequest, number: int, file: str) -> HttpResponseBase:
    """Download a file of a release, or all of them as a zip; only files of the manifest exist."""
    release = get_object_or_404(GoldRelease, number=number)
    if file == ZIP:
        return _zip(release)
    path = path_of(release, file)
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"gold-{release.number}-{path.name}",
        content_type=_TYPES.get(path.suffix, "application/octet-stream"),
        headers=_HEADERS,
    )


_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"}


def _zip(release: GoldRelease) -> FileResponse:
    """Pack all files into an archive whose bytes do not depend on when it is made."""
    archive = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for check in verify(release):
            if check.missing:
                continue
            entry = zipfile.ZipInfo(f"gold-{release.number}/{check.name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with (
                (folder_of(release) / check.name).open("rb") as source,
                packed.open(entry, "w") as target,
            ):
                while data := source.read(1 << 20):
                    target.write(data)
    archive.seek(0)
    return FileResponse(
        archive,
        as_attachment=True,
        filename=f"gold-{release.number}.zip",
        content_type="application/zip",
        headers=_HEADERS,
    )


# -- the builder ----------------------------------------------------------------------------------


def _preview(request: HttpRequest) -> HttpResponse:
    """Redirect to an address that holds the settings, so that it can be kept and shared."""
    values = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "preview"):
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
    given.setdefault("allocation", "proportional")
    given.setdefault("redistribute", "")
    if "formats" not in given:
        given["formats"] = "jsonl"
    return given


def _builder(
    request: HttpRequest, found: Pool, form: Any, spec: DrawSpec | None, template: str
) -> HttpResponse:
    """Show the builder with a preview of the draw."""
    preview = None
    if spec is not None:
        try:
            made = plan(found, spec, partial=True)
        except BadInput as refusal:
            _refuse(form, refusal)
        else:
            ready = len(found.ready(allow_unanchored=spec.allow_unanchored))
            shown = 10_000 if request.GET.get("all") else queries.SHOWN
            preview = queries.preview(found, made, ready=ready, shown=shown)
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
            "rows": rows,
            "pool": found,
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
    values.pop("csrfmiddlewaretoken", None)
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
    where = "size" if "size" in refusal.fields else None
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
    spec = DrawSpec(size=max(1, sum(missing.values())), seed=seed)
    made = actions.ask_for_anchors(actor=request.user, spec=spec, missing=missing)
    return go(
        request,
        ngettext(
            "%(n)s anchor is requested. A baseline response is written, then an expert scores it.",
            "%(n)s anchors are requested. Baseline responses are written, then experts score them.",
            made.size,
        )
        % {"n": made.size},
        "gold",
    )
