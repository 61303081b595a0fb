"""Passing the units of the training, and the rule that nobody writes without it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.applications.models import Application
from curation.process.lifecycle import ApplicationStage
from curation.process.signals import training_passed
from curation.training import units
from curation.training.models import TrainingUnitPass
from curation.training.queries import check_open, missing_units
from curation.training.units import Mark
from curation.web.refusals import Conflict, NotFound

MOST_TRIES = 32_000  # what the column holds


@action("signed_in")
@transaction.atomic
def answer_unit(
    *, actor: Any, unit: str, answers: Mapping[str, Any], tries: int = 1
) -> dict[str, Mark]:
    """Check a unit's exercises; all right passes it. Passing it twice, or in two tabs, is once.

    The last unit opens the trial task of every application that waits for the training.

    Args:
        answers: as `training.mark` takes them.
        tries: how often answers to this unit were sent, this time included.

    Returns:
        exercise id -> mark, of those that were answered. Wrong ones can be tried again at once: the
        exercises teach, they do not select.

    Raises:
        NotFound: there is no such unit.
        Conflict: the exam is not passed yet.
    """
    if unit not in units.unit_keys():
        raise NotFound()
    check_open(actor)
    marks = units.mark(unit, answers)
    asked = units.answer_key(unit)
    if len(marks) == len(asked) and all(mark.right for mark in marks.values()):
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
    return marks


def require_training(actor: Any) -> None:
    """Refuse to start, submit or hand in anything before the current training is passed.

    Raises:
        Conflict: `training`, with the page to go to in `data`.
    """
    missing = missing_units(actor)
    if missing:
        names = {unit.key: unit.title for unit in units.units()}
        raise Conflict(
            _(
                "Before you go on, please do the training: “%(unit)s” and what follows is still "
                "open. Everything you wrote is kept."
            )
            % {"unit": names[missing[0]]},
            code="training",
            data={"units": missing, "url": reverse("training")},
        )


def skip_what_is_known(sender: Any, instance: Application, stage: str, **_more: Any) -> None:
    """Who has passed the training for another domain goes on to the trial task at once."""
    if stage == ApplicationStage.TRAINING and not missing_units(instance.user):
        training_passed.send(sender=Application, instance=instance)
