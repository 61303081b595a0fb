"""The tasks of the sample programme, each walked to the stage where a newcomer finds it."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop

from config.sample import story
from curation.actions.screening import join_panel, open_screening, vote
from curation.actions.tasks import create_task, submit_task, withdraw_task
from curation.lifecycle import Stage
from curation.models import Category, Decision, Domain, Task, User
from judge.builder import draft_prompt
from judge.inputs import TaskText
from judge.parsing import parse_draft
from judge.providers import get
from review.actions.rounds import comment_on_line, finish_round, set_verdict
from review.actions.spot_checks import decide_spot_check, take_spot_check
from review.models import Comment, Round
from review.sampling import is_drawn
from rubrics.actions import (
    add_line,
    edit_line,
    move_line,
    record_draft,
    remove_line,
    send_to_review,
)

People = dict[str, User]


@dataclass(frozen=True)
class Part:
    """Who plays which part in a task's story, and where the story stops."""

    slug: str
    author: str
    panel: str
    until: str
    spot_checker: str = ""
    drawn: bool | None = None  # whether the spot check must (not) draw it; None: as it falls


GOLD = [
    Part("finance-equity-bridge", "expert.finance3", "author", Stage.APPROVED, "expert.finance"),
    Part("law-lease-break", "expert.law3", "author", Stage.APPROVED, "expert.law"),
    Part(
        "healthcare-ketoacidosis-not-clearing",
        "expert.healthcare2", "author2", Stage.APPROVED, "expert.healthcare",
    ),
    Part(
        "engineering-fire-relief-reinsulated-drum",
        "expert.engineering2", "author2", Stage.APPROVED, "expert.engineering",
    ),
    Part(
        "education-midterm-paper-quality",
        "expert.education3", "expert.education2", Stage.APPROVED, "expert.education",
    ),
    Part(
        "humanities-movable-type-panel",
        "expert.education3", "expert.humanities2", Stage.APPROVED, "expert.humanities",
    ),
    Part(
        "cs-double-refund-incident",
        "expert.cs2", "expert.engineering2", Stage.APPROVED, "expert.cs",
    ),
]  # fmt: skip

OTHERS = [
    Part("law-germany-redundancies", "author", "expert.law3", Stage.REFINING),
    Part(
        "engineering-arc-flash-motor-control-centre",
        "expert.engineering2", "author2", Stage.DISCARDED, "expert.engineering", drawn=True,
    ),
    Part(
        "healthcare-anticoagulant-dose-audit",
        "author2", "expert.healthcare2", Stage.SPOT_CHECK, drawn=True,
    ),
    Part("finance-fx-hedge-policy", "author", "expert.finance3", Stage.IN_REVIEW),
    Part("engineering-check-valve-slam", "author2", "expert.engineering2", Stage.REFINING),
    Part(
        "humanities-siku-seven-pavilions", "expert.humanities", "expert.education3", Stage.DRAFTING
    ),
    Part("education-inclusive-reading-plan", "expert.education3", "", Stage.SCREENING),
    Part("education-ratio-misconception-lesson", "expert.education2", "", Stage.SCREENING),
    Part("cs-onsale-capacity", "expert.engineering2", "", Stage.SCREENING),
    Part("cs-order-id-bigint", "expert.cs2", "", Stage.SUBMITTED),
    Part("humanities-old-style-letters", "expert.humanities2", "expert.education3", Stage.DRAFT),
    Part("law-promissory-estoppel", "expert.law2", "expert.law3", Stage.REJECTED),
    Part("healthcare-anaphylaxis-clinic-review", "author2", "expert.healthcare2", Stage.WITHDRAWN),
    Part("finance-receivables-sale", "author", "", Stage.DRAFT),
]  # fmt: skip

PANEL_REASONS = {
    "en": "Typical of the profession, hard enough to separate good from plausible, and every "
    "point of it can be marked.",
    "zh": "属于本行业的日常工作，难度足以区分“写得好”和“看着像”，且每一点都能判定对错。",
}
NOT_PROBED = gettext_noop("Probing skipped: no model is configured.")


def walk(part: Part, people: People) -> Task:
    """Bring one task to its stage, step by step."""
    data = story(part.slug)
    task = write(part, data, people)
    if part.slug == "finance-receivables-sale":
        return task
    author = people[part.author]
    submit_task(actor=author, task=task)
    if part.until == Stage.SUBMITTED:
        return task
    open_screening(task=task, reason=NOT_PROBED, probed=False)
    if part.until == Stage.SCREENING:
        return task
    decide(part, data, task, people)
    task.refresh_from_db()
    if task.stage != Stage.DRAFTING or part.until == Stage.DRAFTING:
        return task
    draft(task)
    if part.until == Stage.WITHDRAWN:
        return withdraw_task(actor=author, task=task, reason=data["withdrawal"]["reason"])
    if not data.get("rubric"):
        return task
    refine(task, data["rubric"], author)
    send_to_review(actor=author, task=task)
    task.refresh_from_db()
    review(part, data, task, people)
    task.refresh_from_db()
    return task


def write(part: Part, data: dict[str, Any], people: People) -> Task:
    """The author's draft, under a key that the spot check draws or not, as the story needs."""
    domain = Domain.objects.get(key=data["domain"])
    category, _created = Category.objects.get_or_create(
        domain=domain,
        key=data["category"],
        defaults={
            "name": data["category_names"]["en"],
            "name_zh": data["category_names"]["zh"],
        },
    )
    return create_task(
        actor=people[part.author],
        domain=domain,
        key=key_for(part),
        category=category,
        language="zh-hans" if data["language"] == "zh" else "en",
        minutes=data.get("minutes"),
        **{
            name: data[name]
            for name in ("title", "scenario", "materials", "requirements", "reference_answer")
        },
    )


def key_for(part: Part) -> str:
    """The slug, numbered until the sealed draw falls as the story needs it.

    The draw itself is never bent: only the name of a sample task is chosen.
    """
    key, number = part.slug, 1
    while part.drawn is not None and part.drawn != is_drawn(
        settings.SPOT_CHECK_SALT, key, settings.SPOT_CHECK_RATE
    ):
        number += 1
        if number > 1000:  # a rate of 0 or 1 cannot be met by any name
            break
        key = f"{part.slug}-{number}"
    return key


def decide(part: Part, data: dict[str, Any], task: Task, people: People) -> None:
    """The panel's vote."""
    member = people[part.panel]
    join_panel(actor=member, task=task)
    decision = {Stage.DRAFT: Decision.RETURN, Stage.REJECTED: Decision.REJECT}.get(
        Stage(part.until), Decision.KEEP
    )
    keep = decision == Decision.KEEP
    vote(
        actor=member,
        task=task,
        difficult=keep,
        representative=True,
        gradable=keep or decision == Decision.REJECT,
        decision=decision,
        reasons=PANEL_REASONS[data["language"]] if keep else data["screening"]["reasons"],
    )


def draft(task: Task) -> None:
    """The offline draft, so that the sample is the same with and without a configured model."""
    text = TaskText(
        id=task.key,
        title=task.title,
        language=task.language,
        domain=task.domain.key,
        scenario=task.scenario,
        materials=task.materials,
        requirements=task.requirements,
    )
    offline = get("offline")
    reply = offline.complete(
        draft_prompt(text, task.reference_answer, task.language),
        model="rules-1",
        parameters={},
        timeout=60,
    )
    lines = parse_draft(reply.text, reference=task.reference_answer).lines
    record_draft(
        task=task,
        lines=[
            {
                "text": line.text,
                "importance": line.importance,
                "weight": line.weight,
                "dimension": line.dimension,
                "quote": line.quote,
            }
            for line in lines
        ],
        drafted_by="offline rules-1",
        reason=gettext_noop("No model is configured, so the draft was cut by rule."),
    )


def refine(task: Task, lines: list[dict[str, Any]], author: User) -> None:
    """The expert replaces the draft's lines by those of the file.

    A draft line whose words mostly return in a line of the file is edited into it; the others
    are removed, and what has no counterpart is added.
    """
    version = task.rubric_versions.get(frozen_at__isnull=True)
    drafted = list(version.criteria.select_related("source"))
    kept: dict[str, Any] = {}
    for row in lines:
        near = max(drafted, key=lambda d: _likeness(d.text, row["text"]), default=None)
        if near is not None and _likeness(near.text, row["text"]) >= 0.3:
            kept[row["id"]] = near
            drafted.remove(near)
    for line in drafted:  # what is left has no counterpart
        remove_line(actor=author, task=task, criterion=line)
    for row in lines:
        values = {k: row[k] for k in ("text", "importance", "weight", "dimension")}
        if row["id"] in kept:
            edit_line(actor=author, task=task, criterion=kept[row["id"]], revision=None, **values)
        else:
            add_line(actor=author, task=task, **values)
    _order(task, [row["text"] for row in lines])


def _likeness(one: str, other: str) -> float:
    a, b = set(one.lower().split()), set(other.lower().split())
    return len(a & b) / len(a | b) if a | b else 0.0


def _order(task: Task, texts: list[str]) -> None:
    version = task.rubric_versions.get(frozen_at__isnull=True)
    for place, text in enumerate(texts):
        now = list(version.criteria.order_by("position", "id"))
        here = next(n for n, line in enumerate(now) if line.text == text.strip())
        if here != place:
            move_line(actor=task.author, task=task, criterion=now[here], by=place - here)


def review(part: Part, data: dict[str, Any], task: Task, people: People) -> None:
    """The rounds of the story; without any in the file the reviewer approves every line."""
    first = data.get("review_round_1")
    current = open_round(task)
    lines = in_file_order(current, data["rubric"])
    reviewer = current.review.reviewer
    for key, line in lines.items():
        if first is not None and key not in first:
            continue
        said = (first or {}).get(key, {"verdict": "approve"})
        set_verdict(
            actor=reviewer,
            round=current,
            criterion=line,
            verdict=said["verdict"],
            aspect=said.get("aspect", ""),
            comment=said.get("comment", ""),
        )
    if first is not None and len(first) < len(lines):
        return  # the reviewer is in the middle of it
    finish_round(actor=reviewer, round=current)
    task.refresh_from_db()
    second = data.get("review_round_2")
    if task.stage == Stage.REFINING and second is not None:
        answer(task, lines, second["answers"], people[part.author])
        again(task, data["rubric"], second)
        task.refresh_from_db()
    if task.stage == Stage.SPOT_CHECK and part.until != Stage.SPOT_CHECK:
        spot_check(part, data, task, people)


def open_round(task: Task) -> Round:
    """The round that waits for its reviewer."""
    return Round.objects.select_related("review__reviewer", "review__task").get(
        review__task=task, finished_at__isnull=True
    )


def in_file_order(current: Round, rubric: list[dict[str, Any]]) -> dict[str, Any]:
    """The file's line ids -> the lines of the round's version, by position."""
    lines = current.version.criteria.order_by("position", "id")
    return dict(zip([row["id"] for row in rubric], lines, strict=True))


def answer(task: Task, lines: dict[str, Any], answers: dict[str, Any], author: User) -> None:
    """The author replies and changes the lines asked for, then sends the rubric again."""
    version = task.rubric_versions.get(frozen_at__isnull=True)
    for key, said in answers.items():
        line = version.criteria.get(key=lines[key].key)
        comment_on_line(
            actor=author, task=task, criterion=line, side=Comment.Side.AUTHOR, body=said["reply"]
        )
        edit_line(
            actor=author,
            task=task,
            criterion=line,
            revision=None,
            text=said["text"],
            weight=said["weight"],
        )
    send_to_review(actor=author, task=task)


def again(task: Task, rubric: list[dict[str, Any]], said: dict[str, Any]) -> None:
    """The second round: approvals were carried over, the changed lines are looked at."""
    task.refresh_from_db()
    current = open_round(task)
    for key, line in in_file_order(current, rubric).items():
        if key in said:
            set_verdict(
                actor=current.review.reviewer,
                round=current,
                criterion=line,
                verdict=said[key]["verdict"],
                comment=said[key].get("comment", ""),
            )
    finish_round(actor=current.review.reviewer, round=current)


def spot_check(part: Part, data: dict[str, Any], task: Task, people: People) -> None:
    """The senior's audit."""
    senior = people[part.spot_checker]
    take_spot_check(actor=senior, task=task)
    discard = part.until == Stage.DISCARDED
    decide_spot_check(
        actor=senior,
        task=task,
        consistent=not discard,
        aligned=True,
        evaluable=not discard,
        verdict="discard" if discard else "accept",
        remarks=data["spot_check"]["remarks"]
        if discard
        else "Consistent weights, every requirement covered, and each line can be marked.",
    )
