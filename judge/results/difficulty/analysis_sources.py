"""What a judge said of the candidates' responses, line by line, for the item analysis.

No model instances, and a fixed number of queries.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates.earlier_text import COLUMNS, ITEM_COLUMNS, code_of
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, TaskSet, closed
from judge.base.stats.item_analysis import LineId, Said
from judge.results.alignment.raters import Rater
from judge.runs.engine.models import RunItem, Verdict
from judge.runs.engine.planning.skipping import NOT_ASKED
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion

_MET = {Verdict.Outcome.MET.value: True, Verdict.Outcome.UNMET.value: False}


@dataclass(frozen=True, slots=True)
class AnalysedLine:
    """A line of the analysed rubric version; `number` is its place in it."""

    pk: int
    number: int
    text: str
    importance: str
    weight: int
    dimension: str


@dataclass(frozen=True, slots=True)
class AnalysedTask:
    """A task with what was said of its responses.

    Attributes:
        version, lines: the version that most responses were judged by, and its lines in order.
        responses: (candidate, verdicts by line) of each response judged by that version.
        other_version: responses judged by another version, which are left out.
    """

    pk: int
    version: int
    key: str
    title: str
    language: str
    domain: str
    stage: str
    external: bool
    lines: tuple[AnalysedLine, ...]
    responses: tuple[tuple[str, Said], ...]
    other_version: int

    @property
    def weights(self) -> dict[int, int]:
        """The weight of each line, by its primary key."""
        return {line.pk: line.weight for line in self.lines}


_Asked = dict[int, tuple[int, int, str]]  # response -> task, version, candidate
_Gathered = tuple[_Asked, dict[int, Said], int]  # the last: how many responses are stale


def gather(
    judge: Rater, *, tasks: TaskSet = EVERY_OPEN_TASK, domain: str = ""
) -> tuple[list[AnalysedTask], int]:
    """Return every task with a response that a judge read by a rubric, in the order of their keys.

    The number is of the responses left out because they, or what was said of them, rest on an
    earlier text of their task. What experts said of tasks that are held out stays hidden until
    staff open their half.

    Args:
        tasks: the tasks that count; by default all that are not held out.
        domain: key of the only domain; "" for all.

    Raises:
        BadInput: the judge gave no verdicts on lines.
    """
    asked, said, stale = (_of_run if judge.run else _of_rater)(judge, tasks, domain)
    by_task: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for response, (task, version, _who) in asked.items():
        by_task[task][version].append(response)
    chosen = {
        task: max(versions, key=lambda version: (len(versions[version]), version))
        for task, versions in by_task.items()
    }
    lines = _lines(chosen.values())
    found = []
    for pk, key, title, language, name, stage, origin in (
        Task.objects.filter(pk__in=chosen)
        .order_by("key")
        .values_list("pk", "key", "title", "language", "domain__key", "stage", "origin")
    ):
        version = chosen[pk]
        counted = by_task[pk].pop(version)
        found.append(
            AnalysedTask(
                pk=pk,
                version=version,
                key=key,
                title=title or key,
                language=language,
                domain=name,
                stage=stage,
                external=origin == Origin.EXTERNAL,
                lines=tuple(lines[version]),
                responses=tuple((asked[r][2], said.get(r, {})) for r in sorted(counted)),
                other_version=sum(map(len, by_task[pk].values())),
            )
        )
    return found, stale


def _of_run(judge: Rater, tasks: TaskSet, domain: str) -> _Gathered:
    items = (
        RunItem.objects.filter(run=judge.run, version__isnull=False)
        .exclude(state=RunItem.State.SKIPPED, reason__in=NOT_ASKED)
        .order_by()
    )
    verdicts = Verdict.objects.filter(judgment__items__run=judge.run).order_by()
    items = tasks.within(items, "response__task")
    verdicts = tasks.within(verdicts, "judgment__response__task")
    if domain:
        items = items.filter(response__task__domain__key=domain)
        verdicts = verdicts.filter(judgment__response__task__domain__key=domain)
    asked: _Asked = {}
    stale = 0
    for response, task, version, who, *texts in items.values_list(
        "response_id", "response__task_id", "version_id", "response__candidate__name", *ITEM_COLUMNS
    ):
        if code_of(*texts):
            stale += 1
        elif version is not None:
            asked[response] = (task, version, who)
    said: dict[int, dict[LineId, bool | None]] = defaultdict(dict)
    for response, line, outcome in verdicts.values_list(
        "judgment__response_id", "criterion_id", "outcome"
    ):
        said[response][line] = _MET.get(outcome)
    return asked, {**said}, stale


def _of_rater(judge: Rater, tasks: TaskSet, domain: str) -> _Gathered:
    sheets = Sheet.objects.filter(
        rater=judge.name,
        state=Sheet.State.SUBMITTED,
        response__baseline=False,
        version__isnull=False,
        skipped="",
        flagged_item__isnull=True,
    )
    if not SheetLine.objects.filter(sheet__in=sheets, met__isnull=False).exists():
        raise BadInput(
            _(
                "“%(name)s” gave no verdicts on rubric lines, so nothing can be said of tasks and "
                "lines."
            )
            % {"name": judge.name},
            code="no_verdicts",
        )
    sheets = tasks.within(sheets, "response__task").exclude(
        kind=Sheet.Kind.EXPERT, response__task__in=closed()
    )
    if domain:
        sheets = sheets.filter(response__task__domain__key=domain)
    asked: _Asked = {}
    last: dict[int, int] = {}  # response -> its sheet by the newest version
    stale: set[int] = set()
    for pk, response, task, version, who, *texts in sheets.order_by("version_id", "pk").values_list(
        *("pk", "response_id", "response__task_id", "version_id", "response__candidate__name"),
        *COLUMNS,
    ):
        if code_of(*texts):
            stale.add(response)
        else:
            asked[response] = (task, version or 0, who)
            last[response] = pk
    said: dict[int, dict[LineId, bool | None]] = defaultdict(dict)
    for sheet, response, line, met in (
        SheetLine.objects.filter(sheet__in=sheets)
        .order_by()
        .values_list("sheet_id", "sheet__response_id", "criterion_id", "met")
    ):
        if last.get(response) == sheet:
            said[response][line] = met
    # One scored again by the present text counts.
    return asked, {**said}, len(stale - asked.keys())


def _lines(versions: Iterable[int]) -> Mapping[int, list[AnalysedLine]]:
    found: dict[int, list[AnalysedLine]] = defaultdict(list)
    numbers: Counter[int] = Counter()
    for version, pk, text, importance, weight, dimension in (
        Criterion.objects.filter(version__in=set(versions))
        .order_by("version_id", "position", "id")
        .values_list("version_id", "pk", "text", "importance", "weight", "dimension")
    ):
        numbers[version] += 1
        found[version].append(
            AnalysedLine(pk, numbers[version], text, importance, weight, dimension)
        )
    return found
