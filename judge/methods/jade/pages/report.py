"""The figures of JADE for each candidate of a run: gaps, laundering, density."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from judge.asking.candidates.models import Candidate
from judge.methods.base.values import Judged
from judge.methods.jade.facts import BASIS
from judge.methods.jade.outcomes import reasons_of, scores_of
from judge.methods.jade.pages.measures import Measures, density_words, measures_of
from judge.methods.jade.scoring import Why


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate. Each mean is over the responses where the measure is known.

    Attributes:
        about: its kind, tools and licence, as they are stored.
        responses: judged or failed, of which `scored` have a score.
        no_claims: of the scored ones, those that count 0 because they have no claim.
        why: code of `scoring.Why` -> responses without a score for it.
        known: measure -> how many responses have it.
        means: measure -> mean; None where no response has it.
    """

    candidate: str
    about: tuple[str, str, str]
    responses: int
    scored: int
    no_claims: int
    why: dict[str, int]
    known: dict[str, int]
    means: dict[str, float | None]
    claims: int
    cited: int
    checked: int
    laundered: int

    @property
    def shown(self) -> dict[str, float | None]:
        """The shares in percent."""
        return {name: None if one is None else 100 * one for name, one in self.means.items()}

    @property
    def about_words(self) -> tuple[str, str, str]:
        """Kind, tools and licence in words; "" for what nobody entered."""
        kind, tools, licence = self.about
        kinds, licences = dict(Candidate.Kind.choices), dict(Candidate.Licence.choices)
        return str(kinds.get(kind, "")), tools, str(licences.get(licence, ""))

    @property
    def laundering(self) -> float | None:
        """Laundered claims in percent of those whose page was checked; None without any."""
        return 100 * self.laundered / self.checked if self.checked else None

    @property
    def density_shown(self) -> str:
        """The mean density with three decimals."""
        return density_words(self.means["density"])

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; shares from 0 to 1."""
        return {
            "candidate": self.candidate,
            **dict(zip(("type", "tools", "licence"), self.about, strict=True)),
            "responses": self.responses,
            "scored": self.scored,
            "without_claims": self.no_claims,
            "without_score": self.why,
            **self.means,
            "known": self.known,
            "claims": self.claims,
            "claims_with_source": self.cited,
            "claims_checked_at_source": self.checked,
            "laundered": self.laundered,
        }


MEASURES: dict[str, Callable[[Measures], Fraction | float | None]] = {
    "final": lambda one: one.s,
    "reasoning": lambda one: one.reason,
    "evidence": lambda one: one.evidence,
    "evidence_gap": lambda one: one.evidence_gap,
    "credibility": lambda one: one.quality,
    "credibility_gap": lambda one: one.credibility_gap,
    "density": lambda one: one.density,
    "tokens": lambda one: one.tokens,
}


@dataclass(frozen=True, slots=True)
class Report:
    """All candidates, the best final score first; `verified` as in `measures_of`."""

    rows: tuple[Row, ...]
    verified: bool

    @classmethod
    def of(cls, judged: Sequence[Judged], *, verified: bool) -> Self | None:
        """Return the report; None without any finding."""
        found: dict[str, list[Judged]] = defaultdict(list)
        for one in judged:
            found[one.candidate].append(one)
        rows = [_row(who, several, verified=verified) for who, several in found.items()]
        if not any(row.known["tokens"] for row in rows):
            return None
        rows.sort(key=lambda row: (-_or_last(row.means["final"]), row.candidate))
        return cls(tuple(rows), verified)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {"jade": [row.as_dict() for row in self.rows]}


def _or_last(final: float | None) -> float:
    return -1.0 if final is None else final


def _row(candidate: str, judged: Sequence[Judged], *, verified: bool) -> Row:
    known = [one for one in judged if one.findings.get(BASIS)]
    measures = [measures_of(one.findings, verified=verified) for one in known]
    values = {
        name: [value for one in measures if (value := of(one)) is not None]
        for name, of in MEASURES.items()
    }
    why = Counter(
        str(reason)
        for one in known
        if one.score is None
        for reason in reasons_of(one.findings, verified=verified)[:1]
    )
    return Row(
        candidate=candidate,
        about=judged[0].about,
        responses=len(judged),
        scored=sum(one.score is not None for one in judged),
        no_claims=sum(
            one.score is not None and Why.NO_EVIDENCE in scores_of(one.findings).why
            for one in known
        )
        if verified
        else 0,
        why=dict(sorted(why.items())),
        known={name: len(found) for name, found in values.items()},
        means={
            name: float(sum(found, Fraction(0)) / len(found)) if found else None
            for name, found in values.items()
        },
        claims=sum(one.claims for one in measures),
        cited=sum(one.cited for one in measures),
        checked=sum(one.checked for one in measures),
        laundered=sum(one.laundered for one in measures),
    )
