"""Tasks that say nearly the same. Pure; works for any language, because it counts characters."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

SHINGLE = 5
"""Characters of a shingle; Chinese words are shorter, so a shingle there spans a phrase."""
ALIKE = 0.5
"""Similarity from which a task is reported."""


@dataclass(frozen=True)
class Likeness:
    """Another task and its similarity, from 0 to 1."""

    key: str
    similarity: float


def shingles(text: str) -> frozenset[str]:
    """All runs of five letters or digits of a text; case, width, spaces and punctuation aside."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum())
    if len(letters) <= SHINGLE:
        return frozenset({letters} if letters else ())
    return frozenset(letters[i : i + SHINGLE] for i in range(len(letters) - SHINGLE + 1))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Size of the intersection over size of the union; 0 for two empty sets."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return common / union if union else 0.0


def nearest(
    text: str, others: Iterable[tuple[str, str]], *, top: int = 3, least: float = ALIKE
) -> list[Likeness]:
    """The most similar of other texts, best first.

    Args:
        others: (key, text) pairs; read once, so a database cursor will do.
        top: how many at most.
        least: what is not more similar than this is left out.
    """
    mine = shingles(text)
    found: list[Likeness] = []
    for key, other in others:
        # A text has at most as many shingles as letters: with too few, the two cannot be alike.
        if len(other) <= least * len(mine):
            continue
        similarity = jaccard(mine, shingles(other))
        if similarity > least:
            found.append(Likeness(key, round(similarity, 3)))
    found.sort(key=lambda likeness: (-likeness.similarity, likeness.key))
    return found[:top]
