"""The tasks of the sample programme, each brought to its stage by the real actions."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop

from config.sample import read_task
from config.sample.reviews import answer, explain_marks, read_rounds
from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.models import Decision, PanelPlace
from curation.screening.panels.policy import change_policy, common_policy, rules_of
from curation.screening.panels.voting_actions import open_screening, vote
from curation.tasks.authoring.actions import create_task, submit_task, withdraw_task
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from judge.asking.prompts.builder import draft_prompt
from judge.asking.prompts.parsing import parse_draft
from judge.asking.providers import get
from judge.asking.providers.inputs import TaskText
from judge.suggesting import probes
from review.policy import actions as review_policy
from review.policy.sampling import is_drawn
from review.spot_checks.actions import decide_spot_check, take_spot_check
from rubrics.lines.actions import edit_line
from rubrics.lines.add import add_line
from rubrics.lines.bulk_edit import remove_lines
from rubrics.lines.rearrange import move_line
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import record_draft

People = dict[str, User]


@dataclass(frozen=True)
class Script:
    """Who works on a sample task, and the stage at which it stops.

    Attributes:
        probed: whether the offline provider probes the prompt (pages say that it did).
        drawn: whether the spot check must or must not draw the task; None leaves it to chance.
    """

    slug: str
    author: str
    panel: str
    until: str
    spot_checker: str = ""
    probed: bool = False
    drawn: bool | None = None


GOLD = [
    Script("finance-equity-bridge", "expert.finance3", "author", Stage.APPROVED, "expert.finance"),
    Script("law-lease-break", "expert.law3", "author", Stage.APPROVED, "expert.law"),
    Script(
        "healthcare-ketoacidosis-not-clearing",
        "expert.healthcare2", "author2", Stage.APPROVED, "expert.healthcare",
    ),
    Script(
        "engineering-fire-relief-reinsulated-drum",
        "expert.engineering2", "author2", Stage.APPROVED, "expert.engineering",
    ),
    Script(
        "education-midterm-paper-quality",
        "expert.education3", "expert.education2", Stage.APPROVED, "expert.education",
    ),
    Script(
        "humanities-movable-type-panel",
        "expert.education3", "expert.humanities2", Stage.APPROVED, "expert.humanities",
    ),
    Script(
        "cs-double-refund-incident",
        "expert.cs2", "expert.engineering2", Stage.APPROVED, "expert.cs",
    ),
]  # fmt: skip

OTHERS = [
    Script("law-germany-redundancies", "author", "expert.law3", Stage.REFINING),
    Script(
        "engineering-arc-flash-motor-control-centre",
        "expert.engineering2", "author2", Stage.DISCARDED, "expert.engineering", drawn=True,
    ),
    Script(
        "healthcare-anticoagulant-dose-audit",
        "author2", "expert.healthcare2", Stage.SPOT_CHECK, drawn=True,
    ),
    Script("finance-fx-hedge-policy", "author", "expert.finance3", Stage.IN_REVIEW),
    Script("engineering-check-valve-slam", "author2", "expert.engineering2", Stage.REFINING),
    Script(
        "humanities-siku-seven-pavilions", "expert.humanities", "expert.education3", Stage.DRAFTING
    ),
    Script("education-inclusive-reading-plan", "expert.education3", "", Stage.SCREENING),
    Script(
        "education-ratio-misconception-lesson",
        "expert.education2", "", Stage.SCREENING, probed=True,
    ),
    Script("cs-onsale-capacity", "expert.engineering2", "", Stage.SCREENING),
    Script("cs-order-id-bigint", "expert.cs2", "", Stage.SUBMITTED),
    Script(
        "humanities-old-style-letters",
        "expert.humanities2", "expert.education3", Stage.DRAFT, probed=True,
    ),
    Script("law-promissory-estoppel", "expert.law2", "expert.law3", Stage.REJECTED, probed=True),
    Script(
        "healthcare-anaphylaxis-clinic-review", "author2", "expert.healthcare2", Stage.WITHDRAWN
    ),
    Script("finance-receivables-sale", "author", "", Stage.DRAFT),
    Script("finance-wind-lock-up", "expert.finance2", "expert.finance3", Stage.DECIDING),
]  # fmt: skip

PANEL_REASONS = {
    "en": "Typical of the profession, hard enough to separate good from plausible, and every "
    "point of it can be marked.",
    "zh": "属于本行业的日常工作，难度足以区分“写得好”和“看着像”，且每一点都能判定对错。",
}
OFFLINE = ["offline:rules-1"]
LEFT_IN_POOL = "education-inclusive-reading-plan"  # a task whose places are all free
TWO_REVIEWERS = ("healthcare",)  # domains with two reviewers per rubric
RULES: dict[str, dict[str, Any]] = {  # domain -> the rules of its panels
    "education": {"quorum": 2, "tie": "one_more", "days": 7},
    "law": {"solved_percent": 50},
}


def set_rules(people: People) -> None:
    """Give some domains rules of their own, as staff would."""
    for key, rules in RULES.items():
        change_policy(
            actor=people["staff"],
            domain=Domain.objects.get(key=key),
            **{**rules_of(common_policy()), **rules},
        )
    for key in TWO_REVIEWERS:
        domain = Domain.objects.get(key=key)
        rules = {
            **review_policy.rules_of(review_policy.common_policy()),
            "reviewers": 2,
            "quorum": 2,
        }
        review_policy.change_policy(actor=people["staff"], domain=domain, **rules)


def walk(script: Script, people: People) -> Task:
    """Bring a task to its stage, step by step."""
    data = read_task(script.slug)
    task = write(script, data, people)
    if script.slug == "finance-receivables-sale":
        return task
    author = people[script.author]
    submit_task(actor=author, task=task)
    if script.until == Stage.SUBMITTED:
        return task
    if script.probed:
        probes.probe_and_open_screening(task, models=OFFLINE)
    else:
        open_screening(task=task, probing={"problem": "no_model"})
    if script.until == Stage.SCREENING:
        seat_the_panel(script, task, people)
        return task
    decide(script, data, task, people)
    task.refresh_from_db()
    if task.stage != Stage.DRAFTING or script.until == Stage.DRAFTING:
        return task
    draft(task)
    if script.until == Stage.WITHDRAWN:
        return withdraw_task(actor=author, task=task, reason=data["withdrawal"]["reason"])
    if not data.get("rubric"):
        return task
    refine(task, data["rubric"], author)
    if "set_aside" in data:
        explain_marks(task, data["rubric"], data["set_aside"])
    send_to_review(actor=author, task=task)
    task.refresh_from_db()
    review(script, data, task, people)
    task.refresh_from_db()
    return task


def seat_the_panel(script: Script, task: Task, people: People) -> None:
    """Seat demo accounts on the panel of the probed task; draw the other panels."""
    if script.slug == LEFT_IN_POOL:
        return
    if script.probed:
        join_panel(actor=people["reviewer"], task=task, kind=PanelPlace.Kind.CHECK)
        for name in ("scorer", "senior"):
            join_panel(actor=people[name], task=task)
    fill_panel(task)


def write(script: Script, data: dict[str, Any], people: People) -> Task:
    """Create the author's draft."""
    domain = Domain.objects.get(key=data["domain"])
    names = data["category_names"]
    category, _created = Category.objects.get_or_create(
        domain=domain,
        key=data["category"],
        defaults={"name": names["en"], "name_zh": names["zh"]},
    )
    return create_task(
        actor=people[script.author],
        domain=domain,
        key=key_for(script),
        category=category,
        language="zh-hans" if data["language"] == "zh" else "en",
        sources=data.get("sources", ""),
        **{n: data[n] for n in ("minutes", "rate_band", "change", "title", *TEXT_PARTS)},
    )


def key_for(script: Script) -> str:
    """Return a key for which the spot check's draw gives the result the script needs."""
    return script.slug if script.drawn is None else drawn_key(script.slug, script.drawn)


def drawn_key(slug: str, drawn: bool) -> str:
    """Return a key that the spot check's draw takes, or does not take.

    The draw is a function of the key, so the slug gets a number until it fits.
    """
    key, number = slug, 1
    while drawn != is_drawn(settings.SPOT_CHECK_SALT, key, settings.SPOT_CHECK_RATE):
        number += 1
        if number > 1000:  # at a rate of 0 or 1 no key fits
            break
        key = f"{slug}-{number}"
    return key


def decide(script: Script, data: dict[str, Any], task: Task, people: People) -> None:
    """Cast the panel's vote that the script needs."""
    member = people[script.panel]
    join_panel(actor=member, task=task)
    decision = {Stage.DRAFT: Decision.RETURN, Stage.REJECTED: Decision.REJECT}.get(
        Stage(script.until), Decision.KEEP
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
    """Record the offline draft: the sample is the same with and without a configured model."""
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
        reason=gettext_noop("No model is configured, so this is the offline draft."),
    )


def refine(task: Task, lines: list[dict[str, Any]], author: User) -> None:
    """Replace the draft's lines by those of the file, as the author.

    A drafted line that shares at least 0.3 of its words with a line of the file (Jaccard index) is
    edited into it; other drafted lines are removed, other lines of the file added.
    """
    version = task.rubric_versions.get(frozen_at__isnull=True)
    drafted = list(version.criteria.select_related("source"))
    kept: dict[str, Any] = {}
    for row in lines:
        near = max(drafted, key=lambda d: _likeness(d.text, row["text"]), default=None)
        if near is not None and _likeness(near.text, row["text"]) >= 0.3:
            kept[row["id"]] = near
            drafted.remove(near)
    if drafted:
        remove_lines(actor=author, task=task, lines={line.pk for line in drafted})
    before: Any = None  # add each line after the one before it, so that few lines have to move
    for row in lines:
        values = {k: row[k] for k in ("text", "importance", "weight", "dimension")}
        if row["id"] in kept:
            edit_line(actor=author, task=task, criterion=kept[row["id"]], revision=None, **values)
            before = kept[row["id"]]
        else:
            before = add_line(actor=author, task=task, after=before, **values)
    _order(task, [row["text"] for row in lines])


def _likeness(one: str, other: str) -> float:
    a, b = set(one.lower().split()), set(other.lower().split())
    return len(a & b) / len(a | b) if a | b else 0.0


def _order(task: Task, texts: list[str]) -> None:
    now = list(task.rubric_versions.get(frozen_at__isnull=True).criteria.order_by("position", "id"))
    for place, text in enumerate(texts):
        here = next(n for n, line in enumerate(now) if line.text == text.strip())
        if here != place:
            move_line(actor=task.author, task=task, criterion=now[here], by=place - here)
            now.insert(place, now.pop(here))


def review(script: Script, data: dict[str, Any], task: Task, people: People) -> None:
    """Play the rounds of review; without any in the file every line is approved."""
    read_rounds(task, data, "review_round_1")
    task.refresh_from_db()
    second = data.get("review_round_2")
    if task.stage == Stage.REFINING and second is not None:
        answer(task, data["rubric"], second["answers"], people[script.author])
        task.refresh_from_db()
        read_rounds(task, data, "review_round_2")
        task.refresh_from_db()
    if task.stage == Stage.SPOT_CHECK and script.until != Stage.SPOT_CHECK:
        spot_check(script, data, task, people)


def spot_check(script: Script, data: dict[str, Any], task: Task, people: People) -> None:
    """Take the spot check and decide it as the senior."""
    senior = people[script.spot_checker]
    take_spot_check(actor=senior, task=task)
    discard = script.until == Stage.DISCARDED
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
