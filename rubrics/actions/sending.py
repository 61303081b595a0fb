"""Sending a rubric to its reviewers, and what is still missing before that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.errors import BadInput
from curation.lifecycle import Stage
from curation.models import Task
from rubrics import history, threads
from rubrics.actions.versions import freeze, open_working_version
from rubrics.diff import same_content
from rubrics.models import Criterion, RubricVersion
from rubrics.threads import Request


@dataclass(frozen=True)
class Gap:
    """One thing that keeps a rubric from being sent.

    Attributes:
        line: where to look; None where it is about the whole rubric.
    """

    code: str
    sentence: str
    line: Criterion | None = None
    fields: Mapping[str, list[str]] = field(default_factory=dict)


def gaps_before_sending(
    lines: Sequence[Criterion], requests: Mapping[str, Request] | None = None
) -> list[Gap]:
    """Everything that keeps these lines from being sent, the first to do first.

    Args:
        lines: the working version, in order.
        requests: line key -> what the last round asked for.
    """
    gaps = []
    low, high = settings.RUBRIC_MIN_CRITERIA, settings.RUBRIC_MAX_CRITERIA
    if len(lines) < low:
        missing = low - len(lines)
        gaps.append(
            Gap(
                "too_few_lines",
                ngettext(
                    "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                    "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                    missing,
                )
                % {"low": low, "have": len(lines), "n": missing},
                fields={
                    "rubric": [
                        ngettext("%(n)s line is missing.", "%(n)s lines are missing.", missing)
                        % {"n": missing}
                    ]
                },
            )
        )
    if len(lines) > high:
        excess = len(lines) - high
        gaps.append(
            Gap(
                "too_many_lines",
                _("A rubric has at most %(high)s lines; yours has %(have)s. Merge or remove %(n)s.")
                % {"high": high, "have": len(lines), "n": excess},
                fields={
                    "rubric": [
                        ngettext("%(n)s line too many.", "%(n)s lines too many.", excess)
                        % {"n": excess}
                    ]
                },
            )
        )
    seen: dict[str, int] = {}
    for n, line in enumerate(lines, start=1):
        folded = " ".join(line.text.casefold().split())
        if folded in seen:
            gaps.append(
                Gap(
                    "duplicate_lines",
                    _("Lines %(one)s and %(other)s say the same. Remove one of them.")
                    % {"one": seen[folded], "other": n},
                    line,
                )
            )
        seen.setdefault(folded, n)
    waiting = unsettled(lines, requests or {})
    if waiting:
        gaps.append(
            Gap(
                "requests_open",
                ngettext(
                    "A reviewer asked for a change on %(n)s line that you have neither changed nor "
                    "answered. Do one of both first.",
                    "A reviewer asked for changes on %(n)s lines that you have neither changed nor "
                    "answered. Do one of both first.",
                    len(waiting),
                )
                % {"n": len(waiting)},
                waiting[0],
            )
        )
    return gaps


def unsettled(lines: Sequence[Criterion], requests: Mapping[str, Request]) -> list[Criterion]:
    """The lines a reviewer asked to change that were neither changed nor answered."""
    return [
        line
        for line in lines
        if (asked := requests.get(line.key)) is not None
        and not asked.answered
        and same_content(line, asked.asked)
    ]


@transaction.atomic
def send_to_review(*, actor: Any, task: Task) -> RubricVersion:
    """Freeze the working version and hand it to the reviewers.

    Raises:
        BadInput: too few or too many lines, two lines that say the same, or a request that was
            neither followed nor answered (it would come back unchanged).
        Conflict: the task is not being refined.
    """
    version = open_working_version(task)
    lines = history.in_order(version)
    gaps = gaps_before_sending(lines, threads.requests([task.pk]).get(task.pk))
    if gaps:
        first = gaps[0]
        raise BadInput(
            first.sentence,
            code=first.code,
            fields=first.fields,
            data={"line": first.line.pk} if first.line else None,
        )
    history.renumber(lines)
    freeze(version)
    task.advance(Stage.IN_REVIEW, actor=actor, version=version.number, lines=len(lines))
    return version
