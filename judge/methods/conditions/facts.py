"""What the method knows of a selection task and of one response to it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.methods.conditions.extraction import MATCHED, Matched, entries_of, match
from judge.profiles.models import Profile
from judge.profiles.queries import Demand, profiles


@dataclass(frozen=True, slots=True)
class Facts:
    """The demand of a task with the entries of one response; no entries before one is read.

    Attributes:
        entries: the counted ones.
        beyond: how many entries stand after them.
        profiles: part -> profile as JSON text, of the matched entries.
    """

    demand: Demand
    entries: Sequence[Matched] = ()
    beyond: int = 0
    profiles: Mapping[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Return a hash of what is judged: which profiles, and what the table says of them."""
        said = [self.demand.number, [entry.as_data() for entry in self.entries], self.profiles]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def facts_of(demand: Demand, response_text: str) -> Facts:
    """Read a response's list and load the profiles it names. One query."""
    listed = entries_of(response_text)
    entries = match(listed, demand.number, demand.index)
    matched = {e.part: e.profile for e in entries if e.status == MATCHED and e.profile is not None}
    rows = profiles(matched.values())
    return Facts(
        demand,
        entries,
        max(0, len(listed) - demand.number),
        {part: as_text(rows[pk]) for part, pk in matched.items()},
    )


def as_text(profile: Profile) -> str:
    """Return a profile as a model reads it; facts that say nothing are left out."""
    facts = {name: value for name, value in profile.facts.items() if value not in ("", None, [])}
    rows = [f"Name: {profile.name}", f"Link: {profile.link or '(none)'}"]
    rows += [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join([*rows, "", profile.text]).strip()
