"""Print how far several judge runs agree, and write their majority."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.refusals import WorkbenchError
from judge.management.arguments import names
from judge.management.writing import write_lines
from judge.runs.pages.repeats import agreement_of_runs, unfinished


class Command(BaseCommand):
    """`manage.py judge_majority --runs 3,4,5 [--out FILE]`."""

    help = "The majority of several judge runs as a file for import_scores, and their agreement."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--runs", type=names, required=True, help="separated by commas")
        parser.add_argument("--out", help="a file for the majority, one response a line")
        parser.add_argument("--rater", help="its name there; default: majority-3-4-5")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        runs = [storable.whole_number(name) for name in options["runs"]]
        if None in runs:
            raise CommandError(_("A run is named by its number."))
        try:
            found = agreement_of_runs([number for number in runs if number is not None])
            open_runs = unfinished(found.runs)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["out"] and open_runs:
            raise CommandError(
                _(
                    "Run %(run)s is still under way: its majority would change. Wait until it "
                    "has finished, or cancel it."
                )
                % {"run": open_runs[0]}
            )
        if options["out"]:
            rater = options["rater"] or "majority-" + "-".join(map(str, found.runs))
            write_lines(
                Path(options["out"]),
                (
                    f"{json.dumps(sheet, ensure_ascii=False)}\n".encode()
                    for sheet in found.as_scores(rater)
                ),
            )
        facts = found.as_dict()
        if options["json"]:
            self.stdout.write(json.dumps(facts))
            return
        percent = facts["agreement"]["percent"]
        self.stdout.write(
            _("%(lines)s lines, %(all)s unanimous, %(tied)s tied, %(none)s undecided.")
            % {
                "lines": facts["lines"],
                "all": facts["unanimous"],
                "tied": facts["tied"],
                "none": facts["undecided"],
            }
        )
        if percent is not None:
            self.stdout.write(
                _("Two of them agree on %(percent)s %% of the lines both decided.")
                % {"percent": f"{percent:.1f}"}
            )
