"""Print the alignment of a judge with the experts."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.base.web.refusals import WorkbenchError
from judge.base.figures import sentences
from judge.base.stats.preference import PreferenceReport
from judge.results.alignment.report import Alignment, JudgeReport, align


class Command(BaseCommand):
    """`manage.py alignment`: prints the report as a table, or as JSON."""

    help = "How far a judge agrees with the experts, and whether it may be trusted."
    # The command only reads, and the checks would take longer than the report itself.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        rater = "number of a run, or name of a rater"
        parser.add_argument("--experts", metavar="RATER", help="one expert rater; default: all")
        parser.add_argument("--judge", metavar="RATER_OR_RUN", required=True, help=rater)
        parser.add_argument("--compare", metavar="RATER_OR_RUN", help=rater)
        parser.add_argument("--domain", metavar="KEY", help="one domain; default: all")
        parser.add_argument(
            "--tasks",
            metavar="SET",
            help="a set of tasks: all, draw:3, release:2, draw:3/held-out; default: the set that "
            "the run was planned on",
        )
        parser.add_argument(
            "--flagged",
            action="store_true",
            help="count the sheets that experts were asked for because a verdict is flagged",
        )
        parser.add_argument("--bootstrap", type=int, default=10_000, help="resamples of tasks")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = align(
                options["judge"],
                options["experts"],
                options["compare"],
                options["bootstrap"],
                options["seed"],
                options["domain"],
                with_flagged=options["flagged"],
                tasks=options["tasks"],
            )
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False))
        else:
            self.stdout.write(as_text(found))


def as_text(found: Alignment) -> str:
    """Format the report for a terminal: verdict, figures, groups."""
    overall = found.judge.overall
    assert overall.preference is not None
    assert overall.score is not None
    verdict = sentences.verdict(
        found.trust,
        overall.preference,
        bias=overall.score.mean_bias,
        compared=found.compare is not None,
    )
    judges = [found.judge, *([found.compare] if found.compare else [])]
    rows: list[list[str]] = [["", *(judge.data.rater.label for judge in judges)]]
    columns = [_figures(judge) for judge in judges]
    rows += [[name, *(column[name] for column in columns)] for name in columns[0]]
    if found.difference is not None:
        gap = found.difference
        rows.append(
            [
                "difference of CDR",
                _with_interval(gap.cdr_micro, gap.ci95, gap.why, "cdr_micro", "ci95"),
                "",
            ]
        )
    groups = [["by domain", "CDR", "accuracy", "pairs", "J", "lines"]]
    for name, group in found.judge.by_domain.items():
        assert group.preference is not None
        groups.append(
            [
                name,
                _cdr(group.preference),
                _value(group.preference.accuracy, group.preference.why.get("accuracy")),
                _count(group.preference.counts.strict),
                _value(group.criterion.j, group.criterion.why.get("j")),
                _count(group.criterion.cells),
            ]
        )
    experts = found.named or ", ".join(found.experts.raters) or "none"
    return "\n".join(
        [
            verdict.plain,
            *verdict.missed,
            "",
            f"experts: {experts}; {found.bootstrap:,} resamples of tasks, seed {found.seed}",
            *filter(None, [found.coverage.sentence, found.coverage.looks.sentence]),
            "",
            *_aligned(rows),
            "",
            *_aligned(groups),
            *_outcomes(found),
        ]
    )


def _outcomes(found: Alignment) -> list[str]:
    """Return the lines on real outcomes; none where there is nothing to compare with."""
    if found.outcomes is None:
        return []
    report = found.outcomes.report
    rows = [
        [
            f"outcome: {name}",
            _with_interval(value, report.ci95[name], report.why, name, f"{name}_ci95"),
        ]
        for name, value in report.values.items()
    ]
    return ["", *_aligned([*rows, ["outcome: cases", _count(report.cases)]])]


def _figures(judge: JudgeReport) -> dict[str, str]:
    overall = judge.overall
    pairs, lines, score = overall.preference, overall.criterion, overall.score
    assert pairs is not None
    assert score is not None
    figures = {
        "CDR, all pairs pooled": _cdr(pairs),
        "CDR, mean of tasks": _with_interval(
            pairs.cdr_macro, pairs.macro_ci95, pairs.why, "cdr_macro", "macro_ci95"
        ),
        "accuracy of pairs": _value(pairs.accuracy, pairs.why.get("accuracy")),
        "same order": _count(pairs.counts.agree),
        "reversed": _count(pairs.counts.reversed),
        "judge ties": _count(pairs.counts.judge_ties),
        "no judge score": _count(pairs.counts.missing),
        "experts tie, not counted": _count(pairs.counts.expert_ties),
        "tasks with a preference": _count(pairs.tasks),
        "coverage of pairs": _value(pairs.coverage, pairs.why.get("coverage")),
    }
    for name in (
        "cdr",
        "accuracy",
        "cdr_weighted",
        "kappa",
        "ac1",
        "macro_f1",
        "base_rate",
        "coverage",
    ):
        figures[_LINES[name]] = _value(getattr(lines, name), lines.why.get(name))
    figures["lines: J"] = _with_interval(lines.j, lines.j_ci95, lines.why, "j", "j_ci95")
    figures["lines"] = _count(lines.cells)
    for name, label in (
        ("pearson", "scores: Pearson"),
        ("spearman", "scores: Spearman"),
        ("kendall", "scores: Kendall"),
        ("mean_bias", "scores: mean bias, points"),
        ("mae", "scores: mean error, points"),
    ):
        figures[label] = _value(getattr(score, name), score.why.get(name))
    return figures


_LINES = {
    "cdr": "lines: agree minus disagree",
    "accuracy": "lines: accuracy",
    "cdr_weighted": "lines: the same, weighted",
    "kappa": "lines: Cohen's kappa",
    "ac1": "lines: Gwet's AC1",
    "macro_f1": "lines: macro-F1",
    "base_rate": "lines: base rate, experts met",
    "coverage": "lines: coverage",
}


def _value(value: Any, reason: Any) -> str:
    return f"{float(value):.4g}" if value is not None else f"– ({sentences.reason_text(reason)})"


def _cdr(pairs: PreferenceReport) -> str:
    return _with_interval(pairs.cdr_micro, pairs.ci95, pairs.why, "cdr_micro", "ci95")


def _with_interval(value: Any, interval: Any, reasons: Any, name: str, its_interval: str) -> str:
    text = _value(value, reasons.get(name))
    if value is None:
        return text
    if interval:
        return f"{text}  [{interval[0]:.3f}, {interval[1]:.3f}]"
    return f"{text}  (no interval: {sentences.reason_text(reasons.get(its_interval))})"


def _count(value: Any) -> str:
    return f"{float(value):,.10g}"


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]
