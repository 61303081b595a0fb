"""Staff ask experts to score candidates' responses, several at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.errors import BadInput, Conflict, Denied
from judge.actions.sheets import assign_alignment_sheet
from judge.models import Response, Sheet


@transaction.atomic
def assign_sheets(*, actor: Any, wanted: Mapping[Any, Sequence[Response]]) -> list[Sheet]:
    """Ask each person to score these responses, blind: all of them, or none where one is refused.

    Args:
        wanted: scorer -> responses.

    Raises:
        BadInput: `fields` says by task (`scorer-ID`) what stands in the way.
    """
    sheets: list[Sheet] = []
    problems: dict[str, list[str]] = {}
    for scorer, responses in wanted.items():
        for response in responses:
            try:
                with transaction.atomic():
                    sheet = assign_alignment_sheet(actor=actor, response=response, scorer=scorer)
            except (Denied, Conflict) as refused:
                problems[f"scorer-{response.task_id}"] = [str(refused.detail)]
                continue
            task = response.task
            task.history.create(
                actor=actor,
                from_stage=task.stage,
                to_stage=task.stage,
                data={"event": "sheet_assigned", "response": response.key, "scorer": scorer.pk},
            )
            sheets.append(sheet)
    if problems:
        raise BadInput(fields=problems)
    if not sheets:
        raise BadInput(_("Choose at least one response, and who scores it."))
    return sheets
