"""What versions of rubrics and their lines give to the nouns below."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from curation.base.process.events import ActKind
from curation.base.process.lifecycle import Stage
from curation.base.process.signals import stage_entered, text_amended
from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.honoraria import sources
from curation.staff.honoraria.models import Work
from curation.staff.honoraria.sources import PaidSource
from curation.tasks.task import text_basis
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task, TaskEvent
from curation.tasks.task.text_basis import Basis, Rests, records
from curation.telling.activity import audit, trail
from curation.telling.activity.audit import AuditSource
from rubrics.versions.actions import open_version
from rubrics.versions.lines import finish_exact_task, make_answer_line
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from rubrics.versions.queries import stale_versions
from rubrics.versions.trail import versions_trail

# A rubric that was made from an exact answer comes to its approval without a review.
_REVIEWED = (Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK)


def _stale_lines(task: Any) -> "QuerySet[Criterion]":
    return Criterion.objects.filter(version__in=stale_versions(task))


def approved_rubrics() -> QuerySet[Task]:
    """Return the tasks whose rubric stands approved, with when and whose it is."""
    approvals = TaskEvent.objects.filter(
        task=OuterRef("pk"), from_stage__in=_REVIEWED, to_stage=Stage.APPROVED
    )
    latest = Subquery(approvals.order_by("-at", "-pk").values("at")[:1])
    return Task.objects.annotate(
        approved_at=latest, rubric_by=Coalesce("rubric_author", "author")
    ).filter(stage=Stage.APPROVED, approved_at__isnull=False)


@receiver(stage_entered, sender=Task, dispatch_uid="rubrics.make_the_line")
def make_the_line(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    """Finish a task with an exact answer when its panel has kept it, in the same transaction."""
    if stage == Stage.DRAFTING:
        finish_exact_task(instance)


@receiver(stage_entered, sender=Task, dispatch_uid="rubrics.open_skill")
def open_skill(sender: Any, instance: Task, stage: str, **_: Any) -> None:
    """Open the empty rubric of a skill for its writer, in the same transaction."""
    if instance.is_skill and stage == Stage.REFINING and not instance.rubric_versions.exists():
        open_version(task=instance, actor=None)


@receiver(text_amended, sender=Task, dispatch_uid="rubrics.renew_the_line")
def renew_the_line(sender: Any, instance: Task, rubric_affected: bool, **_: Any) -> None:
    """Make the one line again from the amended text, in the same transaction."""
    if rubric_affected and answers_exactly(instance):
        make_answer_line(instance)


text_basis.register(
    Rests(
        model="rubrics.RubricVersion",
        label=_("Versions of the rubric"),
        on=Basis.RUBRIC,
        then=_("The author goes through the lines and confirms them, then they are reviewed."),
        stale=stale_versions,
    ),
    Rests(
        model="rubrics.Criterion",
        label=_("Rubric lines"),
        on=Basis.RUBRIC,
        then=_("They follow their version; a line whose passage is gone is named to the author."),
        stale=_stale_lines,
    ),
    *records(_("It is a step, a reason or a mark on a line as it was."), "rubrics.LineChange"),
)
parts.register(
    Part(
        "rubric_versions",
        RubricVersion,
        "created_by",
        ("task__key", "number", "origin", "created_at"),
    ),
    Part(
        "rubric_lines",
        Criterion,
        "version__task__author",
        (
            *("version__task__key", "version__number", "key", "text"),
            *("importance", "weight", "dimension"),
        ),
    ),
    Part(
        "rubric_steps",
        LineChange,
        "actor",
        ("version__task__key", "key", "kind", "before", "after", "reason", "at"),
    ),
)
sources.register(
    PaidSource(Work.RUBRIC, approved_rubrics, "rubric_by", "approved_at", "pk", "domain")
)
audit.register(
    AuditSource(
        "line",
        ActKind.LINE.label,
        LineChange.objects.all,
        "version__task",
        lambda kind: dict(LineChange.Kind.choices).get(kind, kind),
        place=10,
    )
)
trail.register(versions_trail)
