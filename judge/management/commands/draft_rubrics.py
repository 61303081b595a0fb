"""Draft a rubric for every task that waits for one."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import wording
from curation.base.web.refusals import Conflict, WorkbenchError
from curation.tasks.task.models import Task
from judge.asking.calls import model_client
from judge.asking.endpoints.queries import why_it_cannot_answer
from judge.base.queue import leases
from judge.jobs import jobs
from judge.management.arguments import names
from judge.suggesting.drafts.generate import Draft, draft_for, tasks_waiting_for_draft


class Command(BaseCommand):
    """`manage.py draft_rubrics`: for tasks at that stage, and external ones without a rubric."""

    help = "Drafts a rubric for every task that has none and waits for one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--provider")
        parser.add_argument("--model", default="")
        parser.add_argument("--tasks", type=names, help="keys of tasks, separated by commas")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        who = self._chosen_model(options["provider"], options["model"])
        waiting = tasks_waiting_for_draft()
        skipped = 0
        if options["tasks"] is not None:
            keys = options["tasks"]
            known = set(Task.objects.filter(key__in=keys).values_list("key", flat=True))
            missing = [f"“{key}”" for key in keys if key not in known]
            if missing:
                raise CommandError(
                    ngettext(
                        "There is no task %(names)s.", "There are no tasks %(names)s.", len(missing)
                    )
                    % {"names": get_text_list(missing, _("and"))}
                )
            waiting = waiting.filter(key__in=keys)
            skipped = len(keys) - waiting.count()
        made: list[Draft] = []
        empty = 0
        for task in list(waiting):
            draft = self._draft(task, who)
            if draft is None:
                skipped += 1
                continue
            if draft.lines:
                made.append(draft)
            else:
                empty += 1
            if not options["json"]:
                line = ngettext(
                    "%(task)s: %(n)s line by %(who)s. %(reason)s",
                    "%(task)s: %(n)s lines by %(who)s. %(reason)s",
                    len(draft.lines),
                ) % {
                    "task": task.key,
                    "n": len(draft.lines),
                    "who": draft.drafted_by,
                    "reason": draft.problem or wording.translate_stored(draft.reason),
                }
                self.stdout.write(line.rstrip())
        result = {
            "tasks": len(made) + empty,
            "drafted": len(made),
            "empty": empty,
            "skipped": skipped,
            "lines": sum(len(draft.lines) for draft in made),
            "replaced": sum(bool(draft.reason) for draft in made),
            "seconds": round(time.monotonic() - started, 3),
        }
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        self.stdout.write(
            _("Rubrics drafted: %(drafted)s. Lines: %(lines)s. Tasks not waiting: %(skipped)s.")
            % result
        )
        if empty:
            words = ngettext(
                "%(n)s task says too little for a draft: write or import its rubric.",
                "%(n)s tasks say too little for a draft: write or import their rubrics.",
                empty,
            )
            self.stdout.write(words % {"n": empty})

    def _chosen_model(self, provider: str | None, model: str) -> model_client.Chosen | None:
        """Return the model named in the options; None leaves it to the settings."""
        if provider is None:
            if model:
                raise CommandError(_("Say which --provider the model belongs to."))
            return None
        try:
            who = model_client.chosen(f"{provider}:{model}")
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if problem := why_it_cannot_answer(who.provider.name):
            raise CommandError(problem)
        return who

    def _draft(self, task: Task, who: model_client.Chosen | None) -> Draft | None:
        """Draft and store; return None if another worker has the task, or it moved on."""
        work = leases.claim_work(jobs.DRAFT, task.pk, leases.new_token())
        if work is None:
            return None
        done = False
        try:
            draft = draft_for(task, who)
            done = True
        except Conflict:
            done = True
            return None
        finally:
            leases.finish_work(work, done=done)
        return draft
