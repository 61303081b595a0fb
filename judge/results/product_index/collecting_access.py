"""Loads a cell for the operator who has it."""

from typing import Any

from curation.base.web.refusals import NotFound
from judge.results.product_index.collecting_models import CollectionCell


def access_cell(user: Any, pk: int) -> CollectionCell:
    """Load a cell that a person has or had last, with its task. One query.

    Raises:
        NotFound: it does not exist, or is another operator's.
    """
    cell = (
        CollectionCell.objects.select_related(
            "task__domain", "candidate__product", "period", "order"
        )
        .filter(pk=pk, operator=user.pk or 0)
        .exclude(state=CollectionCell.State.WAITING)
        .first()
    )
    if cell is None:
        raise NotFound()
    return cell
