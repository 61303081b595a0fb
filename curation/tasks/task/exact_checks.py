"""What an exact answer lacks before a submission, and remarks that never block.

Pure functions. Nothing is fetched: a source is judged by its address and by the day its author
gives.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text import quantities, short_answers, storable
from curation.base.text.short_answers import Expected

MOST_WORDS = 12  # of an answer; each Chinese, Japanese or Korean character counts as a third
CHARACTERS_PER_WORD = 3
FEWEST_STEPS, MOST_STEPS = 2, 20


@dataclass(frozen=True)
class Step:
    """One step of a solution: what is done, on which page, and of which day the page is."""

    text: str
    source: str = ""
    source_date: date | None = None


@dataclass(frozen=True)
class Written:
    """What an author wrote down besides the question.

    Attributes:
        level: 1 to 3; None where it is not chosen yet.
        cutoff: pages must be older than this day.
        question: the texts that candidates get: field -> text.
    """

    expected: Expected
    level: int | None
    cutoff: date | None
    why_unique: str
    why_stable: str
    steps: Sequence[Step]
    question: Mapping[str, str]


def length_of(answer: str) -> int:
    """Return the length of an answer in words, rounded up; three CJK characters are one word."""
    cjk = sum("\u3040" <= one <= "\u9fff" or "\uac00" <= one <= "\ud7af" for one in answer)
    return storable.word_count(answer) - cjk + -(-cjk // CHARACTERS_PER_WORD)


def is_address(source: str) -> bool:
    """Return whether a source is an address of a web page (http or https, with a host)."""
    try:
        parts = urlsplit(source)
        return parts.scheme in ("http", "https") and "." in (parts.hostname or "")
    except ValueError:
        return False


def host_of(source: str) -> str:
    """Return the host of an address in lower case; empty for what is no address."""
    return (urlsplit(source).hostname or "").rstrip(".") if is_address(source) else ""


def gaps(written: Written, *, changes: bool = False) -> dict[str, list[str]]:
    """Return what keeps a task with an exact answer from being submitted: field -> sentences.

    Args:
        changes: whether the author said that the right answer changes with time.
    """
    found = {
        "answer": _of_the_answer(written),
        "level": [] if written.level else [_("Choose the level, from 1 to 3.")],
        "steps": _of_the_steps(written.steps),
        "cutoff": _of_the_days(written),
        "why_unique": []
        if not storable.is_blank(written.why_unique)
        else [_("Say why there is no other right answer.")],
        "why_stable": []
        if not storable.is_blank(written.why_stable)
        else [_("Say why the answer will stay the same.")],
        "change": [_("An exact answer stays the same. Choose a question whose answer does.")]
        if changes
        else [],
    }
    return {name: sentences for name, sentences in found.items() if sentences}


def _of_the_answer(written: Written) -> list[str]:
    answer, found = written.expected.answer, []
    if not short_answers.says_something(answer):
        return [_("Write the answer: a few words or one number.")]
    if written.expected.is_number and not quantities.is_in_digits(answer):
        found.append(
            _("“%(answer)s” is not one number. Write digits only, and the unit in its own box.")
            % {"answer": answer}
        )
    elif length_of(answer) > MOST_WORDS:
        found.append(
            _("The answer has %(n)s words. It may have %(most)s, so that it can be compared.")
            % {"n": length_of(answer), "most": MOST_WORDS}
        )
    if not written.expected.is_number and _given_away(written):
        found.append(_("The question gives the answer away: it stands there word for word."))
    return found


def _given_away(written: Written) -> bool:
    forms = (written.expected.answer, *written.expected.alternatives)
    return any(short_answers.occurs_in(form, written.question.values()) for form in forms)


def _of_the_steps(steps: Sequence[Step]) -> list[str]:
    found = []
    if len(steps) < FEWEST_STEPS:
        missing = FEWEST_STEPS - len(steps)
        found.append(
            ngettext(
                "A solution has at least %(low)s steps; write %(n)s more.",
                "A solution has at least %(low)s steps; write %(n)s more.",
                missing,
            )
            % {"low": FEWEST_STEPS, "n": missing}
        )
    if not any(is_address(step.source) for step in steps):
        found.append(_("Give the address of a page for at least one step."))
    return found


def _of_the_days(written: Written) -> list[str]:
    if written.cutoff is None:
        return [_("Give the day before which all pages were published.")]
    late = [n for n, step in enumerate(written.steps, 1) if _is_late(step, written.cutoff)]
    return [
        _("The page of step %(n)s is of %(day)s, after the cut-off.")
        % {"n": n, "day": written.steps[n - 1].source_date}
        for n in late
    ]


def _is_late(step: Step, cutoff: date) -> bool:
    return step.source_date is not None and step.source_date > cutoff


@dataclass(frozen=True)
class Refused:
    """The end of a host name that does not count as a source, and why."""

    suffix: str
    reason: str

    def covers(self, host: str) -> bool:
        return host == self.suffix or host.endswith(f".{self.suffix}")


def remarks(written: Written, refused: Iterable[Refused]) -> list[str]:
    """Return what the author and the panel should look at, as sentences."""
    refused = list(refused)
    found = []
    for n, step in enumerate(written.steps, 1):
        host = host_of(step.source)
        why = next((one for one in refused if host and one.covers(host)), None)
        if why is not None:
            found.append(
                _("Step %(n)s: %(host)s is on the list of sources that do not count: %(reason)s")
                % {"n": n, "host": host, "reason": why.reason}
            )
        if host and step.source_date is None:
            found.append(
                _("Step %(n)s does not say of which day its page is, so nobody can compare it.")
                % {"n": n}
            )
    if written.expected.is_number and _given_away(written):
        found.append(
            _("The number of the answer also stands in the question. Check that it says no more.")
        )
    return found


def in_words(expected: Any) -> str:
    """Return an answer on one line: "4.5 年 ± 0.1", "82 ± 2 %", "Hamburger hands / La La hand".

    It is stored as the task's reference answer, so it uses signs of no language.
    """
    answer = " ".join(part for part in (expected.answer, expected.unit) if part)
    if expected.tolerance:
        margin = f"{expected.tolerance.normalize():f}"
        answer += f" ± {margin}{' %' if expected.tolerance_is_percent else ''}"
    return " / ".join([answer, *expected.alternatives])
