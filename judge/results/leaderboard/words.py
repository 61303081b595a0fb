"""What the leaderboard says in words about its places and intervals."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import listed
from judge.base.figures.sentences import reason_text
from judge.results.leaderboard.ranking import Board


def sentence(board: Board) -> str:
    """Sum the board up in one or two plain sentences."""
    ranked = [entry for entry in board.candidates if entry.standing.mean is not None]
    tasks = ngettext("%(n)s task", "%(n)s tasks", board.tasks) % {"n": f"{board.tasks:,}"}
    if not ranked:
        return _("No candidate has a score yet.")
    first = ranked[0].standing.candidate
    if len(ranked) == 1:
        return _("Only %(candidate)s has scores, so there is nothing to rank.") % {
            "candidate": first
        }
    result = board.result
    if not result.decides:
        return _(
            "%(candidates)s candidates need at least %(needed)s common tasks before any two can be "
            "told apart; so far two have at most %(n)s in common, so none has a place yet."
        ) % {
            "candidates": len(ranked),
            "needed": result.tasks_needed,
            "n": f"{result.tasks_compared:,}",
        }
    leaders = [entry for entry in ranked if entry.standing.best_place == 1]
    if len(leaders) == 1:
        if leaders[0].standing.worst_place == 1:
            return _("%(candidate)s leads, and the gap is larger than chance explains.") % {
                "candidate": first
            }
        return _(
            "%(candidate)s leads, but %(tasks)s cannot tell it apart from every other one."
        ) % {
            "candidate": first,
            "tasks": tasks,
        }
    if len(leaders) == len(ranked):
        return _("%(tasks)s cannot tell the %(n)s candidates apart.") % {
            "tasks": tasks,
            "n": len(ranked),
        }
    numbers = {"n": len(leaders), "tasks": tasks}
    if any((entry.standing.worst_place or 0) > len(leaders) for entry in leaders):
        return (
            _(
                "%(n)s candidates may hold the first place; %(tasks)s cannot tell them "
                "apart, nor each of them from all that follow."
            )
            % numbers
        )
    return (
        _(
            "%(n)s candidates lead, and %(tasks)s cannot tell them apart. The others follow; "
            "the gap to them is larger than chance explains."
        )
        % numbers
    )


def no_interval(board: Board) -> str:
    """Say why scores have no interval."""
    reasons = {
        why
        for entry in board.candidates
        for mean, why in (
            (entry.standing.mean, entry.standing.why.get("ci95")),
            *((entry.by[key], why) for key, (_ends, why) in entry.by_ci95.items()),
        )
        if mean is not None and why is not None
    }
    if not reasons:
        return ""
    return _("Scores without an interval: %(why)s.") % {
        "why": listed(sorted(map(reason_text, reasons)))
    }
