"""What candidates and their responses give to the nouns below."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.base.process import periodic_jobs
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests, records
from curation.telling.search import search
from curation.telling.search.queries import best_first
from curation.telling.search.search import Hit, SearchTerms, Source
from judge.asking.calls import price_uses
from judge.asking.calls.price_uses import Use
from judge.asking.candidates.earlier_text import answers_earlier_text, stale_rows
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate, Response
from judge.asking.candidates.steering_sweep import look_for_steering

# Words that only name the kind of thing searched for, in both languages.
CANDIDATES = ("candidate", "candidates", "参评模型")
RESPONSES = ("response", "responses", "答卷")


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


text_basis.register(
    Rests(
        model="judge.Response",
        label=_("Responses"),
        on=Basis.PROMPT,
        then=_("It leaves every result, and is neither judged nor scored. Ask candidates again."),
        stale=stale_rows("Response", "", answers_earlier_text()),
    ),
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.GenerationItem",
    ),
)
search.register(
    Source("candidates", _("Candidates"), 40, candidates),
    Source("responses", _("Responses"), 43, responses),
)
price_uses.register("generations", Use.RUN, lambda: price_uses.used(Generation.objects.all()))
price_uses.register(
    "candidates", Use.CANDIDATE, lambda: price_uses.used(Candidate.objects.exclude(model=""))
)
periodic_jobs.register(look_for_steering)
