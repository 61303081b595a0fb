"""Selections against real outcomes, on numbers worked by hand."""

from fractions import Fraction

import pytest

from judge.base.stats.numbers import Reason
from judge.base.stats.selections import Rates, selections

# Two tasks that demand four: 3 both, 1 selected alone, 2 chosen alone, 2 neither.
ROWS = (Rates("a", 2, 1, 0, 1, 4), Rates("b", 1, 0, 2, 1, 4))


def test_the_measures_are_those_worked_by_hand():
    found = selections(ROWS, resamples=0)
    assert (found.cases, found.responses, found.tasks) == (8, 2, 2)
    assert found.values["precision"] == Fraction(3, 4)
    assert found.values["recall"] == Fraction(3, 5)
    assert found.values["f1"] == Fraction(2, 3)
    # observed 5/8, chance 4/8 * 5/8 + 4/8 * 3/8 = 1/2
    assert found.values["kappa"] == Fraction(1, 4)
    assert found.values["estimated"] == Fraction(3 + 1, 8)
    assert found.values["real"] == Fraction(2 + 3, 8)
    assert found.values["bias"] == Fraction(-1, 8)
    assert found.values["mae"] == Fraction(3, 8)


def test_an_interval_resamples_tasks_and_needs_six():
    six = [row._replace(task=f"{row.task}-{n}") for row in ROWS for n in range(3)]
    found = selections(six, resamples=500)
    for name, interval in found.ci95.items():
        assert interval is not None, name
        assert interval[0] <= float(found.values[name]) <= interval[1]
    few = selections(six[:5], resamples=500)
    assert (few.ci95["f1"], few.why["f1_ci95"]) == (None, Reason.FEW_TASKS)


def test_what_is_undefined_says_why():
    found = selections([], resamples=10)
    assert found.values["precision"] is None
    assert found.why["precision"] is Reason.NO_CELLS
    assert found.why["real"] is Reason.NO_SCORES
    nobody = selections([Rates("a", 0, 0, 0, 3, 3)], resamples=0)
    assert nobody.why["recall"] is Reason.ONE_CLASS
    assert nobody.values["real"] == 0
    assert nobody.as_dict()["precision"] is None


def test_impossible_counts_are_refused():
    for row in (Rates("a", -1, 0, 0, 0, 1), Rates("a", 0, 0, 0, 0, 0)):
        with pytest.raises(ValueError, match="at least"):
            selections([row])
