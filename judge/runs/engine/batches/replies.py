"""Turn the results of a batch into what is stored."""

from judge.asking.calls.models import Call
from judge.asking.calls.record import call_of
from judge.asking.providers.base import ProviderError, Reply
from judge.methods.base.values import FAILED
from judge.runs.engine import asking
from judge.runs.engine.batches.models import BatchLine
from judge.runs.engine.events import Called, Ended, Found, Job
from judge.runs.engine.models import JudgeRun


def called(run: JudgeRun, job: Job, line: BatchLine, result: Reply | ProviderError) -> Called:
    """Return one result of a batch as the first attempt at its response."""
    call = call_of(
        job.prompt,
        result,
        purpose=Call.Purpose.JUDGE,
        provider=run.provider,
        model=run.model,
        task_id=job.task,
        run=run,
        judgment_id=job.judgment,
        batch_id=line.batch_id,
        request=line.request or {},
    )
    return Called(call, result, line.reserved_micro)


def take(
    job: Job,
    call: Called,
    result: Reply | ProviderError,
    events: list[Called | Found | Ended],
) -> str:
    """Append the events of a result; return a reason if the response goes into another batch.

    A refused key or model says nothing about the response, so it waits for another batch.
    """
    if isinstance(result, ProviderError):
        events.append(call)
        if result.kind.retryable or result.kind in asking.FATAL:
            return result.kind.value
        events.append(_all_failed(job, result.kind.value))
        return ""
    found, why = asking.read(job, call, result, job.material.parts)
    outcomes = found.outcomes
    reasons = {name: why(name) for name in job.material.parts if name not in outcomes}
    if any(asking.worth_asking_again(job, reason) for reason in reasons.values()):
        events.append(found)
    else:
        outcomes |= dict.fromkeys(reasons, FAILED)
        events.append(Ended(job, outcomes, reasons, found, found.findings))
    return ""


def _all_failed(job: Job, reason: str) -> Ended:
    parts = job.material.parts
    return Ended(job, dict.fromkeys(parts, FAILED), dict.fromkeys(parts, reason))
