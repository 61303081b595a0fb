"""What the method knows of a selection task, and what it reads out of a reply about one profile."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.asking.prompts.envelope import Ambiguous, UnreadableError, note, read_object, tidy
from judge.asking.providers.inputs import Criterion
from judge.methods.base.framing import plain
from judge.methods.conditions.extraction import MATCHED, Entry, Matched, match, sure_entries
from judge.methods.profiles.links import link_key
from judge.methods.profiles.models import Profile
from judge.methods.profiles.queries import Demand, PoolIndex, profiles

_WORDS = re.compile(r"[^\s<>\"'`|，。；、）】」()\[\]]+")


@dataclass(frozen=True, slots=True)
class Facts:
    """The demand of a task with the entries of one response; no entries before one is read.

    Attributes:
        entries: the counted ones.
        beyond: how many entries stand after them.
        profiles: part -> profile as JSON text, of the matched entries.
        asked: whether a model still has to list the entries.
        known: primary key -> profile as JSON text, of all that the response may name; then alone.
    """

    demand: Demand
    entries: Sequence[Matched] = ()
    beyond: int = 0
    profiles: Mapping[str, str] = field(default_factory=dict)
    asked: bool = False
    known: Mapping[int, str] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Return a hash of what is judged: which profiles, and what the table says of them."""
        said = [self.demand.number, [entry.as_data() for entry in self.entries], self.profiles]
        if self.asked:
            said.append([self.known[pk] for pk in sorted(self.known)])
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def facts_of(demand: Demand, response_text: str) -> Facts:
    """Read a response's list and load the profiles it names. One query.

    Where the list cannot be read for sure, all profiles that the response may name are loaded.
    """
    listed = sure_entries(response_text)
    entries, beyond = matched_of(demand, listed or ())
    pks = {one.profile for one in entries if one.profile}
    if listed is None:
        pks = _named(response_text, demand.index)
    known = {pk: as_text(profile) for pk, profile in profiles(pks).items()}
    unread = Facts(demand, asked=True, known=known)
    return unread if listed is None else with_entries(unread, entries, beyond)


def matched_of(demand: Demand, listed: Sequence[Entry]) -> tuple[Sequence[Matched], int]:
    """Return the counted entries with their profiles, and how many stand beyond them."""
    return match(listed, demand.number, demand.index), max(0, len(listed) - demand.number)


def with_entries(facts: Facts, entries: Sequence[Matched], beyond: int) -> Facts:
    """Return the facts once the entries are known, with the profiles to be judged.

    Raises:
        KeyError: an entry is a profile that the response was not seen to name.
    """
    judged = {e.part: facts.known[e.profile] for e in entries if e.status == MATCHED and e.profile}
    return Facts(facts.demand, entries, beyond, judged)


def _named(response_text: str, index: PoolIndex) -> set[int]:
    """Return the profiles whose name or link stands anywhere in a response."""
    said = plain(response_text)
    found = {pk for name, pks in index.by_name.items() if plain(name) in said for pk in pks}
    links = {link_key(word.rstrip(".,;:!?*_")) for word in _WORDS.findall(response_text)}
    return found | {index.by_link[link] for link in links if link in index.by_link}


def as_text(profile: Profile) -> str:
    """Return a profile as a model reads it; facts that say nothing are left out."""
    facts = {name: value for name, value in profile.facts.items() if value not in ("", None, [])}
    rows = [f"Name: {profile.name}", f"Link: {profile.link or '(none)'}"]
    rows += [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join([*rows, "", profile.text]).strip()


LOWEST, HIGHEST = 1, 5
NEEDED = 3  # a selected profile has at least this grade in each necessary condition, and overall
MOST_ANALYSIS = 10_000  # characters that are kept


class InconsistentError(Exception):
    """The reply selects a profile that it says does not fit; the message says where."""


def is_necessary(line: Criterion) -> bool:
    """Return whether a condition is necessary: essential lines are, the others are flexible."""
    return line.importance == "essential"


def read_judgment(reply: str, lines: Sequence[Criterion], repaired: list[str]) -> dict[str, Any]:
    """Return analysis, grades by condition, overall grade and whether the profile is selected.

    Raises:
        UnreadableError: a part is missing or unclear, a condition has no grade, two grades, or is
            none of the rubric.
        InconsistentError: the profile is selected, and a necessary condition or the whole is
            graded below NEEDED.
    """
    value = read_object(reply, ("analysis", "grades", "overall", "selected"), repaired)
    analysis, overall, selected = value["analysis"], value["overall"], value["selected"]
    if not isinstance(analysis, str) or not analysis.strip():
        raise UnreadableError("There is no analysis.")
    if not _is_grade(overall):
        raise UnreadableError("The overall grade is no whole number from 1 to 5.")
    if not isinstance(selected, bool):
        raise UnreadableError("“selected” is neither true nor false.")
    grades = _grades(value["grades"], {line.id for line in lines}, repaired)
    if selected:
        low = [line.id for line in lines if is_necessary(line) and grades[line.id] < NEEDED]
        if overall < NEEDED:
            low.append("overall")
        if low:
            raise InconsistentError(", ".join(low))
    return {
        "analysis": tidy(analysis).strip()[:MOST_ANALYSIS],
        "grades": {line.id: grades[line.id] for line in lines},
        "overall": overall,
        "selected": selected,
    }


def _grades(rows: object, known: Collection[str], repaired: list[str]) -> dict[str, int]:
    if not isinstance(rows, list):
        raise UnreadableError("The grades are no list.")
    found: dict[str, int] = {}
    for row in rows:
        if not isinstance(row, dict) or isinstance(row, Ambiguous):
            raise UnreadableError("A grade is not one object.")
        name, grade = row.get("id"), row.get("grade")
        if not isinstance(name, str) or name.strip() not in known:
            raise UnreadableError("A grade is of a condition that there is not.")
        if not isinstance(grade, int) or not _is_grade(grade):
            raise UnreadableError("A grade is no whole number from 1 to 5.")
        if found.setdefault(name.strip(), grade) != grade:
            raise UnreadableError("A condition has two grades.")
        if name != name.strip():
            note(repaired, "spaces around an id")
    if missing := sorted(known - found.keys()):
        raise UnreadableError(f"The condition {missing[0]} has no grade.")
    return found


def _is_grade(value: object) -> bool:
    return type(value) is int and LOWEST <= value <= HIGHEST
