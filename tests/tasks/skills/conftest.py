"""Labels of a taxonomy and their skills, by the actions behind the pages."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.skills.actions import add_label, begin_skill
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from rubrics.lines.add import add_line

NOTHING = {"name_zh": "", "description": "", "description_zh": "", "position": None}


def new_label(staff: Any, domain: Domain, name: str, level: int = 1, **more: Any) -> SkillLabel:
    """A label: `new_label(staff, finance, "Compare offers", 2)`."""
    return add_label(actor=staff, domain=domain, name=name, level=level, **{**NOTHING, **more})


def new_skill(staff: Any, domain: Domain, name: str, writer: User, level: int = 1) -> Task:
    """The task of a skill whose label is made for it."""
    label = new_label(staff, domain, name, level)
    return begin_skill(actor=staff, label=label, version=label.version, writer=writer)


@pytest.fixture
def label(staff: User, finance: Domain) -> SkillLabel:
    return new_label(
        staff, finance, "Compare offers", 2, name_zh="比较报价", description="Weighs offers."
    )


def written(writer: User, task: Task) -> Task:
    """A skill with an essential checkpoint, an ordinary one and a critical flaw."""
    for text, importance, dimension in (
        ("Compares at least two offers on the same terms.", "essential", "depth"),
        ("Names the seller of each offer.", "optional", "accuracy"),
        ("Compares offers whose terms differ as if equal.", "important", "critical_flaw"),
    ):
        add_line(actor=writer, task=task, text=text, importance=importance, dimension=dimension)
    return task
