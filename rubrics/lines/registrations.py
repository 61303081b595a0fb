"""What reference marks give to the nouns below."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests
from rubrics.lines.reference_marks import ReferenceMark, sha256


def _stale_marks(task: Any) -> "QuerySet[ReferenceMark]":
    answer = sha256(task.reference_answer)
    return ReferenceMark.objects.filter(task=task).exclude(answer_sha256=answer)


text_basis.register(
    Rests(
        model="rubrics.ReferenceMark",
        label=_("Reference marks"),
        on=Basis.ANSWER,
        then=_("They lapse; the author marks the line again."),
        stale=_stale_marks,
    )
)
parts.register(
    Part("reference_marks", ReferenceMark, "actor", ("task__key", "key", "met", "why", "at"))
)
