"""Reviews in the sample programme: verdicts, the author's answers, waivers of marks."""

from typing import Any

from curation.joining.people import User
from curation.tasks.task.models import Task
from review.rounds.actions import comment_on_line, finish_round, lines_without_verdict, set_verdict
from review.rounds.assignment_models import Comment, Round
from rubrics.lines.actions import edit_line
from rubrics.marks.actions import set_aside
from rubrics.marks.queries import rubric_marks
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import RubricVersion


def read_rounds(task: Task, data: dict[str, Any], name: str) -> None:
    """Have each reviewer give verdicts on the lines still open to them.

    Lines the file does not mention are approved. The first reviewer of round 1 leaves the round
    unfinished where the file has verdicts for some of the lines only.

    Args:
        name: the round's key in the file.
    """
    rounds = Round.objects.select_related("review__reviewer", "review__task", "version").filter(
        review__task=task, finished_at__isnull=True
    )
    scripts = (data, data.get("second_reviewer", {}))
    for current, script in zip(rounds.order_by("review__number"), scripts, strict=False):
        verdicts = script.get(name, {})
        lines = in_file_order(current.version, data["rubric"])
        unread = {line.pk for line in lines_without_verdict(current)}
        stops = name == "review_round_1" and script is data and 0 < len(verdicts) < len(lines)
        for key, line in lines.items():
            if line.pk in unread and not (stops and key not in verdicts):
                wanted = {"verdict": "approve", **verdicts.get(key, {})}
                set_verdict(actor=current.review.reviewer, round=current, criterion=line, **wanted)
        if not stops:
            finish_round(actor=current.review.reviewer, round=current)


def in_file_order(version: RubricVersion, rubric: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the file's line ids -> the lines of a version, matched by position."""
    lines = version.criteria.order_by("position", "id")
    return dict(zip([row["id"] for row in rubric], lines, strict=True))


def answer(task: Task, rubric: list[dict[str, Any]], answers: dict[str, Any], author: User) -> None:
    """Reply to each request as the author, change some lines, and send the rubric again."""
    lines = in_file_order(task.rubric_versions.get(frozen_at__isnull=True), rubric)
    for key, reply in answers.items():
        line, changed = lines[key], {k: reply[k] for k in ("text", "weight") if k in reply}
        comment_on_line(
            actor=author,
            task=task,
            criterion=line,
            side=Comment.Side.AUTHOR,
            body=reply["reply"],
        )
        if changed:
            edit_line(actor=author, task=task, criterion=line, revision=None, **changed)
    send_to_review(actor=author, task=task)


def explain_marks(task: Task, rubric: list[dict[str, Any]], why: dict[str, str]) -> None:
    """Set the linter's marks on some lines aside as the author, each with a reason."""
    version = task.rubric_versions.get(frozen_at__isnull=True)
    lines = in_file_order(version, rubric)
    found = rubric_marks(task, list(lines.values()))
    for (key, line), marks in zip(lines.items(), found.lines, strict=True):
        for mark in marks if key in why else []:
            set_aside(
                actor=task.author, task=task, criterion=line, token=mark.token, reason=why[key]
            )
