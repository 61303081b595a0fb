"""A registry of the things that files can belong to, with who may read and change them.

Each noun whose things hold files calls `register`; a noun above it may let more people read with
`grant_reading`. So nothing here imports the nouns or knows their seats.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from curation.base.access import permissions
from curation.base.access.permissions import Fact
from curation.joining.people import User
from curation.tasks.attachments.models import Attachment


@dataclass(frozen=True)
class Holder:
    """One kind of thing that holds files.

    Attributes:
        kind: its name in addresses, and the foreign key of `Attachment` that points at it.
        related: what `access_holder` loads with the thing (`select_related`).
        blind: whether readers must not learn who added a file.
        owner_id: returns the id of the only person who may add and remove files.
        is_open: returns whether files may be added and removed now.
        page: returns the address of the owner's page.
        writers: facts; each of them lets a person who is not the owner add and remove files.
        readers: facts; one of them is enough to read a file.
    """

    kind: str
    model: Any
    related: tuple[str, ...]
    blind: bool
    owner_id: Callable[[Any], int | None]
    is_open: Callable[[Any], bool]
    page: Callable[[Any], str]
    readers: list[Fact] = field(default_factory=list)
    writers: tuple[Fact, ...] = ()

    def may_read(self, user: Any, thing: Any) -> bool:
        granted = _granted.get(self.kind, [])
        return any(fact(user, thing) for fact in (*self.readers, *granted))

    def may_change(self, user: Any, thing: Any) -> bool:
        return permissions.signed_in(user, None) and (
            self.owner_id(thing) == user.pk or any(fact(user, thing) for fact in self.writers)
        )


HOLDERS: dict[str, Holder] = {}
_granted: dict[str, list[Fact]] = {}


def register(holder: Holder) -> None:
    """Let a kind of thing hold files. A kind that is registered already is left as it is."""
    HOLDERS.setdefault(holder.kind, holder)


def grant_reading(kind: str, fact: Fact) -> None:
    """Let everybody for whom the fact is true read the files of these things."""
    if fact not in _granted.setdefault(kind, []):
        _granted[kind].append(fact)


def holder_of(thing: Any) -> Holder:
    """Return the registered holder for a thing."""
    return next(holder for holder in HOLDERS.values() if isinstance(thing, holder.model))


def holder_of_file(file: Attachment) -> tuple[Holder, Any]:
    """Return the holder of a file's thing, and the thing."""
    thing = file.thing
    return holder_of(thing), thing


def people_of(thing: Any, *also: Any) -> list[User]:
    """Return the owner of a thing and these people, each once: whom its readers must not know."""
    keys = {holder_of(thing).owner_id(thing), *(person.pk for person in also)} - {None}
    return list(User.objects.filter(pk__in=keys))
