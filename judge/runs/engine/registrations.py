"""What runs, judgments and verdicts of judges give to the nouns below."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import records
from curation.telling.activity import audit
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import COMMAND_LINE
from curation.telling.search import search
from curation.telling.search.queries import best_first
from curation.telling.search.search import Hit, SearchTerms, Source
from judge.asking.calls import price_uses
from judge.asking.calls.price_uses import Use
from judge.asking.candidates.earlier_text import rule_of_score
from judge.methods.base import registry
from judge.runs.engine.models import JudgeRun, RunAct

RUNS = ("run", "runs", "运行", "评判运行")  # words that only name the kind of thing searched for


def _run_names(keys: Collection[int]) -> Mapping[int, str]:
    return {run.pk: str(run) for run in JudgeRun.objects.filter(pk__in=keys)}


def _further() -> Iterator[tuple[str, str, int]]:
    """Count the models in a run's further roles, each once for a run."""
    found: Counter[tuple[str, str]] = Counter()
    rows = JudgeRun.objects.exclude(further_models={}).order_by()
    for provider, model, further in rows.values_list("provider", "model", "further_models"):
        found.update(
            {(of["provider"], of["model"]) for of in further.values()} - {(provider, model)}
        )
    for (provider, model), n in found.items():
        yield provider, model, n


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


text_basis.register(
    rule_of_score("Judgment", _("Judgments")),
    rule_of_score("Verdict", _("Verdicts of judges"), through="judgment__"),
    rule_of_score("Finding", _("Findings of judges"), through="judgment__"),
    rule_of_score(
        "RunItem",
        _("Responses in runs"),
        _("One that waits is skipped with the reason; one that is judged is left out."),
        score="judgment__",
    ),
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.BatchLine",
    ),
)
search.register(Source("runs", _("Runs"), 41, runs))
price_uses.register("runs", Use.RUN, lambda: price_uses.used(JudgeRun.objects.all()))
price_uses.register("further roles of runs", Use.RUN, _further)
audit.register(
    AuditSource(
        "run",
        _("Runs"),
        RunAct.objects.all,
        "run",
        lambda kind: RunAct.Kind(kind).label,
        reason="",
        of_tasks=False,
        names=_run_names,
        url=lambda pk: reverse("staff-run", args=[pk]),
        always=True,
        nobody=COMMAND_LINE,
        place=20,
    )
)
