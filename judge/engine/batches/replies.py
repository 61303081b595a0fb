"""What came back in a batch, as what is stored of it."""

from django.utils import timezone

from judge.engine import asking
from judge.engine.batches.models import BatchLine
from judge.engine.events import Called, Ended, Found, Job
from judge.engine.models import Verdict
from judge.providers.base import ProviderError, Reply, Stop, Usage


def called(job: Job, line: BatchLine, result: Reply | ProviderError) -> Called:
    answered = isinstance(result, Reply)
    return Called(
        job=job,
        prompt=job.prompt,
        attempt=1,
        request=line.request or {},
        reply=result.raw,
        error=_error_of(result),
        detail="" if isinstance(result, Reply) else result.detail,
        usage=result.usage if isinstance(result, Reply) else Usage(None, None, None),
        seconds=0.0,
        reserved=line.reserved_micro,
        kind=None if answered else result.kind,  # type: ignore[union-attr]
        at=timezone.now(),
        batch=line.batch_id,
    )


def _error_of(result: Reply | ProviderError) -> str:
    if isinstance(result, ProviderError):
        return result.kind.value
    return "" if result.stop is Stop.COMPLETE else result.stop.value


def take(
    job: Job,
    call: Called,
    result: Reply | ProviderError,
    events: list[Called | Found | Ended],
) -> str:
    """Turn a result into what is stored; a reason if the response belongs into another batch.

    That the provider refuses us as such says nothing about a response: it waits for another batch.
    """
    if isinstance(result, ProviderError):
        events.append(call)
        if result.kind.retryable or result.kind in asking.FATAL:
            return result.kind.value
        events.append(_all_failed(job, result.kind.value))
        return ""
    found, reason = asking.read(job, call, result, job.material.ids)
    outcomes = {name: outcome for name, (outcome, _why) in found.verdicts.items()}
    missing = [name for name in job.material.ids if name not in outcomes]
    if missing and reason in asking.WORTH_ASKING_AGAIN:
        events.append(found)
    else:
        reasons = dict.fromkeys(missing, reason)
        outcomes |= dict.fromkeys(missing, Verdict.Outcome.FAILED.value)
        events.append(Ended(job, outcomes, reasons, found))
    return ""


def _all_failed(job: Job, reason: str) -> Ended:
    lines = job.material.ids
    return Ended(
        job, dict.fromkeys(lines, Verdict.Outcome.FAILED.value), dict.fromkeys(lines, reason)
    )
