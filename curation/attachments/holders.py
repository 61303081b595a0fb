"""What files can belong to: who reads them, who changes them, and until when.

Each noun whose things hold files registers how (`register`), and one above it may let further
people read with `grant_reading`, so that nothing here has to know the nouns or their seats.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from curation.access import permissions as access
from curation.access.permissions import Fact
from curation.attachments.models import Attachment


@dataclass(frozen=True)
class Holder:
    """One kind of thing that holds files.

    Attributes:
        kind: in addresses, and the attachment's column.
        blind: readers must not learn who added a file.
        owner_id: whose files these are; the only person who adds and removes them.
        is_open: whether they may be added and removed now.
        page: where the owner finds them.
        readers: facts; any of them opens a file.
    """

    kind: str
    model: Any
    related: tuple[str, ...]
    blind: bool
    owner_id: Callable[[Any], int | None]
    is_open: Callable[[Any], bool]
    page: Callable[[Any], str]
    readers: list[Fact] = field(default_factory=list)

    def may_read(self, user: Any, thing: Any) -> bool:
        return any(fact(user, thing) for fact in self.readers)

    def may_change(self, user: Any, thing: Any) -> bool:
        return access.signed_in(user, None) and self.owner_id(thing) == user.pk


HOLDERS: dict[str, Holder] = {}


def register(holder: Holder) -> None:
    """Let a kind of thing hold files. Twice counts once."""
    HOLDERS.setdefault(holder.kind, holder)


def grant_reading(kind: str, fact: Fact) -> None:
    """Let whoever the fact is true of read the files of these things. Twice counts once."""
    if fact not in HOLDERS[kind].readers:
        HOLDERS[kind].readers.append(fact)


def holder_of(thing: Any) -> Holder:
    """How this thing holds its files."""
    return next(holder for holder in HOLDERS.values() if isinstance(thing, holder.model))


def holder_of_file(file: Attachment) -> tuple[Holder, Any]:
    """How the thing of a file holds it, and the thing."""
    thing = file.thing
    return holder_of(thing), thing
