"""How rubrics of the sample programme are argued about: verdicts, answers, reasons for marks."""

from typing import Any

from curation.people.models import User
from curation.tasks.models import Task
from review.assignment.models import Comment, Round
from review.rounds.actions import comment_on_line, finish_round, lines_without_verdict, set_verdict
from rubrics.lines.actions import edit_line
from rubrics.marks.actions import set_aside
from rubrics.marks.queries import mark_up
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import RubricVersion


def read_rounds(task: Task, data: dict[str, Any], name: str) -> None:
    """Each reviewer reads what is open to them, and finishes unless the file stops in the middle.

    What the file does not mention is approved; approvals of an earlier round stand already.
    """
    rounds = Round.objects.select_related("review__reviewer", "review__task", "version").filter(
        review__task=task, finished_at__isnull=True
    )
    stories = (data, data.get("second_reviewer", {}))
    for current, told in zip(rounds.order_by("review__number"), stories, strict=False):
        said = told.get(name, {})
        lines = in_file_order(current.version, data["rubric"])
        unread = {line.pk for line in lines_without_verdict(current)}
        stops = name == "review_round_1" and told is data and 0 < len(said) < len(lines)
        for key, line in lines.items():
            if line.pk in unread and not (stops and key not in said):
                wanted = {"verdict": "approve", **said.get(key, {})}
                set_verdict(actor=current.review.reviewer, round=current, criterion=line, **wanted)
        if not stops:
            finish_round(actor=current.review.reviewer, round=current)


def in_file_order(version: RubricVersion, rubric: list[dict[str, Any]]) -> dict[str, Any]:
    """The file's line ids -> the lines of a version, by position."""
    lines = version.criteria.order_by("position", "id")
    return dict(zip([row["id"] for row in rubric], lines, strict=True))


def answer(task: Task, rubric: list[dict[str, Any]], answers: dict[str, Any], author: User) -> None:
    """The author replies to each request, changes lines or keeps them, and sends the rubric."""
    lines = in_file_order(task.rubric_versions.get(frozen_at__isnull=True), rubric)
    for key, said in answers.items():
        line, changed = lines[key], {k: said[k] for k in ("text", "weight") if k in said}
        comment_on_line(
            actor=author, task=task, criterion=line, side=Comment.Side.AUTHOR, body=said["reply"]
        )
        if changed:
            edit_line(actor=author, task=task, criterion=line, revision=None, **changed)
    send_to_review(actor=author, task=task)


def explain_marks(task: Task, rubric: list[dict[str, Any]], why: dict[str, str]) -> None:
    """The author sets the linter's marks of some lines aside, each with a reason."""
    version = task.rubric_versions.get(frozen_at__isnull=True)
    lines = in_file_order(version, rubric)
    marking = mark_up(task, list(lines.values()))
    for (key, line), marks in zip(lines.items(), marking.lines, strict=True):
        for mark in marks if key in why else []:
            set_aside(
                actor=task.author, task=task, criterion=line, token=mark.token, reason=why[key]
            )
