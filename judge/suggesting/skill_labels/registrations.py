"""What requests for labels give to the nouns below."""

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.skills import readings
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from judge.suggesting.skill_labels.models import LabelRequest, unfinished

readings.register(unfinished)
text_basis.register(
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.LabelRequest",
    ),
)
parts.register(
    Part("label_requests", LabelRequest, "asked_by", ("task__key", "asked_at")),
)
