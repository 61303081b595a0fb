"""Copies of a person's data that staff took."""

from django.db import models

from curation.people.models import User
from curation.process.history import StaffAct, reasoned


class DataCopy(StaffAct):
    """Staff took a copy of a person's data: who, when, why."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="data_copies")

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_data_copy_has_a_reason")]
