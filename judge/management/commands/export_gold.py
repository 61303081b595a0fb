"""Draw, freeze and write a gold release, or freeze the tasks of an earlier draw."""

import argparse
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.refusals import WorkbenchError
from judge.base.gold_sets.models import Allocation, GoldDraw, GoldRelease
from judge.gold.releases import release
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.strata import STRATA
from judge.management.arguments import names

# Options of a new draw, which a draw that exists already has settled.
OF_A_NEW_DRAW = ("size", "seed", "quota", "minimum", "redistribute", "allow_unanchored")

Value = TypeVar("Value")


class Command(BaseCommand):
    """`manage.py export_gold`."""

    help = (
        "Draw approved tasks, freeze them as a gold release and write its files. The same tasks, "
        "seed and size give the same files; a release that exists already is written again. With "
        "--draw, freeze the tasks of that draw and no others."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, help="number of tasks; with --quota their sum")
        parser.add_argument("--seed", type=int)
        parser.add_argument("--out", type=Path, required=True, help="an empty or new folder")
        parser.add_argument("--strata", choices=STRATA)
        parser.add_argument("--allocation", choices=Allocation.values)
        parser.add_argument(
            "--quota",
            type=quota,
            action="append",
            metavar="STRATUM=N",
            help="so many of one stratum, such as finance=20; repeat it. Others give nothing",
        )
        parser.add_argument(
            "--minimum",
            type=int,
            default=0,
            metavar="N",
            help="set aside strata with fewer than N approved tasks",
        )
        parser.add_argument(
            "--redistribute",
            action="store_true",
            help="spread what a stratum cannot give over the others",
        )
        parser.add_argument("--draw", type=int, metavar="N", help="freeze the tasks of this draw")
        parser.add_argument(
            "--leave-out",
            type=exception,
            action="append",
            metavar="TASK=REASON",
            help="with --draw: a drawn task that is left out, and why; repeat it",
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
        parser.add_argument(
            "--with-composition",
            action="store_true",
            help="experts of today, prompts and rubrics in numbers, in the data card",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"].absolute()
        try:
            release.check_target(out)
            made = _of_a_draw(options) if options["draw"] is not None else _drawn(options)
            release.export(made, out)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        except OSError as error:
            raise CommandError(
                f"{out} cannot be written: {error.strerror}. No file is there. Repeat the command "
                "with another folder: a release that was frozen already is written again."
            ) from error
        self._report(made)

    def _report(self, made: GoldRelease) -> None:
        counts = made.manifest["counts"]
        self.stdout.write(
            f"Release {made.number}: {counts['tasks']:,} tasks, {counts['lines']:,} lines, "
            f"{counts['anchors']:,} anchors."
        )
        for row in made.manifest["strata"]:
            self.stdout.write(f"  {row['name']}: {row['drawn']} of {row['approved']} approved")
        for row in made.manifest["draw"].get("set_aside", ()):
            self.stdout.write(f"  {row['name']}: set aside, {row['approved']} approved")
        for row in made.manifest.get("exceptions", ()):
            self.stdout.write(f"  {row['task']}: drawn but left out: {row['reason']}")
        self.stdout.write(f"Release hash {made.sha256}")


def _drawn(options: dict[str, Any]) -> GoldRelease:
    if options["leave_out"]:
        raise CommandError(_("--leave-out names a task of a draw: give --draw as well."))
    quotas = _quotas(options["quota"])
    size = options["size"]
    if size is None and quotas is not None:
        size = sum(quotas.values())
    if size is None or options["seed"] is None:
        raise CommandError(_("Say how many to draw and with which seed: --size N --seed N."))
    return release.release_gold(
        actor=None,
        spec=DrawSpec(
            size=size,
            seed=options["seed"],
            strata=options["strata"] or "domain",
            allocation=options["allocation"] or Allocation.PROPORTIONAL,
            quotas=quotas,
            redistribute=options["redistribute"],
            allow_unanchored=options["allow_unanchored"],
            minimum=options["minimum"],
        ),
        formats=options["formats"],
        with_responses=options["with_responses"],
        with_composition=options["with_composition"],
    )


def _of_a_draw(options: dict[str, Any]) -> GoldRelease:
    settled = (*OF_A_NEW_DRAW, "strata", "allocation")
    given = [name for name in settled if options[name] not in (None, False, 0)]
    if options["seed"] == 0:  # a seed like any other
        given.append("seed")
    if given:
        raise CommandError(
            _("A draw has settled how its tasks are chosen: leave out %(options)s.")
            % {"options": ", ".join(f"--{name.replace('_', '-')}" for name in given)}
        )
    draw = GoldDraw.objects.filter(pk=options["draw"]).first()
    if draw is None:
        raise CommandError(_("There is no draw %(n)s.") % {"n": options["draw"]})
    return release.release_draw(
        actor=None,
        draw=draw,
        exceptions=_once(options["leave_out"] or [], "--leave-out"),
        formats=options["formats"],
        with_responses=options["with_responses"],
        with_composition=options["with_composition"],
    )


def _quotas(given: list[tuple[str, int]] | None) -> dict[str, int] | None:
    return None if given is None else _once(given, "--quota")


def _once(given: list[tuple[str, Value]], option: str) -> dict[str, Value]:
    found = dict(given)
    if len(found) < len(given):
        twice = next(name for name, _value in given if [n for n, _v in given].count(name) > 1)
        raise CommandError(
            _("%(option)s names “%(name)s” twice.") % {"option": option, "name": twice}
        )
    return found


def quota(text: str) -> tuple[str, int]:
    """Parse `STRATUM=N`."""
    name, _equals, number = text.rpartition("=")
    wanted = storable.whole_number(number, digits=6)
    if not name or wanted is None or storable.problem_with(name):
        raise argparse.ArgumentTypeError(
            _("“%(text)s” is no quota. Write it like finance=20.") % {"text": text}
        )
    return name, wanted


def exception(text: str) -> tuple[str, str]:
    """Parse `TASK=REASON`."""
    key, equals, reason = text.partition("=")
    if not key or not equals or storable.problem_with(text):
        raise argparse.ArgumentTypeError(
            _("“%(text)s” is no exception. Write it like fin-12=The scorer is ill.")
            % {"text": text}
        )
    return key, reason
