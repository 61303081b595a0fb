"""Prompts and rubrics in numbers, by domain and category. Small counts of people are hidden."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Avg, Count, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from curation.joining.domains.models import Category, Domain
from curation.tasks.coverage.queries import NOT_COUNTED
from curation.tasks.task.models import THROUGH_THE_PROCESS, Task
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

PARTS = ("scenario", "materials", "requirements")  # of which a prompt consists
FEWEST_PEOPLE = 3  # a smaller number of people is not published


@dataclass
class Group:
    """Prompts of a domain or category, and the rubrics of those that have one.

    The lists hold one number per prompt or rubric; medians of empty lists are None.
    """

    domain: Domain
    category: Category | None = None
    prompt_length: list[int] = field(default_factory=list)  # characters
    minutes: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)  # sums, of all lines of a rubric
    line_length: list[float] = field(default_factory=list)  # mean characters of a rubric's lines

    @property
    def name(self) -> str:
        return str(self.category) if self.category else _("no category")

    @property
    def prompts(self) -> int:
        return len(self.prompt_length)

    @property
    def rubrics(self) -> int:
        return len(self.lines)

    @property
    def mean_weight(self) -> float | None:
        """Weight of a line, 1 to 10; negative lines count as they are."""
        return sum(self.weights) / sum(self.lines) if self.lines else None

    @property
    def fewest(self) -> int | None:
        return min(self.lines, default=None)

    @property
    def most(self) -> int | None:
        return max(self.lines, default=None)

    def median(self, name: str) -> float | None:
        """Return the median of one of the lists; None if it is empty."""
        values: Sequence[float] = getattr(self, name)
        return statistics.median(values) if values else None

    @property
    def median_prompt(self) -> float | None:
        return self.median("prompt_length")

    @property
    def median_minutes(self) -> float | None:
        return self.median("minutes")

    @property
    def median_lines(self) -> float | None:
        return self.median("lines")

    @property
    def median_line_length(self) -> float | None:
        return self.median("line_length")


@dataclass(frozen=True)
class Collected:
    """All groups: each domain with its categories, and the whole."""

    domains: list[tuple[Group, list[Group]]]

    @property
    def prompts(self) -> int:
        return sum(group.prompts for group, _parts in self.domains)

    @property
    def rubrics(self) -> int:
        return sum(group.rubrics for group, _parts in self.domains)

    @property
    def lines(self) -> int:
        return sum(sum(group.lines) for group, _parts in self.domains)


def collection(versions: Mapping[int, int] | None = None) -> Collected:
    """Return prompts and rubrics in numbers. Four queries, one more for each 5,000 tasks.

    Args:
        versions: task -> version of its rubric, the only ones that count; None for all tasks from
            their submission on that were not stopped, with the version that counts today.
    """
    tasks = Task.objects.filter(origin__in=THROUGH_THE_PROCESS)
    tasks = (
        tasks.exclude(stage__in=NOT_COUNTED)
        if versions is None
        else tasks.filter(pk__in=list(versions))
    )
    lengths = {f"{part}_length": Length(part) for part in PARTS}
    rows: list[Any] = list(
        tasks.annotate(**lengths)
        .order_by("domain__position", "domain__key", "pk")
        .values("pk", "domain_id", "category_id", "minutes", *lengths)
    )
    if versions is None:
        versions = version_ids_that_count(row["pk"] for row in rows)
    rubrics = _rubrics(versions.values())
    domains = Domain.objects.in_bulk({row["domain_id"] for row in rows})
    categories = Category.objects.in_bulk({row["category_id"] for row in rows} - {None})
    whole: dict[int, Group] = {}
    parts: dict[int, dict[int | None, Group]] = defaultdict(dict)
    for row in rows:
        domain = domains[row["domain_id"]]
        category = categories.get(row["category_id"])
        of_domain = whole.setdefault(domain.pk, Group(domain))
        of_category = parts[domain.pk].setdefault(row["category_id"], Group(domain, category))
        for group in (of_domain, of_category):
            _add(group, row, rubrics.get(versions.get(row["pk"], 0)))
    return Collected([(group, _ordered(parts[pk].values())) for pk, group in whole.items()])


def _rubrics(versions: Iterable[int]) -> dict[int, Any]:
    """Return version -> number, weight and mean length of its lines, 5,000 versions at a time."""
    found: dict[int, Any] = {}
    keys = list(versions)
    for start in range(0, len(keys), 5000):
        lines = Criterion.objects.filter(version__in=keys[start : start + 5000]).order_by()
        for row in lines.values("version_id").annotate(
            lines=Count("pk"), weight=Sum("weight"), length=Avg(Length("text"))
        ):
            found[row["version_id"]] = row
    return found


def _add(group: Group, row: Mapping[str, Any], rubric: Mapping[str, Any] | None) -> None:
    group.prompt_length.append(sum(row[f"{part}_length"] for part in PARTS))
    if row["minutes"] is not None:
        group.minutes.append(row["minutes"])
    if rubric is not None:
        group.lines.append(rubric["lines"])
        group.weights.append(rubric["weight"])
        group.line_length.append(rubric["length"])


def _ordered(groups: Iterable[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (-group.prompts, group.name))


def publishable(counts: Sequence[int]) -> list[int | None]:
    """Return counts of people as they may be published: None where fewer than three are counted.

    Where the hidden ones add up to fewer than three, the total would tell them, so the smallest of
    the others is hidden too. Nobody is no person: 0 is published.
    """
    shown: list[int | None] = [None if 0 < n < FEWEST_PEOPLE else n for n in counts]
    hidden = [n for n, one in zip(counts, shown, strict=True) if one is None]
    if len(hidden) == 1 or 0 < sum(hidden) < FEWEST_PEOPLE:
        left = [n for n in shown if n]
        if left:
            shown[shown.index(min(left))] = None
    return shown
