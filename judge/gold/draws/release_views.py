"""Pages of one release: what it holds, its halves, its files."""

import tempfile
import zipfile

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.step import go, refused_at
from judge.base.gold_sets.models import GoldRelease
from judge.gold.draws import actions, queries
from judge.gold.draws.draw_page import halves_of_release
from judge.gold.draws.forms import OpenForm, SplitForm, proposal
from judge.gold.draws.release_words import release_words
from judge.gold.releases.checking import folder_of, path_of, verify
from judge.gold.releases.erratum_queries import count_of

ZIP = "all-zip"
_TYPES = {
    ".jsonl": "application/x-ndjson",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
}


def gold_release(request: HttpRequest, number: int) -> HttpResponse:
    """Show a release; every file is hashed again when the page is opened."""
    return show_release(request, number, SplitForm(initial=proposal()), OpenForm())


def gold_release_split(request: HttpRequest, number: int) -> HttpResponse:
    """Split a release that drew its tasks itself."""
    release = get_object_or_404(GoldRelease, number=number)
    form = SplitForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            actions.split_in_halves(actor=request.user, release=release, **form.cleaned_data)
            return go(
                request,
                _("Split. Tune judges on the development half; the held-out half stays closed."),
                "gold-release",
                number,
            )
    return show_release(request, number, form, OpenForm())


def show_release(
    request: HttpRequest, number: int, form: SplitForm, open_form: OpenForm
) -> HttpResponse:
    """Return the page of a release with its forms, as they were filled in."""
    release = get_object_or_404(
        GoldRelease.objects.select_related("created_by", "same_as", "draw"), number=number
    )
    checks = verify(release)
    return render(
        request,
        "gold/releases/release.html",
        {
            "form": form,
            "open_form": open_form,
            "halves": halves_of_release(release),
            "errata": count_of(release),
            "amended": list(queries.amended_since(release)),
            "release": release,
            "m": release.manifest,
            "words": release_words(release.manifest),
            "checks": checks,
            "fine": all(check.fine for check in checks),
            "zip": ZIP,
            "size": sum(check.size for check in checks),
        },
        status=400 if form.errors or open_form.errors else 200,
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
