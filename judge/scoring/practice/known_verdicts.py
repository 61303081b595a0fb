"""Responses whose verdicts are known: validated anchors, and lines that experts agree on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates.earlier_text import answers_earlier_text
from judge.asking.candidates.models import Response
from judge.base.gold_sets.task_sets import closed_of
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import Kind, rulings, units_of
from judge.scoring.anchors.exemplar_validity import fitting
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import SheetLine
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

ANCHOR, AGREED = "anchor", "agreed"  # where the verdicts come from
_Words = tuple[str, str]  # key and text of a line


@dataclass(frozen=True, slots=True)
class KnownVerdicts:
    """A response with the known verdict on each line of the rubric that counts.

    Attributes:
        source: ANCHOR, a validated sheet; AGREED, experts who agree, or a ruling where they do not.
        met: id of the line -> its verdict.
    """

    response: int
    key: str
    task: int
    version: int
    source: str
    met: Mapping[int, bool]


def known_in(domain: int) -> list[KnownVerdicts]:
    """Return the responses of a domain whose verdicts are all known, by id; see `known_among`."""
    return known_among(Task.objects.filter(domain=domain))


def known_among(some: "QuerySet[Task]") -> list[KnownVerdicts]:
    """Return the responses to some tasks whose verdicts are all known, by id. Nine queries.

    Left out are tasks that are not approved, tasks of closed held-out halves, and responses to an
    earlier text.
    """
    tasks = some.filter(Q(stage=Stage.APPROVED) | Q(origin=Origin.EXTERNAL))
    responses = {
        pk: (key, task)
        for pk, key, task in Response.objects.filter(
            ~answers_earlier_text(), ~closed_of("task"), task__in=tasks, superseded_at__isnull=True
        ).values_list("pk", "key", "task_id")
    }
    counting = version_ids_that_count({task for _key, task in responses.values()})
    said: dict[int, tuple[str, Mapping[_Words, bool]]] = {
        **{pk: (AGREED, words) for pk, words in _agreed(tasks).items()},
        **{pk: (ANCHOR, words) for pk, words in _validated(tasks, counting).items()},
    }
    wanted = {pk for pk in said if pk in responses and responses[pk][1] in counting}
    lines = _lines(counting[responses[pk][1]] for pk in wanted)
    found = []
    for pk in sorted(wanted):
        (key, task), (source, words) = responses[pk], said[pk]
        asked = lines[counting[task]]
        if asked and all(line in words for line in asked.values()):
            met = {line: words[name] for line, name in asked.items()}
            found.append(KnownVerdicts(pk, key, task, counting[task], source, met))
    return found


def _lines(versions: Iterable[int]) -> dict[int, dict[int, _Words]]:
    """Return version -> id of a line -> its key and text, in the order of the rubric."""
    found: dict[int, dict[int, _Words]] = defaultdict(dict)
    rows = Criterion.objects.filter(version__in=set(versions)).order_by("position", "id")
    for version, pk, key, text in rows.values_list("version_id", "pk", "key", "text"):
        found[version][pk] = (key, text)
    return found


def _validated(tasks: Any, counting: Mapping[int, int]) -> dict[int, dict[_Words, bool]]:
    """Return the verdicts of validated anchors that fit the rubric that counts."""
    anchors = list(
        Anchor.objects.filter(
            stage=AnchorStage.VALIDATED, task__in=tasks, sheet__version__isnull=False
        ).values_list("task_id", "response_id", "sheet_id", "sheet__version_id")
    )
    pairs = [(version, counting[task]) for task, _r, _s, version in anchors if task in counting]
    fit = fitting(pairs)
    of_sheet = {
        sheet: response
        for task, response, sheet, version in anchors
        if (version, counting.get(task)) in fit
    }
    found: dict[int, dict[_Words, bool]] = defaultdict(dict)
    rows: Any = SheetLine.objects.filter(sheet__in=of_sheet, met__isnull=False).values_list(
        "sheet_id", "criterion__key", "criterion__text", "met"
    )
    for sheet, key, text, met in rows:
        found[of_sheet[sheet]][key, text] = met
    return found


def _agreed(tasks: Any) -> dict[int, dict[_Words, bool]]:
    """Return the verdicts on which at least two experts agree, or a senior ruled."""
    ruled = rulings(Kind.SHEET, tasks)
    found: dict[int, dict[_Words, bool]] = defaultdict(dict)
    for unit in units_of(Kind.SHEET, tasks):
        ruling = ruled.get(unit.ruling_key)
        if unit.response is None or (unit.disputed and ruling is None):
            continue
        word = ruling.ruling if ruling else next(iter(unit.first.values()))
        found[unit.response][unit.key, unit.text] = word == Adjudication.Ruling.MET
    return found
