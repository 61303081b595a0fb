"""Products, periods, matrices and the pages of the index."""

import io
import json
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.products import EvaluationPeriod, Product
from judge.results.product_index.actions import add_period, add_product, put_version
from judge.results.product_index.models import ScoreMatrix
from judge.results.product_index.stored import compute, waiting_indexes
from judge.results.registry.actions import add_candidate, change_candidate
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from tests.results.product_index.test_index import HEAD, as_csv, cells
from tests.runs.engine.factory import external_task, respond, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(sign_in, staff):
    return sign_in(staff)


def upload(text, name="scores.csv"):
    return SimpleUploadedFile(name, text.encode(), content_type="text/csv")


def imported(office, name="Others", text=None):
    sent = {"name": name, "source": "A paper", "file": upload(text or as_csv(cells()))}
    return office.post(reverse("score-matrices"), sent)


def computed(browser, address):
    """Ask for an index, do the worker's part, and return the page."""
    browser.get(address)
    for row in waiting_indexes():
        compute(row)
    return browser.get(address)


class TestProducts:
    def test_staff_enter_a_product_and_put_candidates_under_it(self, office, staff):
        one = add_candidate(actor=staff, name="Cedar 1")
        office.post(reverse("products"), {"name": "Cedar", "house": "Forest"})
        product = Product.objects.get()
        sent = {"candidate": one.pk, "version": "v1", "released_on": "2025-05-02"}
        office.post(reverse("product-version", args=[product.pk]), sent)
        one.refresh_from_db()
        assert (one.product, one.version, one.released_on) == (product, "v1", date(2025, 5, 2))
        changes = one.history.first().changes
        assert changes["product"] == [None, "Cedar"]
        page = office.get(reverse("product", args=[product.pk])).content.decode()
        assert "Cedar 1" in page
        office.post(reverse("product-version-out", args=[product.pk, one.pk]))
        one.refresh_from_db()
        assert one.product is None

    def test_two_versions_of_one_name_are_refused(self, office, staff):
        product = add_product(actor=staff, name="Cedar")
        for name in ("Cedar 1", "Cedar 2"):
            add_candidate(actor=staff, name=name)
        first, second = Candidate.objects.order_by("name")
        put_version(actor=staff, product=product, candidate=first, version="v1")
        sent = {"candidate": second.pk, "version": "v1"}
        reply = office.post(reverse("product-version", args=[product.pk]), sent)
        assert reply.status_code == 400
        assert "This product has a version of this name already." in reply.content.decode()

    def test_a_version_changed_to_one_that_the_product_has_is_refused_at_its_field(self, staff):
        product = add_product(actor=staff, name="Cedar")
        for name in ("Cedar 1", "Cedar 2"):
            one = add_candidate(actor=staff, name=name)
            put_version(actor=staff, product=product, candidate=one, version=name[-1])
        with pytest.raises(BadInput) as refusal:
            change_candidate(actor=staff, candidate=one, version="1")
        assert refusal.value.fields == {
            "version": ["This product has a version of this name already."]
        }

    def test_a_version_of_another_product_is_not_offered(self, office, staff):
        cedar, larch = (add_product(actor=staff, name=name) for name in ("Cedar", "Larch"))
        one = add_candidate(actor=staff, name="Cedar 1")
        put_version(actor=staff, product=cedar, candidate=one, version="v1")
        sent = {"candidate": one.pk, "version": "v1"}
        assert office.post(reverse("product-version", args=[larch.pk]), sent).status_code == 400

    def test_a_stale_change_is_refused(self, office, staff):
        product = add_product(actor=staff, name="Cedar")
        address = reverse("product", args=[product.pk])
        assert office.post(address, {"name": "Cedar X", "revision": "1"}).status_code == 302
        assert office.post(address, {"name": "Cedar Y", "revision": "1"}).status_code == 409
        product.refresh_from_db()
        assert product.name == "Cedar X"

    @pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 201])
    def test_a_name_that_cannot_be_stored_is_refused(self, office, name):
        assert office.post(reverse("products"), {"name": name}).status_code == 400
        assert not Product.objects.exists()

    def test_a_taken_name_is_refused(self, office, staff):
        add_product(actor=staff, name="Cedar")
        reply = office.post(reverse("products"), {"name": "Cedar"})
        assert "There is already a product with this name." in reply.content.decode()


class TestPeriods:
    def test_staff_enter_a_period_and_change_its_days(self, office):
        sent = {"key": "2026-05", "starts_on": "2026-05-01", "ends_on": "2026-05-30"}
        office.post(reverse("periods"), sent)
        period = EvaluationPeriod.objects.get()
        days = {"starts_on": "2026-05-01", "ends_on": "2026-05-31"}
        office.post(reverse("period", args=[period.pk]), days)
        period.refresh_from_db()
        assert period.ends_on == date(2026, 5, 31)

    def test_days_that_contradict_are_refused(self, office):
        sent = {"key": "2026-05", "starts_on": "2026-05-02", "ends_on": "2026-05-01"}
        reply = office.post(reverse("periods"), sent)
        assert reply.status_code == 400
        assert "That is before the first day." in reply.content.decode()
        assert "Choose a day." in office.post(reverse("periods"), {"key": "x"}).content.decode()

    def test_responses_of_its_days_are_taken_in_at_a_press(self, office, staff):
        product = add_product(actor=staff, name="Cedar")
        one = add_candidate(actor=staff, name="Cedar 1")
        put_version(actor=staff, product=product, candidate=one, version="v1")
        task = external_task("t1", baseline=False)
        for number, days in ((1, 0), (2, 60)):
            Response.objects.create(
                key=f"r{number}", task=task, candidate=one, sample=number, text="x",
                source="imported", created_at=timezone.now() - timedelta(days=days),
            )  # fmt: skip
        today = timezone.localdate()
        period = add_period(
            actor=staff, key="now", starts_on=today - timedelta(days=3), ends_on=today
        )
        assert "Put 1 response of these days into it" in " ".join(
            office.get(reverse("periods")).content.decode().split()
        )
        office.post(reverse("period-adopt", args=[period.pk]))
        assert list(period.responses.values_list("key", flat=True)) == ["r1"]
        assert office.post(reverse("period-adopt", args=[period.pk])).status_code == 400


class TestMatrices:
    def test_a_file_is_stored_whole_and_shown_as_an_index(self, office):
        reply = imported(office)
        matrix = ScoreMatrix.objects.get()
        assert len(matrix.cells) == len(cells())
        page = computed(office, reply.url).content.decode()
        assert "Breakthrough" in page
        assert "the slope is steeper" in page
        for product in ("Cedar", "Larch", "Birch"):
            assert product in page

    def test_the_headline_names_what_grows_by_the_figures_of_the_table(self, office):
        """Larch makes a step beyond chance, and its velocity is uncertain over four periods."""
        reply = imported(office, text=as_csv(cells(seed=6)))
        page = " ".join(computed(office, reply.url).content.decode().split())
        assert "1 step from one version to the next is a breakthrough: Larch v3." in page
        assert (
            "Of the 3 products with abilities in several periods, none has a velocity above 0"
            in page
        )
        assert "so few periods can show the first without the second" in page
        assert page.count("grows") == 0
        assert "+0.42 a month (95 % interval −0.27 to 1.11)" in page

    def test_where_each_step_is_of_a_product_that_grows_nothing_is_explained(self, office):
        reply = imported(office)
        page = " ".join(computed(office, reply.url).content.decode().split())
        assert (
            "1 of the 3 products with abilities in several periods has a velocity above 0" in page
        )
        assert "the first without the second" not in page

    def test_the_headline_of_unlinked_periods_does_not_say_that_nothing_else_was_measured(
        self, office
    ):
        reply = imported(office, text=as_csv(cells(tasks=40)))
        page = " ".join(computed(office, reply.url).content.decode().split())
        assert "No product has abilities in two periods, so no growth is known." in page
        assert "No velocity: it has an ability in one period alone." in page

    def test_a_file_with_faults_is_refused_whole(self, office):
        reply = imported(office, text=HEAD + "t,p,v,x,2\nt,,v,x,1\n")
        assert reply.status_code == 400
        page = reply.content.decode()
        assert "scores.csv:2: score" in page
        assert "scores.csv:3: product" in page
        assert not ScoreMatrix.objects.exists()

    def test_a_period_too_weakly_linked_shows_no_number_and_says_what_to_do(self, office):
        reply = imported(office, text=as_csv(cells(tasks=12)))
        page = " ".join(computed(office, reply.url).content.decode().split())
        assert "2026-02: no ability is shown" in page
        assert "Ask more of the earlier tasks or versions again." in page
        why = "No ability: too few common tasks and versions link its period with the reference."
        assert page.count(why) >= 3

    def test_a_taken_name_is_refused(self, office):
        imported(office)
        assert imported(office, text=HEAD + "t,p,v,x,1\n").status_code == 400

    def test_the_index_comes_as_json_and_csv(self, office):
        imported(office)
        query = "?group=matrix:Others&reference=2025-08"
        found = computed(office, reverse("product-index-json") + query).json()
        assert found["reference"] == "2025-08"
        table = b"".join(office.get(reverse("product-index-csv") + query).streaming_content)
        assert table.decode("utf-8-sig").startswith("product,version,period,theta,se,low,high")

    def test_the_command_takes_a_stored_matrix(self, office):
        imported(office)
        out = io.StringIO()
        call_command("index", "--group", "matrix:Others", "--json", stdout=out)
        assert json.loads(out.getvalue())["cells"] == len(cells())
        with pytest.raises(CommandError, match="There is no matrix, domain or set"):
            call_command("index", "--group", "nothing")


class TestTheIndexOfTheDatabase:
    @pytest.fixture
    def measured(self, staff):
        """Three versions, each with judged responses to eight tasks, in two periods."""
        periods = [
            add_period(actor=staff, key=key, starts_on=first, ends_on=first + timedelta(days=27))
            for key, first in (("2026-05", date(2026, 5, 1)), ("2026-08", date(2026, 8, 1)))
        ]
        product = add_product(actor=staff, name="Cedar")
        tasks = [external_task(f"t{n}", lines=4, baseline=False) for n in range(8)]
        for number, period in enumerate((periods[0], periods[0], periods[1])):
            one = add_candidate(actor=staff, name=f"Cedar {number}")
            put_version(actor=staff, product=product, candidate=one, version=f"v{number}")
            for n, task in enumerate(tasks):
                response = Response.objects.create(
                    key=f"{number}-{n}", task=task, candidate=one, text="x", source="imported",
                    period=period,
                )  # fmt: skip
                made = sheet(response, task.rubric_versions.get(), "the-judge")
                for place, line in enumerate(made.lines.order_by("pk")):
                    line.met = (place + n) % 4 <= number
                    line.save()
        return tasks

    def test_scores_of_a_rater_make_an_index(self, office, measured):
        page = computed(office, reverse("product-index") + "?group=open&run=the-judge")
        assert page.status_code == 200
        address = reverse("product-index-json") + "?group=finance&run=the-judge"
        found = computed(office, address).json()
        assert found["cells"] == 24
        thetas = [row["theta"] for row in found["abilities"]]
        assert thetas == sorted(thetas)
        assert "8 tasks have fewer than ten measurements" in page.content.decode()

    def test_without_a_judge_the_newest_run_over_the_products_answers_to_the_tasks_is_taken(
        self, office, measured, law
    ):
        other = external_task("other", lines=4, baseline=False)
        respond(other, "Elm 1")
        elsewhere = external_task("elsewhere", lines=4, baseline=False)
        Task.objects.filter(pk=elsewhere.pk).update(domain=law)
        Response.objects.create(
            key="law", task=elsewhere, candidate=Candidate.objects.get(name="Cedar 0"), text="x",
            source="imported", period=EvaluationPeriod.objects.first(),
        )  # fmt: skip
        for tasks in (measured, [other], [elsewhere]):
            keys = [task.key for task in tasks]
            work_on_run(
                plan_run(actor=None, method="zero_shot", provider="offline", task_keys=keys)
            )
        found = computed(office, reverse("product-index-json") + "?group=finance").json()
        assert found["cells"] == 24
        assert "Cedar" in office.get(reverse("product-index") + "?group=finance").content.decode()

    def test_what_is_left_out_is_counted(self, office, measured):
        Response.objects.filter(key__startswith="2-").update(period=None)
        address = reverse("product-index") + "?group=open&run=the-judge"
        page = computed(office, address).content.decode()
        assert "8 responses are left out: they belong to no period." in page

    def test_availability_says_measured_unpublished_offline_or_not_asked(
        self, office, staff, measured
    ):
        newest, oldest = (
            Candidate.objects.get(name="Cedar 2"),
            Candidate.objects.get(name="Cedar 0"),
        )
        Candidate.objects.filter(pk=newest.pk).update(released_on=date(2026, 7, 1))
        Candidate.objects.filter(pk=oldest.pk).update(retired_on=date(2026, 6, 1))
        page = " ".join(office.get(reverse("availability")).content.decode().split())
        assert page.count('class="place is-measured"') == 3
        assert page.count('class="place is-unpublished"') == 1
        assert page.count('class="place is-offline"') == 1
        assert page.count('class="place is-not_asked"') == 1

    def test_availability_asks_the_same_queries_for_many_versions(
        self, office, staff, measured, django_assert_num_queries
    ):
        with django_assert_num_queries(9):
            office.get(reverse("availability"))
        product = Product.objects.get()
        for n in range(5):
            Candidate.objects.create(name=f"More {n}", version=f"m{n}", product=product)
        with django_assert_num_queries(9):
            office.get(reverse("availability"))


def test_without_scores_the_index_says_what_to_do(office):
    page = office.get(reverse("product-index")).content.decode()
    assert "No index yet" in page
    assert office.get(reverse("product-index-json")).status_code == 404
    wrong = office.get(reverse("product-index") + "?group=%00")
    assert wrong.status_code == 400
