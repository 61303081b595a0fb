"""How tasks cover a work map: shares, gaps, histograms, and the worked figures of the paper."""

from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Category
from curation.tasks.coverage.figures import bars, by_time
from curation.tasks.coverage.queries import coverage_of, domain_rows
from curation.tasks.task.models import Task
from curation.tasks.task.task_value import exact_value, value_band, value_sentence
from tests.tasks.business.conftest import collected


def percents(found: Any) -> list[int]:
    return [bar.percent for bar in found]


class TestFiguresOfThePaper:
    """Seed paper xbench (arXiv 2506.13651), sections 3.2 and 3.3, figures 4 and 6."""

    def test_recruiting_by_time_is_12_16_34_and_38_percent_of_50_tasks(self):
        minutes = [3] * 6 + [12] * 8 + [30] * 17 + [90] * 19
        found = by_time(minutes, [5, 20, 40])
        assert [bar.label for bar in found] == [
            "0–5 minutes",
            "5–20 minutes",
            "20–40 minutes",
            "over 40 minutes",
        ]
        assert percents(found) == [12, 16, 34, 38]
        assert sum(bar.count for bar in found) == 50

    def test_recruiting_by_kind_is_44_30_and_26_percent_of_50_tasks(self):
        found = bars([("Company mapping", 22), ("Info to people", 15), ("People to info", 13)])
        assert percents(found) == [44, 30, 26]

    def test_marketing_has_steps_and_industries_of_its_own(self):
        found = by_time([30] * 18 + [60] * 10 + [120] * 11 + [121] * 11, [30, 60, 120])
        assert percents(found) == [36, 20, 22, 22]
        assert percents(bars([("App", 34), ("Game", 8), ("E-commerce", 8)])) == [68, 16, 16]

    def test_the_value_of_a_task_is_its_time_at_the_hourly_rate(self):
        assert exact_value(40, Decimal(90)) == Decimal("60.00")
        assert exact_value(7, Decimal("33.33")) == Decimal("3.89")  # 3.8885, rounded to cents
        assert value_sentence(40, "", Decimal(90)) == "40 minutes at 90.00 USD an hour: 60.00 USD."
        assert value_band(60, "under_50", Decimal(120)) == "100_500"  # the exact rate counts

    @pytest.mark.parametrize(
        ("minutes", "rate"), [(None, Decimal(90)), (40, None), (0, Decimal(9))]
    )
    def test_a_value_without_time_or_rate_is_not_known(self, minutes, rate):
        assert exact_value(minutes, rate) is None

    def test_an_upper_end_belongs_to_its_step_and_unknown_time_has_a_bar(self):
        found = by_time([5, 6, 20, 21, 40, 41, None], [5, 20, 40])
        assert [bar.count for bar in found] == [1, 2, 2, 1, 1]
        assert found[-1].label == "not known"
        assert percents(by_time([], [5])) == [None, None]


@pytest.fixture
def covered(staff, finance, add) -> Any:
    """Three kinds of work, of which one has a finished task, and one a draft only."""
    search = add("Search", share=45, feasible=True, evaluable=True)
    screening = add("Screening", share=20, feasible=True, evaluable=True)
    add("Interview", share=15, feasible=False, evaluable=False)
    done = collected(staff, finance, work_type=search, minutes=40, hourly_rate=90)
    Task.objects.filter(pk=done.pk).update(stage=Stage.APPROVED)
    other = collected(staff, finance, minutes=60, hourly_rate=None, rate_band="50_100")
    Task.objects.filter(pk=other.pk).update(stage=Stage.SCREENING)
    collected(staff, finance, work_type=screening)  # a draft counts for nobody
    return search


def test_coverage_counts_time_tasks_and_value(covered, finance):
    found = coverage_of(finance)
    assert (found.known, found.covered) == (80, 45)
    assert (found.tasks, found.without_type, found.without_value) == (2, 1, 0)
    assert found.value == Decimal("135.00")  # 40 min at 90 USD, and 60 at the middle of 50 to 100
    row = found.rows[0]
    assert (row.tasks, row.approved, row.of_tasks) == (1, 1, 50)
    assert row.of_value == Decimal("44.4")
    assert [gap.work_type.name for gap in found.gaps] == ["Screening"]


def test_the_page_says_it_in_a_sentence_a_picture_and_a_table(
    sign_in, staff, finance, covered, django_assert_max_num_queries
):
    browser = sign_in(staff)
    with django_assert_max_num_queries(20):
        page = browser.get(reverse("work-map", args=[finance.key])).content.decode()
    assert "Tasks cover work that takes 45 % of the time. Interviews account for 80 %." in page
    assert 'role="img"' in page
    assert "Work without a task" in page
    assert "20–40 minutes" in page
    listed = browser.get(reverse("work-maps")).content.decode()
    assert finance.name in listed
    (row,) = domain_rows()
    assert (row.types, row.known, row.tasks, row.typed, row.gaps) == (3, 80, 2, 1, 1)


def test_a_domain_without_a_map_says_so(sign_in, staff, finance):
    page = sign_in(staff).get(reverse("work-map", args=[finance.key])).content.decode()
    assert "This domain has no work map yet." in page


def test_queries_do_not_grow_with_work_types(
    sign_in, staff, finance, add, django_assert_num_queries
):
    add("One", share=1)
    coverage_of(finance)
    with django_assert_num_queries(4):
        coverage_of(finance)
    for n in range(5):
        add(f"More {n}", share=1)
    with django_assert_num_queries(4):
        coverage_of(finance)


class TestWorkTypeOfATask:
    def test_an_author_chooses_among_feasible_and_evaluable_work(
        self, sign_in, author, finance, add
    ):
        from curation.tasks.authoring.actions import create_task

        good = add("Search", feasible=True, evaluable=True)
        unfit = add("Interview", feasible=False, evaluable=False)
        task = create_task(actor=author, domain=finance)
        browser = sign_in(author)
        page = browser.get(reverse("task-edit", args=[task.pk])).content.decode()
        assert "Information collection: Search" in page
        assert "Interview" not in page
        sent = {"version": task.version, "language": "en", "work_type": unfit.key}
        refused = browser.post(reverse("task-save", args=[task.pk]), sent)
        assert refused.status_code == 400
        sent["work_type"] = good.key
        assert browser.post(reverse("task-save", args=[task.pk]), sent).status_code == 200
        task.refresh_from_db()
        assert task.work_type == good

    def test_a_work_type_of_another_category_is_refused_at_the_submission(
        self, author, finance, add
    ):
        from curation.base.web.refusals import BadInput
        from curation.tasks.authoring.actions import create_task, submit_task
        from tests.rubrics.walk import PARTS

        other = Category.objects.create(domain=finance, key="other", name="Other")
        good = add("Search", feasible=True, evaluable=True)
        task = create_task(
            actor=author, domain=finance, title="x", category=other, work_type=good, **PARTS
        )
        with pytest.raises(BadInput) as refusal:
            submit_task(actor=author, task=task)
        assert "Information collection" in str(refusal.value.fields["work_type"])

    def test_staff_set_any_work_type_at_any_stage(self, sign_in, staff, finance, add):
        unfit = add("Interview", feasible=False, evaluable=False)
        task = collected(staff, finance)
        Task.objects.filter(pk=task.pk).update(stage=Stage.APPROVED)
        address = reverse("task-work-type", args=[task.pk])
        assert "Interview" in sign_in(staff).get(address).content.decode()
        assert sign_in(staff).post(address, {"work_type": unfit.key}).status_code == 302
        task.refresh_from_db()
        assert task.work_type == unfit
        assert sign_in(staff).post(address, {"work_type": "none-such"}).status_code == 400
        assert task.history.filter(data__event="work_type_set").exists()

    def test_the_api_takes_and_refuses_work_types_like_the_page(
        self, sign_in, author, finance, add
    ):
        good = add("Search", feasible=True, evaluable=True)
        browser = sign_in(author)
        sent = {"domain": finance.key, "title": "x", "work_type": good.key}
        made = browser.post("/api/v1/tasks/", sent, content_type="application/json")
        assert made.status_code == 201
        assert Task.objects.get(pk=made.json()["id"]).work_type == good
        sent["work_type"] = "none-such"
        refused = browser.post("/api/v1/tasks/", sent, content_type="application/json")
        assert refused.status_code == 400
        assert "work_type" in refused.json()["fields"]
