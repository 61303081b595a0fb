"""The rules by which the stub server plays the three models of JADE."""

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.llm_rule import Asked

_CLAIM = re.compile(r"^<<<CLAIM (\w+)\n(.*)\n\1 CLAIM>>>$", re.MULTILINE | re.DOTALL)
_EXCERPTS = re.compile(r"^<<<EXCERPTS (\w+)\n(.*)\n\1 EXCERPTS>>>$", re.MULTILINE | re.DOTALL)
_TASK_LINES = re.compile(r"^<<<TASKLINES (\w+)\n(.*)\n\1 TASKLINES>>>$", re.MULTILINE | re.DOTALL)
FACT = "Fact: "
VERDICTS = ("supported", "refuted", "unverifiable")
ANSWERS = ("no", "partly", "yes")


def facts_of(candidate: str) -> list[str]:
    """The claims the stub finds in a response: its lines that begin with “Fact: ”."""
    rows = candidate.splitlines()
    return [row.removeprefix(FACT) for row in rows if row.startswith(FACT)]


def verdict_on(claim: str, number_of: Any) -> tuple[str, int]:
    """The verdict the stub gives of a claim, with its confidence in percent."""
    return VERDICTS[number_of(claim, 3)], 60 + number_of(f"sure {claim}", 41)


def answer_on(name: str, candidate: str, number_of: Any) -> str:
    """The answer the stub gives to an item."""
    return ANSWERS[number_of(f"{name}\n{candidate}", 3)]


def report_of(candidate: str, lines: list[str] | None) -> dict[str, Any]:
    """The checklist the stub writes for a response: two items, the first rests on two claims."""
    claims = [
        {
            "id": f"c{n}",
            "claim": fact,
            "quote": f"{FACT}{fact}",
            "source": None,
            "queries": [fact],
            **dict.fromkeys(("value", "unit", "date", "tolerance", "recheck_days")),
        }
        for n, fact in enumerate(facts_of(candidate), start=1)
    ]
    names = [claim["id"] for claim in claims]
    said: dict[str, Any] = {
        "claims": claims,
        "items": [
            {"id": "r1", "text": "Does it conclude?", "weight": 10, "claims": names[:2]},
            {"id": "r2", "text": "Does it name a risk?", "weight": 5, "claims": []},
            {"id": "r3", "text": "Does it invent a price?", "weight": -15, "claims": names[:1]},
        ],
    }
    if lines is not None:
        said["rests_on"] = [{"id": name, "claims": names[-1:]} for name in lines[:1]]
    return said


def flat_items(candidate: str, number_of: Any) -> list[dict[str, Any]]:
    """The flat checklist the stub writes: three to five items, the last one a flaw."""
    rows: list[dict[str, Any]] = [
        {"id": f"r{n}", "text": f"Does it say thing {n}?", "weight": 10 if n == 1 else 5}
        for n in range(1, 3 + number_of(f"flat {candidate}", 3))
    ]
    return [*rows, {"id": "flaw", "text": "Does it invent a price?", "weight": -15}]


def jade_answer(asked: "Asked", number_of: Any) -> dict[str, Any] | None:
    """A good reply to a question of JADE; None if it is none."""
    properties = (asked.schema or {}).get("properties", {})
    candidate = asked.candidate()
    if "claims" in properties:
        found = _TASK_LINES.search(asked.prefix)
        rows = [json.loads(row)["id"] for row in found.group(2).splitlines()] if found else None
        return report_of(candidate, rows if "rests_on" in properties else None)
    if set(properties) == {"items"}:
        return {"items": flat_items(candidate, number_of)}
    if "entailment" in properties:
        claim, excerpts = _CLAIM.search(asked.suffix), _EXCERPTS.search(asked.suffix)
        assert claim
        assert excerpts
        text = json.loads(claim.group(2))["claim"]
        shown = [json.loads(row) for row in excerpts.group(2).splitlines()]
        verdict, sure = verdict_on(text, number_of)
        cited = any("cited_by_the_response" in row for row in shown)
        return {
            "why": "By the rule.",
            "verdict": verdict,
            "confidence": sure,
            "excerpts": [] if verdict == "unverifiable" else [shown[0]["excerpt"]],
            "found_value": None,
            "found_date": None,
            "entailment": "supports" if cited else None,
        }
    entry = properties.get("answers", {}).get("items", {}).get("properties", {})
    if "answer" in entry:
        quote = next((row for row in candidate.splitlines() if row.strip()), "")
        return {
            "answers": [
                {
                    "id": name,
                    "quote": quote,
                    "why": f"By the rule for {name}.",
                    "answer": answer_on(name, candidate, number_of),
                }
                for name in asked.wanted()
            ]
        }
    return None
