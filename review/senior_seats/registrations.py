"""What spot checks give to the nouns below."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task import finished_work, text_basis
from curation.tasks.task.finished_work import FinishedSource
from curation.tasks.task.text_basis import Basis, Rests, independent, records
from review.senior_seats.models import SpotCheck, SpotCheckMark, SpotCheckRelease
from rubrics.versions.queries import stale_versions


def _stale(task: Any) -> "QuerySet[SpotCheck]":
    return SpotCheck.objects.filter(version__in=stale_versions(task))


def _standing() -> "QuerySet[SpotCheck]":
    return SpotCheck.objects.filter(taken_back_at__isnull=True)


text_basis.register(
    Rests(
        model="review.SpotCheck",
        label=_("Spot checks"),
        on=Basis.RUBRIC,
        then=_("It stands for its version; the new one is drawn for a spot check as any other."),
        stale=_stale,
    ),
    *records(
        _("It was said on a line as it was, and can be read beside it."), "review.SpotCheckMark"
    ),
    *independent(_("It says who reviews, by which rules."), "review.SpotCheckRelease"),
)
parts.register(
    Part(
        "spot_checks",
        SpotCheck,
        "senior",
        ("task__key", "consistent", "aligned", "evaluable", "verdict", "remarks", "at"),
    ),
    Part(
        "spot_check_marks",
        SpotCheckMark,
        "spot_check__senior",
        ("spot_check__task__key", "criterion__key", "test", "remark"),
    ),
    Part("spot_checks_released", SpotCheckRelease, "senior", ("task__key", "at")),
)
finished_work.register(FinishedSource(_("spot checks"), _standing, "task", "senior"))
sources.register(PaidSource(Work.SPOT_CHECK, _standing, "senior", "at", "task", "task__domain"))
