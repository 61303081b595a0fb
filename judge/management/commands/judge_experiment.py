"""Print the comparison of two variants of a judge."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from judge.results.workshop.compare import compare
from judge.results.workshop.models import JudgeExperiment
from judge.results.workshop.queries import experiments, figure_rows
from judge.results.workshop.words import changed, headline, more_tasks


class Command(BaseCommand):
    """`manage.py judge_experiment`: prints what an experiment found, or JSON."""

    help = "Which of two variants of a judge is better, and what changed."
    # The command only reads.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("experiment", type=int, help="its number, as on its page")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        experiment: JudgeExperiment | None = (
            experiments().filter(pk=options["experiment"]).first()
            if 0 < options["experiment"] < 2**63
            else None
        )
        if experiment is None:
            raise CommandError(_("There is no experiment %(n)s.") % {"n": options["experiment"]})
        found = compare(experiment)
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False))
            return
        said = (strip_tags(headline(found)), more_tasks(found, experiment.measure), changed(found))
        self.stdout.write("\n".join(filter(None, said)))
        for row in figure_rows(found):
            self.stdout.write(
                f"{row.name}: {row.first} → {row.second} ({row.difference}"
                f"{', ' + row.interval if row.interval else ''}): {row.says}"
            )
