from curation.models.domains import Category, Domain
from curation.models.exams import Exam, ExamSitting, Question
from curation.models.history import AppendOnly, Staged, StageEvent
from curation.models.people import Qualification, SeniorityChange, User
from curation.models.qualification import Application, ApplicationEvent, Trial
from curation.models.screening import Decision, ScreeningVote
from curation.models.tasks import Origin, Role, Seat, Slot, SlotGrant, Task, TaskEvent

__all__ = [
    "AppendOnly",
    "Application",
    "ApplicationEvent",
    "Category",
    "Decision",
    "Domain",
    "Exam",
    "ExamSitting",
    "Origin",
    "Qualification",
    "Question",
    "Role",
    "ScreeningVote",
    "Seat",
    "SeniorityChange",
    "Slot",
    "SlotGrant",
    "StageEvent",
    "Staged",
    "Task",
    "TaskEvent",
    "Trial",
    "User",
]
