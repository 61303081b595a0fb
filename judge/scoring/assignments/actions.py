"""Actions by which staff assign candidates' responses to scorers."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict, Denied
from judge.asking.candidates.models import Response
from judge.scoring.assignments.notices import sheet_assigned
from judge.scoring.sheets.actions import open_alignment_sheet
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.queries import LINES, flagged_item_to_serve
from judge.scoring.sheets.signals import alignment_sheet_assigned


@action("staff.scoring")
@transaction.atomic
def assign_sheets(*, actor: Any, wanted: Mapping[Any, Sequence[Response]]) -> list[Sheet]:
    """Assign responses to their scorers, who score them blind: all, or none if one is refused.

    Args:
        wanted: scorer -> responses.

    Raises:
        BadInput: nothing is chosen, or an assignment is refused; `fields` has the reason by task
            (`scorer-ID`).
    """
    sheets: list[Sheet] = []
    problems: dict[str, list[str]] = {}
    for scorer, responses in wanted.items():
        batch = {response.pk for response in responses}
        for response in responses:
            try:
                with transaction.atomic():
                    sheet = assign_alignment_sheet(
                        actor=actor,
                        response=response,
                        scorer=scorer,
                        batch=batch,
                        flagged_item=flagged_item_to_serve(response, LINES),
                    )
            except (Denied, Conflict) as refused:
                problems[f"scorer-{response.task_id}"] = [str(refused.detail)]
                continue
            task = response.task
            task.note("sheet_assigned", actor=actor, response=response.key, scorer=scorer.pk)
            sheets.append(sheet)
    if problems:
        raise BadInput(fields=problems)
    if not sheets:
        raise BadInput(_("Choose at least one response, and who scores it."))
    return sheets


@transaction.atomic
def assign_alignment_sheet(
    *,
    actor: Any,
    response: Response,
    scorer: Any,
    due_at: datetime | None = None,
    batch: Collection[int] = (),
    flagged_item: Any = None,
) -> Sheet:
    """Assign a candidate's response to an expert, who scores it blind.

    A person may score several responses of a task under one seat as scorer.

    Args:
        actor: the member of staff who assigns; None for a draw.
        due_at: when the sheet is due; None for seven days from now.
        batch: ids of all responses that the person is being assigned; no known sheet is opened on
            one of them.
        flagged_item: the item of a set that asks for the sheet because of a flag.

    Raises:
        Denied: `not_eligible`, the person is not qualified or has a tie to the author.
        Conflict: as `open_alignment_sheet`.
    """
    sheet = open_alignment_sheet(response, scorer, due_at, flagged_item)
    sheet_assigned(sheet)
    alignment_sheet_assigned.send(sender=Sheet, instance=sheet, due_at=due_at, batch=batch)
    return sheet
