"""Gold of the sample programme: responses, anchors with validated sheets, experts' sheets."""

from typing import Any

from config.sample import read_task
from config.sample.tasks import GOLD, People
from curation.tasks.task.models import Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.gold.draws.actions import draw_gold
from judge.gold.releases.draw import DrawSpec
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.anchors.baseline import answer
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.actions import fill_sheet, record_sheet, score_line

BASELINE = "Dogwood 1"
UNDER_WAY = "law-lease-break"  # its sheet waits for the scorer, some lines in
STARTED = 7  # lines scored on that sheet
SEED = 20261121
REMARKS = {
    "en": "Each verdict can be checked against the words of the response. Validated.",
    "zh": "逐条核对，判断与理由均可在原文中找到依据，予以确认。",
}


def load_anchors(people: People) -> None:
    """Draw all approved tasks; validate six anchors and leave one with its scorer."""
    loaded = {
        task.key: (task, read_task(script.slug)) for script in GOLD for task in _tasks(script.slug)
    }
    for task, data in loaded.values():
        load_responses(task, data)
    draw_gold(actor=people["staff"], spec=DrawSpec(size=len(loaded), seed=SEED))
    for anchor in Anchor.objects.select_related("task").order_by("task_id"):
        task, data = loaded[anchor.task.key]
        answer(anchor)  # the imported baseline: no model is asked
        anchor.refresh_from_db()
        if task.key == UNDER_WAY:
            start_sheet(anchor, data, people)
        else:
            validate(anchor, data, people)
        score_candidates(task, data, people)


def _tasks(slug: str) -> list[Task]:
    return list(Task.objects.filter(key=slug))


def load_responses(task: Task, data: dict[str, Any]) -> None:
    """Store the baseline response and those of the three candidates."""
    rows = [{"model": BASELINE, "text": data["baseline"]["text"]}, *data["responses"]]
    for number, row in enumerate(rows):
        latency, cost = row.get("latency_s"), row.get("cost_usd")
        Response.objects.create(
            key=f"{task.key}-{number}",
            task=task,
            candidate=families.candidate_named(row["model"]),
            text=row["text"],
            baseline=number == 0,
            source=Response.Source.IMPORTED,
            text_version=task.version,
            latency_ms=None if latency is None else round(latency * 1000),
            cost_micro=None if cost is None else round(cost * 1_000_000),
        )


def verdicts_by_key(task: Task, data: dict[str, Any], sheet: dict[str, Any]) -> dict[str, Any]:
    """Return a sheet of the file as line key -> (met, rationale).

    The file and the version have their lines in the same order.
    """
    version = task.rubric_versions.order_by("-number").first()
    assert version is not None
    keys = version.criteria.order_by("position", "id").values_list("key", flat=True)
    rows = [sheet[line["id"]] for line in data["rubric"]]
    return {key: (row["met"], row.get("why", "")) for key, row in zip(keys, rows, strict=True)}


def validate(anchor: Anchor, data: dict[str, Any], people: People) -> None:
    """Score an anchor blind and have a senior confirm every line."""
    sheet = take_anchor(actor=people["scorer"], anchor=anchor)
    fill_sheet(
        actor=people["scorer"],
        sheet=sheet,
        verdicts=verdicts_by_key(anchor.task, data, data["anchor"]),
    )
    evaluation = take_meta(actor=people["senior"], anchor=anchor)
    decide_anchor(
        actor=people["senior"],
        evaluation=evaluation,
        verdict=MetaEvaluation.Verdict.VALIDATED,
        remarks=REMARKS[data["language"]],
        lines=dict.fromkeys(sheet.lines.values_list("criterion_id", flat=True), (True, "")),
    )


def start_sheet(anchor: Anchor, data: dict[str, Any], people: People) -> None:
    """Score the first lines of an anchor and leave its sheet open."""
    sheet = take_anchor(actor=people["scorer"], anchor=anchor)
    assert sheet.version is not None
    lines = dict(sheet.version.criteria.values_list("key", "pk"))
    verdicts = verdicts_by_key(anchor.task, data, data["anchor"])
    for key in list(verdicts)[:STARTED]:
        met, why = verdicts[key]
        score_line(
            actor=people["scorer"], sheet=sheet, criterion=lines[key], met=met, rationale=why
        )


def score_candidates(task: Task, data: dict[str, Any], people: People) -> None:
    """Store sheets of the three candidates by another scorer than the anchor's."""
    responses = Response.objects.filter(task=task, baseline=False).order_by("pk")
    for response, row in zip(responses, data["responses"], strict=True):
        record_sheet(
            actor=people["staff"],
            response=response,
            scorer=people["expert.scoring"],
            verdicts=verdicts_by_key(task, data, row["sheet"]),
        )
