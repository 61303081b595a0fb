"""First rubrics, drafted by a model or, failing that, by the offline rules."""

from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.lifecycle import Stage
from curation.models import Origin, Task
from judge import builder, machine, parsing
from judge.engine.material import task_text
from judge.machine import Chosen, UnusableReplyError
from judge.models import Call
from judge.providers import ProviderError
from rubrics.actions import record_draft
from rubrics.models import RubricVersion


@dataclass(frozen=True)
class Draft:
    """Lines of a first rubric, who wrote them, and why it was not who should have."""

    lines: list[dict[str, Any]]
    drafted_by: str
    reason: str = ""


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
        who = who or machine.chosen(settings.DRAFT_MODEL)
        return _ask(task, who)
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        if who is not None and who.provider.offline:
            return Draft([], who.label, machine.reason_of(problem))
        wanted = who.label if who is not None else settings.DRAFT_MODEL
        reason = _(
            "%(model)s gave no usable draft (%(reason)s), so the offline rules wrote it."
        ) % {
            "model": wanted,
            "reason": machine.reason_of(problem).rstrip("."),
        }
    return _offline(task, reason)


def _offline(task: Task, reason: str) -> Draft:
    who = machine.offline()
    try:
        found = _ask(task, who)
    except (ProviderError, UnusableReplyError) as problem:
        return Draft([], who.label, f"{reason} {machine.reason_of(problem)}")
    return Draft(found.lines, found.drafted_by, reason)


def _ask(task: Task, who: Chosen) -> Draft:
    prompt = builder.draft_prompt(task_text(task), task.reference_answer)
    reply = machine.ask(who, prompt, purpose=Call.Purpose.DRAFT, task=task)
    parsed = parsing.parse_draft(reply.text, reference=builder.clean(task.reference_answer))
    if parsed.problem:
        raise UnusableReplyError(parsed.problem)
    if not parsed.lines and not who.provider.offline:
        raise UnusableReplyError(_("no line could be used"))
    return Draft([asdict(line) for line in parsed.lines], who.label)


def draft_for(task: Task, who: Chosen | None = None) -> Draft:
    """Draft a rubric and store it: the task of an expert here moves on, an external one is ready.

    An external task about which nothing can be said keeps waiting: a rubric without lines judges
    nothing. Raises Conflict if the task was moved on meanwhile.
    """
    made = draft(task, who)
    if made.lines or not task.external:
        record_draft(task=task, lines=made.lines, drafted_by=made.drafted_by, reason=made.reason)
    return made
