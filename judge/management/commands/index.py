"""Print the index over versions of products."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from curation.base.web.refusals import WorkbenchError
from judge.base.figures.figures import format_number
from judge.base.figures.sentences import reason_text
from judge.results.product_index.cells import read_file
from judge.results.product_index.index import Index, build
from judge.results.product_index.queries import notes
from judge.results.product_index.scores import find_scores


class Command(BaseCommand):
    """`manage.py index`: prints abilities of versions and parameters of tasks, or JSON."""

    help = "Abilities of versions over periods, from an incomplete matrix of scores."
    # The command only reads, and the checks would take longer than the index itself.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument(
            "--scores", metavar="FILE", help="CSV with the head task,product,version,period,score"
        )
        source.add_argument(
            "--group",
            metavar="KEY",
            help="scores of the database: the key of a domain, the name of a set of tasks (open, "
            "draw:3, release:2) or an imported matrix (matrix:NAME)",
        )
        parser.add_argument(
            "--run",
            default="",
            help="whose scores --group takes: a run by its number or a rater by name; default: "
            "the newest finished run over answers of products",
        )
        parser.add_argument(
            "--reference",
            metavar="PERIOD",
            default="",
            help="the period whose abilities have mean 0 and standard deviation 1; default: the "
            "first one",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found, left_out = _index(options)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False, allow_nan=False))
        else:
            self.stdout.write(as_text(found, left_out))


def _index(options: dict[str, Any]) -> tuple[Index, dict[str, int]]:
    """Return the index, and how many responses were left out of it by reason."""
    reference = options["reference"].strip()
    if options["scores"]:
        return build(read_file(options["scores"]), reference=reference), {}
    scores = find_scores(options["group"], run=options["run"])
    found = build(scores.cells, reference=reference, months=scores.months, released=scores.released)
    return found, scores.left_out


def as_text(found: Index, left_out: dict[str, int]) -> str:
    """Format an index for a terminal."""
    abilities = [["product", "version", "period", "θ", "se", "95 % interval", "tasks"]]
    for row in found.rows:
        ability = row.ability
        interval = ability.ci95
        abilities.append(
            [
                row.product,
                row.version,
                row.period,
                format_number(ability.theta, ability.why),
                format_number(ability.se),
                f"{format_number(interval[0])} … {format_number(interval[1])}" if interval else "–",
                str(row.tasks),
            ]
        )
    tasks = [["task", "a", "se", "b", "se", "infit", "outfit", "versions"]]
    for name, one in found.tasks.items():
        numbers = [one.se_a, one.b, one.se_b, one.infit, one.outfit]
        tasks.append(
            [name, format_number(one.a, one.why), *map(format_number, numbers), str(one.versions)]
        )
    growth = [
        f"{name}: {format_number(one.per_month)} per month, 95 % interval "
        f"{format_number(one.ci95[0])} … {format_number(one.ci95[1])}"
        if one.ci95
        else f"{name}: – ({reason_text(one.why)})"
        for name, one in found.velocities.items()
    ]
    leaps = [
        f"{one.product}: breakthrough from {one.before.version} to {one.after.version}, "
        f"+{format_number(one.step.gain)}"
        for one in found.steps
        if one.step.breakthrough
    ]
    head = _("Reference: %(period)s. Scores: %(cells)s. Log likelihood: %(value)s.") % {
        "period": found.reference,
        "cells": f"{found.cells:,}",
        "value": format_number(found.log_likelihood),
    }
    return "\n".join(
        [
            head,
            *notes(found, left_out),
            "",
            *_table(abilities),
            "",
            *_table(tasks),
            "",
            *growth,
            *leaps,
        ]
    ).rstrip()


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
