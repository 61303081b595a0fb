"""The content of a line in one version, without names, and the differences between two."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rubrics.policy.dimensions import Dimension, Importance


@dataclass(frozen=True)
class Content:
    """The content of a line, without its author."""

    pk: int
    key: str
    text: str
    importance: str
    weight: int
    dimension: str

    @property
    def dimension_label(self) -> str:
        return str(Dimension(self.dimension).label)

    @property
    def importance_label(self) -> str:
        return str(Importance(self.importance).label)


def differences(old: Any, new: Content) -> str:
    """Say which of importance, weight and dimension differ ("weight 5 → 7"); empty if none does."""
    parts = []
    if old.weight != new.weight:
        parts.append(_("weight %(old)s → %(new)s") % {"old": old.weight, "new": new.weight})
    if old.importance != new.importance:
        labels = {"old": Importance(old.importance).label, "new": new.importance_label}
        parts.append(_("%(old)s → %(new)s") % labels)
    if old.dimension != new.dimension:
        label = Dimension(old.dimension).label
        parts.append(_("dimension was %(old)s") % {"old": label})
    return " · ".join(parts)
