"""A model proposes labels for a task. A proposal counts for nothing until a person confirms it."""

from collections.abc import Sequence
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.states import move
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.skills.labelling import record_round
from curation.tasks.skills.models import Level, SkillLabel
from curation.tasks.task.models import Task
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts.labels import labels_prompt, parse_labels
from judge.asking.providers.base import ProviderError, Reply
from judge.asking.providers.inputs import LabelText
from judge.suggesting.skill_labels.models import LabelRequest

State = LabelRequest.State
# In English, as models read them.
LEVELS = {
    Level.INTENT: "intent",
    Level.NEED: "information need",
    Level.CONSTRAINT: "constraint",
}


def read_for_labels(request: LabelRequest, who: Chosen | None = None) -> None:
    """Have a model read a task and store what it proposes, or why it did not.

    A model's failure never raises: the request ends with the reason, and people label as before.

    Args:
        who: the model; None for the programme's choice, else the offline rules.
    """
    task = Task.objects.select_related("domain").get(pk=request.task_id)
    labels = list(SkillLabel.objects.filter(domain=task.domain_id, retired_at__isnull=True))
    try:
        who = who or model_client.chosen(programme.in_use().labels)
        prompt = labels_prompt(readable_text(task, who), [_text(label, task) for label in labels])
        model_client.ask(
            who,
            prompt,
            purpose=Call.Purpose.LABELS,
            task=task,
            parameters=parameters_for(who.provider.name, who.model, Call.Purpose.LABELS),
            keep=partial(_keep, request, task, who, labels),
        )
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        label = who.label if who is not None else programme.in_use().labels
        fail_request(request, f"{label}: {record.reason_of(problem)}")


def _text(label: SkillLabel, task: Task) -> LabelText:
    """Return a label in the language of the task, where it is said in that."""
    chinese = task.language.startswith("zh")
    return LabelText(
        id=label.key,
        level=LEVELS[Level(label.level)],
        name=(label.name_zh if chinese else "") or label.name,
        description=(label.description_zh if chinese else "") or label.description,
    )


def _keep(
    request: LabelRequest,
    task: Task,
    who: Chosen,
    labels: Sequence[SkillLabel],
    call: Call,
    reply: Reply,
) -> None:
    """Store the proposals of a reply together with its call, in one transaction."""
    by_key = {label.key: label for label in labels}
    found = parse_labels(reply.text, list(by_key))
    mine = LabelRequest.objects.filter(pk=request.pk)
    if found is None:
        problem = f"{who.label}: the reply could not be read"
        ended = move(mine, State.FAILED, problem=problem, ended_at=timezone.now(), call=call)
    else:
        made = record_round(
            task=task,
            model=who.label,
            by_rule=who.provider.offline,
            labels=[by_key[key] for key in found],
        )
        ended = move(mine, State.READ, round=made, ended_at=timezone.now(), call=call)
        task.note("labels_proposed", actor=None, labels=", ".join(found) or "–", model=who.label)
    if not ended:
        raise Conflict(_("Another worker read this task."), code="lease_lost")


def fail_request(request: LabelRequest, problem: str) -> None:
    """Record that a reading failed, with the reason for staff."""
    mine = LabelRequest.objects.filter(pk=request.pk)
    move(mine, State.FAILED, problem=problem[:500], ended_at=timezone.now())
