"""The thresholds a judge must reach before the report says that it may be trusted."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.people import User
from judge.base.stats.trust import Thresholds

_DEFAULT = Thresholds()


class TrustThresholds(models.Model):
    """One state of the thresholds. The newest row counts; older ones record the changes."""

    number = models.PositiveIntegerField(
        default=1
    )  # 1 for the first state that staff set, and so on

    cdr_lower = models.FloatField(
        _("Lower bound of the CDR"),
        default=_DEFAULT.cdr_lower,
        validators=[MinValueValidator(-1), MaxValueValidator(1)],
    )
    tasks = models.PositiveIntegerField(_("Tasks"), default=_DEFAULT.tasks)
    strict_pairs = models.PositiveIntegerField(
        _("Pairs with a preference"), default=_DEFAULT.strict_pairs
    )
    coverage = models.FloatField(
        _("Coverage"),
        default=_DEFAULT.coverage,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
    )
    j_lower = models.FloatField(
        _("Lower bound of J"),
        default=_DEFAULT.j_lower,
        validators=[MinValueValidator(-1), MaxValueValidator(1)],
    )
    mean_bias = models.FloatField(
        _("Mean bias, in points of 100"),
        default=_DEFAULT.mean_bias,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "trust thresholds"
        constraints = [
            models.CheckConstraint(
                condition=Q(cdr_lower__gte=-1, cdr_lower__lte=1, j_lower__gte=-1, j_lower__lte=1)
                & Q(coverage__gte=0, coverage__lte=1, mean_bias__gte=0, mean_bias__lte=100),
                name="thresholds_can_be_reached",
            ),
            models.UniqueConstraint(fields=["number"], name="thresholds_are_set_one_by_one"),
        ]

    @classmethod
    def current(cls) -> Thresholds:
        """Return the thresholds in force: the defaults until staff set others."""
        row = cls.objects.first()
        if row is None:
            return _DEFAULT
        return Thresholds(
            cdr_lower=row.cdr_lower,
            tasks=row.tasks,
            strict_pairs=row.strict_pairs,
            coverage=row.coverage,
            j_lower=row.j_lower,
            mean_bias=row.mean_bias,
        )
