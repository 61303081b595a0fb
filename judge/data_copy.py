"""What a copy of a person's data holds of their scoring."""

from curation.data_copies.parts import Part
from judge.agreement.models import Adjudication
from judge.anchors.models import MetaEvaluation
from judge.collecting.models import CollectionCell, OperatorChange
from judge.difficulty.models import ShareDecision
from judge.drafts.models import DraftRequest
from judge.errata.models import Erratum
from judge.flags.models import VerdictFlag
from judge.graded_sheets.models import GradedSheet
from judge.line_reviews.models import OpinionRequest
from judge.profiles.models import RealOutcome, Selection
from judge.sheets.models import Sheet, SheetLine
from judge.skill_labels.models import LabelRequest
from judge.task_analysis.models import ProposalOutcome
from judge.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.workshop.models import JudgeExperiment

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
)
