"""Every model of curation, for Django's registry. Import models from their nouns instead."""

from curation.accounts.models import (
    AccountChange,
    CacheRow,
    DataCopy,
    NameRemoval,
    SecondFactorReset,
)
from curation.amendments.models import Amendment
from curation.api_tokens.models import ApiToken
from curation.applications.consents import ApplicationDraft, TermsConsent
from curation.applications.models import Application, ApplicationEvent, Certification
from curation.attachments.models import Attachment
from curation.business.models import Collection, Deidentification
from curation.domains.models import Category, Domain
from curation.exact_answers.models import ExactAnswer, RefusedSource, SolutionStep
from curation.exams.models import ExamSitting, SittingQuestion
from curation.file_contents.models import ContentPicture, FileContent
from curation.invitations.models import Arrival, Invitation
from curation.notices.models import Mailbox, Notice
from curation.panels.models import (
    Decision,
    PanelPlace,
    PolicyChange,
    ReferenceCheck,
    Screening,
    ScreeningPolicy,
    ScreeningVote,
    Solve,
)
from curation.people.models import NoticeMode, Qualification, SeniorityChange, StandingChange, User
from curation.process.history import AppendOnly, Staged, StageEvent
from curation.question_bank.models import BlueprintRow, Exam, Question
from curation.reverification.models import Reverification
from curation.similar.models import Fingerprint, FingerprintMark
from curation.skills.models import (
    CategorySuitability,
    EffortEntry,
    LabelOnTask,
    LabelProposal,
    ProposalRound,
    SkillChange,
    SkillLabel,
)
from curation.solving.models import SecondLook, SecondOpinion
from curation.tasks.models import (
    Change,
    Origin,
    Prompt,
    RateBand,
    Seat,
    Slot,
    SlotGrant,
    Task,
    TaskEvent,
    TextVersion,
)
from curation.training.models import TrainingUnitPass
from curation.trials.models import Trial, TrialRemark
from curation.web.models import SentForm
from curation.work_map.models import WorkMap, WorkMapChange, WorkType

__all__ = [
    "AccountChange",
    "Amendment",
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
    "CategorySuitability",
    "Certification",
    "Change",
    "Collection",
    "ContentPicture",
    "DataCopy",
    "Decision",
    "Deidentification",
    "Domain",
    "EffortEntry",
    "Exam",
    "ExactAnswer",
    "ExamSitting",
    "FileContent",
    "Fingerprint",
    "FingerprintMark",
    "Invitation",
    "LabelOnTask",
    "LabelProposal",
    "Mailbox",
    "NameRemoval",
    "Notice",
    "NoticeMode",
    "Origin",
    "PanelPlace",
    "PolicyChange",
    "Prompt",
    "ProposalRound",
    "Qualification",
    "Question",
    "RateBand",
    "Reverification",
    "ReferenceCheck",
    "RefusedSource",
    "Screening",
    "ScreeningPolicy",
    "ScreeningVote",
    "Seat",
    "SecondFactorReset",
    "SeniorityChange",
    "SecondLook",
    "SecondOpinion",
    "SentForm",
    "SittingQuestion",
    "SkillChange",
    "SkillLabel",
    "Slot",
    "SlotGrant",
    "Solve",
    "SolutionStep",
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
    "WorkMap",
    "WorkMapChange",
    "WorkType",
]
