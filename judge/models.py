"""All models of judge, for Django's registry. Import each from its noun."""

from judge.agreement.models import Adjudication
from judge.alignment.models import TrustThresholds
from judge.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.anchors.models import Anchor, AnchorEvent, AnchorPolicy, MetaEvaluation, MetaLine
from judge.calls.models import Call, MonthlyBudget
from judge.candidates.models import Candidate, CandidateEvent, Response
from judge.collecting.models import CollectionCell, CollectionOrder, OperatorChange
from judge.difficulty.models import ShareDecision, ShareRules
from judge.drafts.models import DraftRequest
from judge.editions.models import Edition, EditionRelease
from judge.endpoints.models import (
    Endpoint,
    EndpointEvent,
    Parameters,
    ProgrammeModels,
    ServedModel,
    ServedModelEvent,
)
from judge.engine.batches.models import Batch, BatchLine
from judge.engine.models import (
    Finding,
    HeldOutLook,
    JudgeRun,
    Judgment,
    RunAct,
    RunItem,
    Takeover,
    Verdict,
)
from judge.errata.models import Erratum
from judge.error_codes.models import CodedError, CodeRequest, ErrorCode, ErrorCodeChange
from judge.evidence.tiers.models import SourceTiers
from judge.flags.models import VerdictFlag
from judge.generation.models import Generation, GenerationItem
from judge.gold_sets.models import (
    GoldDraw,
    GoldDrawItem,
    GoldException,
    GoldItem,
    GoldRelease,
    GoldSplit,
    HalfOpening,
    TaskHalf,
)
from judge.graded_sheets.models import GradedSheet
from judge.imports.models import DataImport, KeptMapping
from judge.known_sheets.models import KnownLine, KnownSheet
from judge.line_reviews.models import LineOpinion, OpinionRequest
from judge.market_fit.models import DemandCurve, DemandPoint, TaskPrice
from judge.methods.graded.models import GradeScale
from judge.methods.list_match.models import BandTable, ListDemand
from judge.open_board.models import BoardRemoval
from judge.overrules.models import Overrule, OverruledScore
from judge.prices.models import Price, PriceEvent
from judge.probes.models import ProbeSample
from judge.product_index.models import ScoreMatrix, StoredIndex
from judge.products.models import EvaluationPeriod, Product
from judge.profiles.models import (
    ChosenProfile,
    ConditionReason,
    PoolImport,
    Profile,
    ProfilePool,
    RealOutcome,
    Selection,
)
from judge.query_checklists.models import (
    ChecklistOverrule,
    QueryChecklist,
    QueryChecklistLine,
)
from judge.queue.models import AccountUse, Heartbeat, MachineWork
from judge.retirements.models import Retirement
from judge.scorers.models import (
    ScorerPause,
    ScorerPolicy,
    ScorerPolicyChange,
    ScorerStanding,
    ScorerStep,
)
from judge.scorers.practice_models import PracticeAttempt, PracticeLine, PracticeSheet
from judge.sheets.models import Sheet, SheetLine
from judge.skill_labels.models import LabelRequest
from judge.task_analysis.models import ProposalOutcome
from judge.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.workshop.models import JudgeExperiment

__all__ = [
    "PracticeAttempt",
    "PracticeLine",
    "PracticeSheet",
    "ScorerPause",
    "ScorerPolicy",
    "ScorerPolicyChange",
    "ScorerStanding",
    "ScorerStep",
    "ErrorCodeChange",
    "ErrorCode",
    "CodedError",
    "CodeRequest",
    "AccountUse",
    "Adjudication",
    "AlignmentItem",
    "AlignmentSet",
    "Anchor",
    "AnchorEvent",
    "AnchorPolicy",
    "BandTable",
    "Batch",
    "BatchLine",
    "BoardRemoval",
    "Call",
    "Candidate",
    "CandidateEvent",
    "CollectionCell",
    "CollectionOrder",
    "DemandCurve",
    "DemandPoint",
    "ChecklistOverrule",
    "ChosenProfile",
    "ConditionReason",
    "DataImport",
    "DraftRequest",
    "Edition",
    "EditionRelease",
    "Endpoint",
    "EndpointEvent",
    "Erratum",
    "EvaluationPeriod",
    "Finding",
    "Generation",
    "GenerationItem",
    "GoldDraw",
    "GoldDrawItem",
    "GoldException",
    "GoldItem",
    "GoldRelease",
    "GoldSplit",
    "GradedSheet",
    "GradeScale",
    "HalfOpening",
    "Heartbeat",
    "HeldOutLook",
    "JudgeDefault",
    "JudgeExperiment",
    "JudgePrompt",
    "JudgeRun",
    "JudgeVariant",
    "Judgment",
    "KnownLine",
    "KnownSheet",
    "LabelRequest",
    "LineOpinion",
    "ListDemand",
    "MachineWork",
    "KeptMapping",
    "MetaEvaluation",
    "MetaLine",
    "MonthlyBudget",
    "OpinionRequest",
    "OperatorChange",
    "Overrule",
    "OverruledScore",
    "Parameters",
    "PoolImport",
    "Price",
    "PriceEvent",
    "ProbeSample",
    "Product",
    "Profile",
    "ProfilePool",
    "ProgrammeModels",
    "ProposalOutcome",
    "QueryChecklist",
    "QueryChecklistLine",
    "RealOutcome",
    "Response",
    "RunAct",
    "RunItem",
    "Selection",
    "ServedModel",
    "ServedModelEvent",
    "ShareDecision",
    "ShareRules",
    "ScoreMatrix",
    "StoredIndex",
    "Sheet",
    "SheetLine",
    "SourceTiers",
    "Takeover",
    "TaskHalf",
    "TaskPrice",
    "TrustThresholds",
    "Verdict",
    "VerdictFlag",
    "Retirement",
]
