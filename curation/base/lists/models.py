"""Filters and an order of a list that a person keeps under a name."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from curation.base.web.fields import LineField

NAME_LIMIT = 60


class SavedView(models.Model):
    """A view of a list: the query of its address. Only its owner sees it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views"
    )
    list = models.CharField(max_length=40)  # the name of the list
    name = LineField(max_length=NAME_LIMIT)
    query = models.CharField(max_length=2000)  # of the address, without page and format
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "list", "name"], name="a_list_has_one_view_of_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name
