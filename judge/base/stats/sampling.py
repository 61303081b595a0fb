"""Stratified samples that are the same on any machine.

The tasks of a stratum are taken in the order of HMAC-SHA256(seed, task id), not by a random number
generator, whose stream may change with its version. For the same seed a larger quota contains the
smaller one, and a task added to the pool displaces at most one other.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Method = Literal["proportional", "equal"]


class Shortfall(NamedTuple):
    """A stratum that has fewer tasks than its quota."""

    stratum: str
    wanted: int
    available: int


class ShortfallError(Exception):
    """Some strata have fewer tasks than their quotas; `strata` has them."""

    def __init__(self, strata: Iterable[Shortfall]) -> None:
        self.strata = tuple(strata)
        super().__init__(
            "; ".join(
                f"{s.stratum}: wanted {s.wanted}, available {s.available}" for s in self.strata
            )
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """The tasks drawn from each stratum in the order of the draw; strata are sorted by name."""

    strata: Mapping[str, tuple[str, ...]]

    @property
    def tasks(self) -> tuple[str, ...]:
        """Return all tasks, stratum by stratum."""
        return tuple(task for tasks in self.strata.values() for task in tasks)


def allocate(
    pool_sizes: Mapping[str, int],
    n: int,
    method: Method | Mapping[str, int] = "proportional",
    *,
    redistribute: bool = False,
) -> dict[str, int]:
    """Return the quota of each stratum, sorted by name.

    Args:
        method: "proportional" to the pools (largest remainder), "equal", or quotas that add up to
            `n`; a stratum without a quota gives nothing. Of equal remainders the larger pool
            comes first, then the first name.
        redistribute: whether other strata give what one lacks, by the same method (for given
            quotas: in proportion to the quotas, then to the tasks left).

    Raises:
        ShortfallError: some strata cannot fill their quotas; with `redistribute`, only if all
            pools together are too small.
        ValueError: a number is negative, the method is unknown, or the quotas do not add up or
            name an unknown stratum.
    """
    if n < 0 or any(size < 0 for size in pool_sizes.values()):
        raise ValueError("sample and pool sizes are at least 0")
    shares = _shares(pool_sizes, n, method)
    quotas = _largest_remainder(n, shares, pool_sizes)
    short = [
        Shortfall(name, quota, pool_sizes.get(name, 0))
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

    Ids are used as text.

    Raises:
        ShortfallError, ValueError: as `allocate`.
        ValueError: a task occurs twice.
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
            name: tuple(sorted(pools[name], key=lambda task: _rank(key, task))[:quota])
            for name, quota in quotas.items()
        }
    )


def _rank(key: bytes, task: str) -> bytes:
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
    """Return quotas by Hamilton's method; they add up to n."""
    total = sum(shares.values())
    if n == 0:
        return dict.fromkeys(shares, 0)
    if total == 0:
        raise ShortfallError(Shortfall(name, n, 0) for name in shares or ("the whole pool",))
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
        # Strata without a quota of their own give last, in proportion to the tasks they have left.
        extra = _largest_remainder(
            left, open_shares or {name: size for name, size in room.items() if size}, pool_sizes
        )
        for name, quota in extra.items():
            filled[name] += min(quota, room[name])
    return filled
