"""Actions of the training: passing a unit, and the rule that nobody writes without it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.signals import training_passed
from curation.base.web.refusals import Conflict, NotFound
from curation.qualifying.applications.models import Application
from curation.qualifying.training import units
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.training.queries import check_open, missing_units
from curation.qualifying.training.units import ExerciseResult

MOST_TRIES = 32_000  # the column holds no more


@action("signed_in")
@transaction.atomic
def answer_unit(
    *, actor: Any, unit: str, answers: Mapping[str, Any], tries: int = 1
) -> dict[str, ExerciseResult]:
    """Grade a unit's exercises; the unit is passed when all of them are right.

    Idempotent: passing a unit again, or in two tabs at once, is stored once.

    The last unit opens the trial task of every application that waits for the training.

    Args:
        answers: as `units.grade` takes them.
        tries: how often answers to this unit were sent, including this time.

    Returns:
        Exercise id -> result, for the exercises that were answered. Wrong ones can be tried again
        at once: the exercises teach, they do not select.

    Raises:
        NotFound: there is no such unit.
        Conflict: the exam is not passed yet.
    """
    if unit not in units.unit_keys():
        raise NotFound()
    check_open(actor)
    results = units.grade(unit, answers)
    asked = units.answer_key(unit)
    if len(results) == len(asked) and all(result.right for result in results.values()):
        TrainingUnitPass.objects.bulk_create(
            [
                TrainingUnitPass(
                    user=actor,
                    edition=units.current_edition(),
                    unit=unit,
                    tries=min(max(1, tries), MOST_TRIES),
                )
            ],
            ignore_conflicts=True,
        )
        if not missing_units(actor):
            rows = Application.objects.filter(user=actor, stage=ApplicationStage.TRAINING)
            for application in rows.order_by("pk"):
                training_passed.send(sender=Application, instance=application)
    return results


def require_training(actor: Any) -> None:
    """Refuse if the current training is not passed.

    Raises:
        Conflict: `training`, with the page to go to in `data`.
    """
    missing = missing_units(actor)
    if missing:
        names = {unit.key: unit.title for unit in units.units()}
        raise Conflict(
            _(
                "Finish the training before you go on: “%(unit)s” and what follows are still "
                "open. Everything you wrote is kept."
            )
            % {"unit": names[missing[0]]},
            code="training",
            data={"units": missing, "url": reverse("training")},
        )


def skip_passed_training(sender: Any, instance: Application, stage: str, **_more: Any) -> None:
    """Open the trial task at once for a person who passed the training for another domain."""
    if stage == ApplicationStage.TRAINING and not missing_units(instance.user):
        training_passed.send(sender=Application, instance=instance)
