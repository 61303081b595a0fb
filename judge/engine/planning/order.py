"""Which response is asked next: task by task, one call first, its siblings once a reply came.

The first call of a task warms the provider's prefix cache. Until it is answered the places are
kept busy by the first calls of other tasks and by siblings of those that are warm: tasks are begun
while siblings are still in stock, or a run would end with places that wait for the last tasks'
first replies. Only what is about to be asked is claimed and loaded, so that the first call of a
run goes out at once.
"""

import itertools
from collections import deque
from collections.abc import Iterable

from django.db.models import QuerySet

from judge.engine.events import Job
from judge.engine.ledger import Ledger, want
from judge.engine.models import JudgeRun, RunItem
from judge.engine.planning.blocked_runs import forlorn
from judge.engine.planning.material import Shelf

CHUNK = 32  # responses claimed at once
FIRST = 16  # tasks begun while no other is under way: the first call is to go out soon


class Order:
    """The responses of a run that are still to be asked; claims them as they are needed.

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
        self.most = 4 * run.concurrency  # items that wait for first replies above which none is
        self.shelf = Shelf()
        self.found = self._arrange(waiting(run))  # responses that were still to be asked

    def next(self) -> Job | None:
        """The next response to be asked, claimed; None if there is none now."""
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
        """A reply came back (or will not): the siblings may follow."""
        self.warm.add(task)
        self.open.extend(self.siblings.pop(task, ()))

    def again(self) -> bool:
        """Look again at what another run was judging; False if there is nothing of the kind."""
        if not self.deferred:
            return False
        left, self.deferred = self.deferred, []
        # The other run's answer has ended those that wait no more.
        self.reused += len(left) - self._arrange(waiting(self.run).filter(pk__in=left))
        return True

    def forlorn(self) -> bool:
        """Whether all that is left waits for answers nobody collects, until staff do something."""
        return bool(forlorn([self.run.pk]))

    def _arrange(self, items: "QuerySet[RunItem]") -> int:
        """Put items into their places; returns how many there are."""
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
        """Claim the first response of the next tasks."""
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
        wanted = [want(self.run, item, stuff) for item, stuff in self.shelf.beside(rows)]
        jobs, deferred = self.ledger.claim(wanted)
        self.deferred += deferred
        self.reused += len(wanted) - len(jobs) - len(deferred)
        return jobs


def waiting(run: JudgeRun) -> "QuerySet[RunItem]":
    """The items of a run that have no outcome yet."""
    return RunItem.objects.filter(run=run, state=RunItem.State.WAITING)
