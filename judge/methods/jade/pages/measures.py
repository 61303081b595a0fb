"""What JADE measures of a response beside its score: the gaps, laundering, density. Pure."""

from dataclasses import dataclass
from fractions import Fraction

from judge.methods.jade.facts import BASIS, fraction
from judge.methods.jade.outcomes import Findings, claims_in, scores_of
from judge.methods.jade.reading.claims import ENTAILMENTS, NONE_CITED
from judge.methods.jade.scoring import density


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a response. What is None cannot be known.

    Attributes:
        s: from 0 to 1; of a method without claims, max(S_reason, 0).
        reason: S_reason, unclipped.
        evidence: S_evid.
        quality: Q of the cited sources by their tiers, from 1/4 to 1 (Eq. 18).
        cited: claims whose source the response cites. Of `checked` of them it is known what the
            cited page says; `laundered` are not refuted, and it contradicts them or does not say
            so.
        density: S / ln(tokens + 1) (Eq. 17).
    """

    s: Fraction | None
    reason: Fraction | None
    evidence: Fraction | None
    quality: Fraction | None
    claims: int
    cited: int
    checked: int
    laundered: int
    tokens: int
    density: float | None

    @property
    def evidence_gap(self) -> Fraction | None:
        """S_evid less S_reason: what is found out but not made use of."""
        return _less(self.evidence, self.reason)

    @property
    def credibility_gap(self) -> Fraction | None:
        """S_evid less Q: how far the truth of the claims is ahead of the sources they cite."""
        return _less(self.evidence, self.quality)

    @property
    def clipped(self) -> Fraction | None:
        """S_reason, cut off at 0, as S takes it."""
        return None if self.reason is None else max(self.reason, Fraction(0))

    @property
    def density_shown(self) -> str:
        """The density with three decimals, a dash if it cannot be known."""
        return density_words(self.density)

    # In percent, for pages.

    @property
    def shown(self) -> dict[str, float | None]:
        """All shares in percent, by name."""
        found = {name: getattr(self, name) for name in _SHARES}
        return {name: None if one is None else float(100 * one) for name, one in found.items()}


_SHARES = ("s", "reason", "clipped", "evidence", "quality", "evidence_gap", "credibility_gap")


def measures_of(findings: Findings, *, verified: bool) -> Measures:
    """Return the measures that follow from the findings.

    Args:
        verified: whether the method verifies claims.
    """
    scores, basis = scores_of(findings), findings[BASIS]
    said = [one for one in claims_in(findings).values() if one]
    s = scores.s if verified else scores.reason_clipped
    return Measures(
        s=s,
        reason=scores.reason,
        evidence=scores.evidence,
        quality=fraction(basis["quality"]),
        claims=len(claims_in(findings)),
        cited=sum(one["entailment"] != NONE_CITED for one in said),
        checked=sum(one["entailment"] in ENTAILMENTS for one in said),
        laundered=sum(one["laundered"] for one in said),
        tokens=basis["tokens"],
        density=density(s, basis["tokens"]),
    )


def density_words(density: float | None) -> str:
    """Return a density with three decimals: the paper's lie between 0.044 and 0.071."""
    return "–" if density is None else f"{density:.3f}"


def _less(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one - other
