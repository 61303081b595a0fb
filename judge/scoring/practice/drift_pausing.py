"""Pauses of scorers whose agreement with known verdicts fell below what staff ask for."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db import transaction

from curation.joining.domains.models import Domain
from judge.base.stats.drift import Comparison, last_lines
from judge.scoring.practice import notices
from judge.scoring.practice.known_results import KnownResult, results
from judge.scoring.scorers.models import ScorerPause, ScorerPolicy, ScorerStanding
from judge.scoring.scorers.policy import policy_for
from judge.scoring.scorers.readiness import standing_of


def since_last_pause(
    found: Iterable[KnownResult], pauses: Sequence[ScorerPause]
) -> list[KnownResult]:
    """Return the results after the last pause ended; none while one is open.

    Args:
        pauses: of the scorer, the newest first.
    """
    if not pauses:
        return list(found)
    ended = pauses[0].ended_at
    return [] if ended is None else [one for one in found if one.at > ended]


def is_below(last: Comparison, policy: ScorerPolicy) -> bool:
    """Return whether the last known lines call for a pause: enough of them, and too few agree."""
    enough = last.lines >= policy.pause_lines
    return bool(policy.pause_below) and enough and not last.reaches(policy.pause_below)


def pause_drifting_scorers() -> int:
    """Pause the scorers who fell below the rule of their domain; return how many.

    A periodic job: a submission does the same for a known sheet as for any other, so neither its
    time nor a pause that follows at once tells them apart.
    """
    return sum(
        _pause_in(domain, policy)
        for domain in Domain.objects.filter(known_sheets__sheet__state="submitted").distinct()
        if (policy := policy_for(domain.pk)).pause_below
    )


def _pause_in(domain: Domain, policy: ScorerPolicy) -> int:
    by_scorer: dict[int, list[KnownResult]] = defaultdict(list)
    for one in results(domain.pk):
        by_scorer[one.user].append(one)
    rows = ScorerStanding.objects.filter(domain=domain, user__in=by_scorer)
    done = 0
    for standing in rows.prefetch_related("pauses").select_related("user"):
        mine = since_last_pause(by_scorer[standing.user_id], list(standing.pauses.all()))
        last = last_lines([one.pairs for one in mine], policy.pause_lines)
        if is_below(last, policy):
            done += _pause(standing, last, policy.pause_below)
    return done


@transaction.atomic
def _pause(standing: ScorerStanding, last: Comparison, below: int) -> int:
    locked = standing_of(standing.user, standing.domain_id)
    newest = locked.pauses.first()
    if newest is not None and newest != next(iter(standing.pauses.all()), None):
        return 0  # another process was faster
    pause = ScorerPause.objects.create(
        standing=locked, agreed=last.agreed, lines=last.lines, below=below
    )
    notices.paused(pause)
    return 1
