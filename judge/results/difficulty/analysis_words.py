"""The analysis of tasks and lines in words."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import decimal, listed, percent
from judge.base.stats.item_analysis import Concern, Limits, LineStatistics, TaskStatistics


def concern_sentence(
    concern: Concern,
    *,
    task: TaskStatistics | None = None,
    limits: Limits | None = None,
    line: LineStatistics | None = None,
    twins: Sequence[int] = (),
    lines: int = 0,
) -> str:
    """Say what is wrong: of a task, of a line, or how many lines of a task have it.

    Args:
        task, limits: for a concern about a task.
        line, twins: for a concern about a line; the numbers of the lines it is like.
        lines: for a count of lines.
    """
    if task is not None:
        return _of_task(concern, task, limits or Limits())
    if line is not None:
        return _of_line(concern, line, twins)
    return _of_lines(concern, lines)


def _of_task(concern: Concern, task: TaskStatistics, limits: Limits) -> str:
    values = {
        "n": task.candidates,
        "limit": percent(limits.saturated),
        "r": decimal(task.discrimination),
    }
    if concern is Concern.SATURATED:
        return (
            _(
                "Saturated: all %(n)s candidates have at least %(limit)s of the points, so the "
                "task no longer tells them apart."
            )
            % values
        )
    if concern is Concern.NO_POINTS:
        return (
            _(
                "None of the %(n)s candidates has a point. Is it too hard, or is its rubric at "
                "fault?"
            )
            % values
        )
    return (
        _(
            "Candidates that do well on the other tasks do badly here (discrimination %(r)s, more "
            "than chance explains). Check the task and its rubric."
        )
        % values
    )


def _of_line(concern: Concern, line: LineStatistics, twins: Sequence[int]) -> str:
    values = {"n": line.responses, "r": decimal(line.discrimination)}
    if concern is Concern.ALWAYS_MET:
        return (
            _("Always met: by all %(n)s responses. It asks for what every response has.") % values
        )
    if concern is Concern.NEVER_MET:
        return _("Never met: by none of %(n)s responses. Can it be met, and is it right?") % values
    if concern is Concern.REVERSED:
        return (
            _(
                "Responses that meet the other lines miss this one (discrimination %(r)s, more "
                "than chance explains). Check its wording and whether it is right."
            )
            % values
        )
    if concern is Concern.REDUNDANT:
        return ngettext(
            "Met by exactly the responses that meet line %(lines)s, so it counts the same thing "
            "twice.",
            "Met by exactly the responses that meet lines %(lines)s, so they count the same thing "
            "several times.",
            len(twins),
        ) % {"lines": listed(map(str, twins))}
    return _(
        "Decides nothing: neither leaving it out nor any weight from 1 to 10 changes the order of "
        "two candidates."
    )


def _of_lines(concern: Concern, lines: int) -> str:
    sentences = {
        Concern.ALWAYS_MET: ngettext("%(n)s line always met", "%(n)s lines always met", lines),
        Concern.NEVER_MET: ngettext("%(n)s line never met", "%(n)s lines never met", lines),
        Concern.REVERSED: ngettext(
            "%(n)s line missed by the better responses",
            "%(n)s lines missed by the better responses",
            lines,
        ),
        Concern.REDUNDANT: ngettext("%(n)s line like another", "%(n)s lines like another", lines),
        Concern.IDLE: ngettext(
            "%(n)s line that decides nothing", "%(n)s lines that decide nothing", lines
        ),
    }
    return sentences[concern] % {"n": lines}


def for_the_author(concern: Concern, number: int | None, twins: Sequence[int]) -> str:
    """Say to the author what to look at.

    Names no candidate and no judge: the author learns what is wrong with the task, not who did
    how well on it.
    """
    values = {"line": number, "lines": listed(map(str, twins))}
    sentences = {
        Concern.SATURATED: _("Every response has nearly all points: make the task harder."),
        Concern.NO_POINTS: _("No response has a point: check the task and its lines."),
        Concern.ALWAYS_MET: _("Line %(line)s is met by every response: ask for more, or drop it."),
        Concern.NEVER_MET: _("Line %(line)s is met by no response: check that it is right."),
        Concern.REDUNDANT: _(
            "Line %(line)s is met exactly where line %(lines)s is: keep one, or tell them apart."
        ),
        Concern.IDLE: _("Line %(line)s changes no order whatever its weight: is it needed?"),
        Concern.REVERSED: _("Line %(line)s is missed by the better responses: check its wording.")
        if number
        else _("Responses of otherwise good quality do badly here: check the task and its lines."),
    }
    return sentences[concern] % values
