"""The parts of a copy that curation holds: account, qualification, tasks, screening."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F, Q

from curation.base.access.duties import columns_of
from curation.base.lists.models import SavedView
from curation.joining.accounts.api_tokens import ApiToken
from curation.joining.accounts.models import (
    AccountChange,
    DataCopy,
    NameRemoval,
    SecondFactorReset,
    SignIn,
    TermsConsent,
)
from curation.joining.invitations.models import Arrival, Invitation
from curation.joining.notices.models import Mailbox, Notice
from curation.joining.people import DutyChange, Qualification, SeniorityChange, StandingChange, User
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.qualifying.applications.models import (
    Application,
    ApplicationDraft,
    ApplicationEvent,
    Certification,
)
from curation.qualifying.applications.profiles import CertificateCheck, ExpertProfile
from curation.qualifying.exams.models import ExamSitting, SittingQuestion
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.trials.models import Trial, TrialRemark
from curation.screening.panels.models import (
    EXACT_TESTS,
    PanelPlace,
    ReferenceCheck,
    ScreeningVote,
    Solve,
)
from curation.screening.solving.models import SecondOpinion
from curation.staff.honoraria.models import Honorarium, HonorariumStep, Payee
from curation.tasks.amendments.models import Amendment
from curation.tasks.attachments.models import Attachment
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.skills.models import EffortEntry, LabelOnTask, LabelProposal
from curation.tasks.task.exact_models import ExactAnswer, SolutionStep
from curation.tasks.task.fields import FIELDS
from curation.tasks.task.models import Seat, Slot, SlotGrant, Task, TaskEvent, TextVersion
from curation.telling.guidelines.announcements import AnnouncementReading
from curation.telling.guidelines.models import GuidelineReading
from curation.telling.questions.models import AskedQuestion, QuestionEntry

_DECISION = ("at", "reason")
_PROMPT = tuple(field.column("name") for field in FIELDS)
_MOVE = ("at", "from_stage", "to_stage", "reason")
_MOVES = ~Q(data__has_key="event")  # steps that move a thing, without notes

ACCOUNT = (
    Part(
        "account",
        User,
        "pk",
        (
            *("email", "display_name", "affiliation", "language", "single_keys", "notice_mode"),
            *(
                "digest_sent_at",
                "is_staff",
                *columns_of(()),
                "is_operator",
                "is_active",
                "date_joined",
                "last_login",
            ),
        ),
    ),
    Part("addresses", EmailAddress, "user", ("email", "verified", "primary")),
    Part("second_factors", Authenticator, "user", ("type", "created_at", "last_used_at")),
    Part("sign_ins", SignIn, "user", ("at", "outcome", "device")),
    Part("sessions", UserSession, "user", ("created_at", "last_seen_at", "ip", "user_agent")),
    Part(
        "api_tokens",
        ApiToken,
        "user",
        ("name", "made_at", "ends_at", "last_used_at", "ended_at", "ended_why"),
    ),
    Part("second_factor_resets", SecondFactorReset, "user", _DECISION),
    Part("account_changes", AccountChange, "user", (*_DECISION, "closed")),
    Part("duty_changes", DutyChange, "user", (*_DECISION, "kind", "before", "after")),
    Part("name_removal", NameRemoval, "user", _DECISION),
    Part("data_copies", DataCopy, "user", _DECISION),
    Part("notices", Notice, "recipient", ("kind", "at", "read_at", "mailed_at", "url")),
    Part("saved_views", SavedView, "user", ("list", "name", "query", "at")),
    Part("mailbox", Mailbox, "user", ("held_until", "failures")),
    Part("announcements_read", AnnouncementReading, "user", ("announcement", "at")),
    Part("guidelines_read", GuidelineReading, "user", ("guideline__domain__key", "number", "at")),
    Part(
        "questions",
        AskedQuestion,
        "asked_by",
        ("domain__key", "role", "line_number", "rule_kind", "rule", "state", "at"),
    ),
    Part("questions_and_answers", QuestionEntry, "by", ("question", "kind", "role", "text", "at")),
)
QUALIFICATION = (
    Part("consents", TermsConsent, "user", ("version", "at")),
    Part("application_draft", ApplicationDraft, "user", ("fields", "saved_at")),
    Part("invitations", Invitation, "invited_by", ("kind", "uses", "created_at", "expires_at")),
    Part("arrival", Arrival, "user", ("invitation__kind", "invitation__vendor", "at")),
    Part(
        "applications",
        Application,
        "user",
        (
            *("domain__key", "stage", "route", "affiliation", "degree", "years", "credentials"),
            *("languages", "terms_version", "consented_at", "created_at"),
        ),
    ),
    Part(
        "application_history",
        ApplicationEvent,
        "application__user",
        ("application__domain__key", *_MOVE),
        _MOVES,  # notes are for staff only
    ),
    Part(
        "certifications",
        Certification,
        "application__user",
        ("application__domain__key", "title", "issuer", "year"),
    ),
    Part(
        "certificate_checks",
        CertificateCheck,
        "certification__application__user",
        ("certification__title", "outcome", "checked_on", "valid_until", "how"),
    ),
    Part("profiles", ExpertProfile, "user", ("degree", "practising_since", "languages", "at")),
    Part("referrals", Application, "referred_by", ("domain__key", "created_at")),
    Part(
        "exam_sittings",
        ExamSitting,
        "application__user",
        (
            *("application__domain__key", "attempt", "started_at", "submitted_at"),
            *("points", "points_possible", "passed", "pass_percent", "wrong_topics"),
        ),
    ),
    Part(
        "exam_answers",
        SittingQuestion,
        "sitting__application__user",
        ("sitting__attempt", "position", "answer", "answered_at", "seconds"),
    ),
    Part(
        "exam_remarks",  # points of other questions would tell which answers are right
        SittingQuestion,
        "sitting__application__user",
        ("sitting__attempt", "position", "points", "remark"),
        Q(sitting__passed__isnull=False) & ~Q(remark=""),
    ),
    Part("training", TrainingUnitPass, "user", ("unit", "at")),
    Part(
        "trials",
        Trial,
        "application__user",
        (*_PROMPT, "number", "saved_at", "submitted_at", "verdict", "remarks", "decided_at"),
    ),
    Part(
        "trial_remarks",
        TrialRemark,
        "trial__application__user",
        ("trial__number", "part", "text"),
        ~Q(trial__verdict=""),  # a senior's remarks are read after the decision
    ),
    Part("qualifications", Qualification, "user", ("domain__key", "senior", "active", "since")),
    Part(
        "seniority",
        SeniorityChange,
        "qualification__user",
        ("qualification__domain__key", "senior", *_DECISION),
    ),
    Part(
        "suspensions",
        StandingChange,
        "qualification__user",
        ("qualification__domain__key", "active", *_DECISION),
    ),
)
WORK = (
    Part(
        "tasks",
        Task,
        "author",
        ("key", "domain__key", "stage", *_PROMPT, "created_at", "updated_at"),
    ),
    Part(
        "rubrics_taken_over",
        Task,
        "rubric_author",
        ("key", "domain__key", "stage"),
        ~Q(author=F("rubric_author")),
    ),
    Part(
        "amendments_proposed",
        Amendment,
        "proposed_by",
        ("task__key", "number", "state", "before", "after", "reason", "at", "answer"),
    ),
    Part(
        "amendments_decided",
        Amendment,
        "decided_by",
        ("task__key", "number", "state", "answer", "rubric_affected", "decided_at"),
    ),
    Part("earlier_texts", TextVersion, "task__author", ("task__key", "number", "why", "parts")),
    Part("task_history", TaskEvent, "task__author", ("task__key", *_MOVE), _MOVES),
    Part("steps_on_tasks", TaskEvent, "actor", ("task__key", *_MOVE)),
    Part("seats", Seat, "user", ("task__key", "role", "taken_at")),
    Part("slots", Slot, "expert", ("number", "task__key", "taken_at")),
    Part("slots_granted", SlotGrant, "expert", ("number", *_DECISION)),
    Part(
        "attachments",
        Attachment,
        "uploaded_by",
        ("pk", "name", "content_type", "size", "sha256", "at", "removed_at"),
    ),
    Part(
        "panel_places",
        PanelPlace,
        "member",
        ("task__key", "round", "kind", "state", "reason", "left_behind", "given_at", "due_at"),
    ),
    Part(
        "votes",
        ScreeningVote,
        "member",
        (
            *("task__key", "round", "difficult", "representative", "gradable"),
            *("decision", "reasons", "at", *EXACT_TESTS),
        ),
    ),
    Part(
        "reverifications",
        Reverification,
        "expert",
        ("task__key", "state", "taken_at", "valid_until", "finding", "ended_at"),
    ),
    Part("labels", LabelOnTask, "given_by", ("task__key", "label__name", "how", "given_at")),
    Part(
        "decided_labels",
        LabelProposal,
        "decided_by",
        ("round__task__key", "label__name", "state", "decided_at"),
    ),
    Part("hours_on_skills", EffortEntry, "person", ("label__name", "hours", "note", "at")),
    Part(
        "reference_checks",
        ReferenceCheck,
        "checker",
        ("task__key", "round", "answer", "answered_at", "verdict", "remarks", "decided_at"),
    ),
)
EXACT = (
    Part(
        "exact_answers",
        ExactAnswer,
        "task__author",
        (
            *("task__key", "answer", "kind", "tolerance", "tolerance_is_percent", "unit"),
            *("alternatives", "level", "cutoff", "why_unique", "why_stable"),
        ),
    ),
    Part(
        "solution_steps",
        SolutionStep,
        "exact__task__author",
        ("exact__task__key", "position", "text", "source", "source_date"),
    ),
    Part(
        "solves",
        Solve,
        "solver",
        (
            *("task__key", "round", "started_at", "looked_at", "answer", "ended_at", "seconds"),
            *("verdict", "remarks", "decided_at"),
        ),
    ),
)
SECOND_OPINIONS = Part(
    "second_opinions",
    SecondOpinion,
    "person",
    ("look__task__key", "role", "verdict", "remarks", "at"),
)
HONORARIA = (
    Part(
        "honoraria",
        Honorarium,
        "person",
        (
            *("kind", "task__key", "domain__key", "description", "finished_at"),
            *("measured_minutes", "minutes", "counted_minutes", "state", "amount", "currency"),
            *("reason", "decided_at", "paid_at", "payroll__number"),
        ),
    ),
    Part(
        "steps_on_honoraria",
        HonorariumStep,
        "entry__person",
        ("entry__kind", "state", "amount", "currency", "reason", "at"),
    ),
    Part("payee", Payee, "user", ("reference", "at")),
)
parts.register(*ACCOUNT, *QUALIFICATION, *WORK, *EXACT, SECOND_OPINIONS, *HONORARIA)
