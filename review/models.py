"""All models of the review app, for Django's registry. Import each from its noun."""

from review.conflicts.models import ConflictOfInterest, ConflictStep, Declaration
from review.decisions.models import LineDecision
from review.policy.models import RULES, ReviewPolicy, ReviewPolicyChange, ReviewTerms, Rules
from review.rounds.assignment_models import Comment, LineReview, Review, Round, Suggestion
from review.rounds.verdict_steps import VerdictStep
from review.senior_seats.models import SpotCheck, SpotCheckMark, SpotCheckRelease

__all__ = [
    "RULES",
    "Comment",
    "ConflictOfInterest",
    "ConflictStep",
    "Declaration",
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
