"""Every model of curation, for Django's registry. Import models from their nouns instead."""

from curation.accounts.models import (
    AccountChange,
    CacheRow,
    DataCopy,
    NameRemoval,
    SecondFactorReset,
    SignIn,
    TermsConsent,
)
from curation.amendments.models import Amendment
from curation.announcements.models import (
    Announcement,
    AnnouncementReading,
    AnnouncementWording,
)
from curation.api_tokens.models import ApiToken
from curation.applications.drafts import ApplicationDraft
from curation.applications.models import Application, ApplicationEvent, Certification
from curation.attachments.models import Attachment
from curation.business.models import Collection, Deidentification
from curation.domains.models import Category, Domain
from curation.exact_answers.models import ExactAnswer, RefusedSource, SolutionStep
from curation.exams.models import ExamSitting, SittingQuestion
from curation.expert_profiles.models import CertificateCheck, ExpertProfile
from curation.file_contents.models import ContentPicture, FileContent
from curation.guidelines.models import Guideline, GuidelineReading, GuidelineVersion
from curation.honoraria.models import (
    Honorarium,
    HonorariumRate,
    HonorariumStep,
    Payee,
    PayrollFile,
)
from curation.invitations.models import Arrival, Invitation
from curation.lists.models import SavedView
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
from curation.people.models import (
    DutyChange,
    NoticeMode,
    Qualification,
    SeniorityChange,
    StandingChange,
    User,
)
from curation.process.history import AppendOnly, Staged, StageEvent
from curation.programme_settings.models import MailTest, SettingChange
from curation.question_bank.models import BlueprintRow, Exam, Question
from curation.questions.models import AskedQuestion, QuestionEntry, SharedAnswer
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
