"""Actions on a trial task: written like a task, decided by a senior."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import ApplicationStage
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from curation.joining.notices.notify import domain_facts, send_notices, seniors_of
from curation.joining.people import Qualification, people_in_conflict_with
from curation.qualifying.applications.actions import qualify
from curation.qualifying.applications.models import Application
from curation.qualifying.training import units
from curation.qualifying.training.actions import require_training
from curation.qualifying.trials.models import Trial, TrialRemark
from curation.tasks.attachments.actions import carry_over
from curation.tasks.authoring.actions import check_category, to_plain
from curation.tasks.file_views.readiness import file_gaps
from curation.tasks.task.fields import EDITABLE, missing_facts, missing_parts
from curation.tasks.task.new_texts import clean_fields


def trial_waiting(trial: Trial) -> None:
    """Notify the seniors of the domain that a trial task was handed in.

    Leaves out the applicant and people with a tie to them, who may not decide on it.
    """
    application = trial.application
    parties = {application.user_id, *people_in_conflict_with(application.user)}
    send_notices(
        seniors_of(application.domain_id).exclude(pk__in=parties),
        "trial_waiting",
        once=f"trial-{trial.pk}",
        url=reverse("trial-decide", args=[trial.pk]),
        **domain_facts(application.domain),
    )


REMARKS_LIMIT = 5000  # characters
READING = timedelta(days=1)  # a note of who is reading expires after this


def _open_trials(trial: Trial) -> QuerySet[Trial]:
    """Return this trial as a queryset, empty if its author may no longer change it."""
    return Trial.objects.filter(
        pk=trial.pk, submitted_at__isnull=True, application__stage=ApplicationStage.TRIAL
    )


def _refuse_unless_open(trial: Trial) -> None:
    if trial.submitted_at is not None:
        raise Conflict(_("This trial task has already been handed in."), code="wrong_stage")
    if trial.application.stage != ApplicationStage.TRIAL:
        raise Conflict(
            _("Your application was closed, so the trial task can no longer be changed."),
            code="wrong_stage",
        )


def _lock(trial: Trial) -> None:
    """Lock the trial's row, so that concurrent saves and decisions run one after the other.

    Without the lock, an update that filters by the application would on PostgreSQL still see the
    application as it was before it waited.
    """
    Trial.objects.select_for_update(of=("self",)).only("pk").get(pk=trial.pk)


@action("application.work_on", about="trial.application")
@transaction.atomic
def save_trial(*, actor: Any, trial: Trial, version: int, **parts: Any) -> Trial:
    """Save the applicant's text, unless it was changed since `version` was read.

    Raises:
        Stale: with both texts.
        Conflict: it was handed in already.
        BadInput: a part cannot be stored.
        Denied: somebody else's trial task.
    """
    values = clean_fields(parts)
    check_category(trial.application.domain, values)
    _lock(trial)
    saved = (
        _open_trials(trial)
        .filter(version=version)
        .update(**values, version=version + 1, saved_at=timezone.now())
    )
    now = Trial.objects.select_related("application__domain", "category", "work_type").get(
        pk=trial.pk
    )
    if saved:
        return now
    _refuse_unless_open(now)
    theirs = to_plain({name: getattr(now, name) for name in values})
    if theirs == to_plain(values):  # the same text: no conflict
        return now
    raise Stale(
        data={
            "yours": to_plain(values),
            "theirs": theirs,
            "version": now.version,
            "at": now.saved_at.isoformat(),
        }
    )


@action("application.work_on", about="trial.application")
@transaction.atomic
def hand_in_trial(*, actor: Any, trial: Trial) -> Trial:
    """Hand the trial task to the seniors of the domain.

    Raises:
        BadInput: a part or a fact is missing, or a file is unread or refused, as for a task; or
            nothing was changed since a senior returned it, because an accidental click must not
            cost a version.
        Conflict: handed in already, the application was closed, or a unit of the training that
            changed since has to be passed first.
    """
    _lock(trial)
    trial.refresh_from_db()
    _refuse_unless_open(trial)
    require_training(actor)
    gaps = {**missing_parts(trial), **missing_facts(trial), **file_gaps(trial)}
    if gaps:
        raise BadInput(
            _("The trial task is not complete yet. Everything you typed is kept."),
            code="incomplete",
            fields=gaps,
        )
    _refuse_unchanged(trial)
    if not _open_trials(trial).update(submitted_at=timezone.now()):
        raise Conflict(_("This trial task has already been handed in."), code="wrong_stage")
    trial.refresh_from_db()
    trial_waiting(trial)
    return trial


def _refuse_unchanged(trial: Trial) -> None:
    if trial.number == 1:
        return
    before = Trial.objects.get(application=trial.application_id, number=trial.number - 1)
    if _content(before) == _content(trial):
        raise BadInput(
            _(
                "You have changed nothing since the senior returned it. Change what the remarks "
                "ask for, then hand it in."
            ),
            code="unchanged",
        )


def _content(trial: Trial) -> tuple[Any, ...]:
    """Return what a senior judges: texts, facts and files."""
    files = trial.attachments.filter(removed_at__isnull=True)
    texts = to_plain({name: getattr(trial, name) for name in EDITABLE})
    return texts, sorted(files.values_list("name", "sha256"))


@action("trial.decide", about="trial.application")
@transaction.atomic
def open_for_reading(*, actor: Any, trial: Trial) -> Trial:
    """Note which senior is reading the trial task, for the other seniors to see.

    The note locks nobody out: the first decision counts. It is replaced if it is older than
    READING, or if that person is no longer a senior of the domain.
    """
    now = timezone.now()
    seniors = Qualification.objects.filter(
        domain=trial.application.domain_id, senior=True, active=True, user__is_active=True
    ).values("user")
    free = Q(reader=None) | Q(reading_since__lt=now - READING) | ~Q(reader__in=seniors)
    Trial.objects.filter(free, pk=trial.pk, verdict="").update(reader=actor, reading_since=now)
    trial.refresh_from_db(fields=["reader", "reading_since"])
    return trial


@action("trial.decide", about="trial.application")
@transaction.atomic
def decide_trial(
    *,
    actor: Any,
    trial: Trial,
    verdict: str,
    remarks: str,
    parts: Mapping[str, str] | None = None,
) -> Trial:
    """Accept, return or reject a trial task. Of two decisions the first one counts.

    Args:
        remarks: on the whole; may be empty if the trial task is returned.
        parts: part -> remark. Returning needs at least one.

    Raises:
        Denied: the actor is no senior of the domain, is the applicant, or has a tie to them.
        BadInput: no remarks, an unknown verdict, or returned after the last version.
        Conflict: not handed in, or decided already.
    """
    application = trial.application
    if application.user_id == actor.pk:
        raise Denied(_("You cannot decide on your own trial task. Somebody else has to."))
    said = {name: storable.clean(words) for name, words in (parts or {}).items()}
    said = {name: words for name, words in said.items() if not storable.is_blank(words)}
    _check_decision(trial, verdict, remarks, said)
    _lock(trial)
    changed = Trial.objects.filter(
        pk=trial.pk,
        submitted_at__isnull=False,
        decided_at__isnull=True,
        application__stage=ApplicationStage.TRIAL,
    ).update(
        verdict=verdict, remarks=storable.clean(remarks), senior=actor, decided_at=timezone.now()
    )
    if not changed:
        raise Conflict(
            _("This trial task is no longer waiting for a decision."), code="wrong_stage"
        )
    trial.refresh_from_db()
    TrialRemark.objects.bulk_create(
        TrialRemark(trial=trial, part=name, text=words) for name, words in said.items()
    )
    application = trial.application
    if verdict == Trial.Verdict.ACCEPTED:
        qualify(actor=actor, application=application, reason=trial.remarks, trial=trial.number)
    elif verdict == Trial.Verdict.REJECTED:
        application.advance(
            ApplicationStage.REJECTED, actor=actor, reason=trial.remarks, trial=trial.number
        )
    else:
        _open_next_version(trial)
    return trial


def open_trial_again(application: Application) -> None:
    """Open the next version of a trial task whose rejection was taken back; in its transaction.

    Does nothing for a trial that was not decided: it waits where it was.
    """
    last = Trial.objects.filter(application=application).order_by("-number").first()
    if last is not None and last.verdict == Trial.Verdict.REJECTED:
        _open_next_version(last)


def _open_next_version(trial: Trial) -> None:
    """Create the next version with the text and files as handed in, for corrections."""
    following = Trial.objects.create(
        application=trial.application,
        number=trial.number + 1,
        **{name: getattr(trial, name) for name in EDITABLE},
    )
    carry_over(source=trial, target=following)


def _check_decision(trial: Trial, verdict: str, remarks: str, said: Mapping[str, str]) -> None:
    problems: dict[str, list[Any]] = {}
    problem = storable.problem_with(remarks, limit=REMARKS_LIMIT)
    if problem:
        problems["remarks"] = [problem]
    for name, words in said.items():
        problem = storable.problem_with(words, limit=REMARKS_LIMIT)
        if name not in TrialRemark.Part.values:
            problem = _("This field is not part of a trial task.")
        if problem:
            problems[f"remark_{name}"] = [problem]
    if verdict not in Trial.Verdict.values:
        problems["verdict"] = [_("Choose: accept, return or reject.")]
    elif verdict == Trial.Verdict.RETURNED:
        if trial.number >= settings.TRIAL_VERSIONS:
            problems["verdict"] = [
                _("This is version %(n)s of %(n)s, so you can only accept or reject it now.")
                % {"n": trial.number}
            ]
        elif not said:
            problems["verdict"] = [
                _(
                    "Write a remark on at least one part, so that the applicant knows where to "
                    "begin."
                )
            ]
    elif storable.is_blank(remarks):
        problems["remarks"] = [_("Tell the applicant why you decided this way.")]
    if problems:
        raise BadInput(fields=problems)


def open_trial(application: Application) -> bool:
    """Open the trial task of a trained applicant; return False if it was open already."""
    try:
        with transaction.atomic():
            application.advance(
                ApplicationStage.TRIAL,
                actor=application.user,
                training=units.current_edition(),
            )
            Trial.objects.create(application=application, number=1)
    except Conflict:  # another request opened it first
        return False
    return True
