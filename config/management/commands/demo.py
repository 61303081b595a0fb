"""Runs the sample programme through the whole process without a browser, for `make demo`."""

import io
import json
import time
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.management.commands.sample_programme import load, refuse_unless_empty
from config.sample import anchors, read_task
from curation.base.web.refusals import WorkbenchError
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.gold.releases.release import check_target
from judge.methods.base import registry
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.actions import score_line, submit_sheet
from judge.scoring.sheets.models import Sheet

SEED = 2026
METHODS = ("one_shot", "zero_shot")


class Command(BaseCommand):
    help = "Run the sample programme through the whole process with the offline provider."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", required=True, help="the folder for the three outputs")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        out = Path(options["out"])
        refuse_unless_empty()
        try:
            out.mkdir(parents=True, exist_ok=True)
            check_target((out / "gold").absolute())
        except OSError as error:
            raise CommandError(f"{out} cannot be made: {error.strerror}.") from error
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        self._step("Loading the sample programme by its real steps")
        load("never signed in")
        self._step("Doing the machine's waiting work: probing, drafting")
        run_quietly("work")
        self._step("Finishing the last blind sheet and having a senior check it")
        finish_last_anchor()
        runs = {}
        for method in METHODS:
            self._step(f"Judging 21 responses, {registry.label_of(method).lower()}, offline")
            said = run_quietly(
                "judge", "--method", method, "--provider", "offline", "--model", "rules-1", "--json"
            )
            runs[method] = json.loads(said.strip().splitlines()[-1])
        one, zero = (str(runs[method]["run"]) for method in METHODS)
        self._step("Measuring the judge against the experts")
        pair = ("--judge", one, "--compare", zero)
        alignment = run_quietly("alignment", *pair, "--json")
        (out / "alignment.json").write_text(alignment, encoding="utf-8")
        text = run_quietly("alignment", *pair)
        (out / "alignment.txt").write_text(text, encoding="utf-8")
        self._step("Ranking the candidates")
        board = run_quietly("leaderboard", "--run", one, "--json")
        (out / "leaderboard.json").write_text(board, encoding="utf-8")
        table = run_quietly("leaderboard", "--run", one)
        (out / "leaderboard.txt").write_text(table, encoding="utf-8")
        self._step("Drawing and freezing a gold release")
        size = Anchor.objects.filter(stage="validated").count()
        run_quietly(
            "export_gold", "--size", str(size), "--seed", str(SEED), "--out", str(out / "gold"),
            "--formats", "jsonl,csv,parquet",
        )  # fmt: skip
        self.stdout.write("")
        self.stdout.write(text.split("\n\n")[0])
        self.stdout.write("")
        self.stdout.write(table.strip())
        seconds = time.monotonic() - started
        self.stdout.write(
            f"\n{Task.objects.count()} tasks, {size} anchors, "
            f"{sum(run['judged'] for run in runs.values())} responses judged with "
            f"{sum(run['calls'] for run in runs.values())} calls, {seconds:.0f} seconds. "
            "No model was asked: the offline provider judges by rule.\n"
            f"Alignment report, leaderboard and gold release are in {shown(out)}/."
        )

    def _step(self, sentence: str) -> None:
        self.stdout.write(f"· {sentence} …")
        self.stdout.flush()


def shown(folder: Path) -> str:
    """Return the folder relative to the working directory if it is inside it, else in full."""
    here, there = Path.cwd(), folder.resolve()
    return str(there.relative_to(here) if there.is_relative_to(here) else there)


def run_quietly(command: str, *arguments: str) -> str:
    """Run a command and return what it printed."""
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def finish_last_anchor() -> None:
    """Finish and validate the anchor that the sample programme leaves with its scorer."""
    task = Task.objects.get(key=anchors.UNDER_WAY)
    data = read_task(anchors.UNDER_WAY)
    anchor = Anchor.objects.select_related("task").get(task=task)
    sheet = Sheet.objects.get(response=anchor.response_id, purpose=Sheet.Purpose.ANCHOR)
    assert sheet.version is not None
    lines = dict(sheet.version.criteria.values_list("key", "pk"))
    for key, (met, why) in anchors.verdicts_by_key(task, data, data["anchor"]).items():
        score_line(actor=sheet.user, sheet=sheet, criterion=lines[key], met=met, rationale=why)
    submit_sheet(actor=sheet.user, sheet=sheet)
    anchor.refresh_from_db()
    senior = User.objects.get(email="senior@example.test")
    decide_anchor(
        actor=senior,
        evaluation=take_meta(actor=senior, anchor=anchor),
        verdict=MetaEvaluation.Verdict.VALIDATED,
        remarks=anchors.REMARKS[data["language"]],
        lines=dict.fromkeys(lines.values(), (True, "")),
    )
