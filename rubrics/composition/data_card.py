"""The panel and the collection as a release publishes them: plain values, in English."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils import timezone, translation

from curation.qualifying.applications.profiles import panel
from rubrics.composition.queries import FEWEST_PEOPLE, Group, collection, publishable

MEDIAN_OF = 5  # people, at least


def composition_of(versions: Mapping[int, int], domains: Collection[str]) -> dict[str, Any]:
    """Return the part of a manifest about the panel, the prompts and the rubrics.

    Counts of one or two people are None, and so is what would tell them; a median of the years of
    fewer than five people is one or two people's own number.

    Args:
        versions: task -> version of its rubric, for the tasks of the release.
        domains: keys of their domains; the panel are their active experts today.
    """
    with translation.override("en"):
        return {
            "panel": _panel(domains),
            "prompts_and_rubrics": [
                {**_row(whole), "categories": [_row(part) for part in parts]}
                for whole, parts in collection(versions).domains
            ],
        }


def _panel(domains: Collection[str]) -> dict[str, Any]:
    people = panel(domains)
    seniors = people.seniors
    few = people.experts < FEWEST_PEOPLE
    told = seniors < FEWEST_PEOPLE or people.experts - seniors < FEWEST_PEOPLE
    experts = publishable([row.experts for row in people.domains])
    return {
        "on": timezone.localdate().isoformat(),
        "fewest": FEWEST_PEOPLE,
        "experts": None if people.experts > 0 and few else people.experts,
        "seniors": None if told else seniors,
        "with_certificate_in_force": _hidden(people.with_certificate_in_force, people.experts),
        "domains": [
            {
                "domain": row.domain.key,
                "name": row.domain.name,
                "experts": shown,
                "median_years": row.median_years if row.known >= MEDIAN_OF else None,
            }
            for row, shown in zip(people.domains, experts, strict=True)
        ],
        **{
            name: [
                {"name": label, "experts": n}
                for (label, _n), n in zip(
                    counts, publishable([n for _label, n in counts]), strict=True
                )
            ]
            for name, counts in (
                ("years", people.years),
                ("degrees", people.degrees),
            )
        },
        "languages": _languages(people.languages),
    }


def _languages(counts: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Return the languages of several people; the others stay unnamed, as a name would tell."""
    shown = [{"name": name, "experts": n} for name, n in counts if n >= FEWEST_PEOPLE]
    few = len(shown) < len(counts)
    return [*shown, {"name": "further languages", "experts": None}] if few else shown


def _hidden(part: int, whole: int) -> int | None:
    """Return a part of all people, None where it or the rest is a small number of people."""
    small = 0 < part < FEWEST_PEOPLE or 0 < whole - part < FEWEST_PEOPLE
    return None if small else part


def _row(group: Group) -> dict[str, Any]:
    weight, length = group.mean_weight, group.median_line_length
    return {
        "name": group.domain.name if group.category is None else group.category.name,
        "prompts": group.prompts,
        "prompt_characters_median": group.median_prompt,
        "minutes_median": group.median_minutes,
        "lines_fewest": group.fewest,
        "lines_median": group.median_lines,
        "lines_most": group.most,
        "weight_mean": None if weight is None else round(weight, 2),
        "line_characters_median": None if length is None else round(length, 1),
    }
