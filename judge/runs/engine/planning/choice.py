"""The responses that a run is planned on: of a set of tasks, of some keys, of some candidates."""

from collections.abc import Collection, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.task_sets import OPEN, TaskSet


def chosen_responses(
    task_keys: Sequence[str] | None,
    candidate_names: Sequence[str] | None,
    tasks: TaskSet,
    only: Collection[int] | None = None,
) -> list[Response]:
    """Return the chosen responses without their texts.

    Args:
        only: these responses alone, by primary key; None for all.

    Raises BadInput for unknown names, and for tasks outside of the set.
    """
    rows = Response.objects.select_related("candidate").only(
        *("id", "key", "task_id", "candidate_id", "baseline", "text_version"),
        *("candidate__name", "candidate__family"),
    )
    fields: dict[str, list[str]] = {}
    for field, names, model, attribute, path, sentence in (
        ("tasks", task_keys, Task, "key", "task__key", _unknown_tasks),
        ("candidates", candidate_names, Candidate, "name", "candidate__name", _unknown_candidates),
    ):
        if names is None:
            continue
        known: set[str] = set()
        ids: list[str] = list(dict.fromkeys(names))
        for start in range(0, len(ids), 500):
            part = {f"{attribute}__in": ids[start : start + 500]}
            known.update(model._default_manager.filter(**part).values_list(attribute, flat=True))
        missing = [name for name in ids if name not in known]
        if missing or not ids:
            fields[field] = [sentence(missing)]
        rows = rows.filter(**{f"{path}__in": ids})
    if fields:
        raise BadInput(" ".join(m for messages in fields.values() for m in messages), fields=fields)
    chosen = [row for row in tasks.within(rows) if only is None or row.pk in only]
    _check_inside(task_keys, tasks)
    if not chosen and tasks.fixed and task_keys is None:
        raise BadInput(
            _("There is no response to judge in %(set)s. Order answers for it first.")
            % {"set": tasks.label},
            code="no_responses",
        )
    if not chosen:
        raise BadInput(
            _("There is no response to judge here. Import some first: manage.py import_responses"),
            code="no_responses",
        )
    return chosen


def _check_inside(task_keys: Sequence[str] | None, tasks: TaskSet) -> None:
    """Refuse keys of tasks that the set does not hold. Raises BadInput."""
    keys = list(dict.fromkeys(task_keys or ()))
    inside: set[str] = set()
    for start in range(0, len(keys), 500):
        part = Task.objects.filter(key__in=keys[start : start + 500])
        inside.update(tasks.within(part, "pk").values_list("key", flat=True))
    outside = [key for key in keys if key not in inside]
    if not outside:
        return
    if tasks.kind == OPEN:
        detail = _(
            "Held out: %(names)s. Leave them out, or choose a set that holds them and say why."
        ) % {"names": listed_names(outside)}
    else:
        detail = _("Not in %(set)s: %(names)s.") % {
            "set": tasks.label,
            "names": listed_names(outside),
        }
    raise BadInput(detail, code="outside_of_the_set", fields={"tasks": [detail]})


def _unknown_tasks(missing: list[str]) -> str:
    if not missing:
        return _("Name at least one task.")
    return ngettext(
        "There is no task %(names)s.", "There are no tasks %(names)s.", len(missing)
    ) % {"names": listed_names(missing)}


def _unknown_candidates(missing: list[str]) -> str:
    if not missing:
        return _("Name at least one candidate.")
    return ngettext(
        "There is no candidate %(names)s.", "There are no candidates %(names)s.", len(missing)
    ) % {"names": listed_names(missing)}


def listed_names(names: list[str]) -> str:
    shown = [f"“{name}”" for name in names[:10]]
    if len(names) > 10:
        shown.append(_("%(n)s more") % {"n": len(names) - 10})
    return get_text_list(shown, _("and"))
