"""Write the verdicts of a run."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import storable
from curation.base.web.refusals import WorkbenchError
from judge.asking.candidates.earlier_text import LABELS
from judge.management.writing import write_lines
from judge.results.alignment.raters import find_run
from judge.results.verdicts.export import VerdictExport, verdicts_of


class Command(BaseCommand):
    """`manage.py export_scores RUN [--out FILE] [--with-stale]`."""

    help = (
        "The verdicts of a run with their reasons, one response a line, as import_scores reads "
        "them; a FILE that ends in .csv gets a table with one row for each rubric line."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="the number of the run")
        parser.add_argument("--out", metavar="FILE", help="a new file; default: standard output")
        parser.add_argument("--rater", default="", help="the judge's name in the file")
        parser.add_argument(
            "--with-stale",
            action="store_true",
            help="also verdicts on an earlier text of their task, marked so that import_scores "
            "refuses them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rater = options["rater"]
        problem = rater and storable.problem_with_name(rater, limit=120)
        if problem:
            raise CommandError(problem)
        try:
            run = find_run(options["run"])
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if run is None:
            raise CommandError(_("Name the run by its number."))
        found = verdicts_of(run, rater=rater, with_stale=options["with_stale"])
        if not found.judgments and found.held_out:
            raise CommandError(held_out_words() % {"n": found.held_out})
        if not found.judgments and not found.outdated and not found.stale_left_out:
            raise CommandError(_("Run %(run)s has judged nothing yet.") % {"run": run.pk})
        target = Path(options["out"]) if options["out"] else None
        is_table = target is not None and target.suffix.lower() == ".csv"
        lines = found.as_csv() if is_table else found.as_scores()
        if target is None:
            for line in lines:
                self.stdout.write(line.decode(), ending="")
        else:
            write_lines(target, lines)
            self.stdout.write(
                ngettext(
                    "Wrote the verdicts on %(n)s response to %(name)s.",
                    "Wrote the verdicts on %(n)s responses to %(name)s.",
                    len(found.judgments),
                )
                % {"n": f"{len(found.judgments):,}", "name": target.name}
            )
        self._say_left_out(found.open, found.outdated)
        self._say_stale(found)
        if found.held_out:
            self.stderr.write(held_out_words() % {"n": f"{found.held_out:,}"})

    def _say_left_out(self, not_judged: int, outdated: int) -> None:
        if not_judged:
            self.stderr.write(
                ngettext(
                    "%(n)s response of the run has no judgment and is left out.",
                    "%(n)s responses of the run have no judgment and are left out.",
                    not_judged,
                )
                % {"n": f"{not_judged:,}"}
            )
        if outdated:
            self.stderr.write(
                ngettext(
                    "%(n)s response was judged on an earlier version of its rubric and is left "
                    "out.",
                    "%(n)s responses were judged on an earlier version of their rubric and are "
                    "left out.",
                    outdated,
                )
                % {"n": f"{outdated:,}"}
            )

    def _say_stale(self, found: VerdictExport) -> None:
        for code, n in sorted(found.stale_left_out.items()):
            left_out = ngettext(
                "%(n)s response is left out, because its task was amended: %(why)s. --with-stale "
                "writes its verdicts, marked.",
                "%(n)s responses are left out, because their tasks were amended: %(why)s. "
                "--with-stale writes their verdicts, marked.",
                n,
            )
            self.stderr.write(left_out % {"n": f"{n:,}", "why": LABELS[code]})
        if found.marked:
            self.stderr.write(
                ngettext(
                    "%(n)s response is marked as stale: import_scores refuses it.",
                    "%(n)s responses are marked as stale: import_scores refuses them.",
                    len(found.marked),
                )
                % {"n": f"{len(found.marked):,}"}
            )


def held_out_words() -> str:
    """Say how many responses (`n`) are left out because a held-out half is closed."""
    return _(
        "Left out as they are held out: %(n)s. Their verdicts can be exported when staff have "
        "opened the half, on the page of its draw or release."
    )
