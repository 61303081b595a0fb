"""The trial task: written under the rules of the real work, decided by a senior."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import text
from curation.actions.qualification import qualify
from curation.errors import BadInput, Conflict, Denied, Stale
from curation.lifecycle import ApplicationStage
from curation.models import Trial
from curation.models.tasks import TEXT_PARTS

PARTS = ("title", *TEXT_PARTS)


def _open_trials(trial: Trial) -> QuerySet[Trial]:
    """This trial, as long as its author may still write on it."""
    return Trial.objects.filter(
        pk=trial.pk, submitted_at__isnull=True, application__stage=ApplicationStage.TRIAL
    )


def _refuse_unless_open(trial: Trial) -> None:
    if trial.submitted_at is not None:
        raise Conflict(_("This trial task was handed in already."), code="wrong_stage")
    if trial.application.stage != ApplicationStage.TRIAL:
        raise Conflict(
            _("Your application was closed, so the trial task can no longer be changed."),
            code="wrong_stage",
        )


@transaction.atomic
def save_trial(*, actor: Any, trial: Trial, version: int, **parts: str) -> Trial:
    """Save the applicant's text, unless it was changed since `version` was read.

    Raises:
        Stale: with both texts.
        Conflict: it was handed in already.
        BadInput: a part cannot be stored.
    """
    problems = {
        name: [problem]
        for name, value in parts.items()
        if (problem := text.problem_with(value, limit=200 if name == "title" else text.MAX_TEXT))
    }
    problems |= {
        name: [_("This field is not part of a trial task.")] for name in set(parts) - set(PARTS)
    }
    if problems:
        raise BadInput(fields=problems)
    parts = {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in parts.items()}
    saved = (
        _open_trials(trial)
        .filter(version=version)
        .update(**parts, version=version + 1, saved_at=timezone.now())
    )
    now = Trial.objects.select_related("application").get(pk=trial.pk)
    if saved:
        return now
    _refuse_unless_open(now)
    theirs = {name: getattr(now, name) for name in parts}
    if theirs == parts:
        return now
    raise Stale(
        data={
            "yours": parts,
            "theirs": theirs,
            "version": now.version,
            "at": now.saved_at.isoformat(),
        }
    )


@transaction.atomic
def hand_in_trial(*, actor: Any, trial: Trial) -> Trial:
    """Hand the trial task to the seniors of the domain.

    Raises:
        BadInput: a part is missing.
        Conflict: handed in already, or the application was closed.
    """
    trial.refresh_from_db()
    _refuse_unless_open(trial)
    gaps = {
        name: [_("This part is still empty.")]
        for name in PARTS
        if text.is_blank(getattr(trial, name))
    }
    if gaps:
        raise BadInput(
            _("The trial task is not complete yet. Everything you typed is kept."),
            code="incomplete",
            fields=gaps,
        )
    if not _open_trials(trial).update(submitted_at=timezone.now()):
        raise Conflict(_("This trial task was handed in already."), code="wrong_stage")
    trial.refresh_from_db()
    return trial


@transaction.atomic
def decide_trial(*, actor: Any, trial: Trial, verdict: str, remarks: str) -> Trial:
    """A senior accepts, returns or rejects a trial task.

    Raises:
        Denied: the senior is the applicant.
        BadInput: no remarks, or an unknown verdict.
        Conflict: not handed in, or decided already.
    """
    if trial.application.user_id == actor.pk:
        raise Denied(_("Somebody else decides on your own trial task."))
    problems: dict[str, list[str]] = {}
    problem = text.problem_with(remarks, limit=5000)
    if problem or text.is_blank(remarks):
        problems["remarks"] = [problem or _("Write to the applicant why you decide so.")]
    if verdict not in Trial.Verdict.values:
        problems["verdict"] = [_("Choose: accept, return or reject.")]
    if problems:
        raise BadInput(fields=problems)
    changed = Trial.objects.filter(
        pk=trial.pk,
        submitted_at__isnull=False,
        decided_at__isnull=True,
        application__stage=ApplicationStage.TRIAL,
    ).update(verdict=verdict, remarks=text.clean(remarks), senior=actor, decided_at=timezone.now())
    if not changed:
        raise Conflict(
            _("This trial task is not waiting for a decision any more."), code="wrong_stage"
        )
    trial.refresh_from_db()
    application = trial.application
    if verdict == Trial.Verdict.ACCEPTED:
        qualify(actor=actor, application=application, reason=trial.remarks, trial=trial.number)
    elif verdict == Trial.Verdict.REJECTED:
        application.advance(
            ApplicationStage.REJECTED, actor=actor, reason=trial.remarks, trial=trial.number
        )
    else:
        Trial.objects.create(
            application=application,
            number=trial.number + 1,
            **{name: getattr(trial, name) for name in PARTS},
        )
    return trial
