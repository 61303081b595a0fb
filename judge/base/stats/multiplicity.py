"""Corrections of p-values for their number: among many, some are small by chance."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted by Holm's step-down procedure, in the order given.

    Naming those below a level names any wrong one at most as often as the level says (S. Holm,
    Scandinavian Journal of Statistics 6, 1979).
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for step, index in enumerate(_ascending(p_values)):
        running = max(running, (len(p_values) - step) * p_values[index])
        adjusted[index] = min(1.0, running)
    return adjusted


def fewest_tasks(tests: int, alpha: float) -> int:
    """Return the fewest tasks from which one of many tests can reach the level after `holm`.

    Without further assumptions a paired comparison of n tasks has no p-value below 2**(1 - n): all
    differences have the same sign by chance that often (the sign test; J. Arbuthnot, Philosophical
    Transactions 27, 1710). Holm's smallest is multiplied by the number of tests.

    Args:
        tests: comparisons made together; 0 needs no task.
        alpha: the level, between 0 and 1.
    """
    tasks = 0
    while tests * 2.0 ** (1 - tasks) > alpha:
        tasks += 1
    return tasks


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for the rate of false discoveries, in the order given.

    Of those below a level, the share that is wrong is on average at most the level; where nothing
    is to be found, any is named at most as often as the level says. For independent p-values and
    for those that rise together (Y. Benjamini and Y. Hochberg, Journal of the Royal Statistical
    Society B 57, 1995, section 3.1).
    """
    adjusted = [0.0] * len(p_values)
    running = 1.0
    order = _ascending(p_values)
    for rank in range(len(order), 0, -1):
        index = order[rank - 1]
        running = min(running, p_values[index] * len(order) / rank)
        adjusted[index] = running
    return adjusted


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda index: p_values[index])
