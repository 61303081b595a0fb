"""What the page of a second opinion shows: the author's answer is selected only after one's own.

What is not selected cannot leak.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.base.access.permissions import allows, is_staff, signed_in
from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.voting_queries import has_no_unopened_place_on_it
from curation.screening.solving.actions import CHECK, MARK, OpinionKind
from curation.screening.solving.models import SecondLook
from curation.tasks.task.exact_models import SolutionStep
from curation.tasks.task.exact_queries import exact_of, exact_page
from curation.tasks.task.fields import label_of
from curation.tasks.task.models import Task
from curation.tasks.task.queries import holds_seat, is_not_a_draft, refuse_author


def solves_the_task(user: Any, task: Any) -> bool:
    """Return whether the person has opened the task as its solver; its files are part of it."""
    return (
        holds_seat("solver")(user, task)
        and is_not_a_draft(user, task)
        and has_no_unopened_place_on_it(user, task)
    )


# --- second looks -------------------------------------------------------------------------------
def is_asked_to_look_again(user: Any, look: Any) -> bool:
    return signed_in(user, None) and look.opinions.filter(person_id=user.pk).exists()


def access_look(user: Any, pk: int, permission: str = "look.answer") -> SecondLook:
    """Load a second look for one of those asked, or for staff.

    Raises:
        NotFound: there is none, or it is not for this person.
        Denied: `own_task`, the member of staff wrote the task.
    """
    look = SecondLook.objects.select_related("task__domain").filter(pk=pk).first()
    if look is None:
        raise NotFound()
    thing = look if permission == "look.answer" else look.task
    if not allows(user, permission, thing):
        if permission != "look.answer" and is_staff(user, None):
            refuse_author(user, look.task)
        raise NotFound()
    return look


PROMPT = ("scenario", "materials", "requirements")


@dataclass(frozen=True)
class OpinionPage:
    """The content of the page.

    Attributes:
        check: whether it is a check of the reference answer, and not a solve.
        step: "answer" (write your own), "compare" (the author's is shown), "done", or "ended" (the
            place went to a colleague, or the panel decided without it).
        cutoff: of an exact answer: solvers look for pages before this date.
        seconds: time from opening the task to handing in the own answer.
        mark_at: from when on a solver may look at the steps.
        agrees: of a solve: what the rules say of the two answers; None if they do not tell.
        theirs: the author's answer, from "compare" on and only during screening; else None.
        steps: those of the author, of an exact answer.
    """

    check: bool
    pk: int
    title: str
    domain: str
    category: str
    language: str
    minutes: int | None
    stage: str
    parts: tuple[tuple[str, str], ...]
    cutoff: Any
    step: str
    due_at: datetime | None
    opened_at: datetime | None
    mark_at: datetime | None
    answer: str
    revision: int
    saved_at: datetime | None
    agrees: bool | None
    seconds: int | None
    verdict: str
    verdict_label: str
    remarks: str
    theirs: str | None
    steps: tuple[SolutionStep, ...]


def opinion_page(kind: OpinionKind, user: Any, task_id: int) -> OpinionPage | None:
    """Return the page of a person; None if they never had a place. At most seven queries."""
    row: Any = (
        Task.objects.filter(pk=task_id)
        .values(
            *("pk", "title", "language", "minutes", "stage", "screening_round", "answer_form"),
            *("exact_answer__cutoff", *PROMPT),
            *("domain__name", "domain__name_zh", "category__name", "category__name_zh"),
        )
        .first()
    )
    places = PanelPlace.objects.filter(task_id=task_id, member=user, kind=kind.kind)
    place = places.order_by("-round").first()
    if row is None or place is None:
        return None
    task, check = Task(pk=task_id, answer_form=row["answer_form"]), kind is CHECK
    mine = kind.mine(user, task, place.round).first()
    step = _step(kind, row, place, mine)
    shown = mine if step != "ended" else None
    opened = getattr(shown, kind.opened, None)
    # Not after the screening, when the author may be changing them.
    may_compare = step in ("compare", "done") and row["stage"] == Stage.SCREENING
    theirs, steps = _theirs(task_id, check) if may_compare else (None, ())
    return OpinionPage(
        check=check,
        pk=row["pk"],
        title=row["title"],
        domain=_name(Domain, row, "domain__"),
        category=_name(Category, row, "category__"),
        language=row["language"],
        minutes=row["minutes"],
        stage=row["stage"],
        parts=tuple((label_of(part, task), row[part]) for part in PROMPT if row[part].strip()),
        cutoff=row["exact_answer__cutoff"],
        step=step,
        due_at=place.due_at if step in ("answer", "compare") else None,
        opened_at=opened,
        mark_at=opened + MARK if opened else None,
        answer=shown.answer if shown else place.left_behind,
        revision=getattr(shown, "revision", 0),
        saved_at=getattr(shown, "saved_at", None),
        agrees=getattr(shown, "agrees", None),
        seconds=shown.seconds if shown else None,
        verdict=shown.verdict if shown else "",
        verdict_label=str(shown.get_verdict_display()) if shown and shown.verdict else "",
        remarks=shown.remarks if shown else "",
        theirs=theirs,
        steps=steps,
    )


def _step(kind: OpinionKind, row: dict[str, Any], place: PanelPlace, mine: Any) -> str:
    current = place.round == row["screening_round"]
    if mine is not None and mine.verdict:
        # A later submission may have another answer, which this person may not see.
        return "done" if current else "ended"
    running = row["stage"] == Stage.SCREENING and current
    if mine is None or not running or place.state != PanelPlace.State.OPEN:
        return "ended"
    return "answer" if getattr(mine, kind.ended) is None else "compare"


def _theirs(task_id: int, check: bool) -> tuple[str | None, tuple[SolutionStep, ...]]:
    if check:
        return Task.objects.values_list("reference_answer", flat=True).get(pk=task_id), ()
    task = Task.objects.get(pk=task_id)
    page = exact_page(task) if exact_of(task) else None
    return (page.words, page.steps) if page else (None, ())


def _name(model: type[Domain] | type[Category], row: dict[str, Any], prefix: str) -> str:
    return str(model(name=row[f"{prefix}name"] or "", name_zh=row[f"{prefix}name_zh"] or ""))
