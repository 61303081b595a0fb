"""Judging a list against a gold list, whose items are the lines of the rubric."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from curation.tasks.task.models import AnswerForm, Task
from judge.asking.prompts.envelope import UnreadableError, squeeze, tidy
from judge.asking.prompts.frames import checklist_of, object_with_list
from judge.asking.prompts.parts import inline
from judge.asking.providers.inputs import TaskText
from judge.asking.providers.rules.passages import Passage, passages
from judge.methods.base.drafting import Drafting, Row
from judge.methods.base.framing import (
    ECHO,
    ELSEWHERE,
    ELSEWHERE_WORDS,
    MethodFrame,
    echoes,
    occurs,
    plain,
    template_of,
)
from judge.methods.base.material import Frame, Material
from judge.methods.base.method import Method
from judge.methods.base.places import ElsewhereError
from judge.methods.base.values import MET, UNMET, DraftPlan, Outcomes, Part, Points, Read
from judge.methods.list_match import reading
from judge.methods.list_match.bands import HIGHEST, LOWEST, grade_of
from judge.methods.list_match.facts import ListFacts, list_facts

# The lines are all alike in importance and weight, because the method counts items and no weights.


LINE = {"importance": "essential", "weight": 5, "dimension": "accuracy"}
MOST_NAMES = 20
MOST_ITEMS = 200  # as many lines as a draft may have

_SEPARATED = re.compile(r"[,，、;；]\s*")
_AND = re.compile(r"(?:^|\s)and\s")
_EXPLAINED = re.compile(r"[:：]\s*|\s[–—-]+\s+|——")
_BRACKETS = re.compile(r"[(（]([^()（）]{1,80})[)）]")
_LONGEST = 80  # characters; what is longer is a sentence and no name


def line_of(row: Row, reference: str) -> dict[str, Any] | str:
    """Return the line of a gold item, or why it is refused."""
    names: list[str] = []
    others = row.get("other_names")
    for name in (row.get("item"), *(others if isinstance(others, list) else [])):
        # "|" parts the names of a line.
        name = squeeze(tidy(name)).replace("|", "/") if isinstance(name, str) else ""
        if not name and not names:
            return "no text"
        if name and name.casefold() not in (known.casefold() for known in names):
            names.append(name)
    said = plain(reference)
    if not any(occurs(name, said) for name in names):
        return "does not stand in the reference answer"
    return {**LINE, "text": " | ".join(names[:MOST_NAMES]), "quote": row.get("quote")}


def by_rules(reference: str) -> dict[str, Any]:
    """Return the items that a reference answer lists, as the rules that stand in for a model.

    Items are its list items and the first cells of its table rows, as far as their first colon,
    dash; without any, the parts of the first sentence that has commas. Names in brackets are other
    names.
    """
    found = passages(reference)
    listed = [passage for passage in found if passage.kind in ("item", "row")]
    rows = _listed(listed) if listed else _enumerated(found)
    return {"items": [row for row in rows if row["item"]][:MOST_ITEMS]}


def _listed(found: list[Passage]) -> Iterator[dict[str, Any]]:
    for passage in found:
        words = passage.cells[0][0] if passage.cells else passage.text
        if words[-1:] in ".。" and not _EXPLAINED.search(words):
            continue  # a sentence that goes on about the item before
        yield _item(_EXPLAINED.split(words, maxsplit=1)[0], passage.quote)


def _enumerated(found: list[Passage]) -> Iterator[dict[str, Any]]:
    for passage in found:
        _head, colon, after = passage.text.replace("：", ":").partition(":")
        words = _BRACKETS.sub(_kept_whole, after if colon else passage.text)
        parts = _SEPARATED.split(words.strip(" .。"))
        if len(parts) > 1:
            for part in (*parts[:-1], *_AND.split(parts[-1])):
                yield _item(part.replace("\0", ","), passage.quote)
            return


def _kept_whole(bracket: re.Match[str]) -> str:
    """A bracket whose commas do not part items."""
    return _SEPARATED.sub("\0", bracket.group())


def _item(words: str, quote: str) -> dict[str, Any]:
    others = [name for inside in _BRACKETS.findall(words) for name in _SEPARATED.split(inside)]
    name = squeeze(_BRACKETS.sub(" ", words)).strip(" .。,，")
    return {
        "item": name if len(name) <= _LONGEST and any(map(str.isalnum, name)) else "",
        "other_names": [name for other in others if (name := other.strip())],
        "quote": quote,
    }


DRAFTING = Drafting(
    method="list_match",
    rows="items",
    properties={
        "item": {"type": "string"},
        "other_names": {"type": "array", "items": {"type": "string"}},
        "quote": {"type": "string"},
    },
    line=line_of,
    offline=by_rules,
)


LIST = "list"
LEFT_OUT = "left_out"
STEPS = HIGHEST - LOWEST


class ListMatch(Method):
    """A model takes the list apart; cutting, coverage and grade are computed."""

    key = "list_match"
    label = _("List match")
    short = _("list match")
    choice = _("List match: coverage of a gold list, invented entries named")
    sees = _(
        "The task with its files, the gold list (the words of the rubric's lines) and the "
        "response; neither the demanded number nor the bands: what counts is computed."
    )
    forms = frozenset({AnswerForm.LIST})
    scored_by_lines = False
    gives_grades = True
    has_findings = True
    fences: ClassVar[Mapping[str, Any]] = {"gold": _("Gold list")}
    faults: ClassVar[Mapping[str, Any]] = {
        ELSEWHERE: ELSEWHERE_WORDS,
        LEFT_OUT: _("Reply leaves out items of the list"),
    }

    def own_facts(self, versions: Mapping[int, int | None]) -> Mapping[int, ListFacts]:
        """Load demands and bands. Two queries."""
        return list_facts(versions.keys())

    def parts(self, material: Material) -> tuple[str, ...]:
        """Return the one part, the list; the verdicts on gold items follow from it."""
        return (LIST,)

    def marks(self, material: Material) -> tuple[str, ...]:
        """Number and bands settle the score, and no prompt shows them."""
        own: ListFacts = material.own
        return (f"first {_number(material)}", f"bands {own.bands.coverage} {own.bands.invented}")

    def frame(self, material: Material) -> Frame:
        """Return the builder of prompts."""
        own: ListFacts = material.own
        return MethodFrame(
            material,
            template_of("list_match"),
            values={"gold": checklist_of(material.lines), "object": inline(own.what)},
            schema=_schema(material.ids),
            schema_name="entries",
            offline=lambda text, _wanted: _by_rules(material, text),
        )

    def reply_tokens(self, material: Material, parts: int) -> int:
        """About two entries for each gold item, eighty tokens each."""
        return 80 * (2 * len(material.lines) + 5)

    def read(
        self,
        material: Material,
        response_text: str,
        reply: str,
        wanted: Sequence[str],
        *,
        cut: bool,
    ) -> Read:
        """Read the entries; the gold items they match among the first ones are met."""
        repaired: list[str] = []
        try:
            if echoes(reply, response_text):
                raise UnreadableError(ECHO)
            if cut:
                raise UnreadableError("The list was cut short.")
            entries = reading.read_entries(reply, response_text, material.ids, repaired)
        except UnreadableError as problem:
            return Read(reason="unreadable", problem=str(problem))
        except ElsewhereError as problem:
            return Read(reason=ELSEWHERE, notes={"not in the response": [str(problem)]})
        except reading.LeftOutError as problem:
            return Read(reason=LEFT_OUT, notes={"left out": [str(problem)]})
        number = _number(material)
        first, beyond = reading.counted(entries, number)
        covered = reading.covered_lines(first)
        found = grade_of(
            covered=len(covered),
            of=min(number, len(material.lines)),
            invented=sum(entry.invented for entry in first),
            entries=len(first),
            bands=material.own.bands,
        )
        data = {
            **asdict(found),
            "counted": reading.as_data(first),
            "beyond": reading.as_data(beyond),
            "number": number,
            "bands": list(material.own.bands.coverage),
            "table": material.own.bands.number,
        }
        lines = {
            key: (MET, covered[key]) if key in covered else (UNMET, "") for key in material.ids
        }
        return Read(lines, {LIST: data}, notes={"repaired": repaired} if repaired else {})

    def score(self, material: Material, outcomes: Outcomes, findings: Mapping[str, Any]) -> Points:
        """Return (x - 1) of 4 for the grade x."""
        found = findings.get(LIST)
        if not found:
            return Points(None, STEPS, 0)
        return Points(found["grade"] - LOWEST, STEPS, len(material.lines))

    def answer_notes(self, tasks: Sequence[int]) -> Mapping[int, str]:
        """Say how the list is to be given, and the number only where staff demand one."""
        template, found = template_of("list_match"), {}
        for task, facts in list_facts(tasks).items():
            most = template.fill("most", number=str(facts.number)).strip() if facts.number else ""
            found[task] = template.fill("answer", object=inline(facts.what), most=most).strip()
        return found

    def draft_plan(self, task: Task, text: TaskText, remarks: str) -> DraftPlan:
        """Draft a gold list from the reference answer."""
        facts = list_facts([task.pk])[task.pk]
        return DRAFTING.plan(task, text, remarks, object=inline(facts.what))

    def part(self, findings: Mapping[str, Any], *, points: float | None) -> Part | None:
        """Show the entries with what each is, and how the grade follows."""
        found = findings.get(LIST)
        if not found:
            return None
        invented = [
            row["entry"] for row in (*found["counted"], *found["beyond"]) if row["invented"]
        ]
        data = {
            **found,
            "points": points,
            "coverage": 100 * found["covered"] / found["of"],
            "named": invented,
            "limited": found["grade"] < found["by_coverage"],
        }
        return Part("methods/base/list_match.html", data)


def _number(material: Material) -> int:
    """Return how many entries count: as many as are demanded, else as gold items."""
    own: ListFacts = material.own
    return own.number or len(material.lines)


def _schema(ids: Sequence[str]) -> Mapping[str, Any]:
    line: dict[str, Any] = {"type": "string"}
    if len(ids) <= 250:  # what OpenAI's strict schemas take
        line["enum"] = list(ids)
    return object_with_list(
        "entries",
        {
            "entry": {"type": "string"},
            "line": {"anyOf": [line, {"type": "null"}]},
            "invented": {"type": "boolean"},
            "why": {"type": "string"},
        },
    )


def _by_rules(material: Material, response: str) -> dict[str, Any]:
    """The rule that stands in for a model: lines of a list, matched by their names.

    An entry is a line that begins with a bullet or a number, as far as its first colon, comma or
    dash; without any such line, every line is one. It matches the item one of whose names it
    holds. Nothing is ever called invented: rules know nothing of the world.
    """
    rows = [row.strip() for row in response.splitlines() if row.strip()]
    listed = [row for row in rows if row[0] in "-*•" or row.split(".")[0].isdigit()]
    entries = []
    for row in listed or rows:
        name = row.lstrip("-*•0123456789.) ").split(":")[0].split(" – ")[0].split(" - ")[0].strip()
        if not any(map(str.isalnum, name)):
            continue
        line = next((one.id for one in material.lines if _names_it(one.text, name)), None)
        why = "Rules, not a model: the same name." if line else "Rules, not a model: no such name."
        entries.append({"entry": name[:300], "line": line, "invented": False, "why": why})
    return {"entries": entries[: reading.MOST_ENTRIES]}


def _names_it(item: str, entry: str) -> bool:
    said = plain(entry)
    return any(occurs(name, said) for name in item.split("|"))
