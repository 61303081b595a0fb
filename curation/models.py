"""Every model of curation, for Django's registry. Import models from their nouns instead."""

from curation.base.file_contents.models import ContentPicture, FileContent
from curation.base.lists.models import SavedView
from curation.base.process.history import AppendOnly, Staged, StageEvent
from curation.base.web.models import SentForm
from curation.joining.accounts.api_tokens import ApiToken
from curation.joining.accounts.models import (
    AccountChange,
    CacheRow,
    DataCopy,
    NameRemoval,
    SecondFactorReset,
    SignIn,
    TermsConsent,
)
from curation.joining.domains.models import Category, Domain
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.notices.models import Mailbox, Notice
from curation.joining.people import (
    DutyChange,
    NoticeMode,
    Qualification,
    SeniorityChange,
    StandingChange,
    User,
)
from curation.qualifying.applications.models import (
    Application,
    ApplicationDraft,
    ApplicationEvent,
    Certification,
)
from curation.qualifying.applications.profiles import CertificateCheck, ExpertProfile
from curation.qualifying.exams.bank_models import BlueprintRow, Exam, Question
from curation.qualifying.exams.models import ExamSitting, SittingQuestion
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.trials.models import Trial, TrialRemark
from curation.screening.panels.models import (
    Decision,
    PanelPlace,
    PolicyChange,
    ReferenceCheck,
    Screening,
    ScreeningPolicy,
    ScreeningVote,
    Solve,
)
from curation.screening.solving.models import SecondLook, SecondOpinion
from curation.staff.honoraria.models import (
    Honorarium,
    HonorariumRate,
    HonorariumStep,
    Payee,
    PayrollFile,
)
from curation.staff.programme_settings.models import MailTest, SettingChange
from curation.tasks.amendments.models import Amendment
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.similar_models import Fingerprint, FingerprintMark
from curation.tasks.business.models import Collection, Deidentification
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.skills.models import (
    CategorySuitability,
    EffortEntry,
    LabelOnTask,
    LabelProposal,
    ProposalRound,
    SkillChange,
    SkillLabel,
)
from curation.tasks.task.exact_models import ExactAnswer, RefusedSource, SolutionStep
from curation.tasks.task.models import (
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
from curation.tasks.work_map.models import WorkMap, WorkMapChange, WorkType
from curation.telling.guidelines.announcements import (
    Announcement,
    AnnouncementReading,
    AnnouncementWording,
)
from curation.telling.guidelines.models import Guideline, GuidelineReading, GuidelineVersion
from curation.telling.questions.models import AskedQuestion, QuestionEntry, SharedAnswer

__all__ = [
    "AccountChange",
    "Amendment",
    "Announcement",
    "AnnouncementReading",
    "AnnouncementWording",
    "ApiToken",
    "AppendOnly",
    "Application",
    "ApplicationDraft",
    "ApplicationEvent",
    "Arrival",
    "AskedQuestion",
    "Attachment",
    "BlueprintRow",
    "CacheRow",
    "Category",
    "CategorySuitability",
    "CertificateCheck",
    "Certification",
    "Change",
    "Collection",
    "ContentPicture",
    "DataCopy",
    "Decision",
    "Deidentification",
    "Domain",
    "DutyChange",
    "EffortEntry",
    "ExactAnswer",
    "Exam",
    "ExamSitting",
    "ExpertProfile",
    "FileContent",
    "Fingerprint",
    "FingerprintMark",
    "Guideline",
    "GuidelineReading",
    "GuidelineVersion",
    "Honorarium",
    "HonorariumRate",
    "HonorariumStep",
    "Invitation",
    "LabelOnTask",
    "LabelProposal",
    "MailTest",
    "Mailbox",
    "NameRemoval",
    "Notice",
    "NoticeMode",
    "Origin",
    "PanelPlace",
    "Payee",
    "PayrollFile",
    "PolicyChange",
    "Prompt",
    "ProposalRound",
    "Qualification",
    "Question",
    "QuestionEntry",
    "RateBand",
    "ReferenceCheck",
    "RefusedSource",
    "Reverification",
    "SavedView",
    "Screening",
    "ScreeningPolicy",
    "ScreeningVote",
    "Seat",
    "SecondFactorReset",
    "SecondLook",
    "SecondOpinion",
    "SeniorityChange",
    "SentForm",
    "SettingChange",
    "SignIn",
    "SittingQuestion",
    "SkillChange",
    "SkillLabel",
    "SharedAnswer",
    "Slot",
    "SlotGrant",
    "SolutionStep",
    "Solve",
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
