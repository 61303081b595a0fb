"""The tiers of sources on staff's page of settings."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states
from judge.methods.evidence.tiers.models import SourceTiers


def _tiers(value: Any) -> str:
    return _("%(n)s domains") % {"n": len(value or {})}


declared.register(
    of_states(
        "tiers",
        "scoring",
        gettext_lazy("Tiers of sources"),
        SourceTiers,
        "staff-source-tiers",
        {"entries": gettext_lazy("Entries")},
        _tiers,
        dict,
        place=10,
    ),
)
