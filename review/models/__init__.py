"""Reviews line by line, in rounds, and the seniors' spot checks."""

from review.models.conflicts import ConflictOfInterest
from review.models.decisions import LineDecision
from review.models.policies import (
    RULES,
    ReviewPolicy,
    ReviewPolicyChange,
    ReviewTerms,
    Rules,
)
from review.models.reviews import Comment, LineReview, Review, Round, Suggestion
from review.models.spot_checks import SpotCheck, SpotCheckMark, SpotCheckRelease
from review.models.steps import VerdictStep

__all__ = [
    "RULES",
    "Comment",
    "ConflictOfInterest",
    "LineDecision",
    "LineReview",
    "Review",
    "ReviewPolicy",
    "ReviewPolicyChange",
    "ReviewTerms",
    "Round",
    "Rules",
    "SpotCheck",
    "SpotCheckMark",
    "SpotCheckRelease",
    "Suggestion",
    "VerdictStep",
]
