"""What draws and releases give to the nouns below."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import CharField, F, Q, QuerySet, Value
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests, independent
from curation.telling.activity import audit
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import COMMAND_LINE
from curation.telling.search import search
from curation.telling.search.search import Hit, SearchTerms, Source
from judge.base.gold_sets.models import GoldItem, GoldRelease

HASH_FROM = 6  # characters a word needs to be taken for the beginning of a hash
RELEASES = ("release", "releases", "发布")  # words that only name the kind of thing searched for


def _amended(task: Any) -> QuerySet[GoldItem]:
    return GoldItem.objects.filter(task=task, text_version__lt=F("task__version"))


def _release_names(keys: Collection[int]) -> Mapping[int, str]:
    return {number: _("Release %(n)s") % {"n": number} for number in keys}


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


text_basis.register(
    Rests(
        model="judge.GoldItem",
        label=gettext_lazy("Releases that hold it"),
        on=Basis.TEXT,
        then=gettext_lazy("A frozen release keeps its files; its page names the amended tasks."),
        stale=_amended,
    ),
    *independent(gettext_lazy("It says that no new draw takes the task."), "judge.Retirement"),
    *independent(
        gettext_lazy("It says which tasks were drawn, and for what."),
        "judge.GoldDrawItem",
        "judge.GoldException",
        "judge.TaskHalf",
    ),
)
search.register(Source("releases", gettext_lazy("Releases"), 42, releases))
audit.register(
    AuditSource(
        "release",
        gettext_lazy("Releases"),
        GoldRelease.objects.all,
        "number",
        lambda event: _("Frozen"),
        person="created_by",
        reason="",
        at="created_at",
        event=Value("frozen", output_field=CharField()),
        of_tasks=False,
        names=_release_names,
        url=lambda number: reverse("gold-release", args=[number]),
        always=True,
        nobody=COMMAND_LINE,
        place=22,
    )
)
