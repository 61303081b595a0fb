"""Lines of a task whose weight decides nothing."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

MOST_WEIGHT = 10

LineId = Any  # hashable


def decides_nothing(
    weights: Mapping[LineId, int], complete: Iterable[tuple[str, Mapping[LineId, bool]]]
) -> dict[LineId, bool]:
    """Return line -> whether it decides nothing on its task; {} with fewer than two candidates.

    For two candidates let R be the difference of the points of all other lines, δ that of this
    line (met or not), and w its weight. Who is ahead is the sign of R + w δ, which only rises or
    only falls as w grows. So it is the same for every w from 0 (the line left out) to
    `MOST_WEIGHT`, or to the line's own weight if that is larger, exactly if it is the same at both
    ends. The line decides nothing if that holds for every pair of candidates. Points are exact;
    several responses of a candidate count by their mean.
    """
    samples: dict[str, list[Mapping[LineId, bool]]] = defaultdict(list)
    for who, said in complete:
        samples[who].append(said)
    if len(samples) < 2:
        return {}
    common = math.lcm(*(len(rows) for rows in samples.values()))
    met = [
        {line: sum(said[line] for said in rows) * (common // len(rows)) for line in weights}
        for _who, rows in sorted(samples.items())
    ]
    points = [sum(weights[line] * row[line] for line in weights) for row in met]
    pairs = [(a, b) for a in range(len(met)) for b in range(a)]
    return {
        line: all(
            _sign(difference - weight * delta)
            == _sign(difference + (max(weight, MOST_WEIGHT) - weight) * delta)
            for a, b in pairs
            if (delta := met[a][line] - met[b][line])
            for difference in (points[a] - points[b],)
        )
        for line, weight in weights.items()
    }


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
