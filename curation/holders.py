"""What files can belong to: who reads them, who changes them, and until when.

Curation knows applications, tasks and trials. An app above lets further people read with
`grant_reading`, so that nothing here has to know its seats.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from curation import access
from curation.access import Fact
from curation.lifecycle import ApplicationStage, Stage
from curation.models import Application, Attachment, Task, Trial


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


# --- facts --------------------------------------------------------------------------------------
def may_view_the_task(user: Any, task: Any) -> bool:
    return access.allows(user, "task.view", task)


def checks_the_task(user: Any, task: Any) -> bool:
    return (
        access.holds_seat("checker")(user, task)
        and access.is_out_of_its_authors_hands(user, task)
        and access.has_no_unopened_place_on_it(user, task)
    )


def wrote_the_trial(user: Any, trial: Any) -> bool:
    return access.is_its_owner(user, trial.application)


def decides_on_the_trial(user: Any, trial: Any) -> bool:
    return (
        trial.submitted_at is not None
        and access.allows(user, "trial.decide", trial.application)
        and not access.is_its_owner(user, trial.application)
    )


HOLDERS = {
    holder.kind: holder
    for holder in (
        Holder(
            kind="application",
            model=Application,
            related=("domain", "user"),
            blind=False,
            owner_id=lambda thing: thing.user_id,
            is_open=lambda thing: thing.stage == ApplicationStage.APPLIED,
            page=lambda thing: reverse("application", args=[thing.pk]),
            readers=[access.is_its_owner, access.is_staff],
        ),
        Holder(
            kind="task",
            model=Task,
            related=("domain",),
            blind=True,
            owner_id=lambda thing: thing.author_id,
            is_open=lambda thing: thing.stage == Stage.DRAFT,
            page=lambda thing: reverse("task-edit", args=[thing.pk]),
            readers=[may_view_the_task, checks_the_task],
        ),
        Holder(
            kind="trial",
            model=Trial,
            related=("application__domain",),
            blind=True,
            owner_id=lambda thing: thing.application.user_id,
            is_open=lambda thing: (
                thing.submitted_at is None and thing.application.stage == ApplicationStage.TRIAL
            ),
            page=lambda thing: reverse("trial", args=[thing.pk]),
            readers=[wrote_the_trial, decides_on_the_trial, access.is_staff],
        ),
    )
}


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
