from curation.models.accounts import CacheRow, SecondFactorReset
from curation.models.attachments import Attachment
from curation.models.consents import ApplicationDraft, TermsConsent
from curation.models.domains import Category, Domain
from curation.models.exams import BlueprintRow, Exam, ExamSitting, Question, SittingQuestion
from curation.models.history import AppendOnly, Staged, StageEvent
from curation.models.invitations import Arrival, Invitation
from curation.models.likeness import Fingerprint, FingerprintMark
from curation.models.notices import Mailbox, Notice
from curation.models.people import (
    NoticeMode,
    Qualification,
    SeniorityChange,
    StandingChange,
    User,
)
from curation.models.qualification import (
    Application,
    ApplicationEvent,
    Certification,
    TrainingUnitPass,
    Trial,
    TrialRemark,
)
from curation.models.screening import (
    Decision,
    PanelPlace,
    PolicyChange,
    ReferenceCheck,
    Screening,
    ScreeningPolicy,
    ScreeningVote,
)
from curation.models.sent import SentForm
from curation.models.tasks import (
    Change,
    Origin,
    Prompt,
    RateBand,
    Role,
    Seat,
    Slot,
    SlotGrant,
    Task,
    TaskEvent,
    TextVersion,
)
from curation.models.tokens import ApiToken

__all__ = [
    "ApiToken",
    "AppendOnly",
    "Application",
    "ApplicationDraft",
    "ApplicationEvent",
    "Arrival",
    "Attachment",
    "BlueprintRow",
    "CacheRow",
    "Category",
    "Certification",
    "Change",
    "Decision",
    "Domain",
    "Exam",
    "ExamSitting",
    "Fingerprint",
    "FingerprintMark",
    "Invitation",
    "Mailbox",
    "Notice",
    "NoticeMode",
    "Origin",
    "PanelPlace",
    "PolicyChange",
    "Prompt",
    "Qualification",
    "Question",
    "RateBand",
    "ReferenceCheck",
    "Role",
    "Screening",
    "ScreeningPolicy",
    "ScreeningVote",
    "Seat",
    "SecondFactorReset",
    "SeniorityChange",
    "SentForm",
    "SittingQuestion",
    "Slot",
    "SlotGrant",
    "StageEvent",
    "Staged",
    "StandingChange",
    "Task",
    "TaskEvent",
    "TermsConsent",
    "TextVersion",
    "TrainingUnitPass",
    "Trial",
    "TrialRemark",
    "User",
]
