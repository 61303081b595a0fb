"""Texts of the judge's prompt, configurations of a judge, and which one new runs begin with."""

import hashlib
import json
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly, reasoned
from curation.base.web.fields import LineField
from curation.joining.people import User
from judge.asking.endpoints.queries import within_abilities


class JudgePrompt(AppendOnly):
    """One text of the judge's prompt that staff wrote. It never changes.

    Attributes:
        content: the whole template, fixed parts included, so that a later built-in text changes
            nothing about runs with this one.
        sha256: of the content; equal texts are one row.
        note: what is different, and why.
    """

    number = models.PositiveIntegerField()
    content = models.TextField()
    sha256 = models.CharField(max_length=64)
    note = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="judge_prompt_number_is_unique"),
            models.UniqueConstraint(fields=["sha256"], name="judge_prompt_text_is_unique"),
            models.CheckConstraint(condition=~Q(note=""), name="a_judge_prompt_has_a_note"),
        ]

    def __str__(self) -> str:
        return _("Prompt %(n)s") % {"n": self.number}


class JudgeVariant(AppendOnly):
    """One whole configuration of a judge under a name. It never changes.

    Attributes:
        prompt: null for the built-in text.
        rater: whose imported sheets are the examples; only with `Example.RATER`.
        sha256: of the settings; equal settings are one row, since their verdicts would be the same
            judgments.
    """

    class Example(models.TextChoices):
        OWN = "own", _("The task's anchor")
        OTHER = "other", _("The anchor of another task of the domain")
        RATER = "rater", _("The imported example of one rater")
        NONE = "none", _("No example")

    name = LineField(max_length=80)
    prompt = models.ForeignKey(
        JudgePrompt, null=True, blank=True, on_delete=models.PROTECT, related_name="variants"
    )
    example = models.CharField(max_length=5, choices=Example.choices, default=Example.OWN)
    rater = LineField(max_length=120, blank=True)
    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)
    parameters = models.JSONField(default=dict, blank=True)
    calls_mode = models.CharField(max_length=15)
    sha256 = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["name"], name="variant_name_is_unique"),
            models.UniqueConstraint(fields=["sha256"], name="variant_settings_are_unique"),
            models.CheckConstraint(
                condition=Q(example="rater") & ~Q(rater="") | ~Q(example="rater") & Q(rater=""),
                name="a_rater_is_named_for_the_raters_example",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def method(self) -> str:
        """The method of its runs, a key of judge/methods/base/registry.py."""
        return "zero_shot" if self.example == self.Example.NONE else "one_shot"

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `judge.runs.engine.planning.plan.plan_run` that it settles.

        The parameters are as its model can be given them now. One query.
        """
        return {
            "variant": self,
            "method": self.method,
            "provider": self.provider,
            "model": self.model,
            "parameters": within_abilities(self.provider, self.model, self.parameters),
            "calls_mode": self.calls_mode,
            "experts": self.rater,
        }

    def digest(self) -> str:
        """Return the hash of everything that decides what a judge is asked."""
        parts = [
            self.prompt.sha256 if self.prompt else "",
            *(self.example, self.rater, self.provider, self.model),
            *(self.parameters, self.calls_mode),
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class JudgeDefault(AppendOnly):
    """Which variant new runs begin with. The newest row counts; older ones record the changes.

    Attributes:
        variant: null if runs begin with settings by hand.
        experiment: the comparison that the choice rests on, if any.
    """

    number = models.PositiveIntegerField()
    variant = models.ForeignKey(
        JudgeVariant, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    experiment = models.ForeignKey(
        "judge.JudgeExperiment", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField()
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="judge_defaults_are_set_one_by_one"),
            reasoned("a_judge_default_has_a_reason"),
        ]
