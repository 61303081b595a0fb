"""The roles on a task."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    """What a person does on one task."""

    AUTHOR = "author", _("Author")
    RUBRIC_AUTHOR = "rubric_author", _("Author of the rubric")
    SCREENER = "screener", _("Screener")
    CHECKER = "checker", _("Checker of the reference answer")
    SOLVER = "solver", _("Solver")
    REVIEWER = "reviewer", _("Reviewer")
    DECIDER = "decider", _("Deciding senior")
    SPOT_CHECKER = "spot_checker", _("Spot-checker")
    SCORER = "scorer", _("Scorer")
    META_EVALUATOR = "meta_evaluator", _("Meta-evaluator")
    ADJUDICATOR = "adjudicator", _("Adjudicator")
    AMENDMENT_DECIDER = "amendment_decider", _("Senior on an amendment")
    VERIFIER = "verifier", _("Verifier of a dynamic answer")
    ADVISER = "adviser", _("Senior who answered a question")


STAFF = "staff"  # no `Role`: staff act without a seat
