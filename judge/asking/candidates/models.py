"""Candidates under evaluation and their responses."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.web.fields import LineField
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.products import EvaluationPeriod, Product


class Candidate(models.Model):
    """A model or agent product under evaluation, by the name that responses give."""

    class Kind(models.TextChoices):
        MODEL = "model", _("Model")
        PRODUCT = "product", _("Agent product")

    class Licence(models.TextChoices):
        PROPRIETARY = "proprietary", _("Proprietary")
        OPEN_WEIGHTS = "open_weights", _("Open weights")
        OPEN_SOURCE = "open_source", _("Open source")

    name = LineField(pgettext_lazy("of a thing", "Name"), max_length=200)
    version = LineField(_("Version"), max_length=80, blank=True)
    kind = models.CharField(_("Kind"), max_length=10, choices=Kind.choices, default=Kind.MODEL)
    family = LineField(_("House"), max_length=60, blank=True)
    # "" where nobody has entered it.
    licence = models.CharField(_("Licence"), max_length=20, choices=Licence.choices, blank=True)
    tools = LineField(_("Tools"), max_length=200, blank=True)
    # The product of which this is a version; null for a candidate that stands alone.
    product = models.ForeignKey(
        Product, null=True, blank=True, on_delete=models.PROTECT, related_name="versions"
    )
    # Both empty if the candidate cannot be asked here and its answers are imported.
    provider = models.CharField(_("Provider"), max_length=20, blank=True)
    model = LineField(_("Model as the provider calls it"), max_length=120, blank=True)
    price = LineField(_("Price, as published"), max_length=200, blank=True)
    released_on = models.DateField(_("Released"), null=True, blank=True)
    retired_on = models.DateField(pgettext_lazy("date", "Retired"), null=True, blank=True)
    note = models.TextField(_("Note"), blank=True)
    revision = models.PositiveIntegerField(default=1)  # a stale change is refused
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [
            models.UniqueConstraint(fields=["name"], name="candidate_name_is_unique"),
            models.CheckConstraint(
                condition=Q(kind__in=["model", "product"]), name="candidate_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(licence__in=["", "proprietary", "open_weights", "open_source"]),
                name="candidate_licence_is_known",
            ),
            models.UniqueConstraint(
                fields=["product", "version"],
                condition=Q(product__isnull=False),
                name="a_product_has_a_version_once",
            ),
            models.CheckConstraint(
                condition=Q(provider="", model="") | ~Q(provider="") & ~Q(model=""),
                name="a_candidate_is_asked_by_provider_and_model",
            ),
            models.CheckConstraint(
                condition=Q(released_on__isnull=True)
                | Q(retired_on__isnull=True)
                | Q(retired_on__gte=models.F("released_on")),
                name="a_candidate_retires_after_its_release",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class CandidateEvent(AppendOnly):
    """A change of a candidate by a person; `changes` is field -> [before, after]."""

    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="history")
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changes = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


MOST_ANSWERS = 32_767  # of one candidate to one task: the largest value of `Response.sample`


class Response(models.Model):
    """A candidate's answer to a task; never edited, another text is another response."""

    class Source(models.TextChoices):
        IMPORTED = "imported", _("Imported")
        GENERATED = "generated", _("Generated here")
        COLLECTED = "collected", _("Collected by hand")

    key = models.CharField(max_length=200)  # the id in the imported file, or generated
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="responses")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="responses")
    sample = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(blank=True)
    baseline = models.BooleanField(default=False)
    # Set when another baseline replaces this one, which then stays out of every comparison.
    superseded_at = models.DateTimeField(null=True, blank=True)
    # The period in which it was collected; null for answers outside of periods.
    period = models.ForeignKey(
        EvaluationPeriod, null=True, blank=True, on_delete=models.PROTECT, related_name="responses"
    )
    source = models.CharField(max_length=10, choices=Source.choices)
    # The version of the task's text that it answers; see `earlier_text`.
    text_version = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    cost_micro = models.PositiveBigIntegerField(null=True, blank=True)  # millionths of a dollar
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    # Passages that may try to steer a judge, found by rule (`steering_rules`).
    marks = models.JSONField(default=list, blank=True)
    marked = models.BooleanField(default=False)
    marks_version = models.PositiveSmallIntegerField(default=0)  # of the rules; 0: not looked at
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("task", "candidate", "sample")
        indexes = [
            models.Index(fields=["marks_version"], name="response_marks_version"),
            models.Index(
                fields=["candidate", "id"], condition=Q(marked=True), name="response_marked"
            ),
            # Covers the counts of a candidate's row, so that the texts are not read.
            models.Index(
                fields=["candidate", "baseline", "marked", "task", "created_at"],
                name="response_of_candidate",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="response_key_is_unique"),
            models.UniqueConstraint(
                fields=["task", "candidate", "sample"], name="one_response_per_sample"
            ),
            models.UniqueConstraint(
                fields=["task"],
                condition=Q(baseline=True, superseded_at__isnull=True),
                name="one_baseline_per_task",
            ),
            models.CheckConstraint(
                condition=Q(baseline=True) | Q(superseded_at__isnull=True),
                name="only_a_baseline_is_superseded",
            ),
        ]

    def __str__(self) -> str:
        return self.key
