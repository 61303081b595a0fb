"""What JADE knows of a task and of a response before and while it is judged.

Names of parts, and what a judgment knows so far. Nothing here asks a model or the database, except
`load`, which a run calls once for all its tasks.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from judge.asking.calls.cost import tokens_of
from judge.asking.prompts.parts import clean
from judge.methods.evidence.tiers.citations import cited_addresses
from judge.methods.evidence.tiers.quality import quality
from judge.methods.evidence.tiers.queries import tiers_in_force
from judge.methods.evidence.tiers.tier_list import TierList
from judge.methods.query_checklists.queries import FrozenChecklist, frozen_for

BASIS, REPORT = "basis", "report"  # parts that every judgment begins with
FOUND_IN, CLAIM, ITEM = "found:", "claim:", "item:"  # beginnings of the names of further parts

WEIGHTS = (5, 10, -15)  # of reasoning items, as of checklists
MOST_SOURCES = 40  # addresses of a response that a question shows

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Own:
    """What is known so far.

    Attributes:
        checklist: the task's, of layer 1; None where the method uses none.
        tiers: the list of source tiers in force.
        report: the response's checklist, of layer 2; None before it is written.
        found: claim -> what was looked up; None before that.
        claims: claim -> verdict; None before the claims are verified.
    """

    checklist: FrozenChecklist | None
    tiers: TierList
    report: Data | None = None
    found: Mapping[str, Data] | None = None
    claims: Mapping[str, Data] | None = None
    lines: tuple[Data, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(_lines(self.checklist)))


def load(tasks: Collection[int], *, with_checklists: bool) -> Mapping[int, Own]:
    """Return task -> what is known of it; a task without a checklist in use is left out.

    Two queries for 5,000 tasks, one without checklists.
    """
    tiers = tiers_in_force()
    if not with_checklists:
        return dict.fromkeys(tasks, Own(None, tiers))
    return {task: Own(checklist, tiers) for task, checklist in frozen_for(tasks).items()}


def basis_of(own: Own, response_text: str) -> dict[str, Any]:
    """Return the finding that needs no model: checklist, sources with their tiers, length.

    Q is in `quality` as numerator and denominator; None without sources.
    """
    found = [own.tiers.tier_of(address) for address in cited_addresses(response_text)]
    total = quality([one.tier for one in found])
    checklist = own.checklist
    return {
        "checklist": None
        if checklist is None
        else {"id": checklist.pk, "sha256": checklist.sha256},
        "lines": list(own.lines),
        "sources": [
            {"address": one.address, "tier": one.tier, "entry": one.entry} for one in found
        ],
        "quality": None if total is None else [total.q.numerator, total.q.denominator],
        "grade": "" if total is None else total.grade,
        "tier_list": own.tiers.number,
        "tokens": tokens_of(response_text),
    }


def sources_of(response_text: str) -> Sequence[str]:
    """Return the addresses that a response cites, as questions number them from 1."""
    return cited_addresses(clean(response_text))[:MOST_SOURCES]


def fraction(pair: Sequence[int] | None) -> Fraction | None:
    """Return a fraction that a finding holds as numerator and denominator."""
    return None if pair is None else Fraction(pair[0], pair[1])


def claims_of(report: Data) -> Mapping[str, Data]:
    """Return the claims of a report's checklist by their ids."""
    return {claim["id"]: claim for claim in report["claims"]}


def id_of(part: str) -> str:
    """Return the id within the name of a part."""
    return part.partition(":")[2]


def _lines(checklist: FrozenChecklist | None) -> list[dict[str, Any]]:
    """Return the lines of layer 1; their ids are their places, as keys may be long."""
    rows = checklist.lines if checklist else ()
    return [
        {
            "id": f"q{n}",
            "key": row.key,
            "text": row.text,
            "weight": row.weight,
            "flaw": row.flaw,
            "skill": row.skill,
            "skill_name": row.skill_name,
        }
        for n, row in enumerate(rows, start=1)
    ]
