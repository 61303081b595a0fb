"""Rubrics drafted by a model: the first one, and further ones an author asks for with remarks.

The first is never waited for in vain: where the model fails, the offline rules write it. A further
one is a wish: where it fails, its author learns why and what to do, and nothing else changes.
"""

from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.process.lifecycle import Stage
from curation.process.states import move
from curation.tasks.models import Origin, Task
from curation.web.refusals import BadInput, Conflict
from judge.calls import model_client, record
from judge.calls.model_client import Chosen, UnusableReplyError
from judge.calls.models import Call
from judge.drafts import notices
from judge.drafts.models import DraftRequest
from judge.prompts import builder, parsing
from judge.prompts.task_text import task_text
from judge.providers.base import ErrorKind, ProviderError, Stop
from rubrics.drafts.actions import record_further_draft
from rubrics.versions.actions import open_version_of, record_draft
from rubrics.versions.models import RubricVersion

# Stored in English; the author reads them in their own language. Neither names a provider.
BY_RULE = gettext_noop(
    "The model could not draft, so these lines were cut from your texts by rule. Look at each one "
    "and add what is missing."
)
NO_LINES = gettext_noop(
    "No draft could be made. Start from the empty rubric; nothing you wrote is lost."
)


@dataclass(frozen=True)
class Draft:
    """Lines of a first rubric and who wrote them.

    Where it was not who should have, `reason` says to the author what that means for them, and
    `problem` to staff what the provider said.
    """

    lines: list[dict[str, Any]]
    drafted_by: str
    reason: str = ""
    problem: str = ""


def waiting() -> QuerySet[Task]:
    """Tasks that wait for a draft: own ones in that stage, external ones without any rubric."""
    versions = RubricVersion.objects.filter(task=OuterRef("pk"))
    return (
        Task.objects.filter(
            Q(origin=Origin.OWN, stage=Stage.DRAFTING)
            | (Q(origin=Origin.EXTERNAL) & ~Q(Exists(versions)))
        )
        .select_related("domain")
        .order_by("pk")
    )


def draft(task: Task, who: Chosen | None = None) -> Draft:
    """Draft a rubric; a model that fails is replaced by the offline rules, with the reason."""
    try:
        who = who or model_client.chosen(settings.DRAFT_MODEL)
        return _ask(task, who)
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        if who is not None and who.provider.offline:
            return Draft([], who.label, NO_LINES, record.reason_of(problem))
        wanted = who.label if who is not None else settings.DRAFT_MODEL
        return _offline(task, f"{wanted}: {record.reason_of(problem)}")


def _offline(task: Task, problem: str) -> Draft:
    who = model_client.offline()
    try:
        found = _ask(task, who)
    except (ProviderError, UnusableReplyError) as failed:
        return Draft([], who.label, NO_LINES, f"{problem} {record.reason_of(failed)}")
    return Draft(found.lines, found.drafted_by, BY_RULE, problem)


def _ask(task: Task, who: Chosen, remarks: str = "") -> Draft:
    prompt = builder.draft_prompt(task_text(task), task.reference_answer, remarks=remarks)
    reply = model_client.ask(who, prompt, purpose=Call.Purpose.DRAFT, task=task)
    parsed = parsing.parse_draft(reply.text, reference=builder.clean(task.reference_answer))
    if parsed.problem:
        raise UnusableReplyError(parsed.problem)
    if not parsed.lines and not who.provider.offline:
        raise UnusableReplyError(_("no line could be used"))
    return Draft([asdict(line) for line in parsed.lines], who.label)


def draft_for(task: Task, who: Chosen | None = None) -> Draft:
    """Draft a rubric and store it: the task of an expert here moves on, an external one is ready.

    An external task about which nothing can be said keeps waiting: a rubric without lines judges
    nothing. A model's draft of a rubric that its author began without it meanwhile is kept beside
    it. Raises Conflict if the task was moved on further.
    """
    made = draft(task, who)
    if not made.lines and task.external:
        return made
    try:
        record_draft(
            task=task,
            lines=made.lines,
            drafted_by=made.drafted_by,
            reason=made.reason,
            problem=made.problem,
        )
    except Conflict:
        by_rule = made.drafted_by == model_client.offline().label
        if not made.lines or by_rule:  # the rules' lines can be had at any time
            raise
        record_further_draft(task=task, lines=made.lines, drafted_by=made.drafted_by)
    return made


# --- further drafts ------------------------------------------------------------------------------
F = DraftRequest.Failure
_FAILURES = {
    ErrorKind.RATE_LIMITED: F.BUSY,
    ErrorKind.TIMEOUT: F.UNREACHABLE,
    ErrorKind.SERVER: F.UNREACHABLE,
    ErrorKind.CONNECTION: F.UNREACHABLE,
    ErrorKind.AUTH: F.NOT_SET_UP,
    ErrorKind.BAD_REQUEST: F.NOT_SET_UP,
    ErrorKind.UNKNOWN_MODEL: F.NOT_SET_UP,
    ErrorKind.CONTEXT_TOO_LONG: F.TOO_LONG,
    ErrorKind.CONTENT_FILTER: F.REFUSED,
}


def further_draft(request: DraftRequest, who: Chosen | None = None) -> None:
    """Write the draft somebody asked for, or record why there is none. Never raises for a model.

    The call is made outside of any transaction; the draft and the end of the request are stored
    together, so that a crash leaves either both or a request that still waits.
    """
    task = Task.objects.select_related("domain").get(pk=request.task_id)
    try:
        open_version_of(task)  # before money is spent
    except Conflict as problem:
        end_request(request, failure=F.CLOSED, problem=str(problem.detail))
        return
    try:
        if request.by_rule:
            who = model_client.offline()
        who = who or model_client.chosen(settings.DRAFT_MODEL)
        made = _ask(task, who, request.remarks)
    except ProviderError as problem:
        end_request(request, failure=_FAILURES[problem.kind], problem=record.reason_of(problem))
        return
    except UnusableReplyError as problem:
        kind = F.REFUSED if str(problem) in (Stop.REFUSAL, Stop.FILTERED) else F.UNUSABLE
        end_request(request, failure=kind, problem=record.reason_of(problem))
        return
    except BadInput as problem:
        end_request(request, failure=F.NOT_SET_UP, problem=record.reason_of(problem))
        return
    if not made.lines:
        end_request(request, failure=F.NOTHING)
        return
    try:
        with transaction.atomic():
            version = record_further_draft(task=task, lines=made.lines, drafted_by=made.drafted_by)
            end_request(request, version=version)
    except Conflict as problem:
        end_request(request, failure=F.CLOSED, problem=str(problem.detail))


@transaction.atomic
def end_request(
    request: DraftRequest,
    *,
    version: RubricVersion | None = None,
    failure: str = "",
    problem: str = "",
) -> None:
    """Write down how a request ended, and tell who asked.

    Raises:
        Conflict: it ended already; another worker was faster.
    """
    state = DraftRequest.State.DONE if version is not None else DraftRequest.State.FAILED
    ended = move(
        DraftRequest.objects.filter(pk=request.pk),
        state,
        version=version,
        failure=failure,
        problem=problem,
        ended_at=timezone.now(),
    )
    if not ended:
        raise Conflict(_("Another worker wrote this draft."), code="lease_lost")
    notices.draft_ended(DraftRequest.objects.select_related("task", "asked_by").get(pk=request.pk))
