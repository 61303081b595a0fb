"""The checkpoints of skills: the lines of the version that counts, each with its weight."""

from collections.abc import Iterable
from dataclasses import dataclass

from rubrics.policy.checkpoints import checkpoint_weight, is_flaw
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count


@dataclass(frozen=True)
class Checkpoint:
    """One checkpoint of a skill.

    Attributes:
        skill: the id of the skill's task.
        version: the id of the rubric version it stands in.
        line: the id of its line there.
        key: identifies it across versions.
        weight: 10, 5, or -15 for a critical flaw.
    """

    skill: int
    version: int
    line: int
    key: str
    text: str
    importance: str
    weight: int
    flaw: bool


def checkpoints_of(skills: Iterable[int]) -> list[Checkpoint]:
    """Return the checkpoints of skills, by skill in the given order, then by place. Two queries.

    Args:
        skills: ids of tasks of origin "skill", such as `activated(task).skills`.
    """
    order = list(dict.fromkeys(skills))
    versions = version_ids_that_count(order)
    rows: dict[int, list[Criterion]] = {}
    for line in Criterion.objects.filter(version__in=versions.values()).order_by("position", "id"):
        rows.setdefault(line.version_id, []).append(line)
    return [
        Checkpoint(
            skill=skill,
            version=versions[skill],
            line=line.pk,
            key=line.key,
            text=line.text,
            importance=line.importance,
            weight=checkpoint_weight(line.importance, line.dimension),
            flaw=is_flaw(line.dimension),
        )
        for skill in order
        if skill in versions
        for line in rows.get(versions[skill], [])
    ]
