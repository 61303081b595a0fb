"""Whether a person is given new sheets in a domain: after their practice, and unless paused."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from curation.base.web.refusals import Conflict
from curation.joining.people import User
from judge.scoring.scorers.models import ScorerPause, ScorerStanding
from judge.scoring.scorers.practice_models import PracticeSheet

PAUSED, PRACTICE = "paused", "practice"
Pair = tuple[int, int]  # person, domain
_NOT_FIRST = ("expert", "known")  # kinds of sheets after which a sheet is not the first


def held_up(pairs: Collection[Pair]) -> Mapping[Pair, str]:
    """Return why these scorers are given no new sheet: PAUSED or PRACTICE; the others are missing.

    Practice comes first where a domain has a practice sheet in use, the person has no sheet there
    yet, and staff did not let them through; and wherever staff asked for practice again. Two
    queries, three where somebody could need practice.
    """
    users, domains = {user for user, _d in pairs}, {domain for _u, domain in pairs}
    if not pairs:
        return {}
    found: dict[Pair, str] = {}
    done: set[Pair] = set()
    rows = ScorerStanding.objects.filter(user__in=users, domain__in=domains).annotate(
        paused=Exists(ScorerPause.objects.filter(standing=OuterRef("pk"), ended_at__isnull=True))
    )
    for row in rows:
        pair = (row.user_id, row.domain_id)
        if row.paused:
            found[pair] = PAUSED
        elif row.again_since and (row.practised_at is None or row.practised_at < row.again_since):
            found[pair] = PRACTICE
        elif row.practised_at:
            done.add(pair)
    asked = _domains_with_practice(domains)
    open_pairs = {p for p in pairs if p[1] in asked and p not in done and p not in found}
    if open_pairs:
        found |= dict.fromkeys(open_pairs - _with_sheets(open_pairs), PRACTICE)
    return {pair: found[pair] for pair in pairs if pair in found}


def _domains_with_practice(domains: Collection[int]) -> set[int]:
    rows = PracticeSheet.objects.filter(domain__in=domains, retired_at__isnull=True).order_by()
    return set(rows.values_list("domain_id", flat=True).distinct())


def _with_sheets(pairs: Collection[Pair]) -> set[Pair]:
    """Return the pairs in which the person has a sheet of lines or a grade; one query."""
    users, domains = {user for user, _d in pairs}, {domain for _u, domain in pairs}
    lines = (
        User.objects.filter(
            pk__in=users, sheets__kind__in=_NOT_FIRST, sheets__response__task__domain__in=domains
        )
        .order_by()
        .values_list("pk", F("sheets__response__task__domain"))
    )
    grades = (
        User.objects.filter(pk__in=users, graded_sheets__response__task__domain__in=domains)
        .order_by()
        .values_list("pk", F("graded_sheets__response__task__domain"))
    )
    return set(lines.union(grades))


def why_held_up(user: Any, domain_id: int) -> str:
    """Return PAUSED, PRACTICE or "" for one person and domain."""
    pair = (user.pk, domain_id)
    return held_up([pair]).get(pair, "")


def ready_domains(user: Any, domains: Collection[int]) -> frozenset[int]:
    """Return those of these domains in which a person is given new sheets."""
    held = held_up([(user.pk, domain) for domain in domains])
    return frozenset(domain for domain in domains if (user.pk, domain) not in held)


def check_ready(user: Any, domain_id: int, *, own: bool = False) -> None:
    """Check that a person is given new sheets in a domain.

    Args:
        own: whether the person asks for the sheet, so that the refusal speaks to them.

    Raises:
        Conflict: `practice_first`, `scorer_paused`.
    """
    if why := why_held_up(user, domain_id):
        sentence, code = (_to_the_scorer if own else _to_others)(why)
        raise Conflict(sentence, code=code)


def _to_the_scorer(why: str) -> tuple[str, str]:
    if why == PRACTICE:
        sentence = _("Do a practice sheet in this domain first; your home page says so.")
        return sentence, "practice_first"
    sentence = _("Your scoring in this domain is paused until the staff lift the pause.")
    return sentence, "scorer_paused"


def _to_others(why: str) -> tuple[str, str]:
    if why == PRACTICE:
        return (
            _("This person does a practice sheet in this domain first; their home page says so."),
            "practice_first",
        )
    return (
        _("This person's scoring in this domain is paused until the staff lift the pause."),
        "scorer_paused",
    )


def standing_of(user: Any, domain_id: int) -> ScorerStanding:
    """Return a person's standing in a domain, locked until the end of the transaction."""
    ScorerStanding.objects.get_or_create(user=user, domain_id=domain_id)
    rows = ScorerStanding.objects.select_for_update(of=("self",))
    return rows.get(user=user, domain_id=domain_id)
