"""The order in which a run asks: task by task, one response first, its siblings after its reply.

The first call of a task warms the provider's prefix cache. Until its reply comes, the threads work
on first calls of other tasks and on siblings of warm ones. New tasks are begun while siblings are
left; otherwise a run would end with idle threads that wait for the last tasks' first replies. Only
responses that are about to be asked are claimed and loaded, so that the first call of a run goes
out at once.
"""

import itertools
from collections import deque
from collections.abc import Iterable

from django.db.models import QuerySet

from judge.runs.engine.events import Job
from judge.runs.engine.ledger import Ledger
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.engine.planning.blocked_runs import blocked_until_staff_act
from judge.runs.engine.planning.material import MaterialCache
from judge.runs.engine.planning.wanted import want

CHUNK = 64  # responses claimed at once
FIRST = 8  # tasks begun at first; few, so that the first call goes out soon


class Schedule:
    """The responses a run still has to ask for; claims them as they are needed.

    Args:
        warms: whether the provider has a prefix cache worth waiting for.
    """

    def __init__(self, run: JudgeRun, ledger: Ledger, *, warms: bool) -> None:
        self.run = run
        self.ledger = ledger
        self.warms = warms
        self.reused = 0  # responses that were judged already, under this configuration
        self.deferred: list[int] = []  # items whose judgment another live run is making
        self.ready: deque[Job] = deque()
        self.siblings: dict[int, list[int]] = {}  # task under way -> items that wait for its reply
        self.warm: set[int] = set()  # tasks of which a reply has come back
        self.open: deque[int] = deque()  # items that may be claimed and asked
        self.cold: deque[tuple[int, list[int]]] = deque()  # tasks not begun, with their items
        self.stock = run.concurrency + CHUNK  # open items below which further tasks are begun
        self.most = 4 * run.concurrency  # items waiting for first replies above which none is begun
        self.materials = MaterialCache(run)
        self.found = self._arrange(waiting(run))  # responses that were still to be asked

    def next(self) -> Job | None:
        """Return the next response to ask for, claimed; None if there is none now."""
        while not self.ready:
            if self.cold and (not self.open or self._soon_used_up()):
                self._begin()
            elif self.open:
                pks = [self.open.popleft() for _ in range(min(CHUNK, len(self.open)))]
                self.ready.extend(self._claim(pks))
            else:
                return None
        return self.ready.popleft()

    def _soon_used_up(self) -> bool:
        waiting_for_a_reply = sum(map(len, self.siblings.values()))
        return len(self.open) < self.stock and waiting_for_a_reply < self.most

    def answered(self, task: int) -> None:
        """Release a task's siblings: its first reply came, or will not come."""
        self.warm.add(task)
        self.open.extend(self.siblings.pop(task, ()))

    def recheck_deferred(self) -> bool:
        """Look again at responses left to another run; return False if there are none."""
        if not self.deferred:
            return False
        left, self.deferred = self.deferred, []
        # Items that no longer wait were ended by the other run's answer.
        self.reused += len(left) - self._arrange(waiting(self.run).filter(pk__in=left))
        return True

    def blocked_until_staff_act(self) -> bool:
        """Return whether all that is left waits for answers nobody collects until staff act."""
        return bool(blocked_until_staff_act([self.run.pk]))

    def _arrange(self, items: "QuerySet[RunItem]") -> int:
        """Sort items into open and cold ones; return how many there are."""
        rows = list(
            items.order_by("response__task_id", "pk").values_list("response__task_id", "pk")
        )
        for task, group in itertools.groupby(rows, key=lambda row: row[0]):
            pks = [pk for _task, pk in group]
            if not self.warms or task in self.warm:
                self.open.extend(pks)
            else:
                self.cold.append((task, pks))
        return len(rows)

    def _begin(self) -> None:
        """Claim the first response of each of the next tasks."""
        most = CHUNK if self.siblings else FIRST
        begun = [self.cold.popleft() for _ in range(min(most, len(self.cold)))]
        jobs = self._claim(pks[0] for _task, pks in begun)
        tasks = {job.task for job in jobs}
        for task, pks in reversed(begun):
            if task in tasks:
                self.siblings[task] = pks[1:]
            elif pks[1:]:  # the first was judged already: the next one warms
                self.cold.appendleft((task, pks[1:]))
        self.ready.extend(jobs)

    def _claim(self, pks: Iterable[int]) -> list[Job]:
        items = RunItem.objects.filter(pk__in=list(pks), state=RunItem.State.WAITING)
        rows = (
            items.select_related("response")
            .only(
                *("version", "exemplar", "judgment"),
                *("response__key", "response__text", "response__task"),
            )
            .order_by("response__task_id", "pk")
        )
        wanted = [want(self.run, item, found) for item, found in self.materials.load_for(rows)]
        jobs, deferred = self.ledger.claim(wanted)
        self.deferred += deferred
        self.reused += len(wanted) - len(jobs) - len(deferred)
        return jobs


def waiting(run: JudgeRun) -> "QuerySet[RunItem]":
    """Return the items of a run that have no outcome yet."""
    return RunItem.objects.filter(run=run, state=RunItem.State.WAITING)
