"""Decisions on many applications at once: admit, reject."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.process import prepared_reasons
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.actions import admit, reject
from curation.qualifying.qualification.views import RejectForm, WordsForm


def _load(keys: Collection[int]) -> Mapping[int, Application]:
    rows = Application.objects.select_related("user", "domain", "domain__exam")
    return rows.in_bulk(list(keys))


def _named(row: Application) -> str:
    return f"{row.user.pseudonym} · {row.domain}"


def _admit(*, actor: Any, thing: Application, words: str = "") -> None:
    admit(actor=actor, application=thing, reason=words)


def _reject(*, actor: Any, thing: Application, reason: str, words: str) -> None:
    said = prepared_reasons.text_for(thing.user, reason, words)
    reject(actor=actor, application=thing, reason=said)


STEPS = (
    BulkStep(
        key="admit",
        label=_("Admit to the exam …"),
        text=_("Each applicant is told at once and can begin the exam."),
        permission="staff.recruiting",
        load=_load,
        named=_named,
        run=_admit,
        form=WordsForm,
        button=lambda n: ngettext("Admit %(n)s", "Admit %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("Admitted: %(n)s. Each was told.", "Admitted: %(n)s. Each was told.", n)
            % {"n": n}
        ),
    ),
    BulkStep(
        key="reject",
        label=_("Reject …"),
        text=_("Their applications are closed, and each applicant reads your reason."),
        permission="staff.recruiting",
        load=_load,
        named=_named,
        run=_reject,
        form=RejectForm,
        asks_first=True,
        button=lambda n: ngettext("Reject %(n)s", "Reject %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext(
                "Rejected: %(n)s. Each applicant reads your reason.",
                "Rejected: %(n)s. Each applicant reads your reason.",
                n,
            )
            % {"n": n}
        ),
        danger=True,
    ),
)
