"""The 16 dimensions of XpertBench's table 2, one more for skills, and the three importances."""

from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Importance(TextChoices):
    """The qualitative half of the dual weight (XpertBench section 3.3)."""

    ESSENTIAL = "essential", _("Essential")
    IMPORTANT = "important", _("Important")
    OPTIONAL = "optional", _("Optional")


class Dimension(TextChoices):
    """What a line is about (XpertBench table 2); a critical flaw stands only in skills."""

    INSTRUCTION_FOLLOWING = "instruction_following", _("Instruction following")
    CONSTRAINT_SATISFACTION = "constraint_satisfaction", _("Constraint satisfaction")
    ACCURACY = "accuracy", _("Accuracy")
    INFORMATION_PROCESSING = "information_processing", _("Information processing")
    LOGICAL_COHERENCE = "logical_coherence", _("Logical coherence")
    DOMAIN_EXPERTISE = "domain_expertise", _("Domain expertise")
    COMPLETENESS = "completeness", _("Completeness")
    COMPLIANCE = "compliance", _("Compliance")
    SAFETY = "safety", _("Safety and risk")
    NOVELTY = "novelty", _("Novelty")
    LINGUISTIC_QUALITY = "linguistic_quality", _("Linguistic quality")
    STRUCTURE = "structure", _("Structure")
    DEPTH = "depth", _("Depth of analysis")
    INTERDISCIPLINARY = "interdisciplinary", _("Interdisciplinary integration")
    INFORMATION_RICHNESS = "information_richness", _("Information richness")
    OTHER = "other", _("Other")
    # Of a skill's checkpoint (JADE): an answer that meets the line has a grave fault.
    CRITICAL_FLAW = "critical_flaw", _("Critical flaw")


# What a line of a task may be about.
TASK_DIMENSIONS = tuple(one for one in Dimension if one != Dimension.CRITICAL_FLAW)


def dimension_choices(*, skill: bool = False) -> list[tuple[str, Any]]:
    """Return (value, label) of the dimensions a line may have; labels are translated when shown.

    Args:
        skill: whether it is a checkpoint of a skill.
    """
    return [(one.value, one.label) for one in (Dimension if skill else TASK_DIMENSIONS)]


MIN_WEIGHT, MAX_WEIGHT = 1, 10
