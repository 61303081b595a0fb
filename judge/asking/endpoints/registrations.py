"""What endpoints and the models on them give to the nouns below."""

from collections.abc import Iterable
from dataclasses import asdict

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.staff.pipeline import bottlenecks
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import (
    Setting,
    SettingSource,
    name_of,
    of_events,
    of_states,
    shown,
)
from judge.asking import providers
from judge.asking.endpoints.models import (
    Endpoint,
    EndpointEvent,
    EndpointSource,
    ProgrammeModels,
    ServedModel,
    ServedModelEvent,
)
from judge.asking.endpoints.programme import in_use, served_purposes


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


providers.register_source(EndpointSource())
bottlenecks.register_models(served_purposes)
declared.register(
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
        place=6,
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
        place=7,
    ),
)
