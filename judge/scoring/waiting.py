"""What scoring asks of a person, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.process.waiting import Waiting
from judge.scoring.queue import Amounts, amounts, anchor_rows, mine, my_checks

__all__ = ["waiting"]


def waiting(user: Any) -> list[Waiting]:
    """A scorer's open sheets, a senior's checks, and what of both can be taken.

    One query, and one more for each kind of work that is open.
    """
    if not user.qualified_domain_ids():
        return []
    there = amounts(user)
    found = [
        Waiting(
            due=row.due_at,
            title=_("Score a response that came back") if row.came_back else _("Score a response"),
            detail=_("%(task)s · Response %(letter)s, %(done)s of %(all)s lines scored")
            % {"task": row.title, "letter": row.letter, "done": row.scored, "all": row.lines},
            url=reverse("sheet", args=[row.pk]),
            button=ngettext("Score %(n)s line", "Score the %(n)s lines", row.left) % {"n": row.left}
            if row.left
            else _("Submit the sheet"),
            blocks=row.came_back,
            section="scoring",
        )
        for row in (mine(user) if there.sheets else ())
    ]
    found += _waiting_checks(user, there)
    if there.to_score:
        found.append(
            Waiting(
                due=None,
                title=ngettext(
                    "%(n)s response can be taken", "%(n)s responses can be taken", there.to_score
                )
                % {"n": there.to_score},
                detail=_("Answers to gold tasks of your domains, to be scored line by line"),
                url=reverse("scoring") + "#pool",
                button=_("Choose one"),
                section="scoring",
            )
        )
    return found


def _waiting_checks(user: Any, there: Amounts) -> list[Waiting]:
    found = [
        Waiting(
            due=None,
            title=_("Check a scored response"),
            detail=row.title,
            url=reverse("meta", args=[row.pk]),
            button=_("Open the check"),
            blocks=True,
            section="scoring",
        )
        for row in (anchor_rows(my_checks(user)) if there.checks else ())
    ]
    if there.to_check:
        found.append(
            Waiting(
                due=None,
                title=ngettext(
                    "%(n)s scored response waits for a senior",
                    "%(n)s scored responses wait for a senior",
                    there.to_check,
                )
                % {"n": there.to_check},
                detail=_("Somebody who did not score it checks every line"),
                url=reverse("scoring") + "#checks",
                button=_("Choose one"),
                section="scoring",
            )
        )
    return found
