"""Skills summarised by rule from the rubrics of labelled tasks: a lower bound, marked as such.

An expert would write what holds for a kind of question. The rule takes what the rubrics of its
tasks have in common: a line counts the more, the more other tasks have a line with its words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.text.language import terms
from curation.base.web.refusals import BadInput
from curation.joining.domains.models import Domain
from curation.tasks.skills.actions import Kind, lock_taxonomy, new_skill, record
from curation.tasks.skills.models import LabelOnTask, SkillLabel
from rubrics.policy.checkpoints import FEWEST, MOST, stored_weight
from rubrics.policy.dimensions import TASK_DIMENSIONS, Dimension, Importance
from rubrics.versions.actions import import_version
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

BY = "rule"  # what made it; a model's name where one does it some day
ALIKE = 0.3  # two lines are alike from this share of common terms on (Jaccard)
LINES = 8  # of a skill, unless another number is asked for


@dataclass(frozen=True)
class Line:
    """A line of a task's rubric, with its terms."""

    task: int
    text: str
    dimension: str
    weight: int
    terms: frozenset[str]


@dataclass(frozen=True)
class Chosen:
    """A line of the summary and how many tasks have one like it, its own included."""

    line: Line
    tasks: int


@dataclass(frozen=True)
class Summary:
    """What became of a label.

    Attributes:
        tasks: how many labelled tasks have a rubric.
        lines: of the skill; 0 where the rubrics have too little in common for one.
    """

    label: str
    tasks: int
    lines: int


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two lines have enough terms in common."""
    together = len(one | other)
    return bool(together) and len(one & other) >= ALIKE * together


def choose(lines: Sequence[Line], most: int) -> list[Chosen]:
    """Return the lines that other tasks have too, those of most tasks first.

    Of lines that are alike one is taken: that of most tasks, then of most weight, then the first
    by its words. The order of `lines` makes no difference.
    """
    found = []
    for line in lines:
        others = {
            one.task for one in lines if one.task != line.task and alike(line.terms, one.terms)
        }
        if others:
            found.append(Chosen(line, len(others) + 1))
    found.sort(key=lambda one: (-one.tasks, -one.line.weight, one.line.text, one.line.task))
    chosen: list[Chosen] = []
    for one in found:
        if not any(alike(one.line.terms, kept.line.terms) for kept in chosen):
            chosen.append(one)
    return chosen[:most]


def summarise(
    domain_key: str,
    *,
    writer: Any,
    labels: Iterable[str] | None = None,
    most: int = LINES,
    dry_run: bool = False,
) -> list[Summary]:
    """Make a skill for each label in use that has none, from the rubrics of its tasks.

    Args:
        writer: the member of staff who answers for it, as every skill has a writer.
        labels: keys of labels; None for all of the domain.
        most: lines of a skill.

    Raises:
        BadInput: an unknown domain or label, a label with a skill, or a number out of range.
    """
    if not FEWEST <= most <= MOST:
        raise BadInput(_("A skill has %(low)s to %(high)s lines.") % {"low": FEWEST, "high": MOST})
    domain = Domain.objects.filter(key=domain_key).first()
    if domain is None:
        raise BadInput(_("There is no domain “%(key)s”.") % {"key": domain_key})
    with transaction.atomic():
        lock_taxonomy(domain)
        rows = SkillLabel.objects.filter(domain=domain, retired_at__isnull=True, skill=None)
        wanted = list(rows.select_related("domain"))
        if labels is not None:
            keys = set(labels)
            missing = sorted(keys - {label.key for label in wanted})
            if missing:
                raise BadInput(
                    _("No label in use without a skill: %(keys)s.") % {"keys": ", ".join(missing)}
                )
            wanted = [label for label in wanted if label.key in keys]
        found = [_summarise_one(label, writer, most) for label in wanted]
        if dry_run:
            transaction.set_rollback(True)
    return found


def _summarise_one(label: SkillLabel, writer: Any, most: int) -> Summary:
    lines = _lines_of(label)
    tasks = len({line.task for line in lines})
    chosen = choose(lines, most)
    if len(chosen) < FEWEST:
        return Summary(label.key, tasks, 0)
    skill = new_skill(label, writer, Stage.APPROVED)
    import_version(task=skill, lines=[_stored(one, tasks) for one in chosen])
    summary = {"by": BY, "tasks": tasks, "lines": len(lines)}
    SkillLabel.objects.filter(pk=label.pk).update(
        skill=skill, summary=summary, version=label.version + 1
    )
    skill.record_start(actor=None, skill=True, event="skill_summarised")
    record(label.domain, Kind.SKILL, by=None, label=label, after={"skill": skill.key, **summary})
    return Summary(label.key, tasks, len(chosen))


def _lines_of(label: SkillLabel) -> list[Line]:
    """Return the lines of the rubrics that count, of the tasks on which a label stands."""
    there = LabelOnTask.objects.filter(label=label, removed_at__isnull=True)
    versions = version_ids_that_count(there.values_list("task", flat=True))
    rows = Criterion.objects.filter(version__in=versions.values()).order_by("version", "position")
    return [
        Line(row["version__task"], row["text"], row["dimension"], row["weight"], terms(row["text"]))
        for row in rows.values("version__task", "text", "dimension", "weight")
    ]


def _stored(one: Chosen, tasks: int) -> dict[str, Any]:
    """Return a line as the skill has it: essential if at least half of the tasks have it."""
    importance = Importance.ESSENTIAL if 2 * one.tasks >= tasks else Importance.IMPORTANT
    dimension = one.line.dimension
    if dimension not in TASK_DIMENSIONS:
        dimension = Dimension.OTHER
    return {
        "text": one.line.text,
        "importance": importance,
        "dimension": dimension,
        "weight": stored_weight(importance, dimension),
    }
