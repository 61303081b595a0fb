"""The search sources of judge: sheets, checks, candidates, responses, runs and releases.

Scorers and seniors find sheets by the task's title or key only: no column that names a candidate,
a purpose or another person is read for them.
"""

from typing import Any

from django.db.models import F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.screening.panels.actions import count_per_task
from curation.telling.search.queries import best_first, title_or_key
from curation.telling.search.search import Hit, SearchTerms, Source
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.models import GoldRelease
from judge.methods.base import registry
from judge.runs.engine.models import JudgeRun
from judge.scoring.pages.queue import my_checks
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet

# Words that only name the kind of thing searched for, in both languages.
CANDIDATES = ("candidate", "candidates", "参评模型")
RESPONSES = ("response", "responses", "答卷")
RUNS = ("run", "runs", "运行", "评判运行")
HASH_FROM = 6  # characters a word needs to be taken for the beginning of a hash
RELEASES = ("release", "releases", "发布")


def sheets(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find a scorer's own sheets, open and submitted."""
    domains = user.qualified_domain_ids()
    if not domains:
        return []
    before = Response.objects.filter(
        task=OuterRef("response__task_id"), pk__lt=OuterRef("response")
    )
    rows = (
        Sheet.objects.filter(user=user)
        .exclude(purpose=Sheet.Purpose.SETTLED)
        .filter(Q(response__task__domain__in=domains) | Q(response__task__domain__external=True))
        .filter(title_or_key(words, "response__task__"))
        .annotate(
            task=F("response__task"),
            title=F("response__task__title"),
            task_key=F("response__task__key"),
            language=F("response__task__language"),
            rank=count_per_task(before),
        )
        .order_by("state", "due_at", "pk")  # open ones first
        .values("pk", "state", "task", "title", "task_key", "language", "rank")
    )
    return [
        Hit(
            row["title"] or row["task_key"],
            reverse("sheet", args=[row["pk"]]),
            _("Response %(letter)s") % {"letter": rules.letter(row["task"], row["rank"])}
            + f" · {Sheet.State(row['state']).label}",
            row["language"],
        )
        for row in rows[:most]
    ]


def checks(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find the scored responses whose check a senior has open."""
    if not user.senior_domain_ids():
        return []
    rows = my_checks(user).filter(title_or_key(words, "task__"))
    return [
        Hit(
            row["task__title"] or row["task__key"],
            reverse("meta", args=[row["pk"]]),
            _("Check of a scored response"),
            row["task__language"],
        )
        for row in rows.values("pk", "task__title", "task__key", "task__language")[:most]
    ]


def candidates(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find candidates by name, version, house and model, for staff."""
    if not user.is_staff:
        return []
    words = words.without(*CANDIDATES)
    wanted = words.in_columns("name", "version", "family", "model", "provider")
    found = best_first(Candidate.objects.filter(wanted), words, "name")
    return [
        Hit(
            one.name,
            reverse("staff-candidate", args=[one.pk]),
            " · ".join(filter(None, (one.get_kind_display(), one.version, one.model))),
        )
        for one in found.only("pk", "name", "kind", "version", "model")[:most]
    ]


def responses(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find responses by their key, for staff.

    The keys are searched in their index; the texts of all responses are left unread.
    """
    if not user.is_staff:
        return []
    words = words.without(*RESPONSES)
    found = best_first(Response.objects.filter(words.in_columns("key")), words, "key")
    best = list(found.values_list("pk", flat=True)[:most])
    named = Response.objects.select_related("candidate", "task").only(
        "key", "candidate__name", "task__key"
    )
    rows = named.in_bulk(best)
    return [
        Hit(
            row.key,
            reverse("staff-response", args=[row.pk]),
            f"{row.candidate.name} · {row.task.key}",
        )
        for row in (rows[pk] for pk in best if pk in rows)
    ]


def runs(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find runs by number, model, provider, method and state, for staff."""
    if not user.is_staff:
        return []
    words = words.without(*RUNS)
    wanted = words.in_columns(
        *("model", "provider"),
        number="pk",
        choices={"method": registry.choices(), "state": JudgeRun.State.choices},
    )
    found = best_first(JudgeRun.objects.filter(wanted), words, number="pk")
    return [
        Hit(str(run), reverse("staff-run", args=[run.pk]), run.get_state_display())
        for run in found[:most]
    ]


def releases(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find releases by number or the beginning of their hash, for staff."""
    if not user.is_staff:
        return []
    words = words.without(*RELEASES)
    condition = words.in_columns(number="number")
    if len(words.words) == 1 and len(words.words[0]) >= HASH_FROM:
        condition |= Q(sha256__istartswith=words.words[0])
    rows = GoldRelease.objects.filter(condition).order_by("-number")
    return [
        Hit(
            _("Release %(n)s") % {"n": row["number"]},
            reverse("gold-release", args=[row["number"]]),
            ngettext("%(n)s task", "%(n)s tasks", row["size"]) % {"n": row["size"]}
            + f" · {row['sha256'][:12]}",
        )
        for row in rows.values("number", "size", "sha256")[:most]
    ]


SOURCES = (
    Source("sheets", gettext_lazy("Scoring"), 13, sheets),
    Source("meta", gettext_lazy("Checks of scored responses"), 13, checks),
    Source("candidates", gettext_lazy("Candidates"), 40, candidates),
    Source("runs", gettext_lazy("Runs"), 41, runs),
    Source("releases", gettext_lazy("Releases"), 42, releases),
    Source("responses", gettext_lazy("Responses"), 43, responses),
)
