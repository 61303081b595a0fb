"""The process, as data: every stage with its words, who acts in it, and every legal move.

Nothing else in the product says which moves there are, or how a stage is told.
`docs/process.md` is drawn from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from curation.web.refusals import Conflict


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
    """One stage.

    Attributes:
        who: who acts in it.
        to: where it may lead.
        shape: of its status pill.
        step: which of the steps that a task's author sees it belongs to.
        stopped: it ended here without reaching the benchmark.
        holder, outlook: who has the task and what happens there, told to its author;
            `%(domain)s` is filled in.
        workers: who is at work in it, told to staff.
        crowded: said where most of the late tasks stand in this stage.
        late: said of `n` tasks that have stood in it for more than LATE_DAYS.
    """

    who: Actor
    to: tuple[str, ...] = ()
    shape: str = "ring"
    step: int = 0
    stopped: bool = False
    holder: Any = ""
    outlook: Any = ""
    workers: Any = ""
    crowded: Any = ""
    late: Any = ""


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

    def forward(self, before: str, after: str) -> bool:
        """Whether a move brings the thing nearer to its end."""
        order = list(self.places)
        return not self.places[after].stopped and order.index(after) > order.index(before)

    @property
    def under_way(self) -> tuple[str, ...]:
        """The stages between the start and the end, in order."""
        return tuple(
            stage
            for stage, place in self.places.items()
            if stage != self.start and place.who != Actor.NOBODY
        )

    def machine_stages(self) -> tuple[str, ...]:
        """The stages that are a queue for the machine."""
        return tuple(s for s, place in self.places.items() if place.who == Actor.MACHINE)


class AnchorStage(TextChoices):
    """Where the anchor of a gold task stands."""

    ANSWERING = "answering", _("Waiting for the baseline response")
    SCORING = "scoring", _("Being scored")
    META_EVALUATION = "meta_evaluation", _("With a senior")
    VALIDATED = "validated", _("Validated")


LATE_DAYS = 14  # in one stage, from which a task is said to be late

S = Stage
WITH_THE_AUTHOR, WITH_A_SENIOR = _("With you."), _("With a senior.")
TASK = Process(
    name="task",
    start=S.DRAFT,
    places={
        S.DRAFT: Place(
            Actor.AUTHOR,
            (S.SUBMITTED, S.WITHDRAWN),
            holder=WITH_THE_AUTHOR,
            outlook=_("It takes a slot when you submit it, not before."),
        ),
        S.SUBMITTED: Place(
            Actor.MACHINE,
            (S.SCREENING,),
            "diamond",
            step=1,
            holder=_("Being checked for similarity and difficulty."),
            outlook=_("Then the panel reads it."),
            workers=_("Probing, likeness"),
            crowded=_("The machine's first look is where tasks wait"),
        ),
        S.SCREENING: Place(
            Actor.PANEL,
            (S.DRAFT, S.REJECTED, S.DRAFTING),
            "quarter",
            step=1,
            holder=_("With the panel: %(domain)s."),
            outlook=_("Colleagues vote on difficulty, practice and gradability."),
            workers=_("Panels of the domains"),
            crowded=_("Screening is where tasks wait"),
            late=ngettext_lazy(
                "%(n)s prompt has waited for its panel for more than 14 days.",
                "%(n)s prompts have waited for their panels for more than 14 days.",
                "n",
            ),
        ),
        S.DRAFTING: Place(
            Actor.MACHINE,
            (S.REFINING,),
            "diamond",
            step=2,
            holder=_("With the machine."),
            outlook=_("Rubric lines are being drafted from your task and reference answer."),
            workers=_("Rubric draft"),
            crowded=_("Drafting is where tasks wait"),
        ),
        S.REFINING: Place(
            Actor.AUTHOR,
            (S.IN_REVIEW, S.WITHDRAWN),
            "half",
            step=2,
            holder=WITH_THE_AUTHOR,
            outlook=_("Go through the drafted lines, then send the rubric to review."),
            workers=_("Authors"),
            crowded=_("Tasks wait for their authors"),
            late=ngettext_lazy(
                "%(n)s author has not answered for more than 14 days.",
                "%(n)s authors have not answered for more than 14 days.",
                "n",
            ),
        ),
        S.IN_REVIEW: Place(
            Actor.REVIEWER,
            (S.REFINING, S.DECIDING, S.SPOT_CHECK, S.APPROVED),
            "threequarter",
            step=3,
            holder=_("With the reviewer."),
            outlook=_("Another expert of the domain reads every line."),
            workers=_("Reviewers"),
            crowded=_("Review is where tasks wait"),
            late=ngettext_lazy(
                "%(n)s rubric has been in review for more than 14 days.",
                "%(n)s rubrics have been in review for more than 14 days.",
                "n",
            ),
        ),
        # The set number of rounds left lines open; staff may give the two sides one more.
        S.DECIDING: Place(
            Actor.SENIOR,
            (S.SPOT_CHECK, S.APPROVED, S.REFINING),
            "threequarter",
            step=3,
            holder=WITH_A_SENIOR,
            outlook=_("A senior decides the lines left open."),
            workers=_("Seniors"),
            crowded=_("Tasks wait for a senior to decide"),
            late=ngettext_lazy(
                "%(n)s rubric has waited for a senior to decide for more than 14 days.",
                "%(n)s rubrics have waited for a senior to decide for more than 14 days.",
                "n",
            ),
        ),
        S.SPOT_CHECK: Place(
            Actor.SENIOR,
            (S.REFINING, S.APPROVED, S.DISCARDED),
            "threequarter",
            step=4,
            holder=WITH_A_SENIOR,
            outlook=_("It was drawn for a spot check."),
            workers=_("Seniors"),
            crowded=_("Spot checks are where tasks wait"),
            late=ngettext_lazy(
                "%(n)s spot check has waited for a senior for more than 14 days.",
                "%(n)s spot checks have waited for a senior for more than 14 days.",
                "n",
            ),
        ),
        S.APPROVED: Place(
            Actor.NOBODY,
            (S.REFINING, S.DISCARDED),
            "full",
            step=5,
            holder=_("In the benchmark."),
            outlook=_("Nothing is left to do."),
        ),
        S.REJECTED: Place(
            Actor.NOBODY,
            shape="cross",
            step=1,
            stopped=True,
            holder=_("Not kept."),
            outlook=_("The panel's reasons stand in its history."),
        ),
        S.WITHDRAWN: Place(  # it stopped at the step it had reached
            Actor.NOBODY,
            shape="square",
            stopped=True,
            holder=_("Withdrawn by you."),
            outlook=_("A slot it took stays taken."),
        ),
        S.DISCARDED: Place(
            Actor.NOBODY,
            shape="cross",
            step=4,
            stopped=True,
            holder=_("Discarded."),
            outlook=_("The reasons stand in its history."),
        ),
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


def shapes() -> dict[str, str]:
    """The shape of each stage's status pill."""
    processes = (TASK, APPLICATION, ANCHOR)
    return {stage: place.shape for process in processes for stage, place in process.places.items()}
