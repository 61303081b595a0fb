"""A task with two labels whose skills are approved, and a third skill of its domain."""

import pytest
from django.test import override_settings

from curation.joining.people import User
from curation.tasks.skills.actions import begin_skill
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.methods.query_checklists.actions import propose_checklist, put_in_use
from judge.methods.query_checklists.compose import compose, standing_overrules
from judge.methods.query_checklists.models import QueryChecklist
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.lines.add import add_line
from rubrics.sending.actions import send_to_review
from tests.conftest import new_domain, new_person
from tests.methods.query_checklists.labelled import label_all
from tests.scoring.graded_sheets.conftest import imported_task
from tests.tasks.skills.conftest import new_label
from tests.worlds import World

Line = tuple[str, str, str]
SUPPLIER: list[Line] = [
    ("Names at least two suppliers with their addresses.", "essential", "accuracy"),
    ("Says how long delivery takes.", "optional", "depth"),
    ("States prices in one currency.", "optional", "accuracy"),
]
OFFERS: list[Line] = [
    ("Compares at least two offers on the same terms.", "essential", "depth"),
    ("States prices in one  currency.", "essential", "accuracy"),
    ("Compares offers whose terms differ as if equal.", "important", "critical_flaw"),
]
RULES: list[Line] = [
    ("Names the rule that forbids the import.", "essential", "accuracy"),
    ("Advises to break a law.", "important", "critical_flaw"),
]


def approve_all(task: Task) -> None:
    """Approve every line in the first round of its reviewer."""
    review = Review.objects.filter(task=task).latest("pk")
    current = review.rounds.latest("pk")
    for line in current.version.criteria.all():
        set_verdict(actor=review.reviewer, round=current, criterion=line, verdict="approve")
    finish_round(actor=review.reviewer, round=current)


def approved_skill(staff: User, writer: User, label: SkillLabel, lines: list[Line]) -> Task:
    """The skill of a label, written, reviewed and approved."""
    task = begin_skill(actor=staff, label=label, version=label.version, writer=writer)
    for text, importance, dimension in lines:
        add_line(actor=writer, task=task, text=text, importance=importance, dimension=dimension)
    with override_settings(SPOT_CHECK_RATE=0.0):
        send_to_review(actor=writer, task=task)
        approve_all(task)
    label.refresh_from_db()
    return task


@pytest.fixture(scope="module")
def checklist_world(world_database: None) -> World:
    """Two tasks: one with two labels and two active skills, one without a label."""
    finance = new_domain("finance")
    people = {
        "writer": new_person("writer", finance),
        "reviewer": new_person("reviewer", finance),
        "senior": new_person("senior", finance, senior=True),
        "staff": new_person("staff", is_staff=True),
    }
    staff = people["staff"]
    labels = {
        "supplier": new_label(staff, finance, "Find a supplier", 1, name_zh="寻找供应商"),
        "offers": new_label(staff, finance, "Compare offers", 2),
        "rules": new_label(staff, finance, "Rules of import", 3),
    }
    for name, lines in (("supplier", SUPPLIER), ("offers", OFFERS), ("rules", RULES)):
        approved_skill(staff, people["writer"], labels[name], lines)
    task, bare = imported_task(finance, "x-1"), imported_task(finance, "x-2")
    label_all(staff, task, labels["offers"], labels["supplier"])
    return World(finance=finance, task=task, bare=bare, **people, **labels)


@pytest.fixture
def task(checklist_world: World) -> Task:
    return checklist_world["task"]


def proposed(staff: User, task: Task) -> QueryChecklist:
    return propose_checklist(actor=staff, task=task)


def in_use(staff: User, task: Task, checklist: QueryChecklist | None = None) -> QueryChecklist:
    """A checklist of a task that was proposed and put in use."""
    checklist = checklist or proposed(staff, task)
    sha256 = compose(task, standing_overrules(checklist)).sha256
    return put_in_use(actor=staff, checklist=checklist, sha256=sha256)
