"""All models of judge, for Django's registry. Import each from its noun."""

from judge.agreement.models import Adjudication
from judge.alignment.models import TrustThresholds
from judge.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.anchors.models import Anchor, AnchorEvent, AnchorPolicy, MetaEvaluation, MetaLine
from judge.calls.models import Call, MonthlyBudget
from judge.candidates.models import Candidate, CandidateEvent, Response
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
from judge.engine.models import HeldOutLook, JudgeRun, Judgment, RunItem, Takeover, Verdict
from judge.errata.models import Erratum
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
from judge.line_reviews.models import LineOpinion, OpinionRequest
from judge.market_fit.models import DemandCurve, DemandPoint, TaskPrice
from judge.open_board.models import BoardRemoval
from judge.prices.models import Price, PriceEvent
from judge.probes.models import ProbeSample
from judge.products.models import EvaluationPeriod, Product
from judge.queue.models import AccountUse, Heartbeat, MachineWork
from judge.sheets.models import Sheet, SheetLine
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
    "Batch",
    "BatchLine",
    "BoardRemoval",
    "Call",
    "Candidate",
    "CandidateEvent",
    "DemandCurve",
    "DemandPoint",
    "DraftRequest",
    "Edition",
    "EditionRelease",
    "Endpoint",
    "EndpointEvent",
    "Erratum",
    "EvaluationPeriod",
    "Generation",
    "GenerationItem",
    "GoldDraw",
    "GoldDrawItem",
    "GoldException",
    "GoldItem",
    "GoldRelease",
    "GoldSplit",
    "HalfOpening",
    "Heartbeat",
    "HeldOutLook",
    "JudgeDefault",
    "JudgeExperiment",
    "JudgePrompt",
    "JudgeRun",
    "JudgeVariant",
    "Judgment",
    "LineOpinion",
    "MachineWork",
    "MetaEvaluation",
    "MetaLine",
    "MonthlyBudget",
    "OpinionRequest",
    "Parameters",
    "Price",
    "PriceEvent",
    "ProbeSample",
    "Product",
    "ProgrammeModels",
    "ProposalOutcome",
    "Response",
    "RunItem",
    "ServedModel",
    "ServedModelEvent",
    "Sheet",
    "SheetLine",
    "Takeover",
    "TaskHalf",
    "TaskPrice",
    "TrustThresholds",
    "Verdict",
    "VerdictFlag",
]
