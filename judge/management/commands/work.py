"""Do the waiting background work in the foreground."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judge.base.queue import watchdog
from judge.base.queue.ends import end_in_words
from judge.base.queue.models import MachineWork
from judge.jobs import jobs
from judge.jobs.work_loop import LOOK_EVERY, WorkLoop


class Command(BaseCommand):
    """`manage.py work`: does all waiting work once; with `--loop` until it is stopped."""

    help = "Does all waiting background work once, or keeps doing it with --loop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loop", action="store_true", help="keep going until stopped")
        parser.add_argument(
            "--every", type=float, default=LOOK_EVERY, help="seconds between two looks (--loop)"
        )
        parser.add_argument("--threads", type=int, default=4, help="jobs done at once (--loop)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["loop"]:
            self._loop(max(0.1, options["every"]), max(1, options["threads"]))
            return
        done = jobs.drain(self.stdout.write)
        self.stdout.write(
            ngettext("%(n)s piece of work done.", "%(n)s pieces of work done.", done) % {"n": done}
            if done
            else _("Nothing was waiting.")
        )
        for work in MachineWork.objects.exclude(put_aside="").order_by("kind", "object_id"):
            self.stdout.write(
                _("Put aside: %(kind)s %(pk)s. %(problem)s The page of jobs has it tried again.")
                % {
                    "kind": work.kind,
                    "pk": work.object_id,
                    "problem": end_in_words(work.put_aside),
                }
            )
        failed = MachineWork.objects.exclude(problem="").filter(put_aside="")
        for work in failed.order_by("kind", "object_id"):
            self.stdout.write(
                _("Not done yet: %(kind)s %(pk)s (%(problem)s). It is tried again later.")
                % {"kind": work.kind, "pk": work.object_id, "problem": work.problem}
            )

    def _loop(self, every: float, threads: int) -> None:
        stop = threading.Event()
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGINT, signal.SIGTERM):
                signal.signal(name, lambda *_: stop.set())
            watchdog.start()
        WorkLoop(threads=threads, every=every, report=self.stdout.write).run(stop)
