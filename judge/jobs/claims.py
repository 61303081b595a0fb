"""The claim on a row of machine work while a job is on it."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection, models
from django.db.models import QuerySet

from curation.web.refusals import Conflict
from judge.calls import model_client, record
from judge.providers.base import ProviderError
from judge.queue import leases
from judge.queue.models import MachineWork

log = logging.getLogger(__name__)

# Seconds before each retry after a lost database connection; after the last the sweep takes over.
RECONNECT = (0.0, 0.0, 0.2, 1.0, 5.0)

Row = TypeVar("Row", bound=models.Model)


@contextmanager
def claimed(kind: str, waiting: QuerySet[Row], pk: int) -> Iterator[tuple[MachineWork, Row] | None]:
    """Hold the claim on one row while it is worked on, and give it with the row.

    Yields None if another worker holds the claim or the row waits no more. An error is recorded on
    the claim and not raised again: the next attempt follows after a delay.
    """
    work = leases.claim_work(kind, pk, leases.new_token())
    if work is None:
        yield None
        return
    try:
        row = waiting.filter(pk=pk).first()
        yield None if row is None else (work, row)
    except Conflict:
        _give_back(work)  # somebody else moved the row on: nothing is left to do
    except Exception as problem:
        if not isinstance(problem, ProviderError | model_client.UnusableReplyError):
            log.exception("%s %s broke", kind, pk)
        _give_back(work, problem=record.reason_of(problem), done=False)
    except BaseException:
        _give_back(work, problem="interrupted", done=False)
        raise
    else:
        _give_back(work)


def _give_back(work: MachineWork, *, problem: str = "", done: bool = True) -> None:
    """End a claim, reconnecting if the database connection broke.

    This process lives on, so the claim would otherwise hold until its lease expires.
    """
    for delay in RECONNECT[:4]:
        try:
            leases.finish_work(work, problem=problem, done=done)
            return
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(delay)
    leases.finish_work(work, problem=problem, done=done)
