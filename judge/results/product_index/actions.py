"""Staff's actions on products, their versions, periods and imported matrices."""

import hashlib
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.refusals import BadInput, Conflict
from judge.asking.candidates.models import Candidate, CandidateEvent, Response
from judge.base.products import EvaluationPeriod, Product
from judge.results.product_index.cells import read_bytes
from judge.results.product_index.models import ScoreMatrix

Faults = dict[str, list[str]]


@action("staff.scoring")
def add_product(*, actor: Any, name: str, house: str = "", note: str = "") -> Product:
    """Enter a product. Raises BadInput: invalid values, or a name that is taken."""
    values = _product(name=name, house=house, note=note)
    try:
        with transaction.atomic():
            return Product.objects.create(**values)
    except IntegrityError:
        raise _taken() from None


@action("staff.scoring")
def change_product(
    *, actor: Any, product: Product, revision: int, name: str, house: str = "", note: str = ""
) -> None:
    """Change the facts about a product.

    Args:
        revision: the one that was read.

    Raises:
        BadInput: invalid values, or a name that is taken.
        Conflict: `changed_meanwhile`.
    """
    values = _product(name=name, house=house, note=note)
    rows = Product.objects.filter(pk=product.pk, revision=revision)
    try:
        with transaction.atomic():
            changed = rows.update(revision=F("revision") + 1, **values)
    except IntegrityError:
        raise _taken() from None
    if not changed:
        raise Conflict(
            _("Somebody changed this product since you opened it, so nothing was stored."),
            code="changed_meanwhile",
        )


def _product(**given: str) -> dict[str, str]:
    faults: Faults = {}
    values = {name: storable.clean(value or "") for name, value in given.items()}
    if problem := storable.problem_with_name(values["name"], limit=200):
        faults["name"] = [problem]
    if values["house"] and (problem := storable.problem_with_name(values["house"], limit=60)):
        faults["house"] = [problem]
    if problem := storable.problem_with(values["note"], limit=5000):
        faults["note"] = [problem]
    if faults:
        raise BadInput(fields=faults)
    return values


def _taken() -> BadInput:
    return BadInput(fields={"name": [_("There is already a product with this name.")]})


@action("staff.scoring")
@transaction.atomic
def put_version(
    *,
    actor: Any,
    product: Product,
    candidate: Candidate,
    version: str,
    released_on: date | None = None,
    retired_on: date | None = None,
) -> None:
    """Make a candidate a version of a product; what changes stands in the candidate's history.

    Raises:
        BadInput: no version, one that the product has already, or dates that contradict.
        Conflict: `other_product`, the candidate is a version of another product.
    """
    now = Candidate.objects.select_for_update().get(pk=candidate.pk)
    if now.product_id not in (None, product.pk):
        raise Conflict(
            _("%(name)s is a version of another product. Take it out there first.")
            % {"name": now.name},
            code="other_product",
        )
    version = storable.clean(version or "")
    faults: Faults = {}
    if problem := storable.problem_with_name(version, limit=80):
        faults["version"] = [problem]
    if released_on and retired_on and retired_on < released_on:
        faults["retired_on"] = [_("That is before its release.")]
    if product.versions.filter(version=version).exclude(pk=now.pk).exists():
        faults["version"] = [_("This product has a version of this name already.")]
    if faults:
        raise BadInput(fields=faults)
    _change(
        actor,
        now,
        product=product,
        version=version,
        released_on=released_on,
        retired_on=retired_on,
    )


@action("staff.scoring")
@transaction.atomic
def take_out_version(*, actor: Any, product: Product, candidate: Candidate) -> None:
    """Let a candidate stand alone again; its responses stay.

    Raises:
        Conflict: `no_change`, it is no version of this product.
    """
    now = Candidate.objects.select_for_update().get(pk=candidate.pk)
    if now.product_id != product.pk:
        raise Conflict(_("It is no version of this product any more."), code="no_change")
    _change(actor, now, product=None)


def _change(actor: Any, candidate: Candidate, **values: Any) -> None:
    changes = {
        name: [_plain(getattr(candidate, name)), _plain(value)]
        for name, value in values.items()
        if getattr(candidate, name) != value
    }
    if not changes:
        return
    Candidate.objects.filter(pk=candidate.pk).update(revision=F("revision") + 1, **values)
    CandidateEvent.objects.create(candidate=candidate, actor=actor, changes=changes)


def _plain(value: Any) -> Any:
    if isinstance(value, Product):
        return value.name
    return value.isoformat() if isinstance(value, date) else value


# -- periods ---------------------------------------------------------------------------------------


@action("staff.scoring")
def add_period(
    *, actor: Any, key: str, starts_on: date | None, ends_on: date | None
) -> EvaluationPeriod:
    """Enter a period. Raises BadInput: a key that is taken, or days that contradict."""
    key = storable.clean(key or "")
    faults = _days(starts_on, ends_on)
    if problem := storable.problem_with_name(key, limit=20):
        faults["key"] = [problem]
    if faults or starts_on is None or ends_on is None:
        raise BadInput(fields=faults)
    try:
        with transaction.atomic():
            return EvaluationPeriod.objects.create(key=key, starts_on=starts_on, ends_on=ends_on)
    except IntegrityError:
        raise BadInput(fields={"key": [_("There is already a period with this key.")]}) from None


@action("staff.scoring")
def change_period(
    *, actor: Any, period: EvaluationPeriod, starts_on: date | None, ends_on: date | None
) -> None:
    """Change the days of a period; its answers stay in it. Raises BadInput: they contradict."""
    if faults := _days(starts_on, ends_on):
        raise BadInput(fields=faults)
    EvaluationPeriod.objects.filter(pk=period.pk).update(starts_on=starts_on, ends_on=ends_on)


def _days(starts_on: date | None, ends_on: date | None) -> Faults:
    faults: Faults = {}
    for name, day in (("starts_on", starts_on), ("ends_on", ends_on)):
        if day is None:
            faults[name] = [_("Choose a day.")]
    if starts_on and ends_on and ends_on < starts_on:
        faults["ends_on"] = [_("That is before the first day.")]
    return faults


@action("staff.scoring")
@transaction.atomic
def adopt_responses(*, actor: Any, period: EvaluationPeriod) -> int:
    """Put into a period the responses of products' versions that are in none.

    Taken are those that were stored on one of its days. Returns how many.
    """
    return Response.objects.filter(
        candidate__product__isnull=False,
        period__isnull=True,
        baseline=False,
        created_at__date__gte=period.starts_on,
        created_at__date__lte=period.ends_on,
    ).update(period=period)


# -- matrices --------------------------------------------------------------------------------------


@action("staff.scoring")
def import_matrix(
    *, actor: Any, name: str, content: bytes, file_name: str, source: str = ""
) -> ScoreMatrix:
    """Store a file of scores under a name.

    Raises:
        BadInput: the name cannot be used or is taken, or the text is too long.
        FileRefused: the file has faults; every one is named.
    """
    name, source = storable.clean(name or ""), storable.clean(source or "")
    faults: Faults = {}
    if problem := storable.problem_with_name(name, limit=80):
        faults["name"] = [problem]
    elif ScoreMatrix.objects.filter(name=name).exists():
        faults["name"] = [_("There is already a matrix with this name.")]
    if problem := storable.problem_with(source, limit=5000):
        faults["source"] = [problem]
    if faults:
        raise BadInput(fields=faults)
    cells = read_bytes(content, file_name)
    try:
        with transaction.atomic():
            return ScoreMatrix.objects.create(
                name=name,
                source=source,
                cells=[list(cell) for cell in cells],
                sha256=hashlib.sha256(content).hexdigest(),
                by=actor,
            )
    except IntegrityError:
        raise BadInput(fields={"name": [_("There is already a matrix with this name.")]}) from None
