"""An author and the drafts: another one with remarks, or a beginning without the model."""

from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.access.action import action
from curation.notices.models import Notice
from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from curation.text import storable
from curation.web.refusals import BadInput, Conflict, Denied
from judge.calls import model_client
from judge.drafts import generate as drafts
from judge.drafts.models import DraftRequest
from judge.queue.send import send
from rubrics.sending.actions import may_author_work
from rubrics.versions.actions import open_version_of, record_draft
from rubrics.versions.models import RubricVersion

REMARKS_LIMIT = 2000  # characters
# Stored in English, read in each reader's language.
FROM_NOTHING = gettext_noop("The author began with an empty rubric and did not wait for a draft.")


@action("draft.ask", about="task")
@transaction.atomic
def ask_for_draft(*, actor: Any, task: Task, remarks: str, by_rule: bool = False) -> DraftRequest:
    """Ask for one more draft. It is written in the background and changes no line of the author's.

    Args:
        remarks: what it should do differently; given to the model as data.
        by_rule: whether the offline rules write it, whatever model is configured.

    Raises:
        BadInput: no remarks, or too long.
        Conflict: `wrong_stage`; `draft_under_way`, one is being written; `draft_limit`.
        Denied: the author's qualification is suspended.
    """
    if not may_author_work(task):
        raise Denied(
            _("Your qualification in this domain is suspended, so no draft can be asked for."),
            code="not_qualified",
        )
    problem = storable.problem_with(remarks, limit=REMARKS_LIMIT)
    if problem or storable.is_blank(remarks):
        sentence = problem or _("Say what the next draft should do differently.")
        raise BadInput(fields={"remarks": [sentence]})
    Task.objects.select_for_update().get(pk=task.pk)
    open_version_of(task)
    waiting = DraftRequest.objects.filter(task=task, state=DraftRequest.State.WAITING)
    if waiting.exists():
        raise _under_way()
    if drafts_of(task) >= settings.DRAFTS_PER_TASK:
        raise Conflict(
            _(
                "A rubric gets at most %(n)s drafts, and this one has had them. Go on with your "
                "own lines; every draft stays readable."
            )
            % {"n": settings.DRAFTS_PER_TASK},
            code="draft_limit",
        )
    try:
        with transaction.atomic():
            request = DraftRequest.objects.create(
                task=task, asked_by=actor, remarks=storable.clean(remarks), by_rule=by_rule
            )
    except IntegrityError:
        raise _under_way() from None
    transaction.on_commit(partial(send, "further_draft", request.pk))
    return request


def _under_way() -> Conflict:
    return Conflict(
        _("A draft is being written already. Ask again when it is there."), code="draft_under_way"
    )


def drafts_of(task: Task) -> int:
    """How many drafts count against the limit: those that have lines. A failure costs nothing."""
    found = task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT)
    return found.filter(criteria__isnull=False).distinct().count()


@action("draft.ask", about="task")
def begin_without_model(*, actor: Any, task: Task, by_rule: bool) -> None:
    """Begin the rubric while its first draft is still being written: from the rules, or empty.

    What the model writes later is kept beside it as a draft.

    Raises:
        Conflict: `wrong_stage`, the draft is there or the task is elsewhere.
    """
    stage = Task.objects.filter(pk=task.pk).values_list("stage", flat=True).get()
    if stage != Stage.DRAFTING:
        raise Conflict(_("The draft is there already."), code="wrong_stage")
    if by_rule:
        drafts.draft_for(task, model_client.offline())
    else:
        record_draft(task=task, lines=[], drafted_by="", actor=actor, reason=FROM_NOTHING)


def mark_seen(task: Task) -> None:
    """Note that the author has read how the last request ended, and needs no notice of it."""
    now = timezone.now()
    ended = DraftRequest.objects.filter(task=task, seen_at__isnull=True, ended_at__isnull=False)
    told = [f"draft-request-{pk}" for pk in ended.values_list("pk", flat=True)]
    if told:
        ended.update(seen_at=now)
        Notice.objects.filter(once__in=told, read_at__isnull=True).update(read_at=now)
