"""All models of judge, for Django's registry. Import each from its noun."""

from judge.agreement.models import Adjudication
from judge.alignment.models import TrustThresholds
from judge.alignment_sets.models import AlignmentItem, AlignmentSet
from judge.anchors.models import Anchor, AnchorEvent, AnchorPolicy, MetaEvaluation, MetaLine
from judge.calls.models import Call, MonthlyBudget
from judge.candidates.models import Candidate, CandidateEvent, Response
from judge.drafts.models import DraftRequest
from judge.endpoints.models import (
    Endpoint,
    EndpointEvent,
    Parameters,
    ServedModel,
    ServedModelEvent,
)
from judge.engine.batches.models import Batch, BatchLine
from judge.engine.models import JudgeRun, Judgment, RunItem, Takeover, Verdict
from judge.flags.models import VerdictFlag
from judge.generation.models import Generation, GenerationItem
from judge.line_reviews.models import LineOpinion, OpinionRequest
from judge.prices.models import Price, PriceEvent
from judge.probes.models import ProbeSample
from judge.queue.models import AccountUse, Heartbeat, MachineWork
from judge.releases.models import GoldDraw, GoldDrawItem, GoldItem, GoldRelease
from judge.sheets.models import Sheet, SheetLine

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
    "Call",
    "Candidate",
    "CandidateEvent",
    "DraftRequest",
    "Endpoint",
    "EndpointEvent",
    "Generation",
    "GenerationItem",
    "GoldDraw",
    "GoldDrawItem",
    "GoldItem",
    "GoldRelease",
    "Heartbeat",
    "JudgeRun",
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
    "Response",
    "ServedModel",
    "ServedModelEvent",
    "RunItem",
    "Sheet",
    "SheetLine",
    "Takeover",
    "TrustThresholds",
    "Verdict",
    "VerdictFlag",
]
