from judge.models.anchors import Anchor, AnchorEvent, MetaEvaluation, MetaLine
from judge.models.candidates import Candidate, Price, Response
from judge.models.gold import GoldDraw, GoldDrawItem, GoldItem, GoldRelease
from judge.models.runs import Call, JudgeRun, Judgment, RunItem, Verdict
from judge.models.sheets import Sheet, SheetLine
from judge.models.trust import TrustThresholds
from judge.models.work import Heartbeat, MachineWork

__all__ = [
    "Anchor",
    "AnchorEvent",
    "Call",
    "Candidate",
    "GoldDraw",
    "GoldDrawItem",
    "GoldItem",
    "GoldRelease",
    "Heartbeat",
    "JudgeRun",
    "Judgment",
    "MachineWork",
    "MetaEvaluation",
    "MetaLine",
    "Price",
    "Response",
    "RunItem",
    "Sheet",
    "SheetLine",
    "TrustThresholds",
    "Verdict",
]
