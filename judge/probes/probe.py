"""What the panel wants to know about a submitted prompt: is it new, and is it hard.

Probing asks each model several times and grades every answer against a checklist cut from the
reference answer. It tells a trivial prompt from a hard one, not 60 from 65. Each answer is a row
that is written before it is asked for: whoever goes on after a crash asks nothing twice.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from curation.panels.actions import fill_panel
from curation.panels.models import ScreeningPolicy
from curation.panels.policy import policy_for
from curation.screening.actions import open_screening
from curation.similar.actions import remember_missing
from curation.similar.queries import alike
from curation.tasks import probe_findings
from curation.tasks.models import Task
from curation.web.refusals import BadInput
from judge.calls import model_client, record
from judge.calls.model_client import Chosen, UnusableReplyError
from judge.calls.models import Call
from judge.drafts import generate as drafts
from judge.probes.models import ProbeSample
from judge.prompts import builder, parsing
from judge.prompts.task_text import task_text
from judge.providers import inputs
from judge.providers.base import ProviderError, Reply
from judge.stats.proportions import wilson

_FAILURES = (ProviderError, UnusableReplyError, BadInput)
State = ProbeSample.State
Checklist = list[inputs.Criterion]


def similar_tasks(task: Task) -> list[dict[str, Any]]:
    """The three most similar other tasks: key, similarity, and how many anchors they share."""
    remember_missing()
    return [
        {"task": found.key, "similarity": found.similarity, "shared": found.shared}
        for found in alike(task)
    ]


def screen(task: Task, *, skip: str = "", pulse: Callable[[], None] = lambda: None) -> None:
    """Look for duplicates, probe, hand the task to its panel, and draw the members.

    Args, Raises: as `pass_on`.
    """
    pass_on(task, skip=skip, pulse=pulse)
    fill_panel(task)


def pass_on(
    task: Task,
    *,
    skip: str = "",
    models: Sequence[str] | None = None,
    pulse: Callable[[], None] = lambda: None,
) -> None:
    """Look for duplicates, probe, and hand the task to its panel, whose members come next.

    Args:
        skip: why nothing more is asked this time; what is graded already still counts.
        models: as PROBE_MODELS, which they replace for this once.
        pulse: called between two questions; raises where the work belongs to somebody else now.

    Raises:
        Conflict: the task was moved meanwhile.
    """
    policy = policy_for(task.domain_id)
    problem = "broke" if skip else probe(task, policy, _chosen(models), pulse)
    probing = summary(task, policy, problem)
    finding = probe_findings.judged(
        probing.get("passed", 0),
        probing.get("graded", 0),
        policy.easy_percent,
        policy.suspect_percent,
    )
    if skip:
        probing["detail"] = skip[:300]  # for staff; authors read that it broke, not how
    open_screening(
        task=task,
        finding=finding,
        probing=probing,
        duplicates=similar_tasks(task),
    )


# --- asking and grading ---------------------------------------------------------------------------
def _chosen(models: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys(settings.PROBE_MODELS if models is None else models))


def probe(
    task: Task, policy: ScreeningPolicy, models: Sequence[str], pulse: Callable[[], None]
) -> str:
    """Ask for every answer that is missing, and grade every answer that is not graded.

    Returns:
        why nothing could be asked: "no_model", "no_lines", or nothing.
    """
    if not models:
        return "no_model"
    _plan(task, policy, models)
    open_samples = [s for s in samples_of(task) if s.state in (State.WAITING, State.ANSWERED)]
    if not open_samples:
        return ""
    checklist = cut_checklist(task)
    if not checklist:
        return "no_lines"
    for sample in open_samples:
        pulse()
        if sample.state == State.WAITING:
            _ask(task, sample)
        if sample.state == State.ANSWERED:
            pulse()
            _grade(task, sample, checklist, policy)
    return ""


def samples_of(task: Task) -> Any:
    """The samples of a task's present submission, in the order they are asked."""
    return ProbeSample.objects.filter(task=task, round=task.screening_round).order_by("pk")


def _plan(task: Task, policy: ScreeningPolicy, models: Sequence[str]) -> None:
    """Write down what is to be asked. The offline rules answer the same each time: once will do."""
    rows = [
        ProbeSample(task=task, round=task.screening_round, model=spec[:160], number=number)
        for spec in models
        for number in range(1, (1 if _is_offline(spec) else policy.samples) + 1)
    ]
    ProbeSample.objects.bulk_create(rows, ignore_conflicts=True)


def _is_offline(spec: str) -> bool:
    return spec.partition(":")[0].strip() == "offline"


def cut_checklist(task: Task) -> Checklist:
    """The lines an answer is graded by: cut from the reference answer by rule, with weights."""
    lines = drafts.draft(task, model_client.offline()).lines
    return [
        inputs.Criterion(
            f"c{n}", line["text"], line["importance"], line["weight"], line["dimension"]
        )
        for n, line in enumerate(lines, start=1)
    ]


def _ask(task: Task, sample: ProbeSample) -> None:
    """Have one answer written; the row is stored together with the call that paid for it."""

    def keep(call: Call, reply: Reply) -> None:
        sample.answer, sample.call = record.storable(reply.text), call
        if sample.answer.strip():
            _store(sample, State.ANSWERED)
        else:
            _store(sample, State.FAILED, problem="the answer is empty")

    try:
        prompt = builder.answer_prompt(task_text(task))
        model_client.ask(
            model_client.chosen(sample.model),
            prompt,
            purpose=Call.Purpose.PROBE,
            task=task,
            keep=keep,
        )
    except _FAILURES as problem:
        _store(sample, State.FAILED, problem=record.reason_of(problem))


def grader() -> Chosen:
    """Who grades: the model of PROBE_GRADER, or the offline rules."""
    return model_client.chosen(settings.PROBE_GRADER)


def _grade(task: Task, sample: ProbeSample, checklist: Checklist, policy: ScreeningPolicy) -> None:
    nonce = builder.nonce_for(
        settings.SECRET_KEY, "probe", str(sample.pk), sample.model, sample.answer
    )
    try:
        who = grader()
        sample.graded_by = who.label

        def keep(call: Call, reply: Reply) -> None:
            sample.grade_call = call
            _count(sample, checklist, reply.text, policy.solved_percent)

        model_client.ask(
            who,
            builder.judge_prompt(task_text(task), checklist, None, sample.answer, nonce=nonce),
            purpose=Call.Purpose.PROBE,
            task=task,
            keep=keep,
        )
    except _FAILURES as problem:
        _store(sample, State.FAILED, problem=f"not graded: {record.reason_of(problem)}")


def _count(sample: ProbeSample, checklist: Checklist, reply: str, solved_percent: int) -> None:
    """Store what a grader's reply says.

    Lines it left open decide nothing where the answer passes without them, or fails with them;
    otherwise there is no grade.
    """
    verdicts = parsing.parse_verdicts(reply, [line.id for line in checklist]).verdicts
    outcome = {line.id: verdicts.get(line.id, (None, ""))[0] for line in checklist}
    total = sum(line.weight for line in checklist)
    met = sum(line.weight for line in checklist if outcome[line.id] is True)
    left = sum(line.weight for line in checklist if outcome[line.id] is None)
    bar = solved_percent * total
    sample.lines, sample.weight = len(checklist), total
    sample.met, sample.met_weight = sum(o is True for o in outcome.values()), met
    if 100 * met >= bar:
        sample.passed = True
    elif 100 * (met + left) < bar:
        sample.passed = False
    else:
        missing = sum(o is None for o in outcome.values())
        _store(sample, State.FAILED, problem=f"the grader left {missing} lines open")
        return
    _store(sample, State.GRADED)


def _store(sample: ProbeSample, state: str, *, problem: str = "") -> None:
    sample.state, sample.problem, sample.at = state, problem, timezone.now()
    if state == State.FAILED:
        sample.passed = None
    sample.save()


# --- what it says ---------------------------------------------------------------------------------
def summary(task: Task, policy: ScreeningPolicy, problem: str) -> dict[str, Any]:
    """The counts of a submission, as stored with its screening.

    `curation.tasks.probe_findings` words them.

    Args:
        problem: why nothing was asked, or nothing.
    """
    rows = list(samples_of(task))
    graded = [row for row in rows if row.state == State.GRADED]
    if not graded:
        problem = problem or "no_answer"
        return {"problem": problem, "models": _by_model(rows), "asked": len(rows), "graded": 0}
    passed = sum(bool(row.passed) for row in graded)
    interval = wilson(passed, len(graded))
    assert interval is not None, "there is a count"
    offline = [_is_offline(row.model) for row in graded]
    return {
        "asked": len(rows),
        "graded": len(graded),
        "passed": passed,
        "low": round(interval[0], 4),
        "high": round(interval[1], 4),
        "solved": policy.solved_percent,
        "easy": policy.easy_percent,
        "suspect": policy.suspect_percent,
        "by_rules": any(row.graded_by.startswith("offline ") for row in graded),
        "offline_only": all(offline),
        "offline_too": any(offline),
        "models": _by_model(rows),
    }


def _by_model(rows: list[ProbeSample]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        entry = found.setdefault(row.model, {"model": row.model, "passed": 0, "graded": 0})
        if row.state == State.GRADED:
            entry["graded"] += 1
            entry["passed"] += bool(row.passed)
        elif row.problem:
            entry["problem"] = row.problem[:300]
    return list(found.values())
