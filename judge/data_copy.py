"""What a copy of a person's data holds of their scoring."""

from curation.leaving.data_copies.parts import Part
from judge.gold.releases.errata import Erratum
from judge.methods.profiles.models import RealOutcome, Selection
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from judge.methods.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.results.difficulty.analyses import ProposalOutcome
from judge.results.difficulty.models import ShareDecision
from judge.results.flags.error_code_models import CodedError
from judge.results.flags.flags import VerdictFlag
from judge.results.flags.overrules import Overrule
from judge.results.product_index.collecting import CollectionCell, OperatorChange
from judge.results.workshop.models import JudgeExperiment
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.scorers.models import ScorerPause, ScorerStanding
from judge.scoring.scorers.practice_models import PracticeAttempt
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.suggesting.drafts.models import DraftRequest
from judge.suggesting.line_reviews import OpinionRequest
from judge.suggesting.skill_labels.models import LabelRequest

PARTS = (
    Part(
        "sheets",
        Sheet,
        "user",
        (
            *("pk", "response__task__key", "purpose", "state", "due_at", "opened_at"),
            *("submitted_at", "worked_seconds"),
        ),
    ),
    Part(
        "sheet_lines",
        SheetLine,
        "sheet__user",
        ("sheet_id", "criterion__key", "met", "rationale", "at"),
    ),
    Part(
        "graded_sheets",
        GradedSheet,
        "user",
        (
            *("pk", "response__task__key", "state", "grade", "analysis", "due_at", "opened_at"),
            *("submitted_at", "worked_seconds"),
        ),
    ),
    Part(
        "practice",
        PracticeAttempt,
        "user",
        (
            *("practice_sheet__response__task__key", "sheet_id", "begun_at", "ended_at"),
            *("lines", "agreed", "share", "passed"),
        ),
    ),
    Part(
        "scorer_standings",
        ScorerStanding,
        "user",
        ("domain__key", "practised_at", "again_since"),
    ),
    Part(
        "scorer_pauses",
        ScorerPause,
        "standing__user",
        ("standing__domain__key", "at", "ended_at"),
    ),
    Part(
        "anchor_checks",
        MetaEvaluation,
        "senior",
        ("anchor__task__key", "number", "verdict", "remarks"),
    ),
    Part(
        "rulings",
        Adjudication,
        "senior",
        ("task__key", "criterion__key", "kind", "ruling", "reason", "at"),
    ),
    Part(
        "verdict_flags",
        VerdictFlag,
        "by",
        ("verdict__criterion__key", "sheet_line__criterion__key", "reason", "at"),
    ),
    Part(
        "coded_errors",
        CodedError,
        "by",
        ("criterion__key", "code__key", "reason", "at", "state"),
    ),
    Part(
        "overrules",
        Overrule,
        "by",
        (
            *("judgment__response__task__key", "finding", "answer", "confidence", "cited_page"),
            *("reason", "at"),
        ),
    ),
    Part(
        "proposal_outcomes",
        ProposalOutcome,
        "by",
        ("task__key", "criterion__key", "concern", "outcome", "reason", "at"),
    ),
    Part("share_decisions", ShareDecision, "by", ("task__key", "finding", "reason", "at")),
    Part("judge_prompts", JudgePrompt, "by", ("number", "content", "note", "at")),
    Part("judge_variants", JudgeVariant, "by", ("name", "note", "at")),
    Part("judge_defaults", JudgeDefault, "set_by", ("number", "variant__name", "reason", "since")),
    Part(
        "judge_experiments",
        JudgeExperiment,
        "by",
        ("pk", "first__name", "second__name", "measure", "question", "at"),
    ),
    Part("operator_changes", OperatorChange, "person", ("operator", "reason", "at")),
    Part(
        "collected_answers",
        CollectionCell,
        "operator",
        (
            *("pk", "task__key", "period__key", "state", "reason", "remark", "links"),
            *("tools_off", "asked_on", "account", "ended_at"),
        ),
    ),
    Part(
        "errata",
        Erratum,
        "entered_by",
        ("release__number", "task__key", "kind", "text", "contact", "at", "state", "answer"),
    ),
    Part("selections", Selection, "set_by", ("task__key", "pool__key", "number", "what", "since")),
    Part("real_outcomes", RealOutcome, "set_by", ("task__key", "rater", "reason", "since")),
    Part("draft_requests", DraftRequest, "asked_by", ("task__key", "remarks", "asked_at")),
    Part("opinion_requests", OpinionRequest, "asked_by", ("task__key", "asked_at")),
    Part("label_requests", LabelRequest, "asked_by", ("task__key", "asked_at")),
    Part("proposed_checklists", QueryChecklist, "proposed_by", ("task__key", "number")),
    Part("checklists", QueryChecklist, "used_by", ("task__key", "number", "state", "used_at")),
    Part(
        "checklist_overrules",
        ChecklistOverrule,
        "by",
        ("checklist__task__key", "kind", "label__name", "criterion__key", "reason", "at"),
    ),
)
