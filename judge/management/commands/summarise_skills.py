"""Make skills from the rubrics of labelled tasks, marked as summarised."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from curation.joining.people import User
from judge.management.arguments import names
from judge.suggesting.skill_labels.summarise import LINES, summarise


class Command(BaseCommand):
    help = (
        "For each label without a skill: a skill from what the rubrics of its tasks have in "
        "common, by rule. It is marked as summarised and never counted as written by experts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--domain", required=True, help="key of the domain")
        parser.add_argument(
            "--staff", required=True, metavar="EMAIL", help="the member of staff who answers for it"
        )
        parser.add_argument(
            "--labels", type=names, metavar="KEYS", help="keys of labels; default: all without one"
        )
        parser.add_argument("--lines", type=int, default=LINES, help="lines of a skill at most")
        parser.add_argument("--dry-run", action="store_true", help="store nothing")
        parser.add_argument("--json", action="store_true", help="one line of JSON for each label")

    def handle(self, *args: Any, **options: Any) -> None:
        email = options["staff"]
        staff = User.objects.filter(email__iexact=email, is_staff=True, is_active=True).first()
        if staff is None:
            raise CommandError(f"No member of staff has the address {email}.")
        try:
            done = summarise(
                options["domain"],
                writer=staff,
                labels=options["labels"],
                most=options["lines"],
                dry_run=options["dry_run"],
            )
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from None
        for one in done:
            if options["json"]:
                self.stdout.write(json.dumps(asdict(one), ensure_ascii=False))
            elif one.lines:
                self.stdout.write(f"{one.label}: {one.lines} lines from {one.tasks} tasks")
            else:
                self.stdout.write(
                    f"{one.label}: the rubrics of its {one.tasks} tasks have too little in common"
                )
        if not options["json"]:
            made = sum(bool(one.lines) for one in done)
            self.stdout.write(f"skills: {made} summarised, not written by experts")
            if options["dry_run"]:
                self.stdout.write("Nothing was stored: this was a dry run.")
