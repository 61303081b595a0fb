"""The workshop as its pages show it: experiments, variants, prompts, and what changed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, OuterRef
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from judge.base.figures import charts
from judge.base.figures.charts import Estimate, Scale
from judge.base.figures.sentences import reason_text
from judge.base.stats.paired_figures import Outcome, PairedFigure
from judge.methods.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.methods.variants.queries import current_default
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.results.workshop import words
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.models import JudgeRun, Verdict
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.queries import RunRow, list_rows
from judge.scoring.sheets.queries import submitted_sheets
from rubrics.versions.models import Criterion

if TYPE_CHECKING:
    from judge.results.workshop.compare import Change, Comparison

Measure = JudgeExperiment.Measure
State = JudgeRun.State
_GOING = (State.WAITING, State.RUNNING)
SHOWN = 20  # rows of the history of defaults


# -- the workshop ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    experiment: JudgeExperiment
    state: str
    label: str
    judged: int
    responses: int


def experiment_rows(experiments: Sequence[JudgeExperiment]) -> list[ExperimentRow]:
    """Return the rows of one page of the list. Three queries, however many experiments."""
    runs = [run for e in experiments for run in (e.first_run, e.second_run)]
    rows = {row.run.pk: row for row in list_rows(runs)}
    return [
        ExperimentRow(
            experiment,
            *state_of(experiment),
            sum(rows[pk].judged for pk in _pks(experiment)),
            sum(rows[pk].responses for pk in _pks(experiment)),
        )
        for experiment in experiments
    ]


def experiments() -> Any:
    """Select all experiments with what their rows show, newest first."""
    return JudgeExperiment.objects.select_related(
        "set", "first", "second", "first_run", "second_run", "by"
    )


def _pks(experiment: JudgeExperiment) -> tuple[int, int]:
    return experiment.first_run_id, experiment.second_run_id


def state_of(experiment: JudgeExperiment) -> tuple[str, str]:
    """Return (shape of the pill, words) for the two runs together."""
    states = {experiment.first_run.state, experiment.second_run.state}
    if states <= {State.FINISHED}:
        return "full", _("Finished")
    if states & set(_GOING):
        return "half", _("Under way")
    if not any(run.started_at for run in (experiment.first_run, experiment.second_run)):
        return "ring", pgettext("a judge run", "Planned")
    if State.CANCELLED in states:
        return "cross", _("Cancelled")
    return "paused", _("Paused")


def variants() -> Any:
    """Select all variants, the newest first, with the number of runs of each."""
    rows = JudgeVariant.objects.select_related("prompt", "by").annotate(used=Count("runs"))
    return rows.order_by("-pk")


def prompts() -> Any:
    """Select all prompts, newest first, with the number of variants that use each."""
    rows = JudgePrompt.objects.select_related("by").annotate(used=Count("variants"))
    return rows.order_by("-number")


def defaults() -> Any:
    """Select the latest choices of what new runs begin with."""
    return JudgeDefault.objects.select_related("variant", "set_by", "experiment")[:SHOWN]


def sets_offered() -> list[tuple[int, str]]:
    """Return (number, label) of the alignment sets with their responses. One query."""
    rows = AlignmentSet.objects.annotate(n=Count("items")).order_by("-pk")
    return [
        (row.pk, _("Set %(n)s: %(responses)s responses") % {"n": row.pk, "responses": row.n})
        for row in rows
    ]


def proposed() -> dict[str, Any]:
    """Return what a new experiment begins with. Four queries.

    What is in use against the newest other variant, on the newest set with a submitted sheet.
    """
    newest = list(JudgeVariant.objects.order_by("-pk").values_list("pk", flat=True)[:2])
    current = current_default()
    first = current.pk if current else newest[-1] if newest else None
    scored = AlignmentItem.objects.filter(
        set=OuterRef("pk"),
        flagged=False,
        response__in=submitted_sheets().filter(flagged_item__isnull=True).values("response"),
    )
    return {
        "first": first,
        "second": next((pk for pk in newest if pk != first), None),
        "set": AlignmentSet.objects.filter(Exists(scored)).order_by("-pk").first(),
    }


def tried_on(experiment: JudgeExperiment) -> int:
    """Return how many experiments used the same set, this one included."""
    return JudgeExperiment.objects.filter(set=experiment.set_id).count()


# -- one experiment -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Estimated:
    """What both runs will ask if nothing is reused; `cost` in dollars, None with `why`."""

    responses: int
    calls: int
    known: int
    cost: float | None
    why: str


def estimate(experiment: JudgeExperiment) -> Estimated | None:
    """Estimate both runs before they start; None once one of them has started."""
    runs = (experiment.first_run, experiment.second_run)
    if any(run.started_at for run in runs):
        return None
    found = [estimate_of(run) for run in runs]
    costs = [one.cost_micro for one in found]
    known = [cost for cost in costs if cost is not None]
    return Estimated(
        responses=max(one.responses for one in found),
        calls=sum(one.calls for one in found),
        known=sum(one.known for one in found),
        cost=sum(known) / 1e6 if len(known) == len(costs) else None,
        why=" ".join(dict.fromkeys(one.why for one in found if one.why)),
    )


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of both variants, its difference with the interval, and what that says."""

    name: str
    first: str
    second: str
    difference: str
    interval: str
    chart: SafeString
    says: str
    decides: bool
    tasks: int


def figure_rows(found: "Comparison") -> list[FigureRow]:
    """Return the three figures; the one that decides is marked."""
    return [_figure_row(found, measure) for measure in Measure]


def _figure_row(found: "Comparison", measure: Measure) -> FigureRow:
    figure = found.figure(measure)
    scale = 100.0 if measure == Measure.AGREEMENT else 1.0
    return FigureRow(
        name=str(measure.label),
        first=words.value_of(measure, figure.first),
        second=words.value_of(measure, figure.second),
        difference=words.difference_of(measure, figure.difference),
        interval=words.interval_of(measure, figure.ci95),
        chart=_chart(figure, scale),
        says=_says(figure),
        decides=measure == found.experiment.measure,
        tasks=figure.tasks,
    )


def _says(figure: PairedFigure) -> str:
    if figure.difference is None:
        return reason_text(figure.why.get("difference"))
    if figure.ci95 is None and figure.outcome is Outcome.UNKNOWN:
        return reason_text(figure.why.get("ci95"))
    return str(words.OUTCOMES[figure.outcome])


def _chart(figure: PairedFigure, scale: float) -> SafeString:
    """Draw the difference with its interval around the line of no difference."""
    estimate, reach = None, 0.1
    if figure.difference is not None:
        value = float(figure.difference)
        interval = figure.ci95
        estimate = Estimate(value, interval)
        reach = max(reach, abs(value), *(map(abs, interval) if interval else (0.0,)))
    axis = Scale(-reach, reach, (-reach, 0.0, reach))
    title = "" if estimate is None else f"{scale * estimate.value:+.2f}"
    return charts.interval_row(axis, estimate, title=title)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change as a row of the list, with the reasons of both variants."""

    change: "Change"
    kind: str
    task: str
    candidate: str
    number: int
    text: str
    language: str
    first_why: str
    second_why: str


def change_rows(found: "Comparison", changes: Sequence["Change"]) -> list[ChangeRow]:
    """Return the rows of changes, in the order given. Four queries."""
    texts = _lines_of(found, changes)
    responses = {change.response for change in changes}
    why = [_why(run, responses) for run in _pks(found.experiment)]
    rows = found.truth.responses
    made = []
    for change in changes:
        line, response = found.truth.lines[change.line], rows[change.response]
        number, text, language = texts[change.line]
        key = (change.response, line.key)
        made.append(
            ChangeRow(
                change,
                str(words.KINDS[change.kind]),
                response.task,
                response.candidate,
                number,
                text,
                language,
                why[0].get(key, ""),
                why[1].get(key, ""),
            )
        )
    return made


def _lines_of(found: "Comparison", changes: Sequence["Change"]) -> dict[int, tuple[int, str, str]]:
    """Return (number, text, language of the task) of the lines of these changes."""
    wanted = {change.line for change in changes}
    versions = {found.truth.lines[line].version for line in wanted}
    numbers: Counter[int] = Counter()
    texts = {}
    for version, pk, text, language in (
        Criterion.objects.filter(version__in=versions)
        .order_by("version_id", "position", "id")
        .values_list("version_id", "pk", "text", "version__task__language")
    ):
        numbers[version] += 1
        if pk in wanted:
            texts[pk] = (numbers[version], text, language)
    return texts


def _why(run: int, responses: set[int]) -> dict[tuple[int, str], str]:
    rows = Verdict.objects.filter(
        judgment__items__run=run, judgment__response__in=responses
    ).values_list("judgment__response_id", "criterion__key", "why")
    return {(response, key): why for response, key, why in rows}


def run_rows(experiment: JudgeExperiment) -> list[RunRow]:
    """Return both runs with their progress and cost, the first one first."""
    return list_rows([experiment.first_run, experiment.second_run])
