"""Which scored example each task of a run gets: its own, or that of another task."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import AnchorStage
from curation.base.text import storable
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Origin, Task
from judge.base.gold_sets.task_sets import held_out
from judge.scoring.anchors.exemplar_validity import fitting
from judge.scoring.anchors.models import Anchor
from judge.scoring.sheets.models import Sheet
from rubrics.versions.models import RubricVersion
from rubrics.versions.queries import versions_that_count


def _imported_examples() -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.IMPORTED,
        state=Sheet.State.SUBMITTED,
        response__baseline=True,
        response__task__origin=Origin.EXTERNAL,
        lines__met__isnull=False,
    )


def _validated_anchors() -> QuerySet[Anchor]:
    return Anchor.objects.filter(stage=AnchorStage.VALIDATED, sheet__isnull=False)


def with_example() -> Q:
    """Return which tasks have a scored example, outdated ones included."""
    imported = _imported_examples().values("response__task")
    return Q(pk__in=_validated_anchors().values("task")) | Q(pk__in=imported)


def exemplars_of(
    tasks: set[int], versions: Mapping[int, RubricVersion], experts: str
) -> dict[int, int | str]:
    """Return each task's exemplar, or the code of the reason why it has none."""
    if experts and (
        storable.problem_with(experts)
        or not Sheet.objects.filter(kind=Sheet.Kind.EXPERT, rater=experts).exists()
    ):
        raise BadInput(
            _("No expert sheets were imported from a rater “%(name)s”.") % {"name": experts},
            fields={"experts": [_("Name a rater whose sheets were imported.")]},
        )
    sheets: dict[int, Sheet] = {}
    imported = _imported_examples().distinct()
    if experts:
        imported = imported.filter(rater=experts)
    raters: set[str] = set()
    for sheet in imported.select_related("response"):
        if sheet.response.task_id not in tasks:
            continue
        raters.add(sheet.rater)
        if sheet.response.task_id in sheets:
            raise BadInput(
                _("Several raters scored the baselines (%(names)s). Name one with --experts.")
                % {"names": get_text_list(sorted(raters | {sheets[sheet.response.task_id].rater}))},
                code="several_raters",
                fields={"experts": [_("Name one rater.")]},
            )
        sheets[sheet.response.task_id] = sheet
    for anchor in _validated_anchors().select_related("sheet"):
        if anchor.task_id in tasks and anchor.sheet is not None:
            sheets[anchor.task_id] = anchor.sheet
    pairs = {
        task: (sheet.version_id, versions[task].pk)
        for task, sheet in sheets.items()
        if task in versions
    }
    fine = fitting(pairs.values())
    return {
        task: sheets[task].pk if pair in fine else "exemplar_outdated"
        for task, pair in pairs.items()
    }


class _Place(NamedTuple):
    """Where a task belongs."""

    key: str
    domain: int
    category: int | None
    language: str


def examples_of_others(tasks: set[int]) -> dict[int, int | str]:
    """Return for each task the example of another task of its domain, or the code of "none".

    Of the others, those of its category come first, then those in its language; among equals the
    smallest SHA-256 of both keys decides, so that the same tasks get the same examples on any
    machine and no single example serves all. The example of a held-out task is never taken.
    """
    domains = Task.objects.filter(pk__in=tasks).values("domain")
    places = {
        pk: _Place(key, domain, category, language)
        for pk, key, domain, category, language in Task.objects.filter(
            domain__in=domains
        ).values_list("pk", "key", "domain_id", "category_id", "language")
    }
    kept_out = set(held_out().values_list("task", flat=True))
    everybody = set(places)
    sheets = {
        task: sheet
        for task, sheet in exemplars_of(everybody, versions_that_count(everybody), "").items()
        if isinstance(sheet, int) and task not in kept_out
    }
    found: dict[int, int | str] = {}
    for task in tasks:
        here = places[task]
        others = [
            other for other in sheets if other != task and places[other].domain == here.domain
        ]
        if others:
            nearest = min(others, key=lambda other: _distance(here, places[other]))
            found[task] = sheets[nearest]
        else:
            found[task] = "no_exemplar"
    return found


def _distance(here: _Place, there: _Place) -> tuple[bool, bool, str]:
    tie = hashlib.sha256(f"{here.key}|{there.key}".encode()).hexdigest()
    other_category = here.category is None or here.category != there.category
    return other_category, here.language != there.language, tie
