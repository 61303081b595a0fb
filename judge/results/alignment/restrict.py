"""Keep only the experts' sheets on some tasks: those of a domain, or of a set."""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.base.gold_sets.task_sets import OPEN, TaskSet, held_out
from judge.results.alignment.rows import Experts, LeftOut, ResponseRow


def restrict_to_domain(experts: Experts, domain: str) -> Experts:
    """Keep the sheets of one domain. Raises BadInput if nothing was scored there."""
    found = _restricted(experts, lambda row: row.domain == domain)
    if not found.responses:
        there = sorted({row.domain for row in experts.responses.values()})
        detail = _(
            "The experts scored no response of this judge in the domain “%(name)s”. Domains "
            "with sheets: %(known)s."
        ) % {"name": domain, "known": ", ".join(there) or "–"}
        raise BadInput(detail, code="unknown_domain", fields={"domain": [detail]})
    return found


def restrict_to_set(experts: Experts, tasks: TaskSet) -> Experts:
    """Keep the sheets on the tasks of one set. Raises BadInput if nothing was scored there."""
    there = {row.task_id for row in experts.responses.values()}
    there |= {row.task_id for row in (*experts.flagged, *experts.stale)}
    if tasks.fixed:
        there &= set(tasks.members().values_list("task", flat=True))
    elif tasks.kind == OPEN:
        there -= set(held_out().values_list("task", flat=True))
    found = _restricted(experts, lambda row: row.task_id in there)
    if not found.responses and experts.responses:
        detail = _("The experts scored no response of this judge in: %(set)s.") % {
            "set": tasks.label
        }
        raise BadInput(detail, code="nothing_in_the_set", fields={"tasks": [detail]})
    return found


def _restricted(experts: Experts, wanted: Callable[[ResponseRow | LeftOut], bool]) -> Experts:
    """Keep what concerns the responses that are wanted."""
    rows = {pk: row for pk, row in experts.responses.items() if wanted(row)}
    labels = tuple(row for row in experts.labels if row[1] in rows)
    grades = tuple(row for row in experts.grades if row[1] in rows)
    given = {pk: by_rater for pk, by_rater in experts.given.items() if pk in rows}
    raters = {experts.rater_of[row[0]] for row in labels} | {row[0] for row in grades}
    raters |= {rater for by_rater in given.values() for rater in by_rater}
    return replace(
        experts,
        raters=tuple(sorted(raters)) or experts.raters,
        responses=rows,
        scores={pk: score for pk, score in experts.scores.items() if pk in rows},
        given=given,
        shares=experts.shares & rows.keys(),
        labels=labels,
        grades=grades,
        flagged=tuple(filter(wanted, experts.flagged)),
        stale=tuple(filter(wanted, experts.stale)),
    )
