"""Report that a task of a release is wrong, and decide on a report."""

from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.notices.notify import send_notice
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldItem
from judge.gold.releases.erratum_models import Erratum
from review.spot_checks.actions import reopen

TEXT_LIMIT = 5000  # characters
ANSWER_LIMIT = 2000
CONTACT_LIMIT = 200
MOST_OPEN = 20  # reports of one person that wait for staff

State = Erratum.State


@action("signed_in")
@transaction.atomic
def report_erratum(
    *, actor: Any, release: int, task: str, kind: str, text: str, contact: str = ""
) -> Erratum:
    """Report what is wrong with a task of a release; staff decide.

    Args:
        release: its number.
        task: the key of the task, as the files of the release have it.
        kind: one of `Erratum.Kind`.
        contact: how to reach the reader, if they wish.

    Raises:
        BadInput: the release has no such task, nothing is said, or a value cannot be stored.
        Conflict: `too_many`, so many reports of this person wait already.
    """
    waiting = Erratum.objects.filter(entered_by=actor, by_mail=False, state=State.OPEN).count()
    if waiting >= MOST_OPEN:
        raise Conflict(
            _("%(n)s of your reports wait for staff. Send the next one when they have answered.")
            % {"n": waiting},
            code="too_many",
        )
    return _create(actor, release, task, kind, text, contact, by_mail=False)


@action("staff.gold")
@transaction.atomic
def enter_erratum(
    *, actor: Any, release: int, task: str, kind: str, text: str, contact: str = ""
) -> Erratum:
    """Enter a report that came by mail, by staff.

    Args:
        contact: of the reader, for staff alone. The others as in `report_erratum`.

    Raises:
        BadInput: as `report_erratum`.
    """
    return _create(actor, release, task, kind, text, contact, by_mail=True)


def _create(
    actor: Any, release: int, task: str, kind: str, text: str, contact: str, *, by_mail: bool
) -> Erratum:
    fields: dict[str, list[str]] = {}
    contact = storable.one_line(contact)
    problem = storable.problem_with(contact, limit=CONTACT_LIMIT)
    if problem:
        fields["contact"] = [problem]
    if kind not in Erratum.Kind.values:
        fields["kind"] = [_("Choose what is wrong.")]
    key = "" if storable.problem_with(task) else task.strip()
    item = GoldItem.objects.filter(release__number=release, task__key=key).first()
    if item is None:
        fields["task"] = [
            _(
                "Release %(n)s has no task “%(key)s”. The ids stand in its file tasks.jsonl, or "
                "tasks.csv."
            )
            % {"n": release, "key": key[:120]}
        ]
    try:
        text = required_reason(
            text, _("Say what is wrong, and how you know."), limit=TEXT_LIMIT, field="text"
        )
    except BadInput as refusal:
        fields |= refusal.fields  # type: ignore[arg-type]
    if fields or item is None:
        raise BadInput(fields=fields)
    return Erratum.objects.create(
        release_id=item.release_id,
        task_id=item.task_id,
        kind=kind,
        text=text,
        contact=contact,
        entered_by=actor,
        by_mail=by_mail,
    )


@action("staff.gold")
@transaction.atomic
def dismiss_erratum(*, actor: Any, erratum: Erratum, reason: str) -> Erratum:
    """Dismiss a report with a reason, which its reader reads.

    Raises:
        BadInput: no reason.
        Conflict: `decided_already`.
    """
    reason = required_reason(
        reason, _("Say why nothing has to change; the reader reads it."), limit=ANSWER_LIMIT
    )
    return _decide(actor, erratum, State.DISMISSED, reason)


@action("staff.gold")
@transaction.atomic
def uphold_erratum(*, actor: Any, erratum: Erratum, reason: str) -> Erratum:
    """Uphold a report: an approved task goes back to its author, as when staff reopen it.

    The next release lists the erratum with this reason and what changed. A task that is no longer
    approved is being corrected or has left the benchmark, so it stays where it is.

    Args:
        reason: what was wrong; the reader and the task's author read it, and releases print it.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `decided_already`.
    """
    reason = required_reason(
        reason, _("Say what was wrong; the next release prints it."), limit=ANSWER_LIMIT
    )
    task = Task.objects.select_related("domain", "author").get(pk=erratum.task_id)
    approved = task.stage == Stage.APPROVED and not task.external
    _decide(actor, erratum, State.UPHELD, reason, reopened=approved)
    if approved:
        reopen(actor=actor, task=task, reason=reason)
    return erratum


def _decide(actor: Any, erratum: Erratum, to: str, answer: str, **more: Any) -> Erratum:
    changed = move(
        Erratum.objects.filter(pk=erratum.pk),
        to,
        answer=answer,
        decided_by=actor,
        decided_at=timezone.now(),
        **more,
    )
    if not changed:
        raise Conflict(
            _("Somebody decided on this report before you, so nothing was changed."),
            code="decided_already",
        )
    erratum.refresh_from_db()
    if not erratum.by_mail:
        send_notice(
            erratum.entered_by,
            "erratum_decided",
            once=f"erratum-{erratum.pk}",
            url=reverse("errata"),
            release=erratum.release.number,
        )
    return erratum
