"""Drafts of rubrics by a model: the first one, and further ones that an author asks for.

If the model fails at the first draft, the offline rules write it. If it fails at a further draft,
the author is told why, and nothing else changes.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import THROUGH_THE_PROCESS, Origin, Task
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts import builder, parsing
from judge.asking.prompts.envelope import UnreadableError
from judge.asking.providers.base import ErrorKind, Prompt, ProviderError, Stop
from judge.methods.base import registry
from judge.suggesting.drafts import notices
from judge.suggesting.drafts.models import DraftRequest
from rubrics.drafts.actions import record_further_draft
from rubrics.versions.actions import open_version_of, record_draft
from rubrics.versions.models import RubricVersion

# Stored in English and translated when shown. Authors read them, so they name no provider.
BY_RULE = gettext_noop(
    "The model could not draft, so these lines were cut from your texts by rule. Look at each one "
    "and add what is missing."
)
NO_LINES = gettext_noop(
    "No draft could be made. Start from the empty rubric; nothing you wrote is lost."
)


@dataclass(frozen=True)
class Draft:
    """The lines of a first draft and who wrote them.

    Where the configured model failed, `reason` tells the author what follows, and `problem` tells
    staff what the provider said. `keep` stores, with the draft's version, what lines have no place
    for.
    """

    lines: list[dict[str, Any]]
    drafted_by: str
    reason: str = ""
    problem: str = ""
    keep: Callable[[RubricVersion], None] | None = None


def tasks_waiting_for_draft() -> QuerySet[Task]:
    """Return the tasks that wait for a draft: in drafting, or imported without a rubric."""
    versions = RubricVersion.objects.filter(task=OuterRef("pk"))
    return (
        Task.objects.filter(
            Q(origin__in=THROUGH_THE_PROCESS, stage=Stage.DRAFTING)
            | (Q(origin=Origin.EXTERNAL) & ~Q(Exists(versions)))
        )
        .select_related("domain")
        .order_by("pk")
    )


def write_draft(task: Task, who: Chosen | None = None) -> Draft:
    """Draft a rubric by a model, or by the offline rules if the model fails.

    Args:
        who: the model; None for the configured one.
    """
    try:
        who = who or model_client.chosen(programme.in_use().draft)
        return _ask(task, who)
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        if who is not None and who.provider.offline:
            return Draft([], who.label, NO_LINES, record.reason_of(problem))
        wanted = who.label if who is not None else programme.in_use().draft
        return _draft_offline(task, f"{wanted}: {record.reason_of(problem)}")


def _draft_offline(task: Task, problem: str) -> Draft:
    who = model_client.offline()
    try:
        found = _ask(task, who)
    except (ProviderError, UnusableReplyError) as failed:
        return Draft([], who.label, NO_LINES, f"{problem} {record.reason_of(failed)}")
    return Draft(found.lines, found.drafted_by, BY_RULE, problem, found.keep)


def _ask(task: Task, who: Chosen, remarks: str = "") -> Draft:
    text = readable_text(task, who)
    parameters = parameters_for(who.provider.name, who.model, Call.Purpose.DRAFT)

    def asked(prompt: Prompt) -> str:
        reply = model_client.ask(
            who, prompt, purpose=Call.Purpose.DRAFT, task=task, parameters=parameters
        )
        return reply.text

    plan = registry.draft_plan(task, text, remarks)
    if plan is None:
        said = asked(builder.draft_prompt(text, task.reference_answer, remarks=remarks))
        parsed = parsing.parse_draft(said, reference=builder.clean(task.reference_answer))
    else:
        try:
            last = plan.last([asked(step) for step in plan.steps])
        except UnreadableError as problem:
            raise UnusableReplyError(str(problem)) from None
        parsed = plan.read(asked(last))
    if parsed.problem:
        raise UnusableReplyError(parsed.problem)
    if not parsed.lines and not who.provider.offline:
        raise UnusableReplyError(_("no line could be used"))
    keep = plan.keep if plan else None
    return Draft([asdict(line) for line in parsed.lines], who.label, keep=keep)


def draft_for(task: Task, who: Chosen | None = None) -> Draft:
    """Draft a rubric and store it; the task of an author moves to its next stage.

    An imported task for which no line could be drafted keeps waiting. If the author began the
    rubric meanwhile, a model's draft is kept beside it.

    Raises:
        Conflict: the task moved to a later stage meanwhile.
    """
    made = write_draft(task, who)
    if not made.lines and task.external:
        return made
    try:
        with transaction.atomic():
            version = record_draft(
                task=task,
                lines=made.lines,
                drafted_by=made.drafted_by,
                reason=made.reason,
                problem=made.problem,
            )
            _keep(made, version)
    except Conflict:
        by_rule = made.drafted_by == model_client.offline().label
        if not made.lines or by_rule:  # the rules' draft can be made again at any time
            raise
        _store_further(task, made)
    return made


@transaction.atomic
def _store_further(task: Task, made: Draft) -> RubricVersion:
    version = record_further_draft(task=task, lines=made.lines, drafted_by=made.drafted_by)
    _keep(made, version)
    return version


def _keep(made: Draft, version: RubricVersion) -> None:
    if made.keep is not None:
        made.keep(version)


# --- further drafts ------------------------------------------------------------------------------
Failure = DraftRequest.Failure
_FAILURES = {
    ErrorKind.RATE_LIMITED: Failure.BUSY,
    ErrorKind.TIMEOUT: Failure.UNREACHABLE,
    ErrorKind.SERVER: Failure.UNREACHABLE,
    ErrorKind.CONNECTION: Failure.UNREACHABLE,
    ErrorKind.AUTH: Failure.NOT_SET_UP,
    ErrorKind.BAD_REQUEST: Failure.NOT_SET_UP,
    ErrorKind.UNKNOWN_MODEL: Failure.NOT_SET_UP,
    ErrorKind.CONTEXT_TOO_LONG: Failure.TOO_LONG,
    ErrorKind.CONTENT_FILTER: Failure.REFUSED,
    ErrorKind.PICTURE_GONE: Failure.NOT_SET_UP,
}


def write_requested_draft(request: DraftRequest, who: Chosen | None = None) -> None:
    """Write the draft of a request, or record why there is none; a model's failure never raises.

    The model is called outside a transaction. The draft and the end of the request are stored in
    one transaction, so that after a crash either both are stored or the request still waits.
    """
    task = Task.objects.select_related("domain").get(pk=request.task_id)
    try:
        open_version_of(task)  # checked first, because a call costs money
    except Conflict as problem:
        end_request(request, failure=Failure.CLOSED, problem=str(problem.detail))
        return
    try:
        if request.by_rule:
            who = model_client.offline()
        who = who or model_client.chosen(programme.in_use().draft)
        made = _ask(task, who, request.remarks)
    except ProviderError as problem:
        end_request(request, failure=_FAILURES[problem.kind], problem=record.reason_of(problem))
        return
    except UnusableReplyError as problem:
        kind = (
            Failure.REFUSED if str(problem) in (Stop.REFUSAL, Stop.FILTERED) else Failure.UNUSABLE
        )
        end_request(request, failure=kind, problem=record.reason_of(problem))
        return
    except BadInput as problem:
        end_request(request, failure=Failure.NOT_SET_UP, problem=record.reason_of(problem))
        return
    if not made.lines:
        end_request(request, failure=Failure.NOTHING)
        return
    try:
        with transaction.atomic():
            version = _store_further(task, made)
            end_request(request, version=version)
    except Conflict as problem:
        end_request(request, failure=Failure.CLOSED, problem=str(problem.detail))


@transaction.atomic
def end_request(
    request: DraftRequest,
    *,
    version: RubricVersion | None = None,
    failure: str = "",
    problem: str = "",
) -> None:
    """Record how a request ended and tell the author.

    Raises:
        Conflict: `lease_lost`, another worker ended the request.
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
