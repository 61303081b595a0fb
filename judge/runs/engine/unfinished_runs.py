"""Notes for reports on runs that have not judged all their responses."""

from collections.abc import Iterable

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judge.runs.engine.models import JudgeRun, RunItem

State, ItemState = JudgeRun.State, RunItem.State

_WORDS = {
    State.WAITING: gettext_lazy("Run %(run)s is under way, so these figures will change."),
    State.RUNNING: gettext_lazy("Run %(run)s is under way, so these figures will change."),
    State.PAUSED: gettext_lazy("Run %(run)s is paused; these figures change when it goes on."),
    State.STOPPED: gettext_lazy("Run %(run)s has stopped; these figures change when it goes on."),
    State.CANCELLED: gettext_lazy(
        "Run %(run)s was cancelled, so its gaps stay. A new run does not ask again for what has "
        "been judged."
    ),
    State.FINISHED: gettext_lazy(
        "Run %(run)s could not judge every response. Its page offers to ask once more."
    ),
}


def notes_on(runs: Iterable[JudgeRun | None]) -> list[tuple[JudgeRun, str, str]]:
    """Return (run, why, how many) of each run with unjudged responses. One query a run."""
    found = []
    for run in runs:
        if run is None:
            continue
        counts = run.items.exclude(state=ItemState.SKIPPED).aggregate(
            all=Count("id"), judged=Count("id", filter=Q(state=ItemState.JUDGED))
        )
        if counts["judged"] == counts["all"]:
            continue
        many = _("%(n)s of %(total)s responses are judged.") % {
            "n": f"{counts['judged']:,}",
            "total": f"{counts['all']:,}",
        }
        found.append((run, str(_WORDS[State(run.state)]) % {"run": run.pk}, many))
    return found
