"""Compose checklists of tasks from the skills that their labels activate."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import WorkbenchError
from judge.management.arguments import names
from judge.methods.query_checklists.many import Outcome, compose_tasks, tasks_to_compose

WORDS = {
    Outcome.PROPOSED: "proposed, waits for a person",
    Outcome.WAITING: "a proposal waits already",
    Outcome.IN_USE: "put in use",
    Outcome.UNCHANGED: "in use already, with the same lines",
    Outcome.NOTHING_ACTIVE: "no skill is active",
    Outcome.NOTHING_TO_EARN: "no line has a positive weight",
}


class Command(BaseCommand):
    """`manage.py compose_checklists`: one line for each task, or one line of JSON for each."""

    help = (
        "Propose a checklist for each labelled task from its active skills, for a person to read. "
        "A task whose checklist in use has the same lines already gets no other one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--tasks",
            type=names,
            metavar="KEYS",
            help="keys of tasks, separated by commas; default: all tasks with labels",
        )
        parser.add_argument(
            "--approve",
            action="store_true",
            help="put them in use at once, and the proposals that wait; nobody reads them first",
        )
        parser.add_argument("--json", action="store_true", help="one line of JSON for each task")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tasks = tasks_to_compose(options["tasks"])
            counts: Counter[Outcome] = Counter()
            for done in compose_tasks(tasks, approve=options["approve"]):
                counts[done.outcome] += 1
                if options["json"]:
                    self.stdout.write(json.dumps(asdict(done), ensure_ascii=False))
                else:
                    lines = f" ({done.lines} lines)" if done.number else ""
                    self.stdout.write(f"{done.task}: {WORDS[done.outcome]}{lines}")
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from None
        if not tasks:
            raise CommandError(_("No task has a label yet, so there is nothing to compose."))
        if not options["json"]:
            told = [f"{counts[one]} {one.replace('_', ' ')}" for one in Outcome if counts[one]]
            self.stdout.write(f"checklists: {', '.join(told)}")
