"""Actions of an author on drafts: ask for another one, or begin without the model's."""

from functools import partial
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.tasks.task.models import Task
from judge.asking.calls import model_client
from judge.base.queue.send import send
from judge.suggesting.drafts.generate import draft_for
from judge.suggesting.drafts.models import DraftRequest
from rubrics.sending.actions import may_author_work
from rubrics.versions.actions import open_version_of, record_draft
from rubrics.versions.models import RubricVersion

REMARKS_LIMIT = 2000  # characters
# Stored in English and translated when the history is shown.
BEGUN_EMPTY = gettext_noop("The author began with an empty rubric and did not wait for a draft.")


@action("draft.ask", about="task")
@transaction.atomic
def ask_for_draft(*, actor: Any, task: Task, remarks: str, by_rule: bool = False) -> DraftRequest:
    """Ask for another draft, which is written in the background and changes none of the lines.

    Args:
        remarks: what the draft should do differently; the model gets it as data.
        by_rule: whether the offline rules write it instead of the configured model.

    Raises:
        BadInput: the remarks are missing or too long.
        Conflict: `wrong_stage`; `draft_under_way`, one is being written; `draft_limit`.
        Denied: the author's qualification is suspended.
    """
    if not may_author_work(task):
        raise Denied(
            _("Your qualification in this domain is suspended, so no draft can be asked for."),
            code="not_qualified",
        )
    if task.is_skill:
        raise Conflict(
            _("No model drafts a skill: its checkpoints are what an expert looks for."),
            code="no_draft",
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
    if count_drafts(task) >= settings.DRAFTS_PER_TASK:
        raise Conflict(
            _(
                "A rubric gets at most %(n)s drafts, and this one has used them all. Go on with "
                "your own lines; every draft stays readable."
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
        _("A draft is already being written. Ask again when it is ready."), code="draft_under_way"
    )


def count_drafts(task: Task) -> int:
    """Return how many drafts count against the limit: those with lines; failures do not count."""
    found = task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT)
    return found.filter(criteria__isnull=False).distinct().count()


@action("draft.ask", about="task")
def begin_without_model(*, actor: Any, task: Task, by_rule: bool) -> None:
    """Begin a rubric before its first draft is written: with the rules' draft, or empty.

    The model's draft is kept beside it when it comes.

    Args:
        by_rule: whether to begin with the offline rules' draft; else the rubric is empty.

    Raises:
        Conflict: `wrong_stage`, the draft is already written or the task is at another stage.
    """
    stage = Task.objects.filter(pk=task.pk).values_list("stage", flat=True).get()
    if stage != Stage.DRAFTING:
        raise Conflict(_("The draft is there already."), code="wrong_stage")
    if by_rule:
        draft_for(task, model_client.offline())
    else:
        record_draft(task=task, lines=[], drafted_by="", actor=actor, reason=BEGUN_EMPTY)


def mark_seen(task: Task) -> None:
    """Mark the ended requests of a task and their notices as read by the author."""
    now = timezone.now()
    ended = DraftRequest.objects.filter(task=task, seen_at__isnull=True, ended_at__isnull=False)
    notices = [f"draft-request-{pk}" for pk in ended.values_list("pk", flat=True)]
    if notices:
        ended.update(seen_at=now)
        Notice.objects.filter(once__in=notices, read_at__isnull=True).update(read_at=now)
