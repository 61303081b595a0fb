"""A draft of conditions: one question about each chosen profile, then one about them all.

The source (xbench, section 3.3 and table 16) summarises each chosen example and then decomposes
the demands into necessary and flexible conditions with weights. Its example gives no rule how kinds
enter a score. Ours: a necessary condition becomes a line of the importance "essential", a flexible
one "optional"; the judge is told which is which, and may select no profile that fails a necessary
one (`judge.methods.conditions.facts`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from curation.tasks.task.models import Task
from judge.asking.prompts.envelope import UnreadableError, note, read_object, squeeze, tidy
from judge.asking.prompts.frames import NOTHING, object_with_list, task_values, token_of, without
from judge.asking.prompts.parsing import MAX_LINE, MAX_LINES, DraftLine, ParsedDraft, RefusedLine
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import MethodInputs, TaskText
from judge.methods.base.framing import object_of, template_of
from judge.methods.base.values import DraftPlan
from judge.methods.conditions.facts import as_text
from judge.methods.conditions.offline import drafted_by_rules, summary_by_rules
from judge.methods.profiles.actions import keep_reasons
from judge.methods.profiles.models import Profile
from judge.methods.profiles.queries import chosen_profiles, demands

MOST_EXAMPLES = 30  # chosen profiles that are described; the source has 2 to 30 for a task
MOST_SUMMARY = 5_000  # characters of a description that are passed on
MOST_REASON = 1_000
KINDS = {"necessary": "essential", "flexible": "optional"}  # kind -> importance of the line
DIMENSION = "constraint_satisfaction"  # of every condition


def plan(task: Task, text: TaskText, remarks: str) -> DraftPlan | None:
    """Return how conditions are drafted; None without a real outcome to derive them from."""
    chosen = chosen_profiles(task)[:MOST_EXAMPLES]
    demand = demands([task.pk]).get(task.pk)
    if not chosen or demand is None:
        return None
    reasons: dict[str, str] = {}
    return DraftPlan(
        steps=tuple(_summary_prompt(text, profile) for profile in chosen),
        last=partial(_draft_prompt, text, demand.what, chosen, remarks),
        read=partial(read_conditions, reasons=reasons),
        keep=partial(keep_reasons, reasons=reasons),
    )


def _values(task: TaskText) -> dict[str, str]:
    return {
        "domain": inline(task.domain) or "the field",
        "language": language_name(task.language),
        **task_values(task),
    }


def _summary_prompt(task: TaskText, profile: Profile) -> Prompt:
    template, values, shown = template_of("conditions"), _values(task), clean(as_text(profile))
    nonce = hashlib.sha256(shown.encode("utf-8", "replace")).hexdigest()[:24]
    return Prompt(
        purpose="draft",
        prefix=template.fill("summary_prefix", token=token_of(*values.values()), **values),
        suffix=template.fill("summary_suffix", nonce=nonce, profile=without(nonce, shown)),
        schema=object_of({"summary": {"type": "string"}}),
        schema_name="summary",
        inputs=MethodInputs(task, shown, (), partial(summary_by_rules, shown)),
        prompt_version=version_of(template, task),
        pictures=task.pictures,
    )


def _draft_prompt(
    task: TaskText, what: str, chosen: Sequence[Profile], remarks: str, replies: Sequence[str]
) -> Prompt:
    """Return the last question.

    Raises:
        UnreadableError: a reply to an earlier question holds no description.
    """
    summaries = [summary_of(reply) for reply in replies]
    template, values = template_of("conditions"), _values(task)
    shown = "\n\n".join(f"{n}. {clean(words)}" for n, words in enumerate(summaries, start=1))
    remarks = clean(remarks).strip()
    token = token_of(*values.values(), shown, remarks)
    part = template.fill("remarks", token=token, remarks=remarks) if remarks else ""
    condition = {
        "condition": {"type": "string"},
        "weight": {"type": "integer"},
        "reason": {"type": "string"},
    }
    lists = {kind: object_with_list(kind, condition)["properties"][kind] for kind in KINDS}
    return Prompt(
        purpose="draft",
        prefix=template.fill("draft_prefix", token=token, object=inline(what), **values),
        suffix=template.fill(
            "draft_suffix", token=token, summaries=shown or NOTHING, remarks_part=part
        ),
        schema=object_of(lists),
        schema_name="conditions",
        inputs=MethodInputs(
            task, shown, (), partial(drafted_by_rules, [profile.facts for profile in chosen])
        ),
        prompt_version=version_of(template, task),
        pictures=task.pictures,
    )


def summary_of(reply: str) -> str:
    """Return the description of a profile in a reply. Raises UnreadableError."""
    summary = read_object(reply, ("summary",), [])["summary"]
    if not isinstance(summary, str) or not tidy(summary).strip():
        raise UnreadableError("There is no description.")
    return tidy(summary).strip()[:MOST_SUMMARY]


def read_conditions(reply: str, *, reasons: dict[str, str]) -> ParsedDraft:
    """Read conditions as lines of a draft; what cannot be used is refused. Never raises.

    Args:
        reasons: takes text of a line -> reason.
    """
    repaired: list[str] = []
    try:
        value = read_object(reply, tuple(KINDS), repaired)
    except UnreadableError as problem:
        return ParsedDraft((), repaired=repaired, problem=str(problem))
    lines: list[DraftLine] = []
    refused: list[RefusedLine] = []
    seen: set[str] = set()
    rows = [
        (importance, row)
        for kind, importance in KINDS.items()
        for row in (value[kind] if isinstance(value[kind], list) else [])
    ]
    for position, (importance, row) in enumerate(rows[: 2 * MAX_LINES], start=1):
        line = _line(row, importance)
        if isinstance(line, DraftLine) and len(lines) >= MAX_LINES:
            line = f"the draft is longer than {MAX_LINES} lines"
        if isinstance(line, DraftLine) and line.text.casefold() in seen:
            line = "says the same as an earlier condition"
        if isinstance(line, str):
            refused.append(RefusedLine(position, "", line))
            note(repaired, f"condition {position}: {line}")
            continue
        seen.add(line.text.casefold())
        lines.append(line)
        why = row.get("reason")
        if isinstance(why, str) and tidy(why).strip():
            reasons[line.text] = tidy(why).strip()[:MOST_REASON]
    return ParsedDraft(tuple(lines), tuple(refused), repaired)


def _line(row: Any, importance: str) -> DraftLine | str:
    """Return a condition as a line, or why it is refused."""
    if not isinstance(row, Mapping):
        return "not one object"
    text, weight = row.get("condition"), row.get("weight")
    if not isinstance(text, str) or not tidy(text).strip():
        return "no text"
    if len(text) > MAX_LINE:
        return f"longer than {MAX_LINE} characters"
    if type(weight) is not int or not 1 <= weight <= 10:
        return "the weight is not a whole number from 1 to 10"
    return DraftLine(squeeze(tidy(text)), importance, weight, DIMENSION, "")
