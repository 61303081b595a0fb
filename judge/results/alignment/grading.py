"""The grades of a judge and of experts: how far they agree with each other."""

from collections import defaultdict

from judge.base.stats.grades import GradeReport, both_directions, grade_report
from judge.results.alignment.rows import Experts, JudgeData


def grades_of(
    judged: JudgeData, truth: Experts, inside: set[int], *, seed: int, resamples: int
) -> GradeReport | None:
    """Compare the judge's grades with each expert's; None where one side graded nothing."""
    if not judged.grades or not truth.grades:
        return None
    rows = [
        (truth.responses[response].task, grade, judged.grades.get(response))
        for _rater, response, grade in truth.grades
        if response in inside
    ]
    return grade_report(rows, seed=seed, resamples=resamples)


def grade_ceiling(truth: Experts, *, seed: int, resamples: int) -> GradeReport | None:
    """Compare the experts' grades with each other; None where nobody graded."""
    if not truth.grades:
        return None
    given: dict[int, dict[str, int]] = defaultdict(dict)
    for rater, response, grade in truth.grades:
        given[response][rater] = grade
    several = ((truth.responses[pk].task, grades) for pk, grades in sorted(given.items()))
    return grade_report(both_directions(several), seed=seed, resamples=resamples)
