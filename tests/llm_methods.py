"""The rules by which the stub server answers the methods of judging beside line by line."""

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from judge.methods.conditions.listing import listed_by_rules
from tests.llm_jade import jade_answer

if TYPE_CHECKING:
    from tests.llm_rule import Asked

_PROFILE = re.compile(r"^<<<PROFILE (\w+)\n(.*)\n\1 PROFILE>>>$", re.MULTILINE | re.DOTALL)
_CONDITION = re.compile(r'^\{"id": "([^"]+)", "kind": "(\w+)"', re.MULTILINE)
_GOLD = re.compile(r"^<<<GOLD (\w+)\n(.*)\n\1 GOLD>>>$", re.MULTILINE | re.DOTALL)


def number_of(text: str, of: int) -> int:
    """A number from 0 to below `of`: some bits of a hash."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) % of


def grade_of(candidate: str) -> int:
    """The grade the stub gives."""
    return 1 + number_of(candidate, 5)


def is_right(candidate: str) -> bool:
    """Whether the stub takes a final answer for the right one."""
    return number_of(candidate, 2) == 1


def entries_of(candidate: str, gold: dict[str, str]) -> list[dict[str, Any]]:
    """The entries the stub finds: lines that begin with a hyphen; "Made-up" ones are invented."""
    found = []
    for row in candidate.splitlines():
        if row.startswith("- "):
            name = row.removeprefix("- ")
            line = next((key for key, text in gold.items() if name in text.split("|")), None)
            found.append(
                {
                    "entry": name,
                    "line": line,
                    "invented": line is None and name.startswith("Made-up"),
                    "why": "By the rule.",
                }
            )
    return found


def judged_profile(profile: str, conditions: list[tuple[str, str]]) -> dict[str, Any]:
    """The judgment the stub gives of a profile: grades by a hash, and never a contradiction."""
    grades = {name: 1 + number_of(f"{name}\n{profile}", 5) for name, _kind in conditions}
    needed = [grades[name] for name, kind in conditions if kind == "necessary"]
    selected = min(needed, default=5) >= 3
    return {
        "analysis": "By the rule.",
        "grades": [{"id": name, "grade": grade} for name, grade in grades.items()],
        "overall": 4 if selected else 2,
        "selected": selected,
    }


def answer_of(asked: "Asked", verdict_of: Any) -> str | None:
    """The text of a good reply to a method's question; None if it is no such question."""
    properties = (asked.schema or {}).get("properties", {})
    candidate = asked.candidate()
    said = jade_answer(asked, number_of)
    if said is not None:
        return json.dumps(said, ensure_ascii=False)
    if "grade" in properties:
        said = {"analysis": "By the rule.", "grade": grade_of(candidate)}
    elif "extracted" in properties:
        last = (candidate.strip().splitlines() or [""])[-1]
        said = {
            "extracted": last.removeprefix("Answer: ").split(" (")[0],
            "reason": "By the rule.",
            "correct": is_right(candidate),
            "confidence": None,
        }
    elif "entries" in properties and "name" in str(properties["entries"]):
        said = listed_by_rules(candidate)
    elif "entries" in properties:
        found = _GOLD.search(asked.prefix)
        rows = [json.loads(row) for row in found.group(2).splitlines()] if found else []
        said = {"entries": entries_of(candidate, {row["id"]: row["line"] for row in rows})}
    elif "selected" in properties:
        profile = _PROFILE.search(asked.suffix)
        assert profile
        said = judged_profile(profile.group(2), _CONDITION.findall(asked.prefix))
    elif "summary" in properties:
        profile = _PROFILE.search(asked.suffix)
        assert profile
        said = {"summary": f"It is {profile.group(2).splitlines()[0]}."}
    elif "necessary" in properties:
        said = {
            "necessary": [{"condition": "Posts in French", "weight": 9, "reason": "All do."}],
            "flexible": [
                {"condition": "Has 10,000 followers", "weight": 4, "reason": "Most have."},
                {"condition": "Films outdoors", "weight": 11, "reason": "Some do."},
            ],
        }
    elif "answers" in properties:
        quote = candidate.strip().splitlines()[0]
        said = {
            "answers": [
                {
                    "id": name,
                    "quote": quote if verdict_of(name, candidate) else "",
                    "why": f"By the rule for {name}.",
                    "agrees": verdict_of(name, candidate),
                }
                for name in asked.wanted()
            ]
        }
    else:
        return None
    return json.dumps(said, ensure_ascii=False)
