"""Results that the worker computes for pages, stored with the hash of all that they are made of.

No request computes them: a page shows the last result and, where the hash has changed since, asks
for a new one. The row is the queue; whoever asks also sends the job.
"""

from typing import Any, TypeVar

from django.db import models
from django.db.models import F, Q, QuerySet

from curation.base.web.room import best_effort

# What is shown is made of what it should be; a new result is coming; it could not be computed.
CURRENT, WAITING, FAILED = "current", "waiting", "failed"

Row = TypeVar("Row", bound="StoredResult")


class StoredResults(models.Manager[Row]):
    """The rows of a kind of result."""

    def waiting(self) -> "QuerySet[Row]":
        """Select the rows whose result is to be made anew."""
        return self.exclude(made_of=F("inputs"))

    def ask(self, row: Row | None, inputs: str, **choice: Any) -> Row | None:
        """Note what the newest result of a choice is to be made of; None where there is no room.

        Args:
            row: of this choice; None before the first.
        """
        with best_effort("the wish for a result"):  # the last one is shown all the same
            if row is None or not self.filter(pk=row.pk).update(inputs=inputs):
                row, _made = self.update_or_create(**choice, defaults={"inputs": inputs})
            return row
        return None

    def store(self, row: Row, *, made_of: str, result: Any) -> None:
        """Store a result, unless another one was stored while it was computed.

        What was asked for meanwhile stays asked for.
        """
        values = {"made_of": made_of, "result": result}
        rows = self.filter(pk=row.pk, made_of=row.made_of)
        if not rows.filter(inputs=row.inputs).update(inputs=made_of, **values):
            rows.update(**values)


class StoredResult(models.Model):
    """The last result of a choice, as the worker computed it.

    Attributes:
        inputs: the hash of what the newest result is to be made of.
        made_of: the hash of what `result` was made of; "" before the first. Where the two differ,
            the worker makes a new one.
    """

    inputs = models.CharField(max_length=64)
    made_of = models.CharField(max_length=64, blank=True)
    result = models.JSONField(null=True)

    objects = StoredResults()

    class Meta:
        abstract = True


def says_what_it_is_made_of(name: str) -> models.CheckConstraint:
    """Return the constraint of each kind of stored result."""
    return models.CheckConstraint(
        condition=Q(made_of="", result__isnull=True) | (~Q(made_of="") & Q(result__isnull=False)),
        name=name,
    )
