"""All models of judge, for Django's registry. Import each from its noun."""

from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.price_models import Price, PriceEvent
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.models import Candidate, CandidateEvent, Response
from judge.asking.endpoints.models import (
    Endpoint,
    EndpointEvent,
    Parameters,
    ProgrammeModels,
    ServedModel,
    ServedModelEvent,
)
from judge.base.gold_sets.models import (
    GoldDraw,
    GoldDrawItem,
    GoldException,
    GoldItem,
    GoldRelease,
    GoldSplit,
    HalfOpening,
    TaskHalf,
)
from judge.base.gold_sets.retirements import Retirement
from judge.base.products import EvaluationPeriod, Product
from judge.base.queue.models import AccountUse, Heartbeat, MachineWork
from judge.gold.releases.editions import Edition, EditionRelease
from judge.gold.releases.errata import Erratum
from judge.gold.transfer.import_models import DataImport, KeptMapping
from judge.methods.evidence.tiers.models import SourceTiers
from judge.methods.graded.scale import GradeScale
from judge.methods.list_match.facts import BandTable, ListDemand
from judge.methods.profiles.models import (
    ChosenProfile,
    ConditionReason,
    PoolImport,
    Profile,
    ProfilePool,
    RealOutcome,
    Selection,
)
from judge.methods.query_checklists.models import (
    ChecklistOverrule,
    QueryChecklist,
    QueryChecklistLine,
)
from judge.methods.variants.models import JudgeDefault, JudgePrompt, JudgeVariant
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.results.difficulty.analyses import ProposalOutcome
from judge.results.difficulty.models import ShareDecision, ShareRules
from judge.results.flags.error_code_models import (
    CodedError,
    CodeRequest,
    ErrorCode,
    ErrorCodeChange,
)
from judge.results.flags.flags import VerdictFlag
from judge.results.flags.overrules import Overrule, OverruledScore
from judge.results.leaderboard.open_boards import BoardRemoval
from judge.results.market_fit.models import DemandCurve, DemandPoint, TaskPrice
from judge.results.product_index.collecting import CollectionCell, CollectionOrder, OperatorChange
from judge.results.product_index.models import ScoreMatrix, StoredIndex
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.batches.models import Batch, BatchLine
from judge.runs.engine.models import (
    Finding,
    HeldOutLook,
    JudgeRun,
    Judgment,
    RunAct,
    RunItem,
    Takeover,
    Verdict,
)
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.models import Anchor, AnchorEvent, AnchorPolicy, MetaEvaluation, MetaLine
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.practice.known_models import KnownLine, KnownSheet
from judge.scoring.scorers.models import (
    ScorerPause,
    ScorerPolicy,
    ScorerPolicyChange,
    ScorerStanding,
    ScorerStep,
)
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeLine, PracticeSheet
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.suggesting.drafts.models import DraftRequest
from judge.suggesting.line_reviews import LineOpinion, OpinionRequest
from judge.suggesting.probes import ProbeSample
from judge.suggesting.skill_labels.models import LabelRequest

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
