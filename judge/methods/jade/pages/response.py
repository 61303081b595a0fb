"""What the page of a response shows of JADE: scores, gates, each claim with its evidence. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.safestring import SafeString

from judge.methods.evidence.tiers.hosts import host_of
from judge.methods.evidence.tiers.tier_list import TIER_NAMES
from judge.methods.jade.facts import BASIS, CLAIM, FOUND_IN, ITEM, REPORT, Data
from judge.methods.jade.outcomes import (
    Findings,
    claims_in,
    items_in,
    reasons_of,
    scores_of,
    value_in,
)
from judge.methods.jade.pages import words
from judge.methods.jade.pages.measures import Measures, measures_of
from judge.methods.jade.pages.picture import Node, Tie, gates
from judge.methods.jade.scoring import TAU, Counted, Verification

Day = date  # a claim has a field of that name


@dataclass(frozen=True, slots=True)
class Address:
    """An address as text; `link` is "" where following it is not safe."""

    text: str
    link: str
    tier: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that decides, with its page."""

    page: Address
    title: str
    text: str
    fetched_at: datetime
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with its evidence.

    Attributes:
        stated: the number that it states, with its unit; "" for none. `holds_on` is when it holds.
        tolerance: by how many percent it may be off; None without a number.
        value: V in percent; None while it is not verified.
        closes: whether it closes the gate of what rests on it.
        gap: why the cited page cannot be read, as a sentence.
        also: how many excerpts were shown that do not decide.
        feeds: ids of the items that rest on it.
    """

    id: str
    text: str
    quote: str
    stated: str
    holds_on: str
    tolerance: float | None
    verdict: str
    icon: str
    tone: str
    confidence: int | None
    value: float | None
    closes: bool
    why: str
    found_value: str
    found_date: str
    off_percent: float | None
    excerpts: tuple[Excerpt, ...]
    also: int
    cited: Address | None
    entailment: str
    gap: str
    laundered: bool
    verify_again: Day | None
    feeds: tuple[str, ...]

    @property
    def finding(self) -> str:
        """The name of its finding."""
        return f"{CLAIM}{self.id}"


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with its answer.

    Attributes:
        rests_on: (claim, verdict in words).
        gated_by: the same of the claims that close its gate.
        points: what it counts, of `weight`; None where that is unknown.
        fails: whether it counts nothing, or is a flaw that counts.
        half: whether it is partly answered.
    """

    id: str
    text: str
    layer: int
    skill: str
    weight: int
    flaw: bool
    answer: str
    why: str
    quote: str
    rests_on: tuple[tuple[str, str], ...]
    gated_by: tuple[tuple[str, str], ...]
    points: float | None
    fails: bool
    half: bool

    @property
    def finding(self) -> str:
        """The name of its finding."""
        return f"{ITEM}{self.id}"


@dataclass(frozen=True, slots=True)
class Shown:
    """The part of a page. `verified` says whether the method verifies claims."""

    points: float | None
    why: tuple[str, ...]
    verified: bool
    measures: Measures
    items: tuple[ItemRow, ...]
    claims: tuple[ClaimRow, ...]
    sources: tuple[Address, ...]
    grade: str
    picture: SafeString | str
    gated: int
    left_out: Data


def shown(findings: Findings, points: float | None, *, verified: bool) -> Shown | None:
    """Return what a page shows; None before anything is known.

    Args:
        findings: name -> data; None for a finding that failed.
        points: the score in points of 100; None without one.
    """
    basis, report = findings.get(BASIS), findings.get(REPORT)
    if not basis:
        return None
    scores = scores_of(findings)
    claims, rows = claims_in(findings), items_in(findings)
    verdicts = {name: _verdict(said) for name, said in claims.items()}
    counted = {one.id: one for one in scores.items}
    items = tuple(_item(row, counted[row["id"]], verdicts) for row in rows)
    feeds = {name: tuple(row["id"] for row in rows if name in row["depends_on"]) for name in claims}
    tiers = {one["address"]: one["tier"] for one in basis["sources"]}
    found = tuple(
        _claim(claim, claims[claim["id"]], findings, feeds[claim["id"]], tiers)
        for claim in (report["claims"] if report else ())
    )
    why = reasons_of(findings, verified=verified)
    return Shown(
        points=points,
        why=tuple(words.word(words.WHY, one) for one in why),
        verified=verified,
        measures=measures_of(findings, verified=verified),
        items=items,
        claims=found,
        sources=tuple(_address(one["address"], tiers) for one in basis["sources"]),
        grade=basis["grade"],
        picture=_picture(items, found),
        gated=sum(bool(one.gated_by) for one in items),
        left_out=report["left_out"] if report else {"claims": 0, "items": 0},
    )


def _verdict(said: Data | None) -> str:
    return words.word(words.VERDICTS, said["verdict"]) if said else str(words.NOT_VERIFIED)


def _item(row: Data, counted: Counted, verdicts: Mapping[str, str]) -> ItemRow:
    said, flaw = row["said"], row["flaw"]
    return ItemRow(
        id=row["id"],
        text=row["text"],
        layer=row["layer"],
        skill=row.get("skill_name") or row["skill"],  # judgments before names were kept
        weight=row["weight"],
        flaw=flaw,
        answer=words.word(words.FLAWS if flaw else words.ANSWERS, said["answer"]) if said else "",
        why=said["why"] if said else "",
        quote=said["quote"] if said else "",
        rests_on=tuple((name, verdicts[name]) for name in row["depends_on"]),
        gated_by=tuple((name, verdicts[name]) for name in counted.gated_by),
        points=None if counted.points is None else float(counted.points),
        fails=counted.value is not None and (counted.value > 0 if flaw else counted.value == 0),
        half=bool(said and said["answer"] == "partly"),
    )


def _claim(
    claim: Data,
    said: Data | None,
    findings: Findings,
    feeds: tuple[str, ...],
    tiers: Mapping[str, int],
) -> ClaimRow:
    found = findings.get(f"{FOUND_IN}{claim['id']}") or {"excerpts": (), "cited": None}
    icon, tone = words.SHAPES[Verification(said["verdict"])] if said else ("warning", "wait")
    value = value_in(said)
    chosen = tuple(
        _excerpt(one, tiers) for one in found["excerpts"] if said and one["n"] in said["excerpts"]
    )
    gap = found["cited"]["gap"] if found["cited"] else None
    due = said["verify_again"] if said else None
    return ClaimRow(
        id=claim["id"],
        text=claim["text"],
        quote=claim["quote"],
        stated=" ".join(one for one in (claim["value"], claim["unit"]) if one),
        holds_on=claim["date"] or "",
        tolerance=claim["tolerance"],
        verdict=_verdict(said),
        icon=icon,
        tone=tone,
        confidence=said["confidence"] if said and found["excerpts"] else None,
        value=None if value is None else float(100 * value),
        closes=value is not None and value < TAU,
        why=said["why"] if said else "",
        found_value=(said["found_value"] or "") if said else "",
        found_date=(said["found_date"] or "") if said else "",
        off_percent=said["off_percent"] if said else None,
        excerpts=chosen,
        also=len(found["excerpts"]) - len(chosen),
        cited=_address(claim["source"], tiers) if claim["source"] else None,
        entailment=words.word(words.ENTAILMENTS, said["entailment"]) if said else "",
        gap=words.word(words.GAPS, gap) if gap else "",
        laundered=bool(said and said["laundered"]),
        verify_again=date.fromisoformat(due) if due else None,
        feeds=feeds,
    )


def _excerpt(one: Data, tiers: Mapping[str, int]) -> Excerpt:
    return Excerpt(
        _address(one["address"], tiers),
        one["title"],
        one["text"],
        datetime.fromisoformat(one["fetched_at"]),
        tuple(words.word(words.NOTES, note) for note in one["notes"]),
    )


def _address(address: str, tiers: Mapping[str, int]) -> Address:
    """Return an address; only one of http or https with a host that is certain is a link."""
    tier = tiers.get(address)
    link = address if host_of(address).name else ""
    return Address(address, link, str(TIER_NAMES[tier]) if tier else "")


def _picture(items: Sequence[ItemRow], claims: Sequence[ClaimRow]) -> SafeString | str:
    tied = [one for one in items if one.rests_on]
    return gates(
        [Node(one.id, one.text, one.icon, off=one.closes) for one in claims],
        [Node(one.id, one.text, "square", off=bool(one.gated_by)) for one in tied],
        [
            Tie(name, one.id, closed=name in {gate for gate, _verdict in one.gated_by})
            for one in tied
            for name, _said in one.rests_on
        ],
    )
