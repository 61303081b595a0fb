"""Work types of a domain, by the action behind the page."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from curation.joining.domains.models import Category, Domain
from curation.tasks.work_map.actions import add_work_type
from curation.tasks.work_map.models import WorkType
from curation.tasks.work_map.queries import map_of

NOTHING: dict[str, Any] = {
    "name_zh": "",
    "share": None,
    "importance": None,
    "feasible": None,
    "evaluable": None,
    "simulation": "",
    "interviews": None,
    "interviewed_on": None,
    "interview_source": "",
}


def new_work_type(staff: Any, category: Category, name: str, **more: Any) -> WorkType:
    """A work type: `new_work_type(staff, search, "Talent search", share=20)`."""
    values = {**NOTHING, **more}
    if values["share"] is not None:
        values["share"] = Decimal(values["share"])
    domain = category.domain
    return add_work_type(
        actor=staff,
        domain=domain,
        version=map_of(domain).version,
        category=category,
        name=name,
        **values,
    )


@pytest.fixture
def collecting(finance: Domain) -> Category:
    return Category.objects.create(domain=finance, key="collecting", name="Information collection")


@pytest.fixture
def add(staff: Any, collecting: Category) -> Callable[..., WorkType]:
    """Add work types of one category: `add("Talent search", share=20)`."""
    return lambda name, **more: new_work_type(staff, collecting, name, **more)
