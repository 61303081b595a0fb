"""The process, as data: every stage, who acts in it, and every legal move out of it.

Nothing else in the product lists stages or moves. `docs/process.md` is drawn from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from curation.errors import Conflict


class Stage(TextChoices):
    """Where a task stands."""

    DRAFT = "draft", _("Draft")
    SUBMITTED = "submitted", _("Submitted")
    SCREENING = "screening", _("Screening")
    DRAFTING = "drafting", _("Drafting the rubric")
    REFINING = "refining", _("Refining")
    IN_REVIEW = "in_review", _("In review")
    DECIDING = "deciding", _("A senior decides")
    SPOT_CHECK = "spot_check", _("Spot check")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DISCARDED = "discarded", _("Discarded")


class ApplicationStage(TextChoices):
    """Where an application stands."""

    APPLIED = "applied", _("Applied")
    EXAM = "exam", _("Exam")
    TRAINING = "training", _("Training")
    TRIAL = "trial", _("Trial task")
    QUALIFIED = "qualified", _("Qualified")
    REJECTED = "rejected", _("Rejected")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    SUSPENDED = "suspended", _("Suspended")


class Actor(TextChoices):
    """Who moves a thing out of its stage."""

    AUTHOR = "author", _("Author")
    MACHINE = "machine", _("Machine")
    PANEL = "panel", _("Panel of the domain")
    REVIEWER = "reviewer", _("Reviewer")
    SENIOR = "senior", _("Senior")
    SCORER = "scorer", _("Scorer")
    APPLICANT = "applicant", _("Applicant")
    STAFF = "staff", _("Staff")
    NOBODY = "nobody", _("Nobody")


@dataclass(frozen=True)
class Place:
    """One stage: who acts in it, where it may lead, and the shape its status pill carries."""

    who: Actor
    to: tuple[str, ...] = ()
    shape: str = "ring"


@dataclass(frozen=True)
class Process:
    """A named table of places. `check` is the only judge of a move."""

    name: str
    start: str
    places: Mapping[str, Place]

    def check(self, before: str, after: str) -> None:
        """Refuse a move the table does not hold.

        Raises:
            Conflict: code `wrong_stage`, naming both stages.
        """
        if after not in self.places[before].to:
            raise Conflict(
                _("This step is not possible now: the %(name)s is at “%(before)s”.")
                % {"name": self.label, "before": self.stage_label(before)},
                code="wrong_stage",
                data={"stage": before, "wanted": after},
            )

    @property
    def label(self) -> object:
        return {"task": _("task"), "application": _("application"), "anchor": _("anchor")}[
            self.name
        ]

    def stage_label(self, stage: str) -> object:
        for choices in (Stage, ApplicationStage, AnchorStage):
            if stage in choices.values and stage in self.places:
                return choices(stage).label
        return stage

    def machine_stages(self) -> tuple[str, ...]:
        """The stages that are a queue for the machine."""
        return tuple(s for s, place in self.places.items() if place.who == Actor.MACHINE)


class AnchorStage(TextChoices):
    """Where the anchor of a gold task stands."""

    ANSWERING = "answering", _("Waiting for the baseline response")
    SCORING = "scoring", _("Being scored")
    META_EVALUATION = "meta_evaluation", _("With a senior")
    VALIDATED = "validated", _("Validated")


S = Stage
TASK = Process(
    name="task",
    start=S.DRAFT,
    places={
        S.DRAFT: Place(Actor.AUTHOR, (S.SUBMITTED, S.WITHDRAWN), "ring"),
        S.SUBMITTED: Place(Actor.MACHINE, (S.SCREENING,), "diamond"),
        S.SCREENING: Place(Actor.PANEL, (S.DRAFT, S.REJECTED, S.DRAFTING), "quarter"),
        S.DRAFTING: Place(Actor.MACHINE, (S.REFINING,), "diamond"),
        S.REFINING: Place(Actor.AUTHOR, (S.IN_REVIEW, S.WITHDRAWN), "half"),
        S.IN_REVIEW: Place(
            Actor.REVIEWER, (S.REFINING, S.DECIDING, S.SPOT_CHECK, S.APPROVED), "threequarter"
        ),
        # The set number of rounds left lines open; staff may give the two sides one more.
        S.DECIDING: Place(Actor.SENIOR, (S.SPOT_CHECK, S.APPROVED, S.REFINING), "threequarter"),
        S.SPOT_CHECK: Place(Actor.SENIOR, (S.REFINING, S.APPROVED, S.DISCARDED), "threequarter"),
        S.APPROVED: Place(Actor.NOBODY, (S.REFINING, S.DISCARDED), "full"),
        S.REJECTED: Place(Actor.NOBODY, (), "cross"),
        S.WITHDRAWN: Place(Actor.NOBODY, (), "square"),
        S.DISCARDED: Place(Actor.NOBODY, (), "cross"),
    },
)

A = ApplicationStage
APPLICATION = Process(
    name="application",
    start=A.APPLIED,
    places={
        A.APPLIED: Place(Actor.STAFF, (A.EXAM, A.REJECTED, A.WITHDRAWN), "ring"),
        A.EXAM: Place(Actor.APPLICANT, (A.TRAINING, A.REJECTED, A.WITHDRAWN), "quarter"),
        A.TRAINING: Place(Actor.APPLICANT, (A.TRIAL,), "half"),
        A.TRIAL: Place(Actor.SENIOR, (A.QUALIFIED, A.REJECTED), "threequarter"),
        A.QUALIFIED: Place(Actor.NOBODY, (A.SUSPENDED,), "full"),
        A.REJECTED: Place(Actor.NOBODY, (), "cross"),
        A.WITHDRAWN: Place(Actor.APPLICANT, (A.APPLIED,), "square"),
        A.SUSPENDED: Place(Actor.STAFF, (A.QUALIFIED,), "lock"),
    },
)

N = AnchorStage
ANCHOR = Process(
    name="anchor",
    start=N.ANSWERING,
    places={
        N.ANSWERING: Place(Actor.MACHINE, (N.SCORING,), "diamond"),
        # Back to the machine: the baseline makes a poor example, and another one is asked for.
        N.SCORING: Place(Actor.SCORER, (N.META_EVALUATION, N.ANSWERING), "half"),
        N.META_EVALUATION: Place(
            Actor.SENIOR, (N.VALIDATED, N.SCORING, N.ANSWERING), "threequarter"
        ),
        # The rubric changed: the baseline response is scored again on the new version.
        N.VALIDATED: Place(Actor.NOBODY, (N.SCORING, N.ANSWERING), "full"),
    },
)
