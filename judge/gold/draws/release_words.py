"""The sentences of a release's manifest in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import listed
from curation.joining.domains.models import Domain
from judge.gold.releases.drawn_tasks import DrawnState
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
