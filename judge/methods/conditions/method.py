"""Judging a selection of profiles: the estimated share that the client would select."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import AnswerForm, Task
from judge.asking.prompts.envelope import UnreadableError
from judge.asking.prompts.frames import object_with_list, task_values, token_of, without
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import Criterion, MethodInputs, TaskText
from judge.methods.base.framing import (
    ECHO,
    ELSEWHERE,
    ELSEWHERE_WORDS,
    MethodFrame,
    echoes,
    object_of,
    template_of,
)
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.places import ElsewhereError
from judge.methods.base.values import (
    JUDGE,
    DraftPlan,
    Expected,
    Outcomes,
    Part,
    Points,
    Read,
    TaskFacts,
)
from judge.methods.conditions import drafting
from judge.methods.conditions.extraction import MATCHED, Matched
from judge.methods.conditions.facts import (
    HIGHEST,
    LOWEST,
    NEEDED,
    Facts,
    InconsistentError,
    facts_of,
    is_necessary,
    matched_of,
    read_judgment,
    with_entries,
)
from judge.methods.conditions.listing import SCHEMA, listed_by_rules, read_listing
from judge.methods.conditions.offline import judged_by_rules
from judge.methods.conditions.showing import shown
from judge.methods.profiles.queries import demands, profiles

LIST = "list"
INCONSISTENT = "inconsistent_selection"


class Conditions(Method):
    """One call for each recommended profile; numbers and matches are computed."""

    key = "conditions"
    label = _("Conditions")
    short = _("conditions")
    choice = _("Conditions: each recommended profile against the conditions of the rubric")
    sees = _(
        "The task with its files, the rubric's lines as conditions with kind and weight, and one "
        "profile as the imported table has it; neither the response, nor who was really chosen. "
        "If a list cannot be read reliably, a first call copies its entries; it sees the task and "
        "the response, but no profile."
    )
    forms = frozenset({AnswerForm.SELECTION})
    has_lines = False
    scored_by_lines = False
    has_findings = True
    one_call_per_part = True
    fences: ClassVar[Mapping[str, Any]] = {
        "conditions": _("Conditions"),
        "profile": _("Profile"),
        "summaries": _("Descriptions"),
    }
    skips: ClassVar[Mapping[str, Any]] = {
        "no_selection": _("the task does not say which profiles it chooses from")
    }
    faults: ClassVar[Mapping[str, Any]] = {
        INCONSISTENT: _("Reply selects a profile that fails a necessary condition"),
        ELSEWHERE: ELSEWHERE_WORDS,
    }

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, Facts]:
        """Load what tasks demand, and what profiles are found by. Two queries."""
        return {task: Facts(demand) for task, demand in demands(versions.keys()).items()}

    def why_not(self, task: TaskFacts, own: Any) -> str:
        """Skip a task that names no pool."""
        return "" if own is not None else "no_selection"

    def about(self, material: Material, response_text: str) -> Material:
        """Read the response's list, and load the profiles it names. One query."""
        own: Facts = material.own
        return replace(material, own=facts_of(own.demand, response_text))

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return the list, and each profile of it that the table has."""
        own: Facts = material.own
        return (LIST, *own.profiles)

    def following(
        self, material: Material, response_text: str, findings: Mapping[str, Any]
    ) -> Material | None:
        """Return the profiles of a list that a model has read."""
        own: Facts = material.own
        if not own.asked:
            return None
        entries = [Matched(**row) for row in findings[LIST]["entries"]]
        read = with_entries(own, entries, findings[LIST]["beyond"])
        return replace(material, own=read) if read.profiles else None

    def expected(self, material: Material) -> Sequence[Expected]:
        """Expect as many profiles as are demanded where a model has to list them."""
        own: Facts = material.own
        if not own.asked:
            return ()
        longest = max(map(len, own.known.values()), default=0)
        return (Expected(JUDGE, own.demand.number, longest // 2, 400 + 25 * len(material.lines)),)

    def counted(self, material: Material) -> int:
        """Count the profiles that are judged."""
        own: Facts = material.own
        return len(own.profiles)

    def marks(self, material: Material) -> tuple[str, ...]:
        """What the table says of the profiles settles the judgment, and so does the number."""
        own: Facts = material.own
        return (own.mark,)

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        own: Facts = material.own
        if not own.asked:
            return ProfileFrame(material)
        return MethodFrame(
            material,
            template_of("conditions", "listing"),
            values={"object": inline(own.demand.what)},
            schema=SCHEMA,
            schema_name="entries",
            offline=lambda text, _wanted: listed_by_rules(text),
        )

    def reply_tokens(self, material: Material, parts: int) -> int:
        """An analysis of half a page, and a few tokens for each condition; or the list."""
        own: Facts = material.own
        if own.asked:
            return 60 * (own.demand.number + 20)
        return parts * (400 + 25 * len(material.lines))

    def decided(self, material: Material, response_text: str) -> Read | None:
        """Say what the list is, where that is sure."""
        own: Facts = material.own
        return None if own.asked else self._listed(material, own.entries, own.beyond)

    def _listed(self, material: Material, entries: Sequence[Matched], beyond: int) -> Read:
        data = {
            "number": material.own.demand.number,
            "entries": [entry.as_data() for entry in entries],
            "beyond": beyond,
            "conditions": [
                {
                    "id": line.id,
                    "text": line.text,
                    "necessary": is_necessary(line),
                    "weight": line.weight,
                }
                for line in material.lines
            ],
        }
        return Read(findings={LIST: data})

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the judgment of the one profile asked for, or the list."""
        own: Facts = material.own
        if own.asked:
            return self._read_list(material, response_text, reply, cut=cut)
        part, repaired = wanted[0], []  # type: str, list[str]
        try:
            if len(wanted) != 1:
                raise UnreadableError("One profile is asked for at a time.")
            if echoes(reply, own.profiles[part]):
                raise UnreadableError(ECHO)
            if cut:
                raise UnreadableError("The judgment was cut short.")
            found = read_judgment(reply, material.lines, repaired)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        except InconsistentError as problem:
            notes = {"selected though too low": [str(problem)]}
            return Read(reason=INCONSISTENT, notes=notes)
        return Read(findings={part: found}, notes={"repaired": repaired} if repaired else {})

    def _read_list(self, material: Material, response_text: str, reply: str, *, cut: bool) -> Read:
        own: Facts = material.own
        repaired: list[str] = []
        try:  # it copies the response, so an echo is no fault
            if cut:
                raise UnreadableError("The list was cut short.")
            listed = read_listing(reply, response_text, repaired)
            entries, beyond = matched_of(own.demand, listed)
            if {one.profile for one in entries if one.profile} - own.known.keys():
                raise ElsewhereError("a profile that the response does not name")
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        except ElsewhereError as problem:
            return Read(reason=ELSEWHERE, notes={"not in the response": [str(problem)]})
        found = self._listed(material, entries, beyond)
        return replace(found, notes={"repaired": repaired} if repaired else {})

    def score(self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]) -> Points:
        """Return how many profiles are selected, of the demanded number."""
        number, listed = material.own.demand.number, findings.get(LIST)
        entries = listed["entries"] if listed else ()
        wanted = [row["part"] for row in entries if row["status"] == MATCHED]
        judged = [findings[part] for part in wanted if findings.get(part)]
        if not listed or len(judged) < len(wanted):
            return Points(None, number, len(judged))
        return Points(sum(bool(one["selected"]) for one in judged), number, len(judged))

    def answer_notes(self, tasks: Sequence[int]) -> Mapping[int, str]:
        """Say in which form profiles are recommended, and how many count."""
        template = template_of("conditions")
        return {
            task: template.fill(
                "answer", object=inline(demand.what), number=str(demand.number)
            ).strip()
            for task, demand in demands(tasks).items()
        }

    def draft_plan(self, task: Task, text: TaskText, remarks: str) -> DraftPlan | None:
        """Draft conditions from the profiles that were really chosen."""
        return drafting.plan(task, text, remarks)

    def selections(self, findings: Mapping[str, Any]) -> Mapping[int, bool]:
        """Return which profiles were selected and which not."""
        listed = findings.get(LIST)
        entries = listed["entries"] if listed else ()
        return {
            entry["profile"]: findings[entry["part"]]["selected"]
            for entry in entries
            if entry["status"] == MATCHED and findings.get(entry["part"])
        }

    def exported(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Name profiles by their keys. One query."""
        listed = [entry for row in rows for entry in row.get(LIST, {}).get("entries", ())]
        known = profiles({e["profile"] for e in listed if e["profile"] is not None})
        keys = {pk: profile.key for pk, profile in known.items()}
        return [
            {
                **row,
                LIST: {
                    **row[LIST],
                    "entries": [
                        {**entry, "profile": keys.get(entry["profile"])}
                        for entry in row[LIST]["entries"]
                    ],
                },
            }
            if LIST in row
            else row
            for row in rows
        ]

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Show which condition each profile meets."""
        found = shown(findings, points)
        return Part("methods/base/conditions.html", found) if found else None


class ProfileFrame:
    """The prompts about one response: the same beginning for all of them, then one profile."""

    def __init__(self, material: Material) -> None:
        task = material.task
        self.material, self.template = material, template_of("conditions")
        self.schema = _schema(material.lines)
        own: Facts = material.own
        filled = {
            "domain": inline(task.domain) or "the field",
            "language": language_name(task.language),
            "object": inline(own.demand.what),
            "conditions": "\n".join(map(_condition, material.lines)),
            **task_values(task),
        }
        token = token_of(*filled.values())
        self.prefix = self.template.fill("prefix", token=token, needed=str(NEEDED), **filled)

    def prompt_for(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """Return the prompt about a profile; with several or none it stands for the judgment.

        The response itself is never shown: what it says of a profile must not move its grades.
        """
        own: Facts = self.material.own
        wanted = tuple(own.profiles if only_ids is None else only_ids)
        profile = "\n\n".join(clean(own.profiles[part]) for part in wanted)
        task, lines = self.material.task, self.material.lines
        return Prompt(
            purpose="judge",
            prefix=self.prefix,
            suffix=self.template.fill("suffix", nonce=nonce, profile=without(nonce, profile)),
            schema=self.schema,
            schema_name="profile",
            inputs=MethodInputs(task, "", wanted, partial(judged_by_rules, lines, profile)),
            prompt_version=version_of(self.template, task),
            pictures=task.pictures,
        )


def _condition(line: Criterion) -> str:
    kind = "necessary" if is_necessary(line) else "flexible"
    said = {"id": line.id, "kind": kind, "weight": line.weight, "condition": clean(line.text)}
    return json.dumps(said, ensure_ascii=False)


def _schema(lines: Sequence[Criterion]) -> dict[str, Any]:
    grade = {"type": "integer", "enum": list(range(LOWEST, HIGHEST + 1))}
    name: dict[str, Any] = {"type": "string"}
    if len(lines) <= 250:  # what OpenAI's strict schemas take
        name["enum"] = [line.id for line in lines]
    rows = object_with_list("grades", {"id": name, "grade": grade})["properties"]["grades"]
    return object_of(
        {
            "analysis": {"type": "string"},
            "grades": rows,
            "overall": grade,
            "selected": {"type": "boolean"},
        }
    )
