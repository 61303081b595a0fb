"""The trial task: written under the rules of the real work, decided by a senior."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation import text
from curation.actions.qualification import qualify
from curation.errors import BadInput, Conflict, Denied, Stale
from curation.lifecycle import ApplicationStage
from curation.models import Trial
from curation.models.tasks import TEXT_PARTS

PARTS = ("title", *TEXT_PARTS)


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
    if problems:
        raise BadInput(fields=problems)
    saved = Trial.objects.filter(pk=trial.pk, version=version, submitted_at__isnull=True).update(
        **parts, version=version + 1, saved_at=timezone.now()
    )
    now = Trial.objects.get(pk=trial.pk)
    if saved:
        return now
    if now.submitted_at is not None:
        raise Conflict(_("This trial task was handed in already."), code="wrong_stage")
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
        Conflict: handed in already.
    """
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
    changed = Trial.objects.filter(
        pk=trial.pk,
        submitted_at__isnull=True,
        application__stage=ApplicationStage.TRIAL,
    ).update(submitted_at=timezone.now())
    if not changed:
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
        pk=trial.pk, submitted_at__isnull=False, decided_at__isnull=True
    ).update(verdict=verdict, remarks=text.clean(remarks), senior=actor, decided_at=timezone.now())
    if not changed:
        raise Conflict(
            _("This trial task is not waiting for a decision any more."), code="wrong_stage"
        )
    trial.refresh_from_db()
    application = trial.application
    if verdict == Trial.Verdict.ACCEPTED:
        qualify(actor=actor, application=application, reason=trial.remarks)
    elif verdict == Trial.Verdict.REJECTED:
        application.advance(ApplicationStage.REJECTED, actor=actor, reason=trial.remarks)
    else:
        Trial.objects.create(
            application=application,
            number=trial.number + 1,
            **{name: getattr(trial, name) for name in PARTS},
        )
    return trial
