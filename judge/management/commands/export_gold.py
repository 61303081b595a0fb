"""Draw, freeze and write a gold release."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.web.refusals import WorkbenchError
from judge.gold_sets.models import Allocation
from judge.management.arguments import names
from judge.releases import release
from judge.releases.draw import STRATA, DrawSpec


class Command(BaseCommand):
    """`manage.py export_gold`."""

    help = (
        "Draw approved tasks, freeze them as a gold release and write its files. The same tasks, "
        "seed and size give the same files; a release that exists already is written again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, required=True, help="number of tasks")
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--out", type=Path, required=True, help="an empty or new folder")
        parser.add_argument("--strata", choices=STRATA, default="domain")
        parser.add_argument(
            "--allocation", choices=Allocation.values, default=Allocation.PROPORTIONAL
        )
        parser.add_argument(
            "--redistribute",
            action="store_true",
            help="spread what a domain cannot give over the others",
        )
        parser.add_argument("--formats", type=names, default=["jsonl"], help="jsonl,csv,parquet")
        parser.add_argument(
            "--allow-unanchored", action="store_true", help="tasks without a validated anchor too"
        )
        parser.add_argument(
            "--with-responses",
            action="store_true",
            help="candidates' responses, experts' sheets and judges' verdicts as well",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"].absolute()
        try:
            release.check_target(out)
            made = release.release_gold(
                actor=None,
                spec=DrawSpec(
                    size=options["size"],
                    seed=options["seed"],
                    strata=options["strata"],
                    allocation=options["allocation"],
                    redistribute=options["redistribute"],
                    allow_unanchored=options["allow_unanchored"],
                ),
                formats=options["formats"],
                with_responses=options["with_responses"],
            )
            release.export(made, out)
        except WorkbenchError as refusal:
            raise CommandError(str(refusal.detail)) from refusal
        except OSError as error:
            raise CommandError(
                f"{out} cannot be written: {error.strerror}. No file is there. Repeat the command "
                "with another folder: a release that was frozen already is written again."
            ) from error
        counts = made.manifest["counts"]
        self.stdout.write(
            f"Release {made.number}: {counts['tasks']:,} tasks, {counts['lines']:,} lines, "
            f"{counts['anchors']:,} anchors."
        )
        for row in made.manifest["strata"]:
            self.stdout.write(f"  {row['name']}: {row['drawn']} of {row['approved']} approved")
        self.stdout.write(f"Release hash {made.sha256}")
