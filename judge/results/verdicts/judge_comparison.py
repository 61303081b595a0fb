"""Several judges together: their majority by candidate, and the responses that divide them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.asking.candidates.models import Response
from judge.results.alignment.raters import Rater
from judge.runs.engine.models import JudgeRun, RunItem, Verdict
from judge.runs.pages.repeats import LineKey, RunAgreement, agreement_of_runs

MOST_DIVIDED = 50  # responses shown


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """A candidate's mean score in points of 100: by the majority, and by each judge.

    The means are over responses that the majority decided; None without any. A judge's mean leaves
    out those it judged by an earlier version of the rubric than the newest among these judges.
    """

    name: str
    responses: int
    majority: float | None
    judges: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class DividedResponse:
    """A response on some of whose lines the judges differ."""

    pk: int
    task: str
    language: str
    candidate: str
    divided: int
    lines: int


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """Several judges on the same responses."""

    runs: tuple[JudgeRun, ...]
    agreement: RunAgreement
    candidates: tuple[CandidateScores, ...]
    divided: tuple[DividedResponse, ...]

    @property
    def judges(self) -> tuple[Rater, ...]:
        return tuple(Rater(str(run.pk), run) for run in self.runs)

    @property
    def share(self) -> float | None:
        """The share of lines on which two judges agree, 0 to 1; None without such a line."""
        percent = self.agreement.as_dict()["agreement"]["percent"]
        return None if percent is None else percent / 100


def compare_judges(pks: Sequence[int]) -> JudgeComparison:
    """Combine the verdicts of several runs.

    Raises BadInput like `agreement_of_runs`.
    """
    found = agreement_of_runs(pks)
    runs = JudgeRun.objects.in_bulk(found.runs)
    responses = {
        key: (pk, title or task, language, candidate)
        for key, pk, title, task, language, candidate in Response.objects.filter(
            key__in={response for _task, response, _line in found.majority}
        ).values_list("key", "pk", "task__title", "task__key", "task__language", "candidate__name")
    }
    return JudgeComparison(
        runs=tuple(runs[pk] for pk in found.runs),
        agreement=found,
        candidates=_candidates(found, {key: row[3] for key, row in responses.items()}),
        divided=_divided(found, responses),
    )


def _candidates(
    found: RunAgreement, candidate_of: Mapping[str, str]
) -> tuple[CandidateScores, ...]:
    weights = _weights(found)
    above: Counter[str] = Counter()
    below: Counter[str] = Counter()
    undecided: set[str] = set()
    for line, met in found.majority.items():
        response = line[1]
        if met is None:
            undecided.add(response)
        elif line in weights:
            above[response] += weights[line] * met
            below[response] += weights[line]
    decided = {r: Fraction(above[r], below[r]) for r in below if r not in undecided}
    of_runs = [_scores(run, found.version_of) for run in found.runs]
    by_candidate: dict[str, list[str]] = defaultdict(list)
    for response in decided:
        by_candidate[candidate_of[response]].append(response)
    rows = [
        CandidateScores(
            name,
            len(mine),
            _mean([decided[r] for r in mine]),
            tuple(_mean([scores[r] for r in mine if r in scores]) for scores in of_runs),
        )
        for name, mine in by_candidate.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-(row.majority or 0), row.name)))


def _weights(found: RunAgreement) -> dict[LineKey, int]:
    """Return the weights of the lines in the version that is counted."""
    rows = (
        Verdict.objects.filter(judgment__items__run__in=found.runs)
        .order_by()
        .values_list(
            "judgment__response__task__key",
            "judgment__response__key",
            "judgment__version__number",
            "criterion__key",
            "criterion__weight",
        )
        .distinct()
    )
    return {
        (task, response, line): weight
        for task, response, version, line, weight in rows
        if found.version_of.get(response) == version
    }


def _scores(run: int, version_of: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the scores of a run by response; those by another version are left out."""
    rows = RunItem.objects.filter(
        ~rests_on_earlier_text(score="judgment__"),
        run=run,
        judgment__score_denominator__gt=0,
        judgment__score_numerator__isnull=False,
    ).values_list(
        "response__key",
        "judgment__version__number",
        "judgment__score_numerator",
        "judgment__score_denominator",
    )
    return {
        response: Fraction(above or 0, below or 1)
        for response, version, above, below in rows
        if version_of.get(response) == version
    }


def _mean(scores: Sequence[Fraction]) -> float | None:
    return 100 * fmean(scores) if scores else None


def _divided(
    found: RunAgreement, responses: Mapping[str, tuple[int, str, str, str]]
) -> tuple[DividedResponse, ...]:
    lines = Counter(response for _task, response, _line in found.majority)
    divided = Counter(
        response for task, response, _line in found.divided if task not in found.closed
    )
    rows = [DividedResponse(*responses[key], number, lines[key]) for key, number in divided.items()]
    rows.sort(key=lambda row: (-row.divided, row.task, row.candidate))
    return tuple(rows[:MOST_DIVIDED])
