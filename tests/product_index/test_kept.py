"""An index whose scores did not change is not fitted again."""

from typing import Any

import pytest
from django.urls import reverse

from judge.product_index.cells import Cell
from judge.product_index.index import build
from judge.stats import irt
from tests.product_index.test_index import as_csv, cells
from tests.product_index.test_pages import imported

pytestmark = pytest.mark.django_db


@pytest.fixture
def fits(monkeypatch: Any) -> list[int]:
    """One entry for each fit."""
    found, original = [], irt.fit

    def fit(*args: Any) -> Any:
        found.append(1)
        return original(*args)

    monkeypatch.setattr(irt, "fit", fit)
    return found


def test_the_page_and_its_files_share_one_fit(sign_in, staff, fits):
    office = sign_in(staff)
    imported(office, text=as_csv(cells(seed=41)))  # scores of no other test
    for name in ("product-index", "product-index", "product-index-json", "product-index-csv"):
        assert office.get(reverse(name), {"group": "matrix:Others"}).status_code == 200
    assert len(fits) == 1


def test_one_other_score_date_or_reference_is_another_index(fits):
    rows = cells(seed=42, tasks=20)
    before = build(rows, released={("Cedar", "v1"): 1.0})
    assert build(list(rows), released={("Cedar", "v1"): 1.0}) is before
    changed = rows[0]._replace(score=1.0 - (rows[0].score or 0.0))
    for other in (
        build([changed, *rows[1:]]),
        build(rows),
        build(rows, months={"2025-05": 3.0}),
        build(rows, reference="2025-08"),
    ):
        assert other is not before
    assert len(fits) == 5


def test_a_refusal_is_not_kept(fits):
    for _ in range(2):
        with pytest.raises(Exception, match="no scores"):
            build([Cell("t", "p", "v", "2025-05", None)])
