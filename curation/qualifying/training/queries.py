"""Queries about a person's progress in the training, and what an edition changed for them."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import ApplicationStage
from curation.base.web.refusals import Conflict
from curation.joining.people import Qualification, User
from curation.qualifying.applications.models import Application
from curation.qualifying.training import units
from curation.qualifying.training.models import TrainingUnitPass

OPEN_STAGES = (
    ApplicationStage.TRAINING,
    ApplicationStage.TRIAL,
    ApplicationStage.QUALIFIED,
    ApplicationStage.SUSPENDED,
)


def _valid_passes() -> Q:
    """Return a condition for the passes that count for a unit of the current edition."""
    found = Q(pk__in=[])
    for unit, editions in units.valid_editions().items():
        found |= Q(unit=unit, edition__in=editions)
    return found


def passed_units(user: Any) -> set[str]:
    """Return the keys of the current units that a person has passed, also in an earlier edition
    if the unit is unchanged. One query.
    """
    rows = TrainingUnitPass.objects.filter(_valid_passes(), user=user)
    return set(rows.values_list("unit", flat=True))


def missing_units(user: Any) -> list[str]:
    """Return the keys of the units a person still has to pass, in reading order. One query."""
    passed = passed_units(user)
    return [key for key in units.unit_keys() if key not in passed]


def experts_to_retrain() -> QuerySet[User]:
    """Return the active experts who passed units before, but not all of the current edition."""
    held = Qualification.objects.filter(active=True).values("user")
    rows = User.objects.filter(pk__in=held, is_active=True).annotate(
        ever=Count("training_units"),
        current_passes=Count(
            "training_units__unit",
            filter=Q(training_units__in=TrainingUnitPass.objects.filter(_valid_passes())),
            distinct=True,
        ),
    )
    return rows.filter(ever__gt=0, current_passes__lt=len(units.unit_keys())).order_by("pk")


def check_open(user: Any) -> None:
    """Refuse a person who has not passed an exam yet; experts and staff may always read.

    Raises:
        Conflict: `too_early`.
    """
    if user.is_staff or Qualification.objects.filter(user=user).exists():
        return
    if Application.objects.filter(user=user, stage__in=OPEN_STAGES).exists():
        return
    raise Conflict(_("The training opens when you have passed the exam."), code="too_early")


@dataclass(frozen=True)
class Row:
    """A unit on the overview.

    Attributes:
        state: "passed", "open", or "again": open, but the person completed an earlier edition.
        change: what the current edition changed in the unit; may be empty.
    """

    unit: units.Unit
    number: int
    state: str
    change: str


@dataclass(frozen=True)
class Progress:
    """The overview of a person's training."""

    rows: tuple[Row, ...]
    edition: str

    @property
    def missing(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.state != "passed")

    @property
    def passed(self) -> int:
        return len(self.rows) - len(self.missing)

    @property
    def next(self) -> Row | None:
        return next(iter(self.missing), None)

    @property
    def again(self) -> bool:
        """Whether the person had passed the training before it changed."""
        return any(row.state == "again" for row in self.rows)

    @property
    def minutes(self) -> int:
        return sum(row.unit.minutes for row in self.missing)


def progress(user: Any) -> Progress:
    """Return every unit with its state for the person. One query."""
    taken = set(TrainingUnitPass.objects.filter(user=user).values_list("edition", "unit"))
    editions = units.valid_editions()
    edition = units.editions()[-1]
    open_state = "again" if units.completed_earlier_edition(taken) else "open"

    def state(key: str) -> str:
        return "passed" if any((name, key) in taken for name in editions[key]) else open_state

    return Progress(
        rows=tuple(
            Row(unit, number, state(unit.key), edition.changes.get(unit.key, ""))
            for number, unit in enumerate(units.units(), start=1)
        ),
        edition=edition.name,
    )


def application_in_training(user: Any) -> Application | None:
    """Return the oldest application that waits for the training, or None."""
    rows = Application.objects.filter(user=user, stage=ApplicationStage.TRAINING)
    return rows.select_related("domain").order_by("pk").first()


def application_in_trial(user: Any) -> Application | None:
    """Return the oldest application whose trial task is open, or None."""
    rows = Application.objects.filter(user=user, stage=ApplicationStage.TRIAL)
    return rows.order_by("pk").first()


def tries_of(user: Any, unit: str) -> int | None:
    """Return how often a person sent answers until they passed a unit; None if not passed."""
    rows = TrainingUnitPass.objects.filter(_valid_passes(), user=user, unit=unit)
    return rows.order_by("-at").values_list(F("tries"), flat=True).first()
