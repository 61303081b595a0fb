"""Stratified samples that come out the same on any machine.

The order in which a stratum's tasks are taken is that of HMAC-SHA256(seed, task id), not that of
a random number generator, whose stream a new version may change. Within a stratum a larger quota
of the same seed contains the smaller one, and a task added to the pool displaces at most one
other.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Method = Literal["proportional", "equal"]


class Short(NamedTuple):
    """A stratum that cannot give what is wanted of it."""

    stratum: str
    wanted: int
    available: int


class ShortfallError(Exception):
    """Strata that cannot fill their quotas, each with what was wanted and what there is."""

    def __init__(self, strata: Iterable[Short]) -> None:
        self.strata = tuple(strata)
        super().__init__(
            "; ".join(
                f"{s.stratum}: wanted {s.wanted}, available {s.available}" for s in self.strata
            )
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """The tasks drawn from each stratum, in the order of the draw; strata sorted by name."""

    strata: Mapping[str, tuple[str, ...]]

    @property
    def tasks(self) -> tuple[str, ...]:
        """All tasks, stratum by stratum."""
        return tuple(task for tasks in self.strata.values() for task in tasks)


def allocate(
    pool_sizes: Mapping[str, int],
    n: int,
    method: Method | Mapping[str, int] = "proportional",
    *,
    redistribute: bool = False,
) -> dict[str, int]:
    """How many of `n` tasks each stratum gives, sorted by name of the stratum.

    `method` is "proportional" to the pools (largest remainder), "equal", or given quotas, which
    must add up to `n`; a stratum without a quota gives nothing. Equal remainders go to the larger
    pool, then to the first name. With `redistribute`, what a stratum cannot give is asked of
    those with tasks left, by the same method (given quotas: in proportion to the quotas, then to
    what is left elsewhere).

    Raises ShortfallError naming every stratum that cannot fill its quota (with `redistribute`,
    only if all pools together are too small), and ValueError for a negative number, an unknown
    method, or quotas that do not add up or name an unknown stratum.
    """
    if n < 0 or any(size < 0 for size in pool_sizes.values()):
        raise ValueError("sample and pool sizes are at least 0")
    shares = _shares(pool_sizes, n, method)
    quotas = _largest_remainder(n, shares, pool_sizes)
    short = [
        Short(name, quota, pool_sizes.get(name, 0))
        for name, quota in quotas.items()
        if quota > pool_sizes.get(name, 0)
    ]
    if not short:
        return quotas
    if not redistribute or n > sum(pool_sizes.values()):
        raise ShortfallError(short)
    return _redistributed(quotas, shares, pool_sizes, n)


def draw(
    tasks_by_stratum: Mapping[str, Iterable[str | int]],
    n: int,
    seed: int | str,
    method: Method | Mapping[str, int] = "proportional",
    *,
    redistribute: bool = False,
) -> Sample:
    """Draw `n` tasks; the same tasks, seed and `n` give the same sample on any machine.

    Ids are used as text. Raises as `allocate` does, and ValueError for a task that occurs twice.
    """
    pools = {name: [str(task) for task in tasks] for name, tasks in tasks_by_stratum.items()}
    everything = [task for pool in pools.values() for task in pool]
    if len(everything) != len(set(everything)):
        raise ValueError("a task may occur only once, in one stratum")
    sizes = {name: len(pool) for name, pool in pools.items()}
    quotas = allocate(sizes, n, method, redistribute=redistribute)
    key = str(seed).encode()
    return Sample(
        {
            name: tuple(sorted(pools[name], key=lambda task: _lot(key, task))[:quota])
            for name, quota in quotas.items()
        }
    )


def _lot(key: bytes, task: str) -> bytes:
    return hmac.digest(key, task.encode("utf-8", "surrogatepass"), hashlib.sha256)


def _shares(
    pool_sizes: Mapping[str, int], n: int, method: Method | Mapping[str, int]
) -> dict[str, int]:
    names = sorted(pool_sizes)
    if isinstance(method, Mapping):
        unknown = sorted(set(method) - set(names))
        if unknown:
            raise ValueError(f"quotas name unknown strata: {', '.join(unknown)}")
        if sum(method.values()) != n or any(quota < 0 for quota in method.values()):
            raise ValueError(f"quotas are at least 0 and add up to the size of the sample, {n}")
        return {name: method.get(name, 0) for name in names}
    if method == "equal":
        return dict.fromkeys(names, 1)
    if method == "proportional":
        return {name: pool_sizes[name] for name in names}
    raise ValueError(f"unknown method of allocation: {method!r}")


def _largest_remainder(
    n: int, shares: Mapping[str, int], pool_sizes: Mapping[str, int]
) -> dict[str, int]:
    """Hamilton's method in whole numbers; the quotas add up to n."""
    total = sum(shares.values())
    if n == 0:
        return dict.fromkeys(shares, 0)
    if total == 0:
        raise ShortfallError(Short(name, n, 0) for name in shares or ("the whole pool",))
    quotas = {name: n * share // total for name, share in shares.items()}
    order = sorted(
        shares, key=lambda name: (-(n * shares[name] % total), -pool_sizes.get(name, 0), name)
    )
    for name in order[: n - sum(quotas.values())]:
        quotas[name] += 1
    return quotas


def _redistributed(
    quotas: Mapping[str, int], shares: Mapping[str, int], pool_sizes: Mapping[str, int], n: int
) -> dict[str, int]:
    filled = {name: min(quota, pool_sizes[name]) for name, quota in quotas.items()}
    while left := n - sum(filled.values()):
        room = {name: pool_sizes[name] - filled[name] for name in filled}
        open_shares = {name: shares[name] for name in filled if room[name] and shares[name]}
        # Strata without a quota of their own are asked last, by what they have left.
        extra = _largest_remainder(
            left, open_shares or {name: size for name, size in room.items() if size}, pool_sizes
        )
        for name, quota in extra.items():
            filled[name] += min(quota, room[name])
    return filled
