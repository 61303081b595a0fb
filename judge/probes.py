"""What the panel wants to know about a submitted prompt: is it new, and is it hard.

Probing is rough on purpose: each model answers, and the offline rules grade its answer against
lines cut from the reference answer. It tells a trivial prompt from a hard one, not 60 from 65.
"""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from curation.errors import BadInput
from curation.lifecycle import Stage
from curation.models import Task
from judge import builder, drafts, duplicates, inputs, machine, parsing
from judge.engine.material import task_text
from judge.machine import UnusableReplyError
from judge.models import Call
from judge.providers import ProviderError

_UNSEEN = (Stage.DRAFT, Stage.WITHDRAWN)  # nobody but their author has shown these


def similar_tasks(task: Task) -> list[dict[str, Any]]:
    """The three most similar other tasks over one half alike: key and similarity."""
    others = (
        Task.objects.exclude(pk=task.pk)
        .exclude(stage__in=_UNSEEN)
        .order_by("pk")
        .values_list("key", "scenario", "materials", "requirements")
    )
    pairs = ((row[0], "\n".join(row[1:])) for row in others.iterator(chunk_size=200))
    own = "\n".join((task.scenario, task.materials, task.requirements))
    return [
        {"task": found.key, "similarity": found.similarity}
        for found in duplicates.nearest(own, pairs)
    ]


def probe(task: Task) -> tuple[list[dict[str, Any]], str]:
    """Ask every configured model, and say how many lines each met.

    Returns one fact per model (`model`, then `met`, `lines` and `share`, or `problem`), and the
    reason where nothing was asked.
    """
    if not settings.PROBE_MODELS:
        return [], _("Probing skipped: no model is configured.")
    checklist = _checklist(task)
    if not checklist:
        return [], _("Probing skipped: no line could be cut from the reference answer.")
    return [_probed(task, spec, checklist) for spec in settings.PROBE_MODELS], ""


def _checklist(task: Task) -> list[inputs.Criterion]:
    lines = drafts.draft(task, machine.offline()).lines
    return [
        inputs.Criterion(
            f"c{n}", line["text"], line["importance"], line["weight"], line["dimension"]
        )
        for n, line in enumerate(lines, start=1)
    ]


def _probed(task: Task, spec: str, checklist: list[inputs.Criterion]) -> dict[str, Any]:
    text = task_text(task)
    try:
        who = machine.chosen(spec)
        prompt = builder.answer_prompt(text)
        answer = machine.ask(who, prompt, purpose=Call.Purpose.PROBE, task=task)
        question = builder.judge_prompt(
            text, checklist, None, answer.text, nonce=builder.nonce_for(settings.SECRET_KEY, spec)
        )
        grader = machine.offline()
        graded = machine.ask(grader, question, purpose=Call.Purpose.PROBE, task=task)
    except (ProviderError, UnusableReplyError, BadInput) as problem:
        return {"model": spec, "problem": machine.reason_of(problem)}
    verdicts = parsing.parse_verdicts(graded.text, [line.id for line in checklist]).verdicts
    met = sum(outcome is True for outcome, _why in verdicts.values())
    return {
        "model": spec,
        "met": met,
        "lines": len(checklist),
        "share": round(met / len(checklist), 3),
        "graded_by": grader.label,
    }


def screen(task: Task, *, skip: str = "") -> None:
    """Look for duplicates, probe, and hand the task to its panel with what was found.

    `skip` is the reason not to probe this time. Raises Conflict if the task was moved meanwhile.
    """
    similar = similar_tasks(task)
    probes, reason = ([], skip) if skip else probe(task)
    if not reason:
        failed = [entry for entry in probes if "problem" in entry]
        reason = (
            # What a provider said stays with the probes: authors read this sentence.
            _("Probing brought no answer.")
            if len(failed) == len(probes)
            else _("Probed with %(n)s models.") % {"n": len(probes) - len(failed)}
        )
    task.advance(Stage.SCREENING, actor=None, reason=reason, duplicates=similar, probes=probes)
