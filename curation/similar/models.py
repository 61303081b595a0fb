"""What is kept of a prompt's text so that nearly the same text is found quickly."""

from django.db import models
from django.utils import timezone

from curation.tasks.models import Task


class Fingerprint(models.Model):
    """A submitted prompt as numbers (`curation/text/minhash.py`). Derived: may be made again."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="fingerprint")
    sketch = models.BinaryField()  # the smallest hashes of its shingles, 8 bytes each, ascending
    anchors = models.PositiveSmallIntegerField(default=0)  # how many of its marks are anchors
    method = models.PositiveSmallIntegerField()  # edition of the method it was made with
    at = models.DateTimeField(default=timezone.now)


class FingerprintMark(models.Model):
    """A hash by which a fingerprint is looked up: of a shingle, or of an anchor."""

    class Kind(models.TextChoices):
        SHINGLE = "s"
        ANCHOR = "a"

    fingerprint = models.ForeignKey(Fingerprint, on_delete=models.CASCADE, related_name="marks")
    kind = models.CharField(max_length=1, choices=Kind.choices)
    value = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "value", "fingerprint"], name="mark_by_value")]
