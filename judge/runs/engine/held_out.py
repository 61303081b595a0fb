"""Judges on held-out tasks: each run or import is a look, which needs a reason and is counted.

A judge is tuned on development halves, as often as one likes. Who looks at a held-out half while
still changing the judge tunes it to that half too, and then nothing is left to measure it on. So a
look states why, keeps the judge's configuration, and every report on these tasks says how many
there were. A judge that is asked elsewhere looks when its scores are imported: of its
configuration only the name is known.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import gap, listed
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.models import Half, TaskHalf
from judge.methods.variants.models import JudgeVariant
from judge.methods.variants.queries import template_of
from judge.runs.engine.models import HeldOutLook, JudgeRun, RunItem
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet

REASON_LIMIT = 2000  # characters
_PART = 500  # keys in one query


@dataclass(frozen=True, slots=True)
class Looks:
    """How often held-out tasks were looked at.

    Attributes:
        tasks: the held-out tasks in question; 0 where none of them is held out.
        number: runs that judged a response to one of them, and imports of a judge's scores of
            one, after it was held out.
        configurations: the different judges among them; an imported one is told by its name.
        imported: the names of the imported ones, in order.
        before: runs and imports of before that, when nobody could know.
        opened: of the tasks, those whose half staff have opened.
    """

    tasks: int = 0
    number: int = 0
    configurations: int = 0
    imported: tuple[str, ...] = ()
    before: int = 0
    opened: int = 0

    @property
    def closed(self) -> int:
        """Tasks whose verdicts are not shown."""
        return self.tasks - self.opened

    @property
    def sentence(self) -> str:
        """Say it in one to three sentences; "" where nothing is held out."""
        if not self.tasks:
            return ""
        parts = [self._counted]
        if self.imported:
            names = listed(f"“{name}”" for name in self.imported)
            parts.append(
                ngettext(
                    "Imported, with its name for a configuration: %(names)s.",
                    "Imported, with their names for configurations: %(names)s.",
                    len(self.imported),
                )
                % {"names": names}
            )
        if self.before:
            parts.append(
                ngettext(
                    "Judged %(n)s time before it was held out.",
                    "Judged %(n)s times before it was held out.",
                    self.before,
                )
                % {"n": f"{self.before:,}"}
            )
        return gap().join(parts)

    @property
    def _counted(self) -> str:
        judges = ngettext("%(n)s configuration", "%(n)s configurations", self.configurations) % {
            "n": f"{self.configurations:,}"
        }
        if not self.number:
            words = _("Held-out half (%(tasks)s): not looked at yet.")
        else:
            words = ngettext(
                "Held-out half (%(tasks)s): looked at %(n)s time, with %(judges)s.",
                "Held-out half (%(tasks)s): looked at %(n)s times, with %(judges)s.",
                self.number,
            )
        tasks = ngettext("%(n)s task", "%(n)s tasks", self.tasks) % {"n": f"{self.tasks:,}"}
        if self.opened:
            tasks = _("%(tasks)s, %(n)s of them opened") % {"tasks": tasks, "n": f"{self.opened:,}"}
        return words % {"tasks": tasks, "n": f"{self.number:,}", "judges": judges}

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "tasks": self.tasks,
            "looks": self.number,
            "configurations": self.configurations,
            "imported": list(self.imported),
            "runs_before": self.before,
            "opened": self.opened,
        }


def configuration_of(run: JudgeRun) -> dict[str, Any]:
    """Return what makes the judge of a run: method, model, parameters, prompt and example."""
    found = {
        "method": run.method,
        "provider": run.provider,
        "model": run.model,
        "parameters": run.parameters,
        "calls": run.calls_mode,
        "experts": run.experts,
        "prompt": template_of(run.variant).version,
    }
    if run.further_models or run.search:
        found |= {"further": run.further_models, "documents": [run.search, run.search_sha256]}
    # Only where a variant settles it: looks recorded before variants keep their hash.
    if run.variant is not None and run.variant.example == JudgeVariant.Example.OTHER:
        found["example"] = run.variant.example
    return found


def checked_reason(tasks: Collection[int], reason: str) -> str:
    """Return the reason to look at the held-out ones of these tasks; "" where none is held out.

    Raises:
        BadInput: `held_out`, some are held out and no reason is given.
    """
    held = sorted(_held_out_of(tasks))
    if not held:
        return ""
    if reason.strip():
        return required_reason(reason, limit=REASON_LIMIT, field="held_out_reason")
    detail = ngettext(
        "%(n)s of these tasks is held out. Judging it is a look at a held-out half, which is "
        "counted: say why. To tune a judge, choose a development half instead.",
        "%(n)s of these tasks are held out. Judging them is a look at a held-out half, which is "
        "counted: say why. To tune a judge, choose a development half instead.",
        len(held),
    ) % {"n": f"{len(held):,}"}
    raise BadInput(detail, code="held_out", fields={"held_out_reason": [detail]})


def record_look(run: JudgeRun, reason: str, by: Any) -> None:
    """Record that a run looks at held-out tasks, with the configuration of its judge."""
    configuration = configuration_of(run)
    HeldOutLook.objects.create(
        run=run,
        reason=reason,
        configuration=configuration,
        configuration_sha256=_hash(configuration),
        by=by,
    )


def checked_import(judges: Mapping[str, Collection[int]], reason: str) -> tuple[list[str], str]:
    """Return whose imported scores are a look at held-out tasks, and the reason; [] and "" if none.

    Args:
        judges: name of the judge -> keys of the tasks that it judged.

    Raises:
        BadInput: `held_out`, there are some and no reason is given.
    """
    held = _held_out_of(task for tasks in judges.values() for task in tasks)
    if not held:
        return [], ""
    if not reason.strip():
        detail = ngettext(
            "%(n)s task in this file is held out. Importing what a judge said of it is a look at a "
            "held-out half, which is counted: say why (--held-out-reason), or leave its lines out.",
            "%(n)s tasks in this file are held out. Importing what a judge said of them is a look "
            "at a held-out half, which is counted: say why (--held-out-reason), or leave their "
            "lines out.",
            len(held),
        ) % {"n": f"{len(held):,}"}
        raise BadInput(detail, code="held_out", fields={"held_out_reason": [detail]})
    names = sorted(name for name, tasks in judges.items() if held.intersection(tasks))
    return names, required_reason(reason, limit=REASON_LIMIT, field="held_out_reason")


def record_import(names: Iterable[str], reason: str, at: datetime) -> None:
    """Record that imported judges look at held-out tasks; their sheets were submitted at `at`."""
    for name in names:
        configuration = _configuration_of_imported(name)
        HeldOutLook.objects.create(
            judge=name,
            reason=reason,
            configuration=configuration,
            configuration_sha256=_hash(configuration),
            at=at,
        )


def refuse_a_look_that_changed(run: JudgeRun) -> None:
    """Refuse to go on with a run on held-out tasks that is not what was stated.

    Raises:
        Conflict: `held_out_since`, tasks were held out after the run was planned, without a look;
            `configuration_changed`, the prompt is another one than that of the look.
    """
    look = HeldOutLook.objects.filter(run=run).first()
    if look is not None:
        if look.configuration_sha256 != _hash(configuration_of(run)):
            raise Conflict(
                _(
                    "The judge's instructions were changed after this run on held-out tasks was "
                    "planned, so its configuration is another one. Plan a new run."
                ),
                code="configuration_changed",
            )
        return
    open_items = RunItem.objects.filter(run=run).exclude(
        state__in=(RunItem.State.JUDGED, RunItem.State.SKIPPED)
    )
    number = (
        open_items.filter(response__task__in=task_sets.held_out())
        .values("response__task")
        .distinct()
        .count()
    )
    if number:
        raise Conflict(
            ngettext(
                "%(n)s task of this run was held out after it was planned. Plan a new run, "
                "without it or with a reason.",
                "%(n)s tasks of this run were held out after it was planned. Plan a new run, "
                "without them or with a reason.",
                number,
            )
            % {"n": f"{number:,}"},
            code="held_out_since",
        )


def looks_at(tasks: "QuerySet[Any]") -> Looks:
    """Count the looks at the held-out ones of these tasks. Seven queries at most.

    Args:
        tasks: a query of keys of tasks.
    """
    halves = TaskHalf.objects.filter(half=Half.HELD_OUT, task__in=tasks).order_by()
    openings = list(halves.values_list("split__opening", flat=True))
    number = len(openings)
    if not number:
        return Looks()
    judged = RunItem.objects.filter(
        state=RunItem.State.JUDGED, response__task__in=halves.values("task")
    ).order_by()
    after = judged.filter(finished_at__gte=F("response__task__half__split__at"))
    runs = list(JudgeRun.objects.filter(pk__in=after.values("run")).select_related("look"))
    before = judged.exclude(run__in=[run.pk for run in runs]).values("run").distinct().count()
    imports: set[tuple[str, datetime | None]] = set()  # rater, when
    later: set[tuple[str, datetime | None]] = set()
    for sheets in _imported_of(halves.values("task")):
        names_and_times = sheets.values_list("rater", "submitted_at").distinct()
        imports.update(names_and_times)
        later.update(names_and_times.filter(submitted_at__gte=F("response__task__half__split__at")))
    names = sorted({name for name, _at in later})
    return Looks(
        tasks=number,
        number=len(runs) + len(later),
        configurations=len({_configuration_hash(run) for run in runs}) + len(names),
        imported=tuple(names),
        before=before + len(imports - later),
        opened=sum(opening is not None for opening in openings),
    )


def recorded_looks(tasks: "QuerySet[Any]") -> "QuerySet[HeldOutLook]":
    """Select the recorded looks that judged the held-out ones of these tasks, newest first.

    Args:
        tasks: a query of keys of tasks.
    """
    held = TaskHalf.objects.filter(half=Half.HELD_OUT, task__in=tasks).order_by().values("task")
    judged = RunItem.objects.filter(
        run=OuterRef("run"), state=RunItem.State.JUDGED, response__task__in=held
    )
    by_lines, by_grades = (
        Exists(sheets.filter(rater=OuterRef("judge"), submitted_at=OuterRef("at")))
        for sheets in _imported_of(held)
    )
    rows = HeldOutLook.objects.filter(Q(Exists(judged)) | Q(by_lines) | Q(by_grades))
    return rows.select_related("run", "by").order_by("-pk")


def looks_of_run(run: JudgeRun) -> Looks:
    """Count all looks at the held-out tasks that a run has."""
    items = RunItem.objects.filter(run=run).exclude(reason="baseline")
    return looks_at(items.order_by().values("response__task"))


def _configuration_hash(run: JudgeRun) -> str:
    """Return the hash of a run's configuration; without a look, that of its settings alone."""
    look = getattr(run, "look", None)
    if look is not None:
        return look.configuration_sha256
    return _hash({name: v for name, v in configuration_of(run).items() if name != "prompt"})


def _configuration_of_imported(name: str) -> dict[str, Any]:
    """Return all that is known of a judge that is asked elsewhere."""
    return {"judge": name}


def _imported_of(
    tasks: "QuerySet[Any]",
) -> "tuple[QuerySet[Sheet], QuerySet[GradedSheet]]":
    """Select the sheets in which imported judges say something of these tasks."""
    sheets = Sheet.objects.filter(
        kind=Sheet.Kind.JUDGE,
        purpose=Sheet.Purpose.IMPORTED,
        state=Sheet.State.SUBMITTED,
        skipped="",
        response__baseline=False,
        response__task__in=tasks,
    )
    graded = GradedSheet.objects.filter(
        kind=GradedSheet.Kind.JUDGE,
        state=GradedSheet.State.SUBMITTED,
        response__baseline=False,
        response__task__in=tasks,
    )
    return sheets.order_by(), graded.order_by()


def _hash(configuration: Any) -> str:
    text = json.dumps(configuration, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _held_out_of(tasks: Iterable[int]) -> set[int]:
    keys, found = sorted(set(tasks)), set[int]()
    for start in range(0, len(keys), _PART):
        part = TaskHalf.objects.filter(half=Half.HELD_OUT, task__in=keys[start : start + _PART])
        found.update(part.values_list("task_id", flat=True))
    return found
