"""What a sample can be stratified by: each task's stratum, and the names of the strata.

A task of which the property is not known is in the stratum `unknown`, never in another one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from curation.base.text import wording
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.models import Screening
from curation.tasks.task.models import Task
from curation.tasks.task.probe_findings import Finding
from curation.tasks.task.task_value import ValueBand, value_band

DOMAIN, CATEGORY, LANGUAGE, DIFFICULTY, VALUE = (
    "domain", "category", "language", "difficulty", "value",
)  # fmt: skip
STRATA = (DOMAIN, CATEGORY, LANGUAGE, DIFFICULTY, VALUE)
UNKNOWN = "unknown"
NO_CATEGORY = "(none)"  # no category has such a key

LABELS: Mapping[str, Any] = {
    DOMAIN: gettext_lazy("Domain"),
    CATEGORY: gettext_lazy("Domain and category"),
    LANGUAGE: gettext_lazy("Language"),
    DIFFICULTY: gettext_lazy("Difficulty"),
    VALUE: gettext_lazy("Value"),
}

# What models made of the prompt when it was probed, as a difficulty.
_DIFFICULTIES: Mapping[str, Any] = {
    Finding.EASY: gettext_lazy("easy for the models probed"),
    Finding.FAIR: gettext_lazy("hard, within the limits"),
    Finding.SUSPECT: gettext_lazy("very hard"),
    Finding.UNKNOWN: gettext_lazy("unknown"),
}


@dataclass(frozen=True, slots=True)
class Stratum:
    """The names of a stratum: `name` in English, as files have it, and `label` for the reader."""

    key: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Stratification:
    """Each task's stratum (task -> key), and all strata that occur in the order of pages."""

    kind: str
    of: Mapping[int, str]
    strata: Mapping[str, Stratum]


def stratify(tasks: "QuerySet[Task]", kind: str) -> Stratification:
    """Find the strata of these tasks. At most three queries.

    Args:
        kind: one of `STRATA`.
    """
    of, names = _KINDS[kind](tasks.order_by())
    there = set(of.values())
    return Stratification(
        kind, of, {key: stratum for key, stratum in names.items() if key in there}
    )


_Found = tuple[Mapping[int, str], Mapping[str, Stratum]]


def _domains(tasks: "QuerySet[Task]") -> _Found:
    names = {
        domain.key: Stratum(domain.key, domain.name, str(domain))
        for domain in Domain.objects.order_by("position", "key")
    }
    return dict(tasks.values_list("pk", "domain__key")), names


def _categories(tasks: "QuerySet[Task]") -> _Found:
    names: dict[str, Stratum] = {}
    by_domain: dict[str, list[Category]] = {}
    for category in Category.objects.select_related("domain").order_by("name", "key"):
        by_domain.setdefault(category.domain.key, []).append(category)
    for domain in Domain.objects.order_by("position", "key"):
        for category in by_domain.get(domain.key, ()):
            key = f"{domain.key}/{category.key}"
            names[key] = Stratum(
                key, f"{domain.name}: {category.name}", _pair(domain, str(category))
            )
        key = f"{domain.key}/{NO_CATEGORY}"
        names[key] = Stratum(key, f"{domain.name}: no category", _pair(domain, _("no category")))
    return {
        pk: f"{domain}/{category or NO_CATEGORY}"
        for pk, domain, category in tasks.values_list("pk", "domain__key", "category__key")
    }, names


def _pair(domain: Domain, category: str) -> str:
    return _("%(domain)s: %(category)s") % {"domain": domain, "category": category}


def _languages(tasks: "QuerySet[Task]") -> _Found:
    found = {pk: language or UNKNOWN for pk, language in tasks.values_list("pk", "language")}
    keys = sorted(set(found.values()), key=lambda key: (key == UNKNOWN, key))
    names = _named(keys, lambda key: _("unknown") if key == UNKNOWN else wording.name_of(key))
    return found, names


def _difficulties(tasks: "QuerySet[Task]") -> _Found:
    found = dict.fromkeys(tasks.values_list("pk", flat=True), UNKNOWN)
    # The last screening counts: the prompt may have changed since the one before.
    found |= dict(
        Screening.objects.filter(task__in=tasks)
        .order_by("task_id", "round")
        .values_list("task_id", "finding")
    )
    return found, _named(_DIFFICULTIES, lambda key: str(_DIFFICULTIES[key]))


def _values(tasks: "QuerySet[Task]") -> _Found:
    found = {
        pk: str(value_band(minutes, band, rate))
        for pk, minutes, band, rate in tasks.values_list(
            "pk", "minutes", "rate_band", "hourly_rate"
        )
    }
    return found, _named(ValueBand.values, lambda key: str(ValueBand(key).label))


def _named(keys: Iterable[str], label_of: Callable[[str], str]) -> dict[str, Stratum]:
    names = {}
    for key in keys:
        with override("en"):
            name = label_of(key)
        names[str(key)] = Stratum(str(key), name, label_of(key))
    return names


_KINDS: Mapping[str, Callable[["QuerySet[Task]"], _Found]] = {
    DOMAIN: _domains,
    CATEGORY: _categories,
    LANGUAGE: _languages,
    DIFFICULTY: _difficulties,
    VALUE: _values,
}
