"""What rests on a task's text, and when it goes stale by an amendment.

A task counts the versions of its text in `version`. An agreed amendment that changes the prompt
sets `prompt_since` to the version by which it came into force; one that affects the rubric sets
`rubric_since`, one of the reference answer `answer_since`. A row that rests on the text stores the
version it was made from (`text_version`, `answer_version`). It is stale if that version is earlier
than the task's `prompt_since`, `rubric_since` or `answer_since`. A row that
does not know its version has 0, and so is stale from the first amendment on: an error on this side
leaves a good score out; an error on the other side would let a wrong one in.

Each noun registers every model that leads to a task: with its rule, or as independent of the text.
A test refuses a model that is missing here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage

# After screening the text is fixed; at these stages it changes by an amendment.
AMENDABLE = (Stage.REFINING, Stage.IN_REVIEW, Stage.DECIDING, Stage.SPOT_CHECK, Stage.APPROVED)
# Why questions to models stay as they were asked.
ASKED_A_MODEL = _(
    "A model was asked about the text of its time; a later question uses the new one."
)
PROMPT_PARTS = frozenset({"title", "scenario", "materials", "requirements"})  # what models are told


class Basis(TextChoices):
    """What of the text a thing rests on."""

    PROMPT = "prompt", _("the prompt")
    RUBRIC = "rubric", _("the rubric")
    BOTH = "both", _("the prompt or the rubric")
    ANSWER = "answer", _("the reference answer")
    ALL = "all", _("the prompt, the rubric, or the reference answer where it was in view")
    TEXT = "text", _("the whole text")
    RECORD = "record", _("nothing: it is a record of its time")
    NOTHING = "nothing", _("nothing")


@dataclass(frozen=True, kw_only=True)
class Rests:
    """How one model rests on a task's text.

    Attributes:
        model: "app_label.Model".
        label: its name in the plural, for people; "" where they never meet it by itself.
        on: what it rests on; only RECORD and NOTHING never go stale.
        then: what happens to it, as a sentence; for RECORD and NOTHING, why it stays.
        stale: the query of a task's stale rows; None for RECORD and NOTHING.
    """

    model: str
    label: Any = ""
    on: Basis
    then: Any
    stale: Callable[[Any], "QuerySet[Any]"] | None = None

    def __post_init__(self) -> None:
        stays = self.on in (Basis.RECORD, Basis.NOTHING)
        if stays != (self.stale is None):
            raise ValueError(f"{self.model}: what rests on the text says which rows are stale")


@dataclass(frozen=True)
class Stale:
    """Rows of one model that rest on an earlier text of a task."""

    rests: Rests
    count: int


_registered: dict[str, Rests] = {}


def register(*rows: Rests) -> None:
    """Add models. Raises ValueError for a model that is registered with another row."""
    for row in rows:
        if _registered.get(row.model, row) is not row:
            raise ValueError(f"{row.model} is registered twice")
        _registered[row.model] = row


def registered() -> dict[str, Rests]:
    """Return every registered model with its rule, in the order of `Basis`."""
    order = list(Basis)
    return dict(sorted(_registered.items(), key=lambda row: (order.index(row[1].on), row[0])))


def rule_of(model: type[Model]) -> Rests | None:
    """Return the rule of a model; None if it is not registered."""
    return _registered.get(model._meta.label)


def stale_rows(task: Any) -> dict[str, "QuerySet[Any]"]:
    """Return the queries of all rows that rest on an earlier text of a task, by model."""
    return {row.model: row.stale(task) for row in registered().values() if row.stale is not None}


def count_stale(task: Any) -> list[Stale]:
    """Count what rests on an earlier text, without what there is none of. One query per model."""
    found = [Stale(_registered[model], rows.count()) for model, rows in stale_rows(task).items()]
    return [entry for entry in found if entry.count]


def records(why: Any, *models: str) -> list[Rests]:
    """Return the rows of models that say what was so at their time, and stay as they are."""
    return [Rests(model=model, on=Basis.RECORD, then=why) for model in models]


def independent(why: Any, *models: str) -> list[Rests]:
    """Return the rows of models that do not rest on the text."""
    return [Rests(model=model, on=Basis.NOTHING, then=why) for model in models]
