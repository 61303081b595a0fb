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
    RunItem,
    Takeover,
    Verdict,
)
from judge.errata.models import Erratum
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
from judge.line_reviews.models import LineOpinion, OpinionRequest
from judge.market_fit.models import DemandCurve, DemandPoint, TaskPrice
from judge.methods.graded.models import GradeScale
from judge.methods.list_match.models import BandTable, ListDemand
from judge.open_board.models import BoardRemoval
from judge.prices.models import Price, PriceEvent
from judge.probes.models import ProbeSample
from judge.product_index.models import ScoreMatrix
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
from judge.queue.models import AccountUse, Heartbeat, MachineWork
from judge.retirements.models import Retirement
from judge.sheets.models import Sheet, SheetLine
from judge.skill_labels.models import LabelRequest
from judge.task_analysis.models import ProposalOutcome
from judge.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.workshop.models import JudgeExperiment

__all__ = [
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
    "ChosenProfile",
    "ConditionReason",
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
    "LabelRequest",
    "LineOpinion",
    "ListDemand",
    "MachineWork",
    "MetaEvaluation",
    "MetaLine",
    "MonthlyBudget",
    "OpinionRequest",
    "OperatorChange",
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
    "RealOutcome",
    "Response",
    "RunItem",
    "Selection",
    "ServedModel",
    "ServedModelEvent",
    "ShareDecision",
    "ShareRules",
    "ScoreMatrix",
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
