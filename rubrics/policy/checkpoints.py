"""What a line of a skill counts: the weights of JADE's checklists (section 3.1, Eq. 5).

A skill's lines are checkpoints. The rubric holds them with what it has: the importance says how
much a checkpoint counts, and the dimension “critical flaw”, which only skills have, says that
meeting the line is a fault. The number beside a line follows from both, so nobody types it.
"""

from curation.tasks.task.models import Task
from rubrics.policy.dimensions import Dimension, Importance
from rubrics.policy.policy import RubricPolicy, policy_for

ESSENTIAL, ORDINARY, FLAW = 10, 5, -15
FEWEST, MOST = 2, 20  # checkpoints of a skill; ours, as the paper names no limits


def is_flaw(dimension: str) -> bool:
    """Return whether a line with this dimension describes a critical flaw."""
    return dimension == Dimension.CRITICAL_FLAW


def checkpoint_weight(importance: str, dimension: str) -> int:
    """Return what a checkpoint counts: 10 if essential, else 5; -15 for a critical flaw."""
    if is_flaw(dimension):
        return FLAW
    return ESSENTIAL if importance == Importance.ESSENTIAL else ORDINARY


def stored_weight(importance: str, dimension: str) -> int:
    """Return the number beside a checkpoint, 1 to 10: that of a flaw says nothing of its sign."""
    return min(abs(checkpoint_weight(importance, dimension)), ESSENTIAL)


def skill_policy() -> RubricPolicy:
    """Return the rules of a skill's rubric, unsaved: few lines, and no reference answer to mark."""
    return RubricPolicy(
        fewest=FEWEST,
        most=MOST,
        beyond=RubricPolicy.Beyond.REFUSE,
        reference=RubricPolicy.Reference.OPEN,
    )


def policy_of(task: Task) -> RubricPolicy:
    """Return the rules of a task's rubric: a skill's, or its domain's for its form of answers."""
    return skill_policy() if task.is_skill else policy_for(task.domain_id, task.answer_form)
