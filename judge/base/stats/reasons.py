"""The reasons why a statistic is undefined."""

from enum import StrEnum

FEWEST_TASKS = 6  # of an interval: from here on 1 - 2**(1 - tasks) is above 95 %


class Reason(StrEnum):
    """A reason as a stable English phrase, which pages and files use as a key."""

    NO_PAIRS = "no strict pair"
    NO_CELLS = "no cells"
    NONE_JUDGED = "nothing judged"
    ONE_CLASS = "only one class"
    NO_WEIGHT = "no weight"
    NO_SCORES = "no scores"
    ONE_RESPONSE = "fewer than two responses"
    CONSTANT = "all scores are equal"
    ONE_TASK = "fewer than two tasks"
    FEW_TASKS = "too few tasks for an interval"
    FEW_TASKS_TO_RANK = "too few tasks to tell any two apart"
    NO_SPREAD = "no spread between resamples"
    NO_RESAMPLES = "no resamples asked for"
    NO_COMMON_TASKS = "no common tasks"
    NO_OVERLAP = "nothing scored twice"
    NOT_TWO_RATERS = "not exactly two raters"
    NO_COMPARISON = "nothing to compare with"
    NOTHING_OWN = "no candidate of the judge's house, or none of another"
    NOT_MEASURED = "not measured"
    FEW_CANDIDATES = "too few candidates"
    FEW_RESPONSES = "too few responses"
    ONE_LINE = "only one line"
    NO_SPREAD_IN_THE_REST = "no spread in the rest"
    ALL_RIGHT = "all right"
    ALL_WRONG = "all wrong"
    ALL_EQUAL = "all equal"
    ONE_MEASURED_TASK = "measured on one task"
    ONE_MEASURED_VERSION = "measured by one version"
    NOTHING_LEFT = "nothing left to compare with"
    DISCONNECTED = "not connected with the reference"
    WEAK_LINK = "too weakly linked with the reference"
    ONE_DATE = "measured in one period"
    NO_DATE = "the date of a period is unknown"
