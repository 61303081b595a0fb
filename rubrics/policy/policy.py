"""The rules of rubrics: how many lines, and what is required before sending."""

from copy import copy

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.models import Domain
from curation.joining.domains.policies import RuleChange
from curation.tasks.task.models import AnswerForm

HIGHEST = 500  # the highest limit of lines that staff can set


class RubricPolicy(models.Model):
    """The rules of a domain's rubrics. The row without a domain applies to all others.

    Without any row the settings RUBRIC_MIN_CRITERIA and RUBRIC_MAX_CRITERIA apply.
    """

    class Beyond(models.TextChoices):
        REFUSE = "refuse", _("Refused")
        REASON = "reason", _("Possible with a reason")

    class Reference(models.TextChoices):
        OPEN = "open", _("Not asked for")
        ASK = "ask", _("Asked for once, before the first round")
        REQUIRE = "require", _("Required")

    domain = models.OneToOneField(
        Domain, null=True, blank=True, on_delete=models.PROTECT, related_name="rubric_policy"
    )
    fewest = models.PositiveSmallIntegerField(default=15)
    most = models.PositiveSmallIntegerField(default=40)
    beyond = models.CharField(max_length=10, choices=Beyond.choices, default=Beyond.REASON)
    reference = models.CharField(max_length=10, choices=Reference.choices, default=Reference.ASK)

    class Meta:
        verbose_name_plural = "rubric policies"
        constraints = [
            models.UniqueConstraint(
                Coalesce("domain", 0), name="one_rubric_policy_for_all_other_domains"
            ),
            models.CheckConstraint(
                condition=Q(fewest__gte=1, most__lte=HIGHEST, fewest__lte=F("most")),
                name="limits_of_a_rubric_are_in_order",
            ),
        ]

    def __str__(self) -> str:
        return str(self.domain) if self.domain else str(_("All other domains"))

    def holds(self, lines: int) -> bool:
        """Return whether this number of lines is within the limits."""
        return self.fewest <= lines <= self.most


class RubricPolicyChange(RuleChange):
    """A change of the rules by staff: who, when, from what to what."""

    policy = models.ForeignKey(RubricPolicy, on_delete=models.PROTECT, related_name="changes")


def default_policy() -> RubricPolicy:
    """Return the rules of the settings, unsaved.

    A rubric outside the limits is accepted with a reason: the paper says that the majority of its
    tasks have 15 to 40 lines, and shows some with 12 and 13 (XpertBench, section 3.3).
    """
    return RubricPolicy(fewest=settings.RUBRIC_MIN_CRITERIA, most=settings.RUBRIC_MAX_CRITERIA)


def policy_for(domain_id: int | None, form: str = AnswerForm.TEXT) -> RubricPolicy:
    """Return the rules of a domain: its own, the general ones, or the settings'. One query.

    Args:
        form: what an answer to the task looks like.
    """
    return for_form(_policy_of(domain_id), form)


def for_form(policy: RubricPolicy, form: str) -> RubricPolicy:
    """Return rules as they hold for a form of answers.

    A rubric of many lines is for texts. A gold list, questions or conditions may be few.
    """
    if form == AnswerForm.TEXT:
        return policy
    found = copy(policy)
    found.fewest = 1
    return found


def _policy_of(domain_id: int | None) -> RubricPolicy:
    rows = RubricPolicy.objects.filter(Q(domain=domain_id) | Q(domain=None))
    found = {policy.domain_id: policy for policy in rows}
    return found.get(domain_id) or found.get(None) or default_policy()


def policies_by_domain() -> dict[str, RubricPolicy]:
    """Return domain key -> its own rules; the blank key has the general ones. One query."""
    rows = RubricPolicy.objects.select_related("domain")
    found = {policy.domain.key if policy.domain else "": policy for policy in rows}
    return {"": default_policy(), **found}
