"""Steps on many pieces of finished work: approve, mark as paid, open again, refuse."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from curation.staff.honoraria.actions import approve, mark_as_paid, open_again, refuse
from curation.staff.honoraria.forms import RefusalForm
from curation.staff.honoraria.queries import Piece, pieces_of


def _named(piece: Piece) -> str:
    parts = [piece.entry.person.name_for_staff, str(piece.entry), piece.entry.title, piece.amount]
    return " · ".join(part for part in parts if part)


def _approve(*, actor: Any, thing: Piece) -> None:
    approve(actor=actor, entry=thing.entry)


def _refuse(*, actor: Any, thing: Piece, reason: str) -> None:
    refuse(actor=actor, entry=thing.entry, reason=reason)


def _paid(*, actor: Any, thing: Piece) -> None:
    mark_as_paid(actor=actor, entry=thing.entry)


def _again(*, actor: Any, thing: Piece) -> None:
    open_again(actor=actor, entry=thing.entry)


STEPS = (
    BulkStep(
        key="approve",
        permission="staff.administration",
        label=_("Approve …"),
        text=_(
            "Each piece is approved at what its rate pays now, and keeps that amount. Its person "
            "is told. Nobody approves their own work."
        ),
        load=pieces_of,
        named=_named,
        run=_approve,
        button=lambda n: ngettext("Approve %(n)s", "Approve %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is approved.", "%(n)s pieces are approved.", n) % {"n": n}
        ),
    ),
    BulkStep(
        key="paid",
        permission="staff.administration",
        label=_("Mark as paid …"),
        text=_("Approved pieces are recorded as paid, and their person is told. It stays so."),
        load=pieces_of,
        named=_named,
        run=_paid,
        button=lambda n: ngettext("Mark %(n)s as paid", "Mark %(n)s as paid", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is marked as paid.", "%(n)s pieces are marked as paid.", n)
            % {"n": n}
        ),
        place=1,
    ),
    BulkStep(
        key="again",
        permission="staff.administration",
        label=_("Let it wait again …"),
        text=_("Refused pieces wait for approval again."),
        load=pieces_of,
        named=_named,
        run=_again,
        button=lambda n: ngettext("Let %(n)s wait again", "Let %(n)s wait again", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece waits again.", "%(n)s pieces wait again.", n) % {"n": n}
        ),
        place=2,
    ),
    BulkStep(
        key="refuse",
        permission="staff.administration",
        label=_("Refuse …"),
        text=_(
            "The pieces are not paid, and each person reads the reason. Approved pieces can be "
            "refused until a payroll file holds them."
        ),
        load=pieces_of,
        named=_named,
        run=_refuse,
        form=RefusalForm,
        asks_first=True,
        danger=True,
        button=lambda n: ngettext("Refuse %(n)s", "Refuse %(n)s", n) % {"n": n},
        done=lambda n: (
            ngettext("%(n)s piece is refused.", "%(n)s pieces are refused.", n) % {"n": n}
        ),
    ),
)
