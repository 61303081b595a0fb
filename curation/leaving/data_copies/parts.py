"""The parts of a copy of a person's data; every noun registers its own.

A part names the columns it takes. Left out is what would tell the person more than the pages do:
the words of exam questions, names of candidates, and what colleagues wrote in confidence.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, Q

from curation.joining.people import User


@dataclass(frozen=True)
class Part:
    """Rows of one kind that belong to a person.

    Attributes:
        name: its key in the file.
        model: the rows' model.
        by: the path from the row to the person.
        columns: what is copied; paths are allowed.
        where: which of the rows; all by default.
    """

    name: str
    model: type[Model]
    by: str
    columns: tuple[str, ...]
    where: Q = field(default_factory=Q)

    def rows(self, person: User) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a person, the oldest first. One query."""
        rows = self.model._default_manager.filter(self.where, **{self.by: person.pk})
        yield from rows.order_by("pk").values(*self.columns).iterator()


_parts: dict[str, Part] = {}


def register(*parts: Part) -> None:
    """Add parts. Raises ValueError for a name that another part has."""
    for part in parts:
        if _parts.setdefault(part.name, part) is not part:
            raise ValueError(f"{part.name} is registered twice")


def all_parts() -> tuple[Part, ...]:
    """Return the registered parts, in the order of their names."""
    return tuple(part for _name, part in sorted(_parts.items()))
