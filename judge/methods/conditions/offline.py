"""The rules that stand in for a model: words that profile and condition share. Pure.

docs/offline.md describes them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from judge.asking.providers.inputs import Criterion
from judge.methods.base.framing import plain
from judge.methods.conditions.facts import HIGHEST, LOWEST, NEEDED, is_necessary

STEPS = HIGHEST - LOWEST
MOST_CONDITIONS = 20
_WORD = re.compile(r"[a-z0-9]{2,}|[\u3040-\u9fff]")
_FILLER = frozenset(
    word
    for line in (
        "is of to in or an at on",
        "the and for with that this are its has have from must should profile not who",
        "whose their which least most than more about",
    )
    for word in line.split()
)
_DAY = re.compile(r"\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./]|\b(?:19|20)\d\d\b")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(plain(text))) - _FILLER


def judged_by_rules(lines: Sequence[Criterion], profile: str) -> dict[str, Any]:
    """Return a reply on one profile.

    A condition's grade is 1 plus four times the share of its words that stand in the profile,
    rounded half up; of "language: fr" the words after the colon count. The overall grade is the
    mean by weight, rounded half up.
    """
    said = _words(profile)
    grades = {}
    for line in lines:
        wanted = _words(line.text.rpartition(":")[2]) or _words(line.text)
        share = len(wanted & said) / len(wanted) if wanted else 0.0
        grades[line.id] = LOWEST + int(STEPS * share + 0.5)
    weight = sum(line.weight for line in lines) or 1
    total = sum(line.weight * grades[line.id] for line in lines)
    overall = max(LOWEST, (2 * total + weight) // (2 * weight))
    needed = [grades[line.id] for line in lines if is_necessary(line)]
    met = sum(grade >= NEEDED for grade in needed)
    return {
        "analysis": (
            f"Rules, not a model: the profile has enough words of {met} of {len(needed)} necessary "
            "conditions."
        ),
        "grades": [{"id": name, "grade": grade} for name, grade in grades.items()],
        "overall": overall,
        "selected": overall >= NEEDED and met == len(needed),
    }


def summary_by_rules(profile: str) -> dict[str, str]:
    """Return the beginning of a profile."""
    return {"summary": profile.strip()[:600] or "(empty)"}


def drafted_by_rules(chosen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return conditions from the facts that the chosen profiles share.

    A value that all of them have is necessary (weight 8), one that at least half have is flexible
    (weight 5), the range of a number that all have is flexible (weight 4). Dates are left out.

    Args:
        chosen: the facts of each chosen profile.
    """
    necessary, flexible = [], []
    values: Counter[tuple[str, str]] = Counter()
    numbers: dict[str, list[float]] = {}
    for facts in chosen:
        for name, value in facts.items():
            for one in value if isinstance(value, list) else [value]:
                if type(one) in (int, float):
                    numbers.setdefault(name, []).append(one)
                elif isinstance(one, str) and one.strip() and not _DAY.search(f"{name} {one}"):
                    values[name, one.strip()] += 1
    for (name, value), count in values.most_common():
        if count == len(chosen):
            reason = "Rules, not a model: all chosen profiles have it."
            necessary.append(_condition(f"{name}: {value}", 8, reason))
        elif 2 * count >= len(chosen):
            reason = f"Rules, not a model: {count} of {len(chosen)} chosen profiles have it."
            flexible.append(_condition(f"{name}: {value}", 5, reason))
    for name, found in sorted(numbers.items()):
        if len(found) == len(chosen) and not _DAY.search(name):
            text = f"{name}: {min(found):,.10g} – {max(found):,.10g}"
            reason = "Rules, not a model: the chosen profiles lie in this range."
            flexible.append(_condition(text, 4, reason))
    return {
        "necessary": necessary[:MOST_CONDITIONS],
        "flexible": flexible[: MOST_CONDITIONS - len(necessary[:MOST_CONDITIONS])],
    }


def _condition(text: str, weight: int, reason: str) -> dict[str, Any]:
    return {"condition": text[:300], "weight": weight, "reason": reason}
