"""Loads sheets and checks with authority, without the names of models and people."""

from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows, authorize
from curation.base.process.roles import Role
from curation.base.text import storable
from curation.base.web.refusals import Conflict, NotFound
from curation.tasks.task.models import Seat
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets import sql
from judge.scoring.sheets.models import Sheet


def access_sheet(user: Any, pk: int, permission: str = "sheet.score") -> Sheet:
    """Load a person's own sheet, with attributes of its task. One query.

    The attributes are `task_id`, `task_key`, `domain_id` and `domain_external`.

    Raises:
        NotFound: the sheet does not exist or is somebody else's.
        Denied: the person's qualification is no longer active.
    """
    sheet = sql.sheet_of(pk)
    if sheet is None or not allows(user, "sheet.view", sheet):
        raise NotFound()
    authorize(user, permission, sheet)
    return sheet


def access_line(sheet: Sheet, line: int | str) -> int:
    """Return the id of a line of the sheet's version, given by its id or a non-numeric key.

    Raises:
        NotFound: the version has no such line.
    """
    wanted = str(line)
    number = storable.whole_number(wanted)
    found = None
    if number is not None:
        found = sql.criterion_of(sheet.version_id, pk=number)
    elif not storable.problem_with(wanted):
        found = sql.criterion_of(sheet.version_id, key=wanted)
    if found is None:
        raise NotFound()
    return found


def access_check(user: Any, anchor: int) -> MetaEvaluation:
    """Load a senior's open check of an anchor, with attributes of the anchor. One query.

    The attributes are `response_id`, `task_id`, `task_key` and `domain_id`.

    Raises:
        NotFound: the senior never had a check of this anchor.
        Conflict: the check was decided or taken back.
        Denied: the person is no longer a senior of the domain.
    """
    evaluation = (
        MetaEvaluation.objects.annotate(  # type: ignore[no-redef]  # as above
            response_id=F("anchor__response_id"),
            task_id=F("anchor__task_id"),
            task_key=F("anchor__task__key"),
            domain_id=F("anchor__task__domain_id"),
        )
        .filter(anchor=anchor, senior=user, verdict="")
        .first()
    )
    if evaluation is None:
        if Seat.objects.filter(
            task__anchor=anchor, user_id=user.pk or 0, role=Role.META_EVALUATOR
        ).exists():
            raise Conflict(
                _("This check is no longer open to you: it was decided, or taken back."),
                code="wrong_stage",
                page=reverse("scoring"),
            )
        raise NotFound()
    authorize(user, "anchor.check", evaluation)
    return evaluation


def access_anchor(domains: frozenset[int], pk: int) -> Anchor:
    """Load an anchor of one of these domains.

    Raises:
        NotFound: the anchor does not exist or is of another domain.
    """
    anchor = Anchor.objects.filter(pk=pk, task__domain__in=domains).first()
    if anchor is None:
        raise NotFound()
    return anchor
