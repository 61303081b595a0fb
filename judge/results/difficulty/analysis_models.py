"""What staff decided about a proposal of the analysis of tasks and lines."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly, reasoned
from curation.joining.people.models import User
from curation.tasks.task.models import Task
from judge.base.stats.item_analysis import Concern
from rubrics.versions.models import Criterion, RubricVersion

CONCERNS = (
    (Concern.SATURATED.value, _("Nearly all points for every candidate")),
    (Concern.NO_POINTS.value, _("No point for any candidate")),
    (Concern.REVERSED.value, _("Candidates that do well in the rest do badly here")),
    (Concern.ALWAYS_MET.value, _("Always met")),
    (Concern.NEVER_MET.value, _("Never met")),
    (Concern.REDUNDANT.value, _("Same verdicts as another line")),
    (Concern.IDLE.value, _("Decides nothing")),
)


class ProposalOutcome(AppendOnly):
    """One decision on one proposal: about one line, or about a task as one version has it.

    It changes no score. The newest row of a line, or of a version, and a concern counts. A later
    rubric version has other lines, and its task is looked at again.
    """

    class Outcome(models.TextChoices):
        ASKED = "asked", _("The author was asked")
        KEPT = "kept", pgettext_lazy("decision", "Kept")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="proposal_outcomes")
    criterion = models.ForeignKey(
        Criterion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    version = models.ForeignKey(
        RubricVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )  # of a decision about the task
    concern = models.CharField(max_length=12, choices=CONCERNS)
    outcome = models.CharField(max_length=5, choices=Outcome.choices)
    reason = models.TextField()
    # The judge, the limits and the figures at the time, as
    # `judge.results.difficulty.analysis_tables` names them.
    evidence = models.JSONField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            reasoned("an_outcome_has_a_reason"),
            models.CheckConstraint(
                condition=Q(criterion__isnull=True, version__isnull=False)
                | Q(criterion__isnull=False, version__isnull=True),
                name="an_outcome_is_about_a_line_or_a_version",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=("asked", "kept")), name="an_outcome_is_asked_or_kept"
            ),
        ]
