"""Indexes that the worker computes, stored with a hash of all that they were made of.

No request fits anything: a page shows the last index of its choice, and asks for a new one where
the scores, days or releases have changed since.
"""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from curation.base.process.stored_results import CURRENT, FAILED, WAITING
from curation.base.web.refusals import BadInput
from judge.base.queue import leases
from judge.base.queue.send import INDEX, send
from judge.results.product_index.models import StoredIndex
from judge.results.product_index.scores import Scores, find_scores

if TYPE_CHECKING:  # numpy is loaded by the first index, not at the start of every process
    from judge.results.product_index.index import Index

# Change it with the formulas and with the fields of an index: stored ones are then made anew, and
# none of before is read.
MODEL = "tasks integrated out, 2"


@dataclass(frozen=True)
class Last:
    """The last index of a choice.

    Attributes:
        index: None before the first.
        state: CURRENT, WAITING or FAILED.
        made_of: the hash of what it was made of; "" before the first.
    """

    index: "Index | None"
    state: str
    made_of: str


def last_index(*, group: str, run: str, reference: str, scores: Scores) -> Last:
    """Return the last index of a choice, and have the worker make a new one if it is stale.

    Raises:
        BadInput: there are no scores, or no such period.
    """
    from judge.results.product_index.index import check

    check(scores.cells, scores.months, reference)
    inputs = hash_of(scores, reference)
    choice: dict[str, Any] = {"group": group.strip(), "run": run.strip(), "reference": reference}
    row = StoredIndex.objects.filter(**choice).first()
    if row is None or row.inputs != inputs:
        asked = StoredIndex.objects.ask(row, inputs, **choice)
        if asked is not None:
            leases.begin_anew(INDEX, asked.pk)  # what an earlier wish failed of is past
            send("compute_index", asked.pk)
            row = row or asked
    if row is None:
        return Last(None, WAITING, made_of="")
    state = CURRENT if row.made_of == inputs else _state_of_waiting(row)
    if row.result is None or row.result.get("model") != MODEL:
        return Last(None, state, row.made_of)
    return Last(restored(row.result["index"]), state, row.made_of)


def _state_of_waiting(row: StoredIndex) -> str:
    return FAILED if leases.has_failed(INDEX, row.pk) else WAITING


def has_ended(*, group: str, run: str, reference: str, made_of: str) -> bool:
    """Return whether the worker has made another index than that of `made_of`, or failed to."""
    choice = {"group": group.strip(), "run": run.strip(), "reference": reference}
    row = StoredIndex.objects.filter(**choice).defer("result").first()
    if row is None:
        return made_of != ""
    return row.made_of != made_of or _state_of_waiting(row) == FAILED


def waiting_indexes() -> QuerySet[StoredIndex]:
    return StoredIndex.objects.waiting()


def compute(row: StoredIndex) -> None:
    """Compute the index of a choice from the scores as they are now, and store it."""
    from judge.results.product_index.index import build

    try:
        scores = find_scores(row.group, run=row.run)
        found = build(
            scores.cells,
            reference=row.reference,
            months=scores.months,
            released=scores.released,
        )
    except BadInput:  # its scores are gone since; the page says so
        row.delete()
        return
    result = {"model": MODEL, "index": asdict(found)}
    StoredIndex.objects.store(row, made_of=hash_of(scores, row.reference), result=result)


def hash_of(scores: Scores, reference: str) -> str:
    """Return the SHA-256 of all that an index is made of."""
    whole = [
        MODEL,
        scores.cells,  # in the order of the stored rows; sorting them takes longest of all
        reference,
        sorted(scores.months.items()),
        sorted(scores.released.items()),
    ]
    return sha256(json.dumps(whole).encode()).hexdigest()


def restored(stored: dict[str, Any]) -> "Index":
    """Return an index from what `dataclasses.asdict` made of it and JSON kept."""
    from judge.base.stats.growth import Step, Velocity
    from judge.base.stats.irt import Ability, TaskFit
    from judge.base.stats.numbers import Reason
    from judge.results.product_index.index import Index, Row, VersionStep

    def again(kind: Any, values: dict[str, Any]) -> Any:
        known = dict(values)
        if known.get("why"):
            known["why"] = Reason(known["why"])
        for name in ("ci95", "ci"):
            if known.get(name):
                known[name] = tuple(known[name])
        return kind(**known)

    rows = [Row(**{**row, "ability": again(Ability, row["ability"])}) for row in stored["rows"]]
    place = {(row.product, row.version, row.period): row for row in rows}

    def row_of(values: dict[str, Any]) -> Row:
        return place[values["product"], values["version"], values["period"]]

    return Index(
        **{
            **stored,
            "rows": rows,
            "tasks": {name: again(TaskFit, one) for name, one in stored["tasks"].items()},
            "velocities": {
                name: again(Velocity, one) for name, one in stored["velocities"].items()
            },
            "steps": [
                VersionStep(
                    one["product"],
                    row_of(one["before"]),
                    row_of(one["after"]),
                    again(Step, one["step"]),
                )
                for one in stored["steps"]
            ],
        }
    )
