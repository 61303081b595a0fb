"""Steps on many candidates: take them off the open board, put them back."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.lists.bulk import BulkStep
from curation.base.web.forms import ReasonForm
from judge.asking.candidates.models import Candidate
from judge.results.leaderboard.open_boards import put_back_on_board, take_off_board
from judge.results.registry.bulk_steps import load_candidates


def _take_off(*, actor: Any, thing: Candidate, reason: str) -> None:
    take_off_board(actor=actor, candidate=thing, reason=reason)


def _put_back(*, actor: Any, thing: Candidate, reason: str) -> None:
    put_back_on_board(actor=actor, candidate=thing, reason=reason)


STEPS = (
    BulkStep(
        key="off-board",
        permission="staff.scoring",
        label=_("Take off the open board …"),
        text=_(
            "The open board no longer ranks them and names them with your reason. Responses and "
            "scores stay."
        ),
        load=load_candidates,
        named=str,
        run=_take_off,
        form=ReasonForm,
        asks_first=True,
        button=lambda n: ngettext("Take %(n)s off", "Take %(n)s off", n) % {"n": n},
        done=lambda n: (
            ngettext(
                "%(n)s candidate is off the open board.",
                "%(n)s candidates are off the open board.",
                n,
            )
            % {"n": n}
        ),
    ),
    BulkStep(
        key="on-board",
        permission="staff.scoring",
        label=_("Put back on the open board …"),
        text=_("The open board ranks them again. Both reasons stay in the history."),
        load=load_candidates,
        named=str,
        run=_put_back,
        form=ReasonForm,
        asks_first=True,
        button=lambda n: ngettext("Put %(n)s back", "Put %(n)s back", n) % {"n": n},
        done=lambda n: (
            ngettext(
                "%(n)s candidate is on the open board again.",
                "%(n)s candidates are on the open board again.",
                n,
            )
            % {"n": n}
        ),
    ),
)
