"""The part of the data card about the panel, the prompts and the rubrics, in English. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any


def lines_of(composition: Mapping[str, Any] | None) -> list[str]:
    """Return the lines of Markdown; none for a release without this part."""
    if not composition:
        return []
    panel = composition["panel"]
    return [
        "## Prompts and rubrics",
        "",
        "Medians, but for the weight, which is the mean of all lines. Characters of a prompt are "
        "those of its scenario, materials and requirements.",
        "",
        *_table(
            ("Domain, category", "Prompts", "Characters", "Minutes", "Lines", "Fewest–most",
             "Weight", "Characters of a line"),
            [
                row
                for whole in composition["prompts_and_rubrics"]
                for row in (
                    _row(whole, f"**{whole['name']}**"),
                    *(_row(part, part["name"]) for part in whole["categories"]),
                )
            ],
        ),
        "",
        "## Experts",
        "",
        f"Experts with an active qualification in the domains of this release on {panel['on']}. "
        f"A number of people below {panel['fewest']} is not published, nor one that would tell "
        f"it; the tables have “<{panel['fewest']} or withheld” there. Degrees are read from the "
        "words in which people name them.",
        "",
        f"- Experts: {_people(panel['experts'], panel)}; seniors: "
        f"{_people(panel['seniors'], panel)}.",
        "- With a certificate that staff looked up and that is in force: "
        f"{_people(panel['with_certificate_in_force'], panel)}.",
        "",
        *_table(
            ("Domain", "Experts", "Years of practice, median"),
            [
                (row["name"], _people(row["experts"], panel), _number(row["median_years"]))
                for row in panel["domains"]
            ],
        ),
        "",
        *_counts("Years of practice", panel["years"], panel),
        *_counts("Degree", panel["degrees"], panel),
        *_counts("Language they work in", panel["languages"], panel),
    ]  # fmt: skip


def _counts(head: str, rows: Sequence[Mapping[str, Any]], panel: Mapping[str, Any]) -> list[str]:
    cells = [(row["name"], _people(row["experts"], panel)) for row in rows]
    return [*_table((head, "Experts"), cells), ""]


def _row(group: Mapping[str, Any], name: str) -> tuple[str, ...]:
    most = group["lines_most"]
    return (
        name,
        str(group["prompts"]),
        *(_number(group[key]) for key in ("prompt_characters_median", "minutes_median")),
        _number(group["lines_median"]),
        "–" if most is None else f"{group['lines_fewest']}–{most}",
        *(_number(group[key]) for key in ("weight_mean", "line_characters_median")),
    )


def _people(number: int | None, panel: Mapping[str, Any]) -> str:
    return f"<{panel['fewest']} or withheld" if number is None else f"{number:,}"


def _number(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:,.1f}".removesuffix(".0")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *("---:" for _ in head[1:])]
    clean = [[cell.replace("|", "/") for cell in row] for row in rows]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *clean)]
