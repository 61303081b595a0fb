"""Staff set the rules, keep a task in spite of a finding, or ask for a second look."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.policies import next_state
from curation.screening.solving.models import SecondLook
from curation.screening.solving.second_looks import ask_second_look
from curation.tasks.task.models import Task
from judge.base.stats.model_shares import Finding
from judge.results.difficulty.models import ShareDecision, ShareRules
from judge.results.difficulty.queries import TO_DECIDE, Shares, TaskRow, row_of

RANGES = {"fewest": (2, 1000), "drop": (1, 100), "look": (0, 99), "agree": (1, 100)}


@action("staff.editing")
def set_rules(*, actor: Any, read: int, **limits: Any) -> ShareRules:
    """Set when something is said of a task, from now on.

    Args:
        read: the number of the rules when the page was read; 0 for the defaults.
        limits: all of fewest, drop, look and agree.

    Raises:
        BadInput: a limit is no whole number in its range, or `look` is not below `drop`.
        Conflict: `changed_meanwhile`, other rules were set since.
    """
    problems = {
        name: [_("A whole number from %(low)s to %(high)s.") % {"low": low, "high": high}]
        for name, (low, high) in RANGES.items()
        if type(limits.get(name)) is not int or not low <= limits[name] <= high
    }
    if not problems and limits["look"] >= limits["drop"]:
        problems["look"] = [_("This limit must be below the one for dropping.")]
    if problems:
        raise BadInput(fields=problems)
    return next_state(ShareRules, read=read, set_by=actor, **limits)


def evidence(found: Shares, row: TaskRow) -> dict[str, Any]:
    """Return the judge, the limits and the shares as plain data, for the record."""
    share = row.share
    return {
        "judge": found.judge.name,
        "limits": {
            "models": found.limits.models,
            "drop": found.limits.drop,
            "look": found.limits.look,
            "agree": found.limits.agree,
        },
        **shown_to_experts(row),
        "finding": share.finding.value,
    }


def shown_to_experts(row: TaskRow) -> dict[str, Any]:
    """Return what author and solvers read of the models: counts, and no model by name."""
    share = row.share
    return {
        "models": share.models,
        "right_percent": row.percent.rstrip("\u00a0%"),
        "other": share.other if share.other_share else "",
        "other_percent": row.other_percent.rstrip("\u00a0%"),
    }


@action("task.administer", about="task")
@transaction.atomic
def keep(*, actor: Any, task: Task, found: Shares, finding: str, reason: str) -> ShareDecision:
    """Keep a task as it is in spite of a finding, with the reason.

    It holds while the text of the task stays and the finding is the same.

    Raises:
        BadInput: no reason.
        Denied: `own_task`, the member of staff wrote the task.
        Conflict: `changed_meanwhile`, the task no longer has this finding.
    """
    reason = required_reason(reason, _("Say why the task stays as it is."))
    row = _checked(found, task, finding)
    return ShareDecision.objects.create(
        task=task,
        finding=finding,
        on_text=task.version,
        reason=reason,
        evidence=evidence(found, row),
        by=actor,
    )


@action("task.administer", about="task")
def look_again(*, actor: Any, task: Task, found: Shares, finding: str, reason: str) -> SecondLook:
    """Ask author and solvers of a task to look at its answer again.

    Args:
        reason: what they are to look at; they read it.

    Raises:
        BadInput: no reason, or a finding that does not ask for a second look.
        Conflict: as `keep`; or nobody can be asked.
    """
    if finding == Finding.EASY:
        raise BadInput(
            fields={"decision": [_("A task that is too easy is kept, or discarded on its page.")]}
        )
    row = _checked(found, task, finding)
    try:
        return ask_second_look(
            actor=actor, task=task, why=finding, words=reason, shown=shown_to_experts(row)
        )
    except BadInput as refusal:
        raise BadInput(
            fields={"reason" if k == "words" else k: v for k, v in refusal.fields.items()}
        ) from None


def _checked(found: Shares, task: Task, finding: str) -> TaskRow:
    row = row_of(found, task.pk)
    if row.share.finding.value != finding or row.share.finding not in TO_DECIDE:
        raise Conflict(
            _("The shares have changed since you opened the page. Load it again and decide then."),
            code="changed_meanwhile",
        )
    return row
