"""Cancel the batches of a cancelled run."""

from django.db import transaction
from django.utils import timezone

from curation.base.process.states import move
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.asking.providers.batches.interface import Batches
from judge.runs.engine.batches.batches import GUESSED
from judge.runs.engine.batches.models import Batch, BatchLine
from judge.runs.engine.models import JudgeRun

State, LineState = Batch.State, BatchLine.State


def cancel_batches(run: JudgeRun, api: Batches) -> None:
    """Ask the provider to cancel the batches of a run; answers given so far are lost.

    A batch that may belong to somebody else is left alone. Raises ProviderError; the batches not
    yet cancelled are tried again later.
    """
    for batch in run.batches.filter(state__in=(State.PREPARED, State.SENT)):
        remote_id = batch.remote_id
        if not remote_id and batch.sending_at and api.finds_its_own:
            known = set(Batch.objects.exclude(remote_id="").values_list("remote_id", flat=True))
            remote_id = (
                api.find(batch.mark, since=batch.sending_at, requests=batch.requests, known=known)
                or ""
            )
        if remote_id and batch.detail != GUESSED:
            _end(remote_id, api)
        with transaction.atomic():
            move(batch.lines.all(), LineState.LOST, reason="cancelled", request=None)
            mine = Batch.objects.filter(pk=batch.pk)
            move(mine, State.CANCELLED, remote_id=remote_id, ended_at=timezone.now())


def _end(remote_id: str, api: Batches) -> None:
    """Cancel a batch, unless it has ended or the provider does not know it."""
    try:
        api.cancel(remote_id)
    except ProviderError as refusal:
        if refusal.kind is ErrorKind.UNKNOWN_MODEL:  # the kind of a 404: no such batch
            return
        if not api.status(remote_id).ended:
            raise refusal from None
