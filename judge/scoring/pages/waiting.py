"""The scoring work that waits for a person, for Home."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.waiting import Waiting
from judge.scoring.graded_sheets.queries import own_graded_sheets
from judge.scoring.pages.queue import (
    Row,
    WorkCounts,
    anchor_rows,
    count_work,
    my_checks,
    own_sheets,
)

__all__ = ["waiting"]


def waiting(user: Any) -> list[Waiting]:
    """Return a person's open sheets and checks, and the numbers of those they can take.

    One query, and one more for each kind of work that is open.
    """
    if not user.qualified_domain_ids():
        return []
    counts = count_work(user)
    found = [
        Waiting(
            due=row.due_at,
            title=_title_of(row),
            detail=_("%(task)s · Response %(letter)s, %(done)s of %(all)s lines scored")
            % {"task": row.title, "letter": row.letter, "done": row.scored, "all": row.lines},
            url=reverse("sheet", args=[row.pk]),
            button=ngettext("Score %(n)s line", "Score the %(n)s lines", row.left) % {"n": row.left}
            if row.left
            else _("Submit the sheet"),
            blocks=row.came_back,
            section="scoring",
        )
        for row in (own_sheets(user) if counts.sheets else ())
    ]
    found += [
        Waiting(
            due=row.due_at,
            title=_("Grade a response"),
            detail=_("%(task)s · Response %(letter)s, one grade from 1 to 5")
            % {"task": row.title, "letter": row.letter},
            url=reverse("graded-sheet", args=[row.pk]),
            button=_("Open the sheet"),
            section="scoring",
        )
        for row in (own_graded_sheets(user) if counts.graded else ())
    ]
    found += _waiting_checks(user, counts)
    if counts.to_score:
        found.append(
            Waiting(
                due=None,
                title=ngettext(
                    "%(n)s response can be taken", "%(n)s responses can be taken", counts.to_score
                )
                % {"n": counts.to_score},
                detail=_("Responses to gold tasks in your domains, to be scored line by line"),
                url=reverse("scoring") + "#pool",
                button=_("Choose one"),
                section="scoring",
            )
        )
    return found


def _title_of(row: Row) -> str:
    if row.practice:
        return _("Do the practice sheet")
    return _("Score a returned response") if row.came_back else _("Score a response")


def _waiting_checks(user: Any, counts: WorkCounts) -> list[Waiting]:
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
        for row in (anchor_rows(my_checks(user)) if counts.checks else ())
    ]
    if counts.to_check:
        found.append(
            Waiting(
                due=None,
                title=ngettext(
                    "%(n)s scored response is waiting for a senior",
                    "%(n)s scored responses are waiting for a senior",
                    counts.to_check,
                )
                % {"n": counts.to_check},
                detail=_("Somebody who did not score it checks every line"),
                url=reverse("scoring") + "#checks",
                button=_("Choose one"),
                section="scoring",
            )
        )
    return found
