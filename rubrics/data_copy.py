"""What a copy of a person's data holds of their rubrics."""

from curation.leaving.data_copies.parts import Part
from rubrics.handover.models import HelpRequest, RubricHandover
from rubrics.lines.reference_marks import ReferenceMark
from rubrics.marks.models import Waiver
from rubrics.versions.models import Criterion, LineChange, RubricVersion

PARTS = (
    Part(
        "rubric_versions",
        RubricVersion,
        "created_by",
        ("task__key", "number", "origin", "created_at"),
    ),
    Part(
        "rubric_lines",
        Criterion,
        "version__task__author",
        (
            *("version__task__key", "version__number", "key", "text"),
            *("importance", "weight", "dimension"),
        ),
    ),
    Part(
        "rubric_steps",
        LineChange,
        "actor",
        ("version__task__key", "key", "kind", "before", "after", "reason", "at"),
    ),
    Part("help_requests", HelpRequest, "person", ("task__key", "reason", "state", "at")),
    Part("rubrics_given", RubricHandover, "giver", ("task__key", "at")),
    Part("rubrics_taken", RubricHandover, "taker", ("task__key", "at")),
    Part("reference_marks", ReferenceMark, "actor", ("task__key", "key", "met", "why", "at")),
    Part("waivers", Waiver, "actor", ("version__task__key", "key", "code", "reason", "at")),
)
