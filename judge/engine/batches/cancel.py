"""Ending the batches of a cancelled run."""

from django.db import transaction
from django.utils import timezone

from curation.process.states import move
from judge.engine.batches.batches import GUESSED
from judge.engine.batches.models import Batch, BatchLine
from judge.engine.models import JudgeRun
from judge.providers.base import ErrorKind, ProviderError
from judge.providers.batching import Batches

State, LineState = Batch.State, BatchLine.State


def call_off(run: JudgeRun, door: Batches) -> None:
    """Ask the provider to end the batches of a cancelled run; what it answered so far is lost.

    A batch that may be somebody else's is let be. Raises ProviderError; the batches it concerns
    are tried again later.
    """
    for batch in run.batches.filter(state__in=(State.PREPARED, State.SENT)):
        remote_id = batch.remote_id
        if not remote_id and batch.sending_at and door.finds_its_own:
            known = set(Batch.objects.exclude(remote_id="").values_list("remote_id", flat=True))
            remote_id = (
                door.find(batch.mark, since=batch.sending_at, requests=batch.requests, known=known)
                or ""
            )
        if remote_id and batch.detail != GUESSED:
            _end(remote_id, door)
        with transaction.atomic():
            move(batch.lines.all(), LineState.LOST, reason="cancelled", request=None)
            mine = Batch.objects.filter(pk=batch.pk)
            move(mine, State.CANCELLED, remote_id=remote_id, ended_at=timezone.now())


def _end(remote_id: str, door: Batches) -> None:
    """End a batch. One that is over already, or that nobody there knows, cannot be ended."""
    try:
        door.cancel(remote_id)
    except ProviderError as refusal:
        if refusal.kind is ErrorKind.UNKNOWN_MODEL:  # what 404 means elsewhere: it is not there
            return
        if not door.look(remote_id).ended:
            raise refusal from None
