"""A model proposes error codes for a response. They count for nothing until a person confirms."""

from collections.abc import Mapping, Sequence
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Response
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts.error_codes import Mode, Unmet, error_codes_prompt, parse_errors
from judge.asking.providers.base import ProviderError, Reply
from judge.results.flags.error_code_models import CodedError, CodeRequest, ErrorCode
from judge.results.flags.error_code_queries import CodedLine, lines_of

State = CodeRequest.State
# Stored in English, shown in the reader's language.
NO_CODES = gettext_noop("The domain has no error code in use any more.")
NO_UNMET_LINE = gettext_noop("No expert and no judge says that the response misses a line.")


def read_for_codes(request: CodeRequest, who: Chosen | None = None) -> None:
    """Have a model read a response and store what it proposes, or why it did not.

    A model's failure never raises: the request ends with the reason, and people code as before.

    Args:
        who: the model; None for the one that gives opinions on lines, else the offline rules.
    """
    response = Response.objects.select_related("task__domain").get(pk=request.response_id)
    task = response.task
    codes = {
        code.key: code
        for code in ErrorCode.objects.filter(domain=task.domain_id, retired_at__isnull=True)
    }
    lines = {line.n: line for line in lines_of(response) if line.unmet_by}
    if not codes:
        fail_request(request, NO_CODES)
        return
    if not lines:
        fail_request(request, NO_UNMET_LINE)
        return
    try:
        who = who or model_client.chosen(programme.in_use().lint)
        prompt = error_codes_prompt(
            readable_text(task, who),
            response.text,
            [Unmet(n, line.criterion.text, _said(line)) for n, line in lines.items()],
            [_mode(code, task) for code in codes.values()],
        )
        model_client.ask(
            who,
            prompt,
            purpose=Call.Purpose.LINT,
            task=task,
            parameters=parameters_for(who.provider.name, who.model, Call.Purpose.LINT),
            keep=partial(_keep, request, who, lines, codes),
        )
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        label = who.label if who is not None else programme.in_use().lint
        fail_request(request, f"{label}: {record.reason_of(problem)}")


def _said(line: CodedLine) -> str:
    return "\n".join(why for _who, why in line.unmet_by if why) or "unmet"


def _mode(code: ErrorCode, task: Task) -> Mode:
    """Return a code in the language of the task, where it is said in that."""
    name, definition = (code.text_in(task.language, field) for field in ("name", "definition"))
    return Mode(id=code.key, name=name, definition=definition)


def _keep(
    request: CodeRequest,
    who: Chosen,
    lines: Mapping[int, CodedLine],
    codes: Mapping[str, ErrorCode],
    call: Call,
    reply: Reply,
) -> None:
    """Store the proposals of a reply together with its call, in one transaction."""
    found = parse_errors(reply.text, list(lines), list(codes))
    mine = CodeRequest.objects.filter(pk=request.pk)
    if found is None:
        problem = f"{who.label}: the reply could not be read"
        ended = move(mine, State.FAILED, problem=problem, ended_at=timezone.now(), call=call)
    else:
        ended = move(mine, State.READ, ended_at=timezone.now(), call=call)
        _propose(request.response_id, who.label, lines, codes, found)
    if not ended:
        raise Conflict(_("Another worker read this response."), code="lease_lost")


def _propose(
    response: int,
    model: str,
    lines: Mapping[int, CodedLine],
    codes: Mapping[str, ErrorCode],
    found: Sequence[tuple[int, str, str]],
) -> None:
    for n, key, why in found:
        try:
            with transaction.atomic():
                CodedError.objects.create(
                    response_id=response,
                    code=codes[key],
                    criterion=lines[n].criterion,
                    reason=why,
                    model=model,
                    state=CodedError.State.PROPOSED,
                )
        except IntegrityError:
            continue  # a person put it there already, or an earlier reading proposed it


def fail_request(request: CodeRequest, problem: str) -> None:
    """Record that a reading failed, with the reason for staff in English."""
    mine = CodeRequest.objects.filter(pk=request.pk)
    move(mine, State.FAILED, problem=problem[:500], ended_at=timezone.now())
