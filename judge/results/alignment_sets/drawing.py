"""Draw a seeded sample of responses by domain and candidate, and assign its scorers.

Every pair of a domain and a candidate is a stratum with the same quota. Inside a domain the
candidates' responses are taken task by task, because only responses to one task can be compared.
No Django here: the same pool, spec and seed give the same sample on any machine.
"""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Stratum = tuple[str, str]  # domain's key, candidate's name
_Group = TypeVar("_Group", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class EligibleResponse:
    """A response that may be drawn, with enough possible scorers."""

    key: str
    task: str
    domain: str
    candidate: str


@dataclass(frozen=True, slots=True)
class SampleSpec:
    """The settings of a sample: `quota` responses of each candidate in each domain.

    With `flagged`, every response with a flagged verdict is added. `tasks` names the set of tasks
    that the pool was narrowed to.
    """

    quota: int
    seed: int
    domains: tuple[str, ...]
    candidates: tuple[str, ...]
    scorers: int = 1
    flagged: bool = False
    tasks: str = "all"
    form: str = "lines"  # how they score: "lines" or "grade"


@dataclass(frozen=True, slots=True)
class Share:
    """A stratum with its numbers of responses wanted, available and drawn."""

    domain: str
    candidate: str
    wanted: int
    available: int
    drawn: int

    @property
    def short(self) -> int:
        return max(0, self.wanted - self.available)


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of a draw.

    Attributes:
        drawn: keys of responses in the order of the draw.
        flagged: keys of responses added because a verdict on them is flagged.
    """

    shares: tuple[Share, ...]
    drawn: tuple[str, ...]
    flagged: tuple[str, ...] = ()

    @property
    def responses(self) -> tuple[str, ...]:
        return self.drawn + self.flagged

    @property
    def short(self) -> tuple[Share, ...]:
        return tuple(share for share in self.shares if share.short)


def draw(
    pool: Iterable[EligibleResponse],
    spec: SampleSpec,
    flagged: Iterable[EligibleResponse] = (),
) -> Sample:
    """Draw the sample; a stratum that falls short gives what it has.

    Tasks come in the order of HMAC-SHA256(seed, key), those answered by more of the chosen
    candidates first, so that as many responses as possible can be compared with each other. Of
    several responses of a candidate to a task, the first in the same order is drawn. Tasks are
    taken until all quotas are full, so a stratum falls short only if it holds too little.

    Args:
        pool: responses without an expert's sheet.
        flagged: responses to add where the sample does not hold them; those outside the domains
            and the candidates are left out.
    """
    pool = list(pool)
    domains, candidates = set(spec.domains), set(spec.candidates)
    tasks: dict[str, dict[str, dict[str, EligibleResponse]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for one in sorted(pool, key=lambda one: _draw_key(spec.seed, one.key)):
        if one.domain in domains and one.candidate in candidates:
            tasks[one.domain][one.task].setdefault(one.candidate, one)
    drawn: list[str] = []
    shares: list[Share] = []
    for domain in sorted(domains):
        here = tasks.get(domain, {})
        available = Counter(candidate for rows in here.values() for candidate in rows)
        taken: Counter[str] = Counter()
        order = sorted(here, key=lambda task: (-len(here[task]), _draw_key(spec.seed, task)))
        for task in order:
            for candidate in sorted(here[task]):
                if taken[candidate] < spec.quota:
                    taken[candidate] += 1
                    drawn.append(here[task][candidate].key)
        shares += [
            Share(domain, candidate, spec.quota, available[candidate], taken[candidate])
            for candidate in sorted(candidates)
        ]
    added = sorted(
        {one.key for one in flagged if one.domain in domains and one.candidate in candidates}
        - set(drawn)
    )
    return Sample(tuple(shares), tuple(drawn), tuple(added))


def assign_scorers(
    groups: Sequence[tuple[_Group, int, Iterable[int]]], load: dict[int, int], scorers: int
) -> dict[_Group, tuple[int, ...]]:
    """Choose the scorers of each group of responses: those with the least to do, then the lowest
    id.

    Args:
        groups: (key, number of responses, ids of people who may score them), with at least
            `scorers` people each.
        load: person -> open sheets.
    """
    load = dict(load)
    assigned: dict[_Group, tuple[int, ...]] = {}
    # The groups with the fewest people choose first.
    for key, size, people in sorted(groups, key=lambda row: (len(set(row[2])), row[0])):
        chosen = sorted(set(people), key=lambda pk: (load.get(pk, 0), pk))[:scorers]
        for pk in chosen:
            load[pk] = load.get(pk, 0) + size
        assigned[key] = tuple(chosen)
    return assigned


def _draw_key(seed: int, key: str) -> bytes:
    message = key.encode("utf-8", "surrogatepass")
    return hmac.digest(str(seed).encode(), message, hashlib.sha256)
