"""Rule for weights that do not fit their importance."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.linter.rule import Example, Mark, Rule

RULE = Rule(
    code="weight_fits",
    name=_("unusual weight"),
    message=_(
        "Weight %(weight)s is unusual for this importance: most lines of its kind have "
        "%(low)s to %(high)s."
    ),
    teaches=_(
        "Importance and weight say the same thing twice, so they should agree: an Essential line "
        "that weighs as little as an Optional one decides nothing."
    ),
    examples=(
        Example(
            "en",
            "States net debt as EUR 134.4 million.",
            "States net debt as EUR 134.4 million.",
            importance="essential",
            weight=2,
        ),
        Example(
            "zh",
            "写明净债务为 1.344 亿欧元。",
            "写明净债务为 1.344 亿欧元。",
            importance="optional",
            weight=9,
        ),
    ),
)
USUAL = {"essential": (6, 10), "important": (3, 8), "optional": (1, 5)}


def find(importance: str, weight: int | None) -> Iterator[Mark]:
    """Yield a mark if the weight is outside the usual range of its importance."""
    usual = USUAL.get(importance)
    if usual is None or weight is None or usual[0] <= weight <= usual[1]:
        return
    yield Mark(
        RULE,
        about=f"{importance} {weight}",
        values=(("weight", weight), ("low", usual[0]), ("high", usual[1])),
    )
