"""The settings that judge has, for staff's page of settings."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.db import models
from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import listed
from curation.joining.domains.policies import LATEST
from curation.staff.programme_settings.declared import (
    Setting,
    SettingChanged,
    SettingSource,
    name_of,
    of_events,
    of_states,
    shown,
)
from judge.asking.calls.budgets import PURPOSES
from judge.asking.calls.cost import MILLION
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.money import dollars
from judge.asking.calls.price_models import Price, PriceEvent
from judge.asking.endpoints.models import (
    Endpoint,
    EndpointEvent,
    ProgrammeModels,
    ServedModel,
    ServedModelEvent,
)
from judge.asking.endpoints.programme import in_use
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.graded.scale import GradeScale
from judge.methods.list_match.facts import BandTable, bands_in_force
from judge.methods.variants.models import JudgeDefault
from judge.results.alignment.models import TrustThresholds
from judge.results.difficulty.models import ShareRules
from judge.scoring.anchors.models import AnchorPolicy

THRESHOLDS = ("cdr_lower", "tasks", "strict_pairs", "coverage", "j_lower", "mean_bias")


def _limit(value: Any) -> Any:
    return _("no limit") if value is None else dollars(value / MILLION)


def _tiers(value: Any) -> str:
    return _("%(n)s domains") % {"n": len(value or {})}


def _rates(row: Any) -> str:
    rates = [dollars(micro / MILLION) for micro in (row.input_micro, row.output_micro)]
    return _("%(input)s in, %(output)s out, per million tokens") % {
        "input": rates[0],
        "output": rates[1],
    }


def _prices() -> Iterable[Setting]:
    last = PriceEvent.objects.select_related("actor").order_by("-at", "-pk").first()
    many = Price.objects.aggregate(n=Count("model", distinct=True))["n"]
    yield Setting(
        _("Prices of models"),
        _("%(n)s models with a price") % {"n": many},
        name_of(last.actor) if last else "",
        last.at if last else None,
        reverse("staff-prices"),
    )


def _price_changes() -> Iterable[SettingChanged]:
    """Yield the changes of prices, each beside the event of the model before it. One query."""
    rows = list(PriceEvent.objects.select_related("actor").order_by("-at", "-pk")[: LATEST * 2])
    earlier: dict[tuple[str, str], Any] = {}
    found = []
    for row in reversed(rows):
        before = earlier.get((row.provider, row.model))
        earlier[row.provider, row.model] = row
        label = _("Price of %(model)s") % {"model": f"{row.provider}:{row.model}"}
        parts = [(_("Price"), _rates(before) if before else "–", _rates(row))]
        found.append(
            SettingChanged(row.at, name_of(row.actor), label, parts, url=reverse("staff-prices"))
        )
    return reversed(found[-LATEST:])


def _endpoints() -> Iterable[Setting]:
    """Yield each endpoint with whoever changed it last. Two queries."""
    latest = {
        row.endpoint_id: row for row in EndpointEvent.objects.select_related("actor").order_by("pk")
    }
    for one in Endpoint.objects.filter(retired=False):
        last = latest.get(one.pk)
        yield Setting(
            one.label,
            one.address,
            name_of(last.actor) if last else "",
            last.at if last else None,
            _of_endpoint(one),
            one.key_variable,
        )
    many = ServedModel.objects.filter(retired=False).count()
    yield Setting(_("All models and endpoints"), many, url=reverse("staff-models"))


def _of_endpoint(one: Endpoint) -> str:
    return reverse("staff-endpoint", args=[one.name])


def _scale() -> Iterable[Setting]:
    last = GradeScale.objects.select_related("set_by").order_by("-pk").first()
    yield Setting(
        _("Scale of the grades"),
        _("set by staff") if last else _("as delivered"),
        name_of(last.set_by) if last else "",
        last.since if last else None,
        reverse("staff-method-scale"),
    )


def _scale_changes() -> Iterable[SettingChanged]:
    """Yield the changes of scales, each beside the scale of its category before. One query."""
    earlier: dict[Any, list[str]] = {}
    found = []
    for row in GradeScale.objects.select_related("set_by", "category").order_by("pk"):
        label = _("Scale of the grades: %(of)s") % {"of": row.category or _("all categories")}
        before = earlier.get(row.category_id, [])
        parts = [
            (_("Grade %(n)s") % {"n": n}, shown(old), shown(new))
            for n, (old, new) in enumerate(
                zip(_five(before), _five(row.sentences), strict=True), start=1
            )
            if old != new
        ]
        earlier[row.category_id] = row.sentences
        url = reverse("staff-method-scale")
        found.append(SettingChanged(row.since, name_of(row.set_by), label, parts, row.reason, url))
    return reversed(found[-LATEST:])


def _five(sentences: list[str]) -> list[str]:
    return sentences or [""] * 5


def _bands(value: Any) -> Any:
    """Word a list of numbers, or of (percent, grade)."""
    return listed(
        one if isinstance(one, int) else f"{one[0]} % → {one[1]}" for one in value or ()
    ) or shown(None)


def _variant(value: Any) -> Any:
    return _("settings by hand") if value is None else str(value)


def _label_of(name: str) -> Any:
    field = TrustThresholds._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field.verbose_name


SOURCES = (
    of_states(
        "thresholds",
        "scoring",
        gettext_lazy("Trust thresholds"),
        TrustThresholds,
        "alignment-thresholds",
        {name: _label_of(name) for name in THRESHOLDS},
    ),
    of_states(
        "anchors",
        "scoring",
        gettext_lazy("Scorers of an anchor"),
        AnchorPolicy,
        "gold-anchors",
        {"scorers": gettext_lazy("Scorers")},
    ),
    of_states(
        "judge-default",
        "scoring",
        gettext_lazy("Judge of new runs"),
        JudgeDefault,
        "judge-workshop",
        {"variant": gettext_lazy("Variant")},
        _variant,
        lambda: {"variant": None},
    ),
    of_states(
        "bands",
        "scoring",
        gettext_lazy("Bands of lists"),
        BandTable,
        "staff-method-bands",
        {
            "coverage": gettext_lazy("Coverage for the grades 2 to 5, in per cent"),
            "invented": gettext_lazy("Limits for invented entries"),
        },
        _bands,
        lambda: asdict(bands_in_force()),
    ),
    SettingSource("scale", "scoring", _scale, _scale_changes),
    of_states(
        "tiers",
        "scoring",
        gettext_lazy("Tiers of sources"),
        SourceTiers,
        "staff-source-tiers",
        {"entries": gettext_lazy("Entries")},
        _tiers,
        dict,
    ),
    of_states(
        "shares",
        "work",
        gettext_lazy("When models make a question too easy or doubtful"),
        ShareRules,
        "difficulty-rules",
        {
            "fewest": gettext_lazy("Models at least"),
            "drop": gettext_lazy("Too easy from, in per cent"),
            "look": gettext_lazy("Doubtful below, in per cent"),
            "agree": gettext_lazy("Of them agree, in per cent"),
        },
    ),
    of_states(
        "programme-models",
        "models",
        gettext_lazy("Models that the programme asks"),
        ProgrammeModels,
        "staff-models-programme",
        {
            "draft": gettext_lazy("Drafts of rubrics"),
            "baseline": gettext_lazy("Baseline answers"),
            "probes": gettext_lazy("Probes of new prompts"),
            "grader": gettext_lazy("Grader of the probes"),
            "lint": gettext_lazy("Opinions on lines"),
            "labels": gettext_lazy("Labels of tasks"),
        },
        lambda value: shown(list(value) if isinstance(value, tuple) else value),
        lambda: asdict(in_use()),
    ),
    SettingSource(
        "endpoints",
        "models",
        _endpoints,
        of_events(EndpointEvent, "endpoint", _of_endpoint, str),
    ),
    SettingSource(
        "served-models",
        "models",
        tuple,
        of_events(
            ServedModelEvent,
            "served",
            lambda one: reverse("staff-model", args=[one.pk]),
            lambda one: str(one),
        ),
    ),
    SettingSource("prices", "models", _prices, _price_changes),
    of_states(
        "budgets",
        "models",
        gettext_lazy("Monthly budgets"),
        MonthlyBudget,
        "staff-budgets",
        {purpose.value: Call.Purpose(purpose).label for purpose in PURPOSES},
        _limit,
    ),
)
