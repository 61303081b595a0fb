from judge.models.adjudications import Adjudication
from judge.models.alignment_sets import AlignmentItem, AlignmentSet
from judge.models.anchors import Anchor, AnchorEvent, AnchorPolicy, MetaEvaluation, MetaLine
from judge.models.batches import Batch, BatchLine
from judge.models.candidates import Candidate, CandidateEvent, Price, PriceEvent, Response
from judge.models.drafts import DraftRequest
from judge.models.generations import Generation, GenerationItem
from judge.models.gold import GoldDraw, GoldDrawItem, GoldItem, GoldRelease
from judge.models.opinions import LineOpinion, OpinionRequest
from judge.models.probes import ProbeSample
from judge.models.runs import (
    Call,
    JudgeRun,
    Judgment,
    PromptPrefix,
    RunItem,
    Takeover,
    Verdict,
)
from judge.models.sheets import Sheet, SheetLine
from judge.models.trust import TrustThresholds
from judge.models.work import AccountUse, Heartbeat, MachineWork

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
    "OpinionRequest",
    "Price",
    "PriceEvent",
    "ProbeSample",
    "PromptPrefix",
    "Response",
    "RunItem",
    "Sheet",
    "SheetLine",
    "Takeover",
    "TrustThresholds",
    "Verdict",
]
