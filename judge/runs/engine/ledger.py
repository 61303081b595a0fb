"""Write for a run: claims before asking, and replies after, in short transactions.

What a reply brings (call, verdicts, judgment, score, run item) is committed together, and replies
that arrive at once share a transaction. Each transaction first renews the run's lease, so that a
process that has lost it writes nothing more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from curation.base.process.states import move
from judge.asking.calls.budgets import Budget
from judge.asking.calls.cost import Rates, all_schedules, spent_and_dearest
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.asking.calls.record import cost_of
from judge.base.queue.leases import LEASE, is_free
from judge.methods.base import registry
from judge.methods.base.values import FAILED, FOUND
from judge.runs.engine import ends, verdict_rows
from judge.runs.engine.batches.models import BatchLine
from judge.runs.engine.events import Called, Ended, Found, Job
from judge.runs.engine.models import Finding, JudgeRun, Judgment, RunItem, Verdict
from judge.runs.engine.planning.wanted import Wanted
from judge.runs.engine.roles import pairs_of


class LeaseLostError(Exception):
    """Another process works on this run now."""


class Ledger:
    """Writes for one run under one lease; to be used from one thread."""

    def __init__(self, run: JudgeRun, token: str) -> None:
        self.run = run
        self.token = token
        self.pairs = pairs_of(run)
        self.rates: dict[tuple[str, str], Rates | None] = {}  # of each model, as they are now
        self.lost_micro = 0  # set aside for attempts of earlier sessions that a crash cut off
        self.budget = self._opened()

    def _opened(self) -> Budget:
        """Return the budget as earlier sessions left it."""
        stored = Call.objects.filter(run=self.run).aggregate(
            calls=Count("id"),
            spent=Sum("cost_micro"),
            dearest=Max("cost_micro", filter=Q(error="")),
        )
        prices, now = all_schedules(self.pairs), timezone.now()
        self.rates = {pair: schedule.at(now) for pair, schedule in prices.items()}
        # A price corrected since then applies to earlier calls, too.
        today = (0, stored["dearest"] or 0)
        if None not in self.rates.values():
            today = spent_and_dearest(self.run.pk, prices, now)
        budget = Budget(
            rates=self.rates[self.run.provider, self.run.model],
            micro=self.run.budget_micro,
            calls=self.run.max_calls,
            started=max(self.run.calls_started, stored["calls"]),
            spent=max(stored["spent"] or 0, today[0]),
            dearest=today[1],
            several=len(self.pairs) > 1,
        )
        # Questions in open batches are neither lost nor billed yet.
        waiting = BatchLine.objects.filter(
            batch__run=self.run, state=BatchLine.State.WAITING
        ).aggregate(n=Count("id"), reserved=Sum("reserved_micro"))
        budget.under_way, budget.reserved = waiting["n"], waiting["reserved"] or 0
        # Attempts cut off by a crash have no stored call, but may have been billed.
        lost = max(0, budget.started - stored["calls"] - waiting["n"])
        if lost and budget.micro is not None:
            self.lost_micro = max(0, self.run.reserved_micro - budget.reserved)
            # Where no earlier call tells the cost, count all that was set aside.
            budget.spent += (not budget.several and lost * budget.dearest) or self.lost_micro
        return budget

    def look(self) -> str:
        """Return the state staff gave the run; apply new prices from here on."""
        prices, now = all_schedules(self.pairs), timezone.now()
        rates = {pair: schedule.at(now) for pair, schedule in prices.items()}
        own = rates[self.run.provider, self.run.model]
        if own is not None and rates != self.rates and None not in rates.values():
            self.rates = rates
            spent, dearest = spent_and_dearest(self.run.pk, prices, now)
            self.budget.reprice(own, spent=spent, dearest=dearest)
        return JudgeRun.objects.values_list("state", flat=True).get(pk=self.run.pk)

    def outdated_batches(self) -> bool:
        """Return whether an open batch had its money set aside at an earlier price."""
        if self.budget.micro is None:
            return False
        in_force = Price.objects.filter(
            Q(since__isnull=True) | Q(since__lte=timezone.now()),
            provider=self.run.provider,
            model=self.run.model,
        )
        newer = in_force.filter(
            Q(entered_at__gt=OuterRef("batch__created_at"))
            | Q(since__gt=OuterRef("batch__created_at"))
        )
        return BatchLine.objects.filter(
            Exists(newer), batch__run=self.run, state=BatchLine.State.WAITING
        ).exists()

    # -- claims -----------------------------------------------------------------------------------

    def claim(self, wanted: Sequence[Wanted]) -> tuple[list[Job], list[int]]:
        """Claim judgments for run items.

        Returns the jobs to ask, and the ids of items whose judgment another live run is making.
        Judgments that are complete already are reused without a call, and those that the method
        decides alone end here.
        """
        by_key = {entry.key: entry for entry in wanted}
        jobs: list[Job] = []
        left: dict[int, int] = {}  # items left to another run -> the judgment it makes
        given: list[Found] = []
        ended: list[Ended] = []
        with transaction.atomic():
            self._renew()
            there = self._judgments(by_key)
            done, kept = self._outcomes(there.values())
            reused: list[tuple[RunItem, Judgment]] = []
            linked: dict[int, int] = {}  # item -> its judgment
            for key, entry in by_key.items():
                judgment = there[key]
                failed = any(o == Verdict.Outcome.FAILED for o in done[judgment.pk].values())
                if judgment.state == Judgment.State.WAITING:
                    mine = judgment.run_id == self.run.pk or self._take_over(judgment)
                elif failed:
                    mine = self._reopen(judgment)
                else:
                    reused.append((entry.item, judgment))
                    continue
                if not mine:
                    left[entry.item.pk] = judgment.pk
                    continue
                linked[entry.item.pk] = judgment.pk
                job = _job(entry, judgment.pk, done[judgment.pk], kept.get(judgment.pk, {}))
                found = _decided_alone(job)
                if found is not None:
                    given.append(found)
                    done_now = {**job.done, **found.outcomes}
                    job = replace(job, done=done_now, kept={**job.kept, **found.findings})
                job = job.with_what_follows()
                if found is not None and set(job.material.parts) <= job.done.keys():
                    ended.append(Ended(job, dict(job.done), {}, None, job.kept))
                else:
                    jobs.append(job)
            made = Judgment.objects.filter(pk__in=linked.values(), response=OuterRef("response"))
            RunItem.objects.filter(pk__in=linked).update(judgment=Subquery(made.values("pk")))
            for item, judgment in reused:
                move(
                    RunItem.objects.filter(pk=item.pk, state=RunItem.State.WAITING),
                    RunItem.State.JUDGED,
                    judgment=judgment,
                    finished_at=timezone.now(),
                )
            if given:
                verdict_rows.store(given, [])
                ends.store(self.run, ended)
        # The other run's answer ends these too. Link them one by one: the other run writes the same
        # rows in its own order, and holding several locks at once could deadlock.
        known = {entry.item.pk: entry.item.judgment_id for entry in wanted}
        for waiting, pk in left.items():
            if known[waiting] != pk:
                RunItem.objects.filter(pk=waiting, state=RunItem.State.WAITING).update(judgment=pk)
        return jobs, list(left)

    def _judgments(self, by_key: Mapping[str, Wanted]) -> dict[str, Judgment]:
        """Return the judgment of each key, creating those that do not exist yet."""
        made = [
            Judgment(
                key=key,
                run=self.run,
                response_id=entry.item.response_id,
                version_id=entry.material.version,
                exemplar_id=entry.item.exemplar_id,
                answer_version=entry.material.answer_version,
                method=self.run.method,
                provider=self.run.provider,
                model=self.run.model,
                prompt_sha256=entry.prompt.sha256,
                lines_total=entry.material.method.counted(entry.material),
            )
            for key, entry in sorted(by_key.items())  # one order for all: no deadlock
        ]
        # Another run may insert the same key at this moment: ignore it and read the row below.
        Judgment.objects.bulk_create(made, ignore_conflicts=True)
        found = Judgment.objects.filter(key__in=by_key).order_by("key")
        for judgment in found:
            judgment.holds_for(by_key[judgment.key].material.answer_version)
        return {judgment.key: judgment for judgment in found}

    def _outcomes(
        self, judgments: Iterable[Judgment]
    ) -> tuple[dict[int, dict[str, str]], dict[int, dict[str, Any]]]:
        """Return what is stored of judgments: outcomes of parts, and data of findings."""
        outcomes: dict[int, dict[str, str]] = {judgment.pk: {} for judgment in judgments}
        kept: dict[int, dict[str, Any]] = {}
        if not outcomes:
            return outcomes, kept
        found = Verdict.objects.filter(judgment_id__in=outcomes)
        for pk, key, outcome in found.values_list("judgment_id", "criterion__key", "outcome"):
            outcomes[pk][key] = outcome
        if registry.get(self.run.method).has_findings:
            findings = Finding.objects.filter(judgment_id__in=outcomes)
            for pk, name, data, reason in findings.values_list(
                "judgment_id", "name", "data", "reason"
            ):
                outcomes[pk][name] = FAILED if reason else FOUND
                if not reason:
                    kept.setdefault(pk, {})[name] = data
        return outcomes, kept

    def _take_over(self, judgment: Judgment) -> bool:
        """Take a waiting judgment from a run nobody works on any more."""
        if judgment.run_id is not None:
            owner = JudgeRun.objects.only("lease", "lease_until").get(pk=judgment.run_id)
            if not is_free(owner.lease, owner.lease_until):
                return False
            if judgment.batch_lines.filter(state=BatchLine.State.WAITING).exists():
                return False  # its answer is on the way
        return bool(self._unchanged(judgment).update(run=self.run))

    def _reopen(self, judgment: Judgment) -> bool:
        """Reopen the failed parts of a judgment; the decided ones stay."""
        unchanged = self._unchanged(judgment)
        if not move(unchanged, Judgment.State.WAITING, run=self.run, reason="", finished_at=None):
            return False
        judgment.verdicts.filter(outcome=Verdict.Outcome.FAILED).delete()
        judgment.findings.exclude(reason="").delete()
        return True

    @staticmethod
    def _unchanged(judgment: Judgment) -> QuerySet[Judgment]:
        """Select a judgment unless somebody else has taken or ended it since it was read."""
        return Judgment.objects.filter(pk=judgment.pk, run_id=judgment.run_id, state=judgment.state)

    # -- what came back ---------------------------------------------------------------------------

    def write(self, events: Sequence[Called | Found | Ended], *, started: bool = False) -> None:
        """Store attempts, verdicts, findings and ends in one transaction.

        `started` stores the number of attempts let through as well. Raises LeaseLostError.
        """
        calls: list[Call] = []
        read: list[Found] = []
        ended: list[Ended] = []
        for event in events:
            if isinstance(event, Called):
                calls.append(self._charged(event))
                continue
            found = event.found if isinstance(event, Ended) else event
            if found is not None:
                if found.called is not None:
                    calls.append(self._charged(found.called))
                read.append(found)
            if isinstance(event, Ended):
                ended.append(event)
        with transaction.atomic():
            self._renew(calls_started=self.budget.started if started else None)
            for call in calls:  # one by one: psycopg quotes a list of long JSON in Python
                call.save(force_insert=True)
            verdict_rows.store(read, ended)
            ends.store(self.run, ended)

    def _charged(self, called: Called) -> Call:
        """Return an attempt's row, after its cost has replaced what was set aside for it."""
        call, came = called.call, called.came
        rates = self.rates.get((call.provider, call.model))
        cost = cost_of(came, rates, batch=call.batch_id is not None)
        if self.budget.limited:
            kind = getattr(came, "kind", None)
            charged = self.budget.settle(called.reserved, cost, error=kind)
            cost = charged if self.budget.micro is not None else cost
        call.cost_micro = cost
        return call

    def broke(self, job: Job) -> None:
        """Fail this response after an error of our own; the others go on."""
        with transaction.atomic():
            self._renew()
            mine, now = RunItem.objects.filter(pk=job.item), timezone.now()
            move(mine, RunItem.State.FAILED, reason="internal_error", finished_at=now)

    def close(
        self,
        state: str | None,
        reason: str,
        facts: Mapping[str, object] | None = None,
        *,
        until: datetime | None = None,
    ) -> None:
        """End the session: the state reached (None leaves the one staff set), and the lease.

        Args:
            until: when a pause ends by itself.
        """
        now = timezone.now()
        mine = JudgeRun.objects.filter(pk=self.run.pk, lease=self.token)
        if state is not None:
            # If staff paused or cancelled the run at this moment, keep that state.
            move(
                mine.filter(state=JudgeRun.State.RUNNING),
                state,
                reason=reason,
                facts=dict(facts or {}),
                finished_at=now if state == JudgeRun.State.FINISHED else None,
                paused_until=until,
            )
        mine.update(lease="", lease_until=None)

    def _renew(self, *, calls_started: int | None = None) -> None:
        fields: dict[str, object] = {"lease_until": timezone.now() + LEASE}
        if calls_started is not None:
            fields["calls_started"] = calls_started
        if self.budget.micro is not None:
            fields["reserved_micro"] = self.budget.reserved + self.lost_micro
        if not JudgeRun.objects.filter(pk=self.run.pk, lease=self.token).update(**fields):
            raise LeaseLostError

    def renew(self) -> None:
        """Renew the lease when nothing else was written for a while."""
        self._renew()


def _job(entry: Wanted, judgment: int, outcomes: Mapping[str, str], kept: Mapping[str, Any]) -> Job:
    return Job(
        item=entry.item.pk,
        judgment=judgment,
        key=entry.key,
        task=entry.item.response.task_id,
        material=entry.material,
        text=entry.item.response.text,
        prompt=entry.prompt,
        done={k: o for k, o in outcomes.items() if o != Verdict.Outcome.FAILED},
        kept=kept,
    )


def _decided_alone(job: Job) -> Found | None:
    """Return what the method decides of a response without asking; None if nothing new."""
    said = job.material.method.decided(job.material, job.text)
    if said is None:
        return None
    verdicts = {name: line for name, line in said.lines.items() if name not in job.done}
    findings = {name: data for name, data in said.findings.items() if name not in job.done}
    return Found(job, None, verdicts, findings) if verdicts or findings else None
