"""The first question of each response, sent in the provider's batches.

A batch is stored before anything is sent: its questions, the money set aside and our mark. Each
further step is stored when it is done; after a crash in between, the batch is found at the provider
by its mark and used. A worker looks at the batches once and leaves: no thread waits a day.

A batch's results are read and stored like any reply. Lines they leave open are asked for live, as
after any first question; a response without an answer (expired, an error of the provider) goes into
the next batch, and after three it is asked live. A batch that is refused as a whole pauses the run,
with the provider's words as the reason.
"""

import json
import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Max, Min, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from curation.base.process.states import move
from curation.tasks.file_views.model_files import read_picture
from judge.asking.calls import cost
from judge.asking.calls.budgets import Answer, Grant
from judge.asking.providers.base import ErrorKind, ProviderError, Reply
from judge.asking.providers.batches.interface import FULL, MOST_BYTES, MOST_REQUESTS, Batches, Line
from judge.asking.providers.wire import with_pictures
from judge.runs.engine import asking
from judge.runs.engine.batches.models import Batch, BatchLine
from judge.runs.engine.batches.replies import called, take
from judge.runs.engine.events import Called, Ended, Found, Job
from judge.runs.engine.ledger import Ledger
from judge.runs.engine.models import JudgeRun, RunItem, Verdict
from judge.runs.engine.planning.material import MaterialCache
from judge.runs.engine.planning.schedule import waiting
from judge.runs.engine.planning.wanted import want

log = logging.getLogger(__name__)

MOST_BATCHES = 3  # for one response; then it is asked live
STORED_AT_ONCE = 100  # replies in one transaction
# Where the provider's queue is full, smaller batches are sent after this time.
RETRY_FULL_AFTER = timedelta(minutes=10)
# A provider may not know an uploaded file for a moment; both keep files and results for a month.
SETTLING, KEPT = timedelta(hours=1), timedelta(days=29)
# Stored on a batch found without our mark: only its results tell whether it is ours.
GUESSED = gettext_noop("Found by its size after an interruption; its results say whose it is.")
# Under a budget, a batch may ask for replies this many times as long as expected.
SLACK = 2

State, LineState = Batch.State, BatchLine.State


class BatchRefusedError(Exception):
    """The provider refused a whole batch; the message holds its words."""


class Batching:
    """The batches of one run, handled under one lease."""

    def __init__(self, run: JudgeRun, ledger: Ledger, api: Batches) -> None:
        self.run, self.ledger, self.api = run, ledger, api
        self.budget_used_up = False
        self.queue_full = False  # whether unsent questions wait for room at the provider
        self.refusal: ProviderError | None = None
        self.deferred: set[int] = set()  # items that another live run is judging
        self.materials = MaterialCache(run)

    def step(self) -> bool:
        """Do what can be done now. Return True if no batch is under way any more.

        Raises ProviderRefusalError where the provider refuses the key or model, BatchRefusedError
        where it refuses a batch. Temporary errors are left for the next look.
        """
        for batch in self._open():
            try:
                self._advance(batch)
            except ProviderError as error:
                self._failed(batch, error)
        while self._wanted() and (fresh := self._prepare()) is not None:
            try:
                self._advance(fresh)
            except ProviderError as error:
                self._failed(fresh, error)
                break  # further ones would fail now, too
        return not (self._open() or self.queue_full)

    def _wanted(self) -> bool:
        """Return whether the run is still to go on: a batch sent after a pause is billed, too."""
        return self.ledger.look() == JudgeRun.State.RUNNING

    def _open(self) -> list[Batch]:
        return list(self.run.batches.filter(state__in=(State.PREPARED, State.SENT)))

    def _advance(self, batch: Batch) -> None:
        if batch.state == State.PREPARED:
            self._send(batch)
            return
        status = self.api.status(batch.remote_id)
        if status.failed.startswith(FULL) and batch.requests > 1:
            self._end(batch, State.FAILED, status.failed)  # smaller ones may fit later
        elif status.failed:
            self._refused(batch, status.failed)
        elif status.ended:
            self._collect(batch)

    def _failed(self, batch: Batch, error: ProviderError) -> None:
        age = timezone.now() - batch.created_at
        if error.kind is ErrorKind.UNKNOWN_MODEL and batch.state == State.SENT and age > KEPT:
            self._end(batch, State.COLLECTED, error.detail)  # the provider has deleted it by now
            return
        unknown = batch.upload_id and batch.state == State.PREPARED
        if unknown and age < SETTLING and "find file" in error.detail.lower():
            self._store(batch, upload_id="")
            return
        if error.kind in asking.FATAL:
            raise asking.ProviderRefusalError(error) from error
        log.warning("Batch %s of run %s: %s", batch.mark, self.run.pk, error)
        if not error.kind.retryable:
            self._refused(batch, error.detail)

    def _refused(self, batch: Batch, detail: str) -> None:
        self._end(batch, State.FAILED, detail)
        raise BatchRefusedError(detail)

    # -- preparing and sending -----------------------------------------------------------------

    def _prepare(self) -> Batch | None:
        """Store the next batch, as far as the budget goes; return None if nothing is to be sent."""
        if self.budget_used_up or self.ledger.outdated_batches():
            return None
        most = self._most()
        items = list(
            self._unasked()
            .select_related("response", "version")
            .order_by("response__task_id", "pk")[: most or 1]
        )
        self.queue_full = bool(items) and not most
        if self.queue_full or not items:
            return None
        wanted = [want(self.run, item, found) for item, found in self.materials.load_for(items)]
        jobs, deferred = self.ledger.claim(wanted)
        self.deferred.update(deferred)
        chosen: list[tuple[Job, dict[str, Any], Grant]] = []
        size = 0
        for job in jobs:
            if job.done:
                continue  # only some lines are open: they are asked live
            grant, parameters = self._grant(job)
            if grant.answer is not Answer.GRANTED:
                self.budget_used_up = True
                break
            try:
                body = self.api.body(job.prompt, model=self.run.model, parameters=parameters)
            except ProviderError as error:
                # A parameter this vendor does not know: no question of this run could be written.
                for unsent in (grant, *(other for _job, _body, other in chosen)):
                    self._give_back(unsent.reserved)
                raise BatchRefusedError(error.detail) from error
            size += len(json.dumps(body, ensure_ascii=False).encode())
            size += sum(4 * picture.size // 3 for picture in job.prompt.pictures)  # as base64
            if chosen and size > MOST_BYTES:
                self._give_back(grant.reserved)  # it goes into the next one
                break
            chosen.append((job, body, grant))
        if not chosen:
            return self._prepare() if not self.budget_used_up else None
        with transaction.atomic():
            self.ledger.write([], started=True)
            batch = Batch.objects.create(
                run=self.run, mark=secrets.token_hex(8), requests=len(chosen)
            )
            BatchLine.objects.bulk_create(
                BatchLine(
                    batch=batch,
                    judgment_id=job.judgment,
                    item_id=job.item,
                    request=body,
                    reserved_micro=grant.reserved,
                )
                for job, body, grant in chosen
            )
        return batch

    def _most(self) -> int:
        """Return how many questions the next batch may hold; 0 while the queue is full."""
        full = self.run.batches.filter(state=State.FAILED, detail__startswith=FULL)
        refused = full.aggregate(smallest=Min("requests"), last=Max("ended_at"))
        if refused["last"] is None:
            return MOST_REQUESTS
        if self._open() or refused["last"] > timezone.now() - RETRY_FULL_AFTER:
            return 0
        return max(1, min(MOST_REQUESTS, refused["smallest"] // 2))

    def _give_back(self, reserved: int) -> None:
        """Release what was set aside for a question that is not sent."""
        if self.ledger.budget.limited:
            self.ledger.budget.settle(reserved, 0)
            self.ledger.budget.started -= 1

    def _unasked(self) -> Any:
        """Select items without an answer or a place in an open batch."""
        items = waiting(self.run).exclude(judgment__batch_lines__state=LineState.WAITING)
        items = items.exclude(judgment__batch_lines__state=LineState.ANSWERED)
        partly = Q(judgment__verdicts__isnull=False) & ~Q(
            judgment__verdicts__outcome=Verdict.Outcome.FAILED
        )
        items = items.exclude(pk__in=[*self._unanswerable(), *self.deferred]).exclude(partly)
        return items.exclude(judgment__findings__data__isnull=False)

    def _unanswerable(self) -> list[int]:
        lost = BatchLine.objects.filter(
            batch__run=self.run, batch__state=State.COLLECTED, state=LineState.LOST
        )
        counts = lost.order_by().values_list("item").annotate(n=Count("id"))
        return [item for item, n in counts if n >= MOST_BATCHES]

    def _grant(self, job: Job) -> tuple[Grant, dict[str, Any]]:
        """Return leave for one question, and the parameters to ask it with."""
        parameters = dict(self.run.parameters)
        if not self.ledger.budget.limited:
            return Grant(Answer.GRANTED), parameters
        tokens = cost.prompt_tokens(job.prompt, parameters)
        material = job.material
        most = SLACK * material.method.reply_tokens(material, len(material.parts))
        most = min(most, parameters.get("max_tokens") or most)
        grant = self.ledger.budget.set_aside(tokens, most)
        return grant, {**parameters, "max_tokens": most}

    def _send(self, batch: Batch) -> None:
        lines = [
            Line(line.name, with_pictures(line.request or {}, read_picture))
            for line in batch.lines.select_related("batch")
        ]
        again = batch.sending_at is not None
        if again:
            # An earlier attempt may have reached the provider: use its batch, send no second one.
            known = set(Batch.objects.exclude(remote_id="").values_list("remote_id", flat=True))
            assert batch.sending_at is not None
            found = self.api.find(
                batch.mark, since=batch.sending_at, requests=len(lines), known=known
            )
            if found:
                guessed = {} if self.api.finds_its_own else {"detail": GUESSED}
                self._sent(batch, found, **guessed)
                return
        else:
            self._store(batch, sending_at=timezone.now())
        if not batch.upload_id:
            self._store(batch, upload_id=self.api.upload(batch.mark, lines, again=again))
        self._sent(batch, self.api.create(batch.mark, batch.upload_id, lines))

    def _sent(self, batch: Batch, remote_id: str, **more: str) -> None:
        now = timezone.now()
        self._store(batch, to=State.SENT, remote_id=remote_id, sent_at=now, **more)

    def _store(self, batch: Batch, *, to: str = "", **fields: object) -> None:
        """Store a step while the run is ours; `to` is the new state, "" to keep it."""
        mine = Batch.objects.filter(pk=batch.pk)
        with transaction.atomic():
            self.ledger.renew()
            if to:
                move(mine, to, **fields)
            else:
                mine.update(**fields)
        batch.refresh_from_db()

    # -- collecting ------------------------------------------------------------------------------

    def _collect(self, batch: Batch) -> None:
        lines = {
            line.name: line
            for line in batch.lines.filter(state=LineState.WAITING).select_related("batch")
        }
        seen = ours = False
        part: list[tuple[BatchLine, Reply | ProviderError]] = []
        for name, result in self.api.results(batch.remote_id):
            seen, ours = True, ours or name.startswith(f"{batch.mark}-")
            line = lines.pop(name, None)  # a name may come twice, or be no name of ours
            if line is None:
                continue
            part.append((line, result))
            if len(part) >= STORED_AT_ONCE:
                self.store(batch, part)
                part = []
        if seen and not ours:
            # Found by its size after a crash, and it is another's: send ours after all.
            fresh = {"remote_id": "", "upload_id": "", "sending_at": None, "detail": ""}
            self._store(batch, to=State.PREPARED, **fresh)
            return
        self.store(batch, part)
        self._end(batch, State.COLLECTED, "")
        if self.refusal is not None:
            raise asking.ProviderRefusalError(self.refusal)

    def store(self, batch: Batch, part: list[tuple[BatchLine, Reply | ProviderError]]) -> None:
        """Store some results and what follows from them in one transaction."""
        if not part:
            return
        items = RunItem.objects.filter(pk__in=[line.item_id for line, _result in part])
        jobs = {job.item: job for job in self._jobs(items.select_related("response", "version"))}
        events: list[Called | Found | Ended] = []
        states: dict[tuple[str, str], list[int]] = {}
        for line, result in part:
            job = jobs[line.item_id]
            call = called(self.run, job, line, result)
            reason = take(job, call, result, events)
            if isinstance(result, ProviderError) and result.kind in asking.FATAL:
                self.refusal = result
            state = (LineState.LOST.value, reason) if reason else (LineState.ANSWERED.value, "")
            states.setdefault(state, []).append(line.pk)
        with transaction.atomic():
            self.ledger.write(events)
            for (state_, reason), pks in states.items():
                move(BatchLine.objects.filter(pk__in=pks), state_, reason=reason, request=None)

    def _end(self, batch: Batch, state: str, detail: str) -> None:
        """Close a batch; what it did not answer is free for the next one."""
        left = batch.lines.filter(state=LineState.WAITING)
        reserved = list(left.values_list("reserved_micro", flat=True))
        reason = "batch_refused" if state == State.FAILED else "batch_unanswered"
        with transaction.atomic():
            self.ledger.renew()
            move(left, LineState.LOST, reason=reason, request=None)
            if self.ledger.budget.limited:
                # They were never run, and are not billed.
                JudgeRun.objects.filter(pk=self.run.pk).update(
                    calls_started=F("calls_started") - len(reserved)
                )
            mine = Batch.objects.filter(pk=batch.pk)
            move(mine, state, detail=detail[:2000], ended_at=timezone.now())
        for amount in reserved:
            self._give_back(amount)

    def _jobs(self, items: Iterable[RunItem]) -> Iterator[Job]:
        """The jobs of items that are claimed already, as the claim made them."""
        for item, material in self.materials.load_for(items):
            assert item.judgment is not None
            entry = want(self.run, item, material)
            yield Job(
                item=item.pk,
                judgment=item.judgment.pk,
                key=item.judgment.key,
                task=item.response.task_id,
                material=material,
                text=item.response.text,
                prompt=entry.prompt,
            )


def batch_counts(run: JudgeRun) -> list[dict[str, Any]]:
    """Return the batches of a run with their counts of answered and lost questions. Two queries."""
    counts: dict[int, Counter[str]] = {}
    for batch, state, n in (
        BatchLine.objects.filter(batch__run=run)
        .order_by()
        .values_list("batch", "state")
        .annotate(n=Count("id"))
    ):
        counts.setdefault(batch, Counter())[state] = n
    return [
        {
            "batch": batch,
            "answered": counts.get(batch.pk, Counter())[LineState.ANSWERED.value],
            "lost": counts.get(batch.pk, Counter())[LineState.LOST.value],
        }
        for batch in run.batches.all()
    ]
