"""The scale of the grades on staff's page of settings."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.joining.domains.policies import LATEST
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import (
    Setting,
    SettingChanged,
    SettingSource,
    name_of,
    shown,
)
from judge.methods.graded.scale import GradeScale


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


declared.register(
    SettingSource("scale", "scoring", _scale, _scale_changes, place=9),
)
