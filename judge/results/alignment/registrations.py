"""The trust thresholds on staff's page of settings."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy

from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states
from judge.results.alignment.models import TrustThresholds

THRESHOLDS = ("cdr_lower", "tasks", "strict_pairs", "coverage", "j_lower", "mean_bias")


def _label_of(name: str) -> Any:
    field = TrustThresholds._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field.verbose_name


declared.register(
    of_states(
        "thresholds",
        "scoring",
        gettext_lazy("Trust thresholds"),
        TrustThresholds,
        "alignment-thresholds",
        {name: _label_of(name) for name in THRESHOLDS},
    ),
)
