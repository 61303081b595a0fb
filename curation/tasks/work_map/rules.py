"""The rules of a work map's values. Pure functions, the same for the pages and the import."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from curation.base.text import storable

WHOLE = Decimal(100)
NAME_LIMIT, SOURCE_LIMIT, TEXT_LIMIT = 120, 300, 5000
LONGEST_BIN = 10_000  # minutes, as for a task
MOST_BINS = 8
MARKET = ("market_size", "market_currency", "market_year", "market_source")
Problems = dict[str, list[str]]


def work_type_problems(values: Mapping[str, Any]) -> Problems:
    """Return what is wrong with the values of a work type: field -> sentences."""
    found: Problems = {}
    if storable.is_blank(values["name"]):
        found["name"] = [_("Give the work type a name.")]
    for name, limit in (
        ("name", NAME_LIMIT),
        ("name_zh", NAME_LIMIT),
        ("interview_source", SOURCE_LIMIT),
        ("simulation", TEXT_LIMIT),
    ):
        if problem := storable.problem_with(values[name], limit=limit):
            found[name] = [problem]
    share = values["share"]
    if share is not None and not 0 <= share <= WHOLE:
        found["share"] = [_("Give a share from 0 to 100 percent, or leave it empty.")]
    elif share is not None and share != round(share, 2):
        found["share"] = [_("Give a share with at most two digits after the point.")]
    importance = values["importance"]
    if importance is not None and not 1 <= importance <= 5:
        found["importance"] = [_("Give an importance from 1 to 5, or leave it empty.")]
    interviews = values["interviews"]
    if interviews is not None and not 1 <= interviews <= 100_000:
        found["interviews"] = [_("Give the number of interviews, from 1, or leave it empty.")]
    if values["evaluable"] and values["simulation"]:
        found["simulation"] = [
            _("This work is evaluable already. Leave the text empty, or choose No.")
        ]
    return found


def share_problem(shares: Iterable[Decimal | None]) -> str:
    """Return the sentence for shares that exceed the whole working time; empty if they fit."""
    total = sum((share for share in shares if share is not None), Decimal(0))
    if total <= WHOLE:
        return ""
    return _(
        "With it the shares of this domain add up to %(total)s %%; 100 %% is all there is."
    ) % {"total": f"{total.normalize():f}"}


def facts_problems(values: Mapping[str, Any]) -> Problems:
    """Return what is wrong with the facts of a domain: field -> sentences."""
    found: Problems = {}
    known = [name for name in MARKET if values[name] not in (None, "")]
    if known and len(known) < len(MARKET):
        sentence = _(
            "A market size needs its amount, currency, year and source; or leave all empty."
        )
        found |= {name: [sentence] for name in MARKET if name not in known}
    size = values["market_size"]
    if size is not None and not 0 < size < Decimal(10) ** 18:
        found["market_size"] = [_("Give an amount above zero, or leave it empty.")]
    currency = values["market_currency"]
    if currency and not (
        len(currency) == 3 and currency.isascii() and currency.isalpha() and currency.isupper()
    ):
        found["market_currency"] = [_("Give the currency by its three letters, such as USD.")]
    year = values["market_year"]
    if year is not None and not 1900 <= year <= 2999:
        found["market_year"] = [_("Give a year from 1900 to 2999.")]
    if problem := storable.problem_with(values["market_source"], limit=SOURCE_LIMIT):
        found["market_source"] = [problem]
    bins = values["time_bins"]
    if (
        not 1 <= len(bins) <= MOST_BINS
        or any(not 1 <= end <= LONGEST_BIN for end in bins)
        or list(bins) != sorted(set(bins))
    ):
        found["time_bins"] = [
            _("Give one to eight rising numbers of minutes with commas, such as 5, 20, 40.")
        ]
    if not 1 <= values["reverify_days"] <= 365:
        found["reverify_days"] = [_("Give a number of days from 1 to 365.")]
    return found


def read_bins(typed: str) -> list[int]:
    """Read "5, 20, 40"; return an empty list for anything else."""
    numbers = [storable.whole_number(part.strip(), digits=5) for part in typed.split(",")]
    return [] if None in numbers else [n for n in numbers if n is not None]
