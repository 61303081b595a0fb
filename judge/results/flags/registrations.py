"""What flags, overrules and error codes give to the nouns below."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.tasks.task import text_basis
from curation.tasks.task.text_basis import Basis, Rests, records
from judge.asking.candidates.earlier_text import (
    LEFT_OUT,
    answers_earlier_text,
    rests_on_earlier_text,
    rule_of_score,
    stale_rows,
)
from judge.results.flags.error_code_models import CodedError
from judge.results.flags.flags import VerdictFlag
from judge.results.flags.overrule_actions import store
from judge.results.flags.overrules import Overrule, findings_of, overrules_of
from judge.runs.engine.models import Judgment
from judge.runs.engine.signals import judgments_ended


def _flags(task: Any) -> QuerySet[VerdictFlag]:
    """Select the flags on stale verdicts, of runs and of imported judges."""
    on_stale = Q()
    for path in ("verdict__judgment__", "sheet_line__sheet__"):
        stale = rests_on_earlier_text(f"{path}response__", f"{path}version__")
        on_stale |= stale & Q(**{f"{path}response__task": task})
    return VerdictFlag.objects.filter(on_stale)


@receiver(judgments_ended, dispatch_uid="judge.overrules.follow_the_judge")
def follow_the_judge(sender: Any, judgments: Collection[int], **_: Any) -> None:
    """Compute the scores with overrules of judgments that ended again. One query without any."""
    rows = overrules_of(judgments)
    for judgment in Judgment.objects.filter(pk__in=rows) if rows else ():
        store(judgment, findings_of(judgment.pk), rows[judgment.pk])


text_basis.register(
    Rests(model="judge.VerdictFlag", label=_("Flags"), on=Basis.ALL, then=LEFT_OUT, stale=_flags),
    Rests(
        model="judge.CodedError",
        label=_("Error codes"),
        on=Basis.PROMPT,
        then=LEFT_OUT,
        stale=stale_rows("CodedError", "response__", answers_earlier_text("response__")),
    ),
    rule_of_score("Overrule", _("Overruled findings"), through="judgment__"),
    rule_of_score("OverruledScore", _("Scores with overrules"), through="judgment__"),
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.CodeRequest",
    ),
)
parts.register(
    Part(
        "verdict_flags",
        VerdictFlag,
        "by",
        ("verdict__criterion__key", "sheet_line__criterion__key", "reason", "at"),
    ),
    Part(
        "coded_errors",
        CodedError,
        "by",
        ("criterion__key", "code__key", "reason", "at", "state"),
    ),
    Part(
        "overrules",
        Overrule,
        "by",
        (
            *("judgment__response__task__key", "finding", "answer", "confidence", "cited_page"),
            *("reason", "at"),
        ),
    ),
)
