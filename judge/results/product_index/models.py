"""Score matrices of others, as they were imported."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.process.history import AppendOnly
from curation.base.process.stored_results import StoredResult, says_what_it_is_made_of
from curation.base.web.fields import LineField
from curation.joining.people import User


class ScoreMatrix(AppendOnly):
    """A file of scores of versions on tasks in periods, by its name; never changed.

    The names in it are those of the file: they need not be products or tasks of this programme.
    """

    name = LineField(pgettext_lazy("of a thing", "Name"), max_length=80)
    source = models.TextField(_("Where the scores come from"), blank=True)
    # [task, product, version, period, score or null], in the order of the file.
    cells = models.JSONField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = [
            models.UniqueConstraint(fields=["name"], name="score_matrix_name_is_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="score_matrix_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class StoredIndex(StoredResult):
    """The last index of a choice."""

    group = models.CharField(max_length=200)
    run = models.CharField(max_length=200, blank=True)
    reference = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["group", "run", "reference"], name="one_stored_index_of_a_choice"
            ),
            says_what_it_is_made_of("a_stored_index_says_what_it_is_made_of"),
        ]

    def __str__(self) -> str:
        return self.group
