"""All models of the rubrics app, for Django's registry. Import each from its noun."""

from rubrics.handover.models import HelpRequest, RubricHandover
from rubrics.lines.reference_marks import ReferenceMark
from rubrics.marks.models import SentMarks, StoredMarks, Waiver
from rubrics.policy.policy import RubricPolicy, RubricPolicyChange
from rubrics.versions.models import Criterion, LineChange, RubricVersion

__all__ = [
    "Criterion",
    "HelpRequest",
    "LineChange",
    "ReferenceMark",
    "RubricHandover",
    "RubricPolicy",
    "RubricPolicyChange",
    "RubricVersion",
    "SentMarks",
    "StoredMarks",
    "Waiver",
]
