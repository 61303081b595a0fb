"""Which candidates' responses experts are asked to score: a seeded sample by domain and candidate.

Every pair of a domain and a candidate is a stratum with the same quota. Inside a domain the
candidates' responses are taken task by task, because only responses to one task can be compared.
No Django here: the same pool, wish and seed give the same sample on any machine.
"""

import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Stratum = tuple[str, str]  # domain's key, candidate's name


@dataclass(frozen=True, slots=True)
class Free:
    """A response that may be drawn: it has no expert's sheet and enough people may score it."""

    key: str
    task: str
    domain: str
    candidate: str


@dataclass(frozen=True, slots=True)
class Wish:
    """`quota` responses of each of these candidates in each of these domains."""

    quota: int
    seed: int
    domains: tuple[str, ...]
    candidates: tuple[str, ...]
    scorers: int = 1


@dataclass(frozen=True, slots=True)
class Share:
    """One stratum: how many are wanted of it, can be given, and are drawn."""

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
    """What a wish comes to. `drawn` are keys of responses in the order of the draw."""

    shares: tuple[Share, ...]
    drawn: tuple[str, ...]

    @property
    def short(self) -> tuple[Share, ...]:
        return tuple(share for share in self.shares if share.short)


def draw(pool: Iterable[Free], wish: Wish) -> Sample:
    """Draw the sample; strata that fall short give what they have and say so.

    Tasks come in the order of HMAC-SHA256(seed, key), those answered by more of the wanted
    candidates first, so that as many responses as possible can be compared with each other. A
    candidate that answered a task several times gives one of its answers, by the same lot. Since
    every task is asked until all quotas are full, a stratum falls short only if it holds less
    than its quota.
    """
    domains, candidates = set(wish.domains), set(wish.candidates)
    tasks: dict[str, dict[str, dict[str, Free]]] = defaultdict(lambda: defaultdict(dict))
    for one in sorted(pool, key=lambda one: _lot(wish.seed, one.key)):
        if one.domain in domains and one.candidate in candidates:
            tasks[one.domain][one.task].setdefault(one.candidate, one)
    drawn: list[str] = []
    shares: list[Share] = []
    for domain in sorted(domains):
        here = tasks.get(domain, {})
        available = Counter(candidate for rows in here.values() for candidate in rows)
        taken: Counter[str] = Counter()
        order = sorted(here, key=lambda task: (-len(here[task]), _lot(wish.seed, task)))
        for task in order:
            for candidate in sorted(here[task]):
                if taken[candidate] < wish.quota:
                    taken[candidate] += 1
                    drawn.append(here[task][candidate].key)
        shares += [
            Share(domain, candidate, wish.quota, available[candidate], taken[candidate])
            for candidate in sorted(candidates)
        ]
    return Sample(tuple(shares), tuple(drawn))


def deal(
    tasks: Sequence[tuple[str, int, Iterable[int]]], load: dict[int, int], scorers: int
) -> dict[str, tuple[int, ...]]:
    """Give each task its scorers: those with the least to do, the lowest id among equals.

    Args:
        tasks: (key, number of its responses, ids of who may score them); each has at least
            `scorers` people.
        load: id -> sheets they have open now.
    """
    load = dict(load)
    dealt: dict[str, tuple[int, ...]] = {}
    # The tasks with the fewest people choose first.
    for key, size, people in sorted(tasks, key=lambda row: (len(set(row[2])), row[0])):
        chosen = sorted(set(people), key=lambda pk: (load.get(pk, 0), pk))[:scorers]
        for pk in chosen:
            load[pk] = load.get(pk, 0) + size
        dealt[key] = tuple(chosen)
    return dealt


def _lot(seed: int, key: str) -> bytes:
    message = key.encode("utf-8", "surrogatepass")
    return hmac.digest(str(seed).encode(), message, hashlib.sha256)
