"""The processes as data: every stage with its words, who acts in it, and every legal move.

This is the only place that says which moves there are and how a stage is described.
`docs/process.md` is generated from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from curation.base.web.refusals import Conflict


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
class StageSpec:
    """A row of a process: one stage.

    Attributes:
        who: who acts in it.
        to: the stages it may lead to.
        shape: the shape of its status pill.
        step: the number of the step to which it belongs in the track that authors see.
        stopped: whether the task ended here without reaching the benchmark.
        holder, outlook: who has the task and what happens next, for its author; `%(domain)s` is
            filled in.
        workers: who works in it, for staff.
        crowded: the sentence for staff if most late tasks are in this stage.
        late: the sentence for staff on `n` tasks that have been in it for more than LATE_DAYS.
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
    """A named table of stages. `check` decides which moves are legal."""

    name: str
    start: str
    stages: Mapping[str, StageSpec]

    def check(self, before: str, after: str) -> None:
        """Refuse a move that the table does not have.

        Raises:
            Conflict: `wrong_stage`; `data` has both stages.
        """
        if after not in self.stages[before].to:
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
            if stage in choices.values and stage in self.stages:
                return choices(stage).label
        return stage

    def forward(self, before: str, after: str) -> bool:
        """Return whether a move leads to a later stage that is not a stop."""
        order = list(self.stages)
        return not self.stages[after].stopped and order.index(after) > order.index(before)

    @property
    def under_way(self) -> tuple[str, ...]:
        """The stages between the start and the end, in order."""
        return tuple(
            stage
            for stage, spec in self.stages.items()
            if stage != self.start and spec.who != Actor.NOBODY
        )

    @property
    def ended(self) -> tuple[str, ...]:
        """The stages in which nobody has anything to do any more."""
        return tuple(s for s, spec in self.stages.items() if spec.who == Actor.NOBODY)

    def machine_stages(self) -> tuple[str, ...]:
        """Return the stages in which things wait for the machine."""
        return tuple(s for s, spec in self.stages.items() if spec.who == Actor.MACHINE)


class AnchorStage(TextChoices):
    """Where the anchor of a gold task stands."""

    ANSWERING = "answering", _("Waiting for the baseline response")
    SCORING = "scoring", _("Being scored")
    META_EVALUATION = "meta_evaluation", _("With a senior")
    VALIDATED = "validated", _("Validated")


LATE_DAYS = 14  # in one stage, after which a task is late

S = Stage
WITH_THE_AUTHOR, WITH_A_SENIOR = _("With you."), _("With a senior.")
TASK = Process(
    name="task",
    start=S.DRAFT,
    stages={
        S.DRAFT: StageSpec(
            Actor.AUTHOR,
            (S.SUBMITTED, S.WITHDRAWN),
            holder=WITH_THE_AUTHOR,
            outlook=_("It takes a slot when you submit it, not before."),
        ),
        S.SUBMITTED: StageSpec(
            Actor.MACHINE,
            (S.SCREENING,),
            "diamond",
            step=1,
            holder=_("Being checked for similarity and difficulty."),
            outlook=_("Then the panel reads it."),
            workers=_("Probing, similarity"),
            crowded=_("The machine's first look has the most late tasks"),
        ),
        S.SCREENING: StageSpec(
            Actor.PANEL,
            (S.DRAFT, S.REJECTED, S.DRAFTING),
            "quarter",
            step=1,
            holder=_("With the panel: %(domain)s."),
            outlook=_("Colleagues vote on difficulty, practice and gradability."),
            workers=_("Panels of the domains"),
            crowded=_("Screening has the most late tasks"),
            late=ngettext_lazy(
                "%(n)s prompt has waited for its panel for more than 14 days.",
                "%(n)s prompts have waited for their panels for more than 14 days.",
                "n",
            ),
        ),
        # A task with an exact answer needs no refining: its rubric is one line, made by the machine
        # from the answer that two solvers and the panel found right.
        S.DRAFTING: StageSpec(
            Actor.MACHINE,
            (S.REFINING, S.APPROVED),
            "diamond",
            step=2,
            holder=_("With the machine."),
            outlook=_("Rubric lines are being drafted from your task and reference answer."),
            workers=_("Rubric draft"),
            crowded=_("Drafting has the most late tasks"),
        ),
        S.REFINING: StageSpec(
            Actor.AUTHOR,
            (S.IN_REVIEW, S.WITHDRAWN),
            "half",
            step=2,
            holder=WITH_THE_AUTHOR,
            outlook=_("Go through the drafted lines, then send the rubric to review."),
            workers=_("Authors"),
            crowded=_("Authors have the most late tasks"),
            late=ngettext_lazy(
                "%(n)s author has not answered for more than 14 days.",
                "%(n)s authors have not answered for more than 14 days.",
                "n",
            ),
        ),
        S.IN_REVIEW: StageSpec(
            Actor.REVIEWER,
            (S.REFINING, S.DECIDING, S.SPOT_CHECK, S.APPROVED),
            "threequarter",
            step=3,
            holder=_("With the reviewer."),
            outlook=_("Another expert of the domain reads every line."),
            workers=_("Reviewers"),
            crowded=_("Review has the most late tasks"),
            late=ngettext_lazy(
                "%(n)s rubric has been in review for more than 14 days.",
                "%(n)s rubrics have been in review for more than 14 days.",
                "n",
            ),
        ),
        # The rounds left lines open. Staff may grant one more round (back to refining).
        S.DECIDING: StageSpec(
            Actor.SENIOR,
            (S.SPOT_CHECK, S.APPROVED, S.REFINING),
            "threequarter",
            step=3,
            holder=WITH_A_SENIOR,
            outlook=_("A senior decides the lines left open."),
            workers=_("Seniors"),
            crowded=_("Decisions by seniors have the most late tasks"),
            late=ngettext_lazy(
                "%(n)s rubric has waited for a senior to decide for more than 14 days.",
                "%(n)s rubrics have waited for a senior to decide for more than 14 days.",
                "n",
            ),
        ),
        S.SPOT_CHECK: StageSpec(
            Actor.SENIOR,
            (S.REFINING, S.APPROVED, S.DISCARDED),
            "threequarter",
            step=4,
            holder=WITH_A_SENIOR,
            outlook=_("It was drawn for a spot check."),
            workers=_("Seniors"),
            crowded=_("Spot checks have the most late tasks"),
            late=ngettext_lazy(
                "%(n)s spot check has waited for a senior for more than 14 days.",
                "%(n)s spot checks have waited for a senior for more than 14 days.",
                "n",
            ),
        ),
        S.APPROVED: StageSpec(
            Actor.NOBODY,
            (S.REFINING, S.DISCARDED),
            "full",
            step=5,
            holder=_("In the benchmark."),
            outlook=_("There is nothing left to do."),
        ),
        # A stop can be taken back by staff, to the stage it came from.
        S.REJECTED: StageSpec(
            Actor.NOBODY,
            (S.SCREENING,),
            shape="cross",
            step=1,
            stopped=True,
            holder=_("Not kept."),
            outlook=_("The panel's reasons are in its history."),
        ),
        S.WITHDRAWN: StageSpec(  # no step of its own: the track stops at the step it had reached
            Actor.NOBODY,
            (S.DRAFT, S.REFINING),
            shape="square",
            stopped=True,
            holder=_("Withdrawn by you."),
            outlook=_("If it took a slot, the slot stays taken."),
        ),
        S.DISCARDED: StageSpec(
            Actor.NOBODY,
            (S.SPOT_CHECK, S.APPROVED),
            shape="cross",
            step=4,
            stopped=True,
            holder=_("Discarded."),
            outlook=_("The reasons are in its history."),
        ),
    },
)

A = ApplicationStage
APPLICATION = Process(
    name="application",
    start=A.APPLIED,
    stages={
        A.APPLIED: StageSpec(Actor.STAFF, (A.EXAM, A.REJECTED, A.WITHDRAWN), "ring"),
        A.EXAM: StageSpec(Actor.APPLICANT, (A.TRAINING, A.REJECTED, A.WITHDRAWN), "quarter"),
        A.TRAINING: StageSpec(Actor.APPLICANT, (A.TRIAL, A.WITHDRAWN), "half"),
        A.TRIAL: StageSpec(Actor.SENIOR, (A.QUALIFIED, A.REJECTED, A.WITHDRAWN), "threequarter"),
        A.QUALIFIED: StageSpec(Actor.NOBODY, (A.SUSPENDED,), "full"),
        A.REJECTED: StageSpec(Actor.NOBODY, (A.APPLIED, A.EXAM, A.TRIAL), "cross"),
        # Back to training or trial only where closing the account withdrew it.
        A.WITHDRAWN: StageSpec(Actor.APPLICANT, (A.APPLIED, A.TRAINING, A.TRIAL), "square"),
        A.SUSPENDED: StageSpec(Actor.STAFF, (A.QUALIFIED,), "lock"),
    },
)

N = AnchorStage
ANCHOR = Process(
    name="anchor",
    start=N.ANSWERING,
    stages={
        N.ANSWERING: StageSpec(Actor.MACHINE, (N.SCORING,), "diamond"),
        # Back to the machine where the baseline is a poor example and another one is needed.
        N.SCORING: StageSpec(Actor.SCORER, (N.META_EVALUATION, N.ANSWERING), "half"),
        N.META_EVALUATION: StageSpec(
            Actor.SENIOR, (N.VALIDATED, N.SCORING, N.ANSWERING), "threequarter"
        ),
        # Back to scoring where the rubric changed and the baseline is scored on the new version.
        N.VALIDATED: StageSpec(Actor.NOBODY, (N.SCORING, N.ANSWERING), "full"),
    },
)


def shapes() -> dict[str, str]:
    """Return stage -> shape of its status pill."""
    processes = (TASK, APPLICATION, ANCHOR)
    return {stage: spec.shape for process in processes for stage, spec in process.stages.items()}
