"""Queries that find similar prompts: looked up by their marks, then compared."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

from curation.base.text import minhash
from curation.tasks.authoring.similar_actions import COMPARED, comparable, compared_text
from curation.tasks.authoring.similar_models import Fingerprint, FingerprintMark
from curation.tasks.task.models import Task

LOOKED_AT = 50  # candidates by wording to compare; the rest share fewer marks
COMMON_SHARE = 0.02  # an anchor found in more than 2 % of the prompts says nothing
COMMON_LEAST = 3
TOP = 3
Kind = FingerprintMark.Kind


@dataclass(frozen=True)
class SimilarPrompt:
    """A similar prompt and how similar it is.

    Attributes:
        similarity: 0 to 1: by wording the Jaccard index of shingles, by anchors the share of
            anchors in common.
        shared: number of anchors in common; 0 if the wording is similar.
        mine: whether it is by the same author.
    """

    task: int
    key: str
    title: str
    similarity: float
    shared: int = 0
    mine: bool = False

    @property
    def percent(self) -> int:
        return round(self.similarity * 100)


def similar_prompts(task: Any, *, top: int = TOP) -> list[SimilarPrompt]:
    """Return the most similar prompts, best first. At most seven queries, however many prompts.

    Args:
        task: with `pk`, `author_id` and the texts to compare, saved or not.
    """
    body = compared_text(task)
    found = _by_anchors(task.pk, body) | _by_wording(task.pk, body)  # a match by wording wins
    best = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))[:top]
    if not best:
        return []
    rows = {
        row["pk"]: row
        for row in Task.objects.filter(pk__in=[pk for pk, _values in best]).values(
            "pk", "key", "title", "author_id"
        )
    }
    return [
        SimilarPrompt(
            task=pk,
            key=rows[pk]["key"],
            title=rows[pk]["title"],
            similarity=round(similarity, 3),
            shared=shared,
            mine=rows[pk]["author_id"] is not None and rows[pk]["author_id"] == task.author_id,
        )
        for pk, (similarity, shared) in best
    ]


def _others(pk: int) -> Any:
    return FingerprintMark.objects.filter(fingerprint__task__in=comparable()).exclude(
        fingerprint__task_id=pk
    )


def _by_wording(pk: int, body: str) -> dict[int, tuple[float, int]]:
    mine = minhash.sketch(body)
    if not mine:
        return {}
    sharing = (
        _others(pk)
        .filter(kind=Kind.SHINGLE, value__in=minhash.marks(mine))
        .values("fingerprint_id")
        .annotate(n=Count("pk"))
        .filter(n__gte=minhash.enough_marks(mine))
        .order_by("-n", "fingerprint_id")
        .values_list("fingerprint_id", flat=True)[:LOOKED_AT]
    )
    sketches = Fingerprint.objects.filter(pk__in=list(sharing)).values_list("task_id", "sketch")
    near = sorted(
        ((minhash.estimate(mine, minhash.unpacked(bytes(data))), task) for task, data in sketches),
        reverse=True,
    )[:TOP]
    # The estimate may be off by a few hundredths, so the nearest ones are compared exactly.
    likely = [task for guess, task in near if guess > minhash.ALIKE - 0.15]
    if not likely:
        return {}
    own = minhash.shingles(body)
    exact = {
        row[0]: minhash.jaccard(own, minhash.shingles("\n".join(row[1:])))
        for row in Task.objects.filter(pk__in=likely).values_list("pk", *COMPARED)
    }
    return {task: (value, 0) for task, value in exact.items() if value > minhash.ALIKE}


def _by_anchors(pk: int, body: str) -> dict[int, tuple[float, int]]:
    mine = minhash.anchor_marks(minhash.anchors(body))
    if len(mine) < minhash.LEAST_SHARED:
        return {}
    marks = FingerprintMark.objects.filter(kind=Kind.ANCHOR, value__in=mine)
    held = dict(marks.order_by().values_list("value").annotate(n=Count("pk")))
    common = max(COMMON_LEAST, COMMON_SHARE * Fingerprint.objects.count())
    rare = [value for value in mine if 0 < held.get(value, 0) <= common]
    if len(rare) < minhash.LEAST_SHARED:
        return {}
    rows = (
        _others(pk)
        .filter(kind=Kind.ANCHOR, value__in=rare)
        .values("fingerprint__task_id", all=F("fingerprint__anchors"))
        .annotate(n=Count("pk"))
        .filter(n__gte=minhash.LEAST_SHARED)
    )
    found = {}
    for row in rows:
        share = row["n"] / min(len(mine), row["all"])
        if share >= minhash.ALIKE:
            found[row["fingerprint__task_id"]] = (share, row["n"])
    return found
