"""The reasons why a statistic is undefined."""

from enum import StrEnum


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
