"""Passing the units of the training, and the rule that nobody writes without it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from curation import training
from curation.errors import Conflict, NotFound
from curation.lifecycle import ApplicationStage
from curation.models import Application, TrainingUnitPass, Trial
from curation.queries.training import check_open, missing_units
from curation.training import Mark

MOST_TRIES = 32_000  # what the column holds


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
    if unit not in training.unit_keys():
        raise NotFound()
    check_open(actor)
    marks = training.mark(unit, answers)
    asked = training.answer_key(unit)
    if len(marks) == len(asked) and all(mark.right for mark in marks.values()):
        TrainingUnitPass.objects.bulk_create(
            [
                TrainingUnitPass(
                    user=actor,
                    edition=training.current_edition(),
                    unit=unit,
                    tries=min(max(1, tries), MOST_TRIES),
                )
            ],
            ignore_conflicts=True,
        )
        if not missing_units(actor):
            rows = Application.objects.filter(user=actor, stage=ApplicationStage.TRAINING)
            for application in rows.order_by("pk"):
                open_trial(application)
    return marks


def open_trial(application: Application) -> bool:
    """Open the trial task of an applicant who is trained; False if it was open already."""
    try:
        with transaction.atomic():
            application.advance(
                ApplicationStage.TRIAL,
                actor=application.user,
                training=training.current_edition(),
            )
            Trial.objects.create(application=application, number=1)
    except Conflict:  # another tab was faster; its trial is the one
        return False
    return True


def require_training(actor: Any) -> None:
    """Refuse to start, submit or hand in anything before the current training is passed.

    Raises:
        Conflict: `training`, with the page to go to in `data`.
    """
    missing = missing_units(actor)
    if missing:
        names = {unit.key: unit.title for unit in training.units()}
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
        open_trial(instance)
