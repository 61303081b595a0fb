"""Pages of one release: what it holds, its halves, its files."""

import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import listed
from curation.base.web.step import go, refused_at
from curation.joining.domains.models import Domain
from judge.base.gold_sets.models import GoldRelease
from judge.gold.draws import actions, queries
from judge.gold.draws.draw_page import halves_of_release
from judge.gold.draws.forms import OpenForm, SplitForm, proposal
from judge.gold.releases.checking import folder_of, path_of, verify
from judge.gold.releases.drawn_tasks import DrawnState
from judge.gold.releases.errata import count_of
from judge.gold.releases.strata import DOMAIN, LABELS

# Manifests are frozen in English; the page translates their sentences.
_IN_A_MANIFEST: Mapping[str, Any] = {
    "approved tasks that were not drawn": gettext_lazy("approved tasks that were not drawn"),
    "the sample is smaller than the pool": gettext_lazy("the sample is smaller than the pool"),
    "tasks of other benchmarks": gettext_lazy("tasks of other benchmarks"),
    "they were not written and reviewed here": gettext_lazy(
        "they were not written and reviewed here"
    ),
    "names, e-mail addresses, affiliations and accounts": gettext_lazy(
        "names, e-mail addresses, affiliations and accounts"
    ),
    "people appear as an index within the release": gettext_lazy(
        "people appear as an index within the release"
    ),
    "exam questions and their keys": gettext_lazy("exam questions and their keys"),
    "they still examine applicants": gettext_lazy("they are still used in exams"),
    "review threads and staff's remarks": gettext_lazy("review threads and staff's remarks"),
    "they were written in confidence": gettext_lazy("they were written in confidence"),
    "approved tasks without a validated anchor": gettext_lazy(
        "approved tasks without a validated anchor"
    ),
    "a judge would have no example for them": gettext_lazy(
        "a judge would have no example for them"
    ),
    "approved tasks whose anchor belongs to an older rubric": gettext_lazy(
        "approved tasks whose anchor belongs to an older rubric"
    ),
    "its verdicts are about other lines": gettext_lazy("its verdicts are about other lines"),
    "candidates' responses, experts' sheets and judges' verdicts": gettext_lazy(
        "candidates' responses, experts' sheets and judges' verdicts"
    ),
    "they were not asked for": gettext_lazy("they were not asked for"),
    "responses to an earlier text of their task, and the scores of these": gettext_lazy(
        "responses to an earlier text of their task, and the scores of these"
    ),
    "the task was amended after they were given": gettext_lazy(
        "the task was amended after they were given"
    ),
    "experts' sheets for responses with a flagged verdict": gettext_lazy(
        "experts' sheets for responses with a flagged verdict"
    ),
    "flags asked for them, so they are not a random sample": gettext_lazy(
        "flags asked for them, so they are not a random sample"
    ),
    "approved tasks of strata that were set aside": gettext_lazy(
        "approved tasks of strata that were set aside"
    ),
    "their strata have too few tasks to say anything about them": gettext_lazy(
        "their strata have too few tasks to say anything about them"
    ),
    "drawn tasks that staff left out": gettext_lazy("drawn tasks that staff left out"),
    "each has its reason under the exceptions": gettext_lazy(
        "each has its reason under the exceptions"
    ),
}

# (allocation in the manifest, whether shortfalls are spread) -> how the draw was made
_DRAWN: Mapping[tuple[str, bool], Any] = {
    ("proportional", False): gettext_lazy(
        "seed %(seed)s, shares proportional to the approved tasks, no redistribution"
    ),
    ("proportional", True): gettext_lazy(
        "seed %(seed)s, shares proportional to the approved tasks, shortfalls spread"
    ),
    ("equal", False): gettext_lazy("seed %(seed)s, equal shares, no redistribution"),
    ("equal", True): gettext_lazy("seed %(seed)s, equal shares, shortfalls spread"),
    ("own quotas", False): gettext_lazy("seed %(seed)s, own quotas, no redistribution"),
    ("own quotas", True): gettext_lazy("seed %(seed)s, own quotas, shortfalls spread"),
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One kind of thing that a release leaves out on purpose."""

    what: str
    why: str
    count: int | None


@dataclass(frozen=True, slots=True)
class ReleaseWords:
    """The sentences of a manifest in the reader's language."""

    drawn: str
    kind: str
    strata: tuple[tuple[str, Mapping[str, Any]], ...]
    aside: str
    exceptions: tuple[Mapping[str, str], ...]
    left_out: tuple[LeftOut, ...]


def release_words(manifest: Mapping[str, Any]) -> ReleaseWords:
    """Translate the sentences of a manifest; those without a translation stay in English.

    Things of which none were left out are not listed. One query.
    """
    draw = manifest["draw"]
    names: dict[str, str] = {}  # strata other than domains keep the names of the files
    if draw["strata"] == DOMAIN:
        names = {domain.key: str(domain) for domain in Domain.objects.all()}
    how = _DRAWN[draw["allocation"], bool(draw["redistribute"])]
    return ReleaseWords(
        drawn=str(how) % {"seed": draw["seed"]},
        kind=str(LABELS.get(draw["strata"], draw["strata"])),
        strata=tuple((names.get(row["stratum"], row["name"]), row) for row in manifest["strata"]),
        aside=listed(
            _("%(name)s (%(n)s)")
            % {"name": names.get(row["stratum"], row["name"]), "n": f"{row['approved']:,}"}
            for row in draw.get("set_aside", ())
        ),
        exceptions=tuple(
            {**row, "state": str(DrawnState(row["state"]).label)}
            for row in manifest.get("exceptions", ())
        ),
        left_out=tuple(
            LeftOut(
                what=str(_IN_A_MANIFEST.get(row["what"], row["what"])),
                why=str(_IN_A_MANIFEST.get(row["why"], row["why"])),
                count=row["count"],
            )
            for row in manifest["left_out"]
            if row["count"] != 0
        ),
    )


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
