"""Fingerprints of prompts, by which nearly equal texts are found quickly."""

from django.db import models
from django.utils import timezone

from curation.tasks.task.models import Task


class Fingerprint(models.Model):
    """A MinHash sketch of a submitted prompt (`curation/base/text/minhash.py`). Derived data."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="fingerprint")
    sketch = models.BinaryField()  # the smallest hashes of its shingles, 8 bytes each, ascending
    anchors = models.PositiveSmallIntegerField(default=0)  # number of marks that are anchors
    method = models.PositiveSmallIntegerField()  # version of the method that made it
    at = models.DateTimeField(default=timezone.now)


class FingerprintMark(models.Model):
    """The hash of a shingle or an anchor, by which a fingerprint is looked up."""

    class Kind(models.TextChoices):
        SHINGLE = "s"
        ANCHOR = "a"

    fingerprint = models.ForeignKey(Fingerprint, on_delete=models.CASCADE, related_name="marks")
    kind = models.CharField(max_length=1, choices=Kind.choices)
    value = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "value", "fingerprint"], name="mark_by_value")]
