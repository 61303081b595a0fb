"""Staff enter endpoints and models, set parameters, and test a connection on the page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge.asking.calls.models import Call
from judge.asking.calls.price_actions import set_price
from judge.asking.endpoints.models import Endpoint, Parameters, ProgrammeModels, ServedModel
from judge.asking.endpoints.programme import in_use
from judge.asking.endpoints.queries import parameters_for, takes_pictures
from tests.asking.endpoints.conftest import KEYS
from tests.llm_stub import Stub

pytestmark = pytest.mark.django_db
NEW = "/staff/endpoints/new/"


@pytest.fixture
def office(sign_in, staff):
    return sign_in(staff)


def words(office, path):
    return office.get(path).content.decode()


def entered(stub, **changes):
    return {
        "name": "grove", "label": "Grove", "protocol": "openai", "address": stub.openai_url,
        "key_variable": "NORTH_API_KEY", "calls_at_once": "4",
    } | changes  # fmt: skip


class TestEntering:
    def test_an_endpoint_a_model_and_a_test_from_the_first_page_on(self, office, vendors):
        assert "Add an endpoint" in words(office, "/staff/models/")
        assert office.post(NEW, entered(vendors.north)).url == "/staff/endpoints/grove/"
        added = office.post(
            "/staff/models/new/",
            {"provider": "grove", "model": "fir", "structured_output": "on", "pictures": "on"},
        )
        served = ServedModel.objects.get()
        assert added.url == f"/staff/models/{served.pk}/"
        assert takes_pictures("grove", "fir") is True
        set_price(actor=None, provider="grove", model="fir", input_micro=10**6, output_micro=10**6)
        office.post(f"/staff/models/{served.pk}/test/", {"purpose": "judge"})
        call = Call.objects.get()
        assert (call.purpose, call.error, call.task) == ("test", "", None)
        page = words(office, f"/staff/models/{served.pk}/")
        assert "It answered:" in page
        assert "An answer by fir." in page
        assert f"{call.input_tokens} tokens in" in page
        assert "$0.0" in page
        assert "pictures" in words(office, "/staff/models/")
        assert vendors.north.requests[0].body["response_format"]

    def test_a_server_that_asks_for_no_key_is_entered_without_one(self, office, vendors):
        with Stub() as stub:
            answer = office.post(NEW, entered(stub, key_variable=""))
            assert answer.url == "/staff/endpoints/grove/"
            assert "none" in words(office, answer.url)
            office.post("/staff/models/new/", {"provider": "grove", "model": "fir"})
            served = ServedModel.objects.get()
            office.post(f"/staff/models/{served.pk}/test/", {"purpose": "judge"})
            assert Call.objects.get().error == ""
            assert "It answered:" in words(office, f"/staff/models/{served.pk}/")
            assert "grove:fir" in words(office, "/staff/runs/new/")

    def test_a_key_is_never_shown(self, office, vendors, endpoints):
        served = ServedModel.objects.get(provider="north")
        office.post(f"/staff/models/{served.pk}/test/", {"purpose": "judge"})
        for path in ("/staff/models/", "/staff/endpoints/north/", f"/staff/models/{served.pk}/",
                     f"/staff/calls/{Call.objects.get().pk}/"):  # fmt: skip
            page = words(office, path)
            assert KEYS["north"] not in page
        assert "NORTH_API_KEY" in words(office, "/staff/endpoints/north/")

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"name": "Grove!"}, "lower-case letters"),
            ({"name": "g" * 21}, "at most 20"),
            ({"name": "openai"}, "already an endpoint of this name"),
            ({"name": "offline"}, "already an endpoint of this name"),
            ({"label": ""}, "Please fill this in."),
            ({"protocol": "soap"}, "not one of the available choices"),
            ({"address": "http://10.0.0.1/v1"}, "private network"),
            ({"address": "https://169.254.169.254/"}, "private network"),
            ({"address": "file:///etc/passwd"}, "Type an address such as"),
            ({"address": "https://me:secret@models.example.test/v1"}, "Type an address such as"),
            ({"key_variable": "SECRET_KEY"}, "ends in _API_KEY"),
            ({"key_variable": "DATABASE_URL"}, "ends in _API_KEY"),
            ({"key_variable": "OPENAI_API_KEY"}, "belongs to a vendor of the environment"),
            ({"key_variable": "path_api_key"}, "ends in _API_KEY"),
            ({"calls_at_once": "0"}, "at least 1"),
            ({"calls_at_once": "257"}, "at most 256"),
        ],
    )
    def test_what_cannot_be_an_endpoint_is_said_at_its_field(self, office, vendors, changes, said):
        answer = office.post(NEW, entered(vendors.north, **changes))
        assert answer.status_code == 400
        assert said in answer.content.decode()
        assert not Endpoint.objects.exists()

    def test_a_stale_change_is_refused_and_a_good_one_kept_on_record(self, office, endpoints):
        url = "/staff/endpoints/north/"
        row = endpoints["north"]
        fields = {
            "label": "North", "protocol": "openai", "address": row.address,
            "key_variable": "NORTH_API_KEY", "calls_at_once": "7", "revision": "1",
        }  # fmt: skip
        assert office.post(url, fields).url == url
        assert office.post(url, fields | {"calls_at_once": "9"}).status_code == 409
        row.refresh_from_db()
        assert (row.calls_at_once, row.revision) == (7, 2)
        page = words(office, url)
        assert "calls at once" in page
        assert "<del" in page

    def test_retiring_takes_its_models_out_of_the_choices(self, office, endpoints):
        assert "north:fir" in words(office, "/staff/runs/new/")
        office.post("/staff/endpoints/north/retire/", {"step": "retire"})
        page = words(office, "/staff/runs/new/")
        assert "north:fir" not in page
        assert "south:oak" in page
        assert "Retired" in words(office, "/staff/models/")
        assert office.post("/staff/endpoints/north/retire/", {"step": "retire"}).status_code == 409
        office.post("/staff/endpoints/north/retire/", {"step": "take_back"})
        assert "north:fir" in words(office, "/staff/runs/new/")

    def test_a_retired_model_is_offered_no_more(self, office, endpoints):
        served = ServedModel.objects.get(provider="west")
        office.post(f"/staff/models/{served.pk}/retire/", {"step": "retire"})
        assert "west:elm" not in words(office, "/staff/runs/new/")

    def test_a_model_is_entered_once(self, office, endpoints):
        answer = office.post("/staff/models/new/", {"provider": "north", "model": "fir"})
        assert answer.status_code == 400
        assert "entered already" in answer.content.decode()

    def test_a_vendor_of_the_environment_has_models_and_no_form(self, office, endpoints):
        page = words(office, "/staff/endpoints/openai/")
        assert "environment of the server" in page
        assert "Save changes" not in page
        assert office.post("/staff/endpoints/openai/", {"label": "Mine"}).status_code == 200
        assert not Endpoint.objects.filter(name="openai").exists()
        assert office.get("/staff/endpoints/offline/").status_code == 404
        assert office.get("/staff/endpoints/nobody/").status_code == 404


class TestParameters:
    def url(self, provider, purpose="judge"):
        return (
            f"/staff/models/{ServedModel.objects.get(provider=provider).pk}/parameters/{purpose}/"
        )

    def test_what_is_set_is_asked_with_and_what_is_not_is_left_to_the_model(
        self, office, endpoints, vendors
    ):
        office.post(
            self.url("north"),
            {"temperature": "0", "effort": "low", "max_tokens": "500", "system": "Be strict.",
             "revision": "1"},
        )  # fmt: skip
        assert parameters_for("north", "fir", "judge") == {
            "temperature": 0.0, "effort": "low", "max_tokens": 500, "system": "Be strict.",
        }  # fmt: skip
        assert parameters_for("north", "fir", "draft") == {}
        served = ServedModel.objects.get(provider="north")
        office.post(f"/staff/models/{served.pk}/test/", {"purpose": "judge"})
        body = vendors.north.requests[0].body
        assert (body["temperature"], body["reasoning_effort"]) == (0, "low")
        assert body["max_completion_tokens"] == 500
        assert "seed" not in body
        page = words(office, f"/staff/models/{served.pk}/")
        assert "Be strict." in page

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"temperature": "2.1"}, "at most 2"),
            ({"top_p": "-1"}, "at least 0"),
            ({"temperature": "nan"}, "Type a number"),
            ({"seed": "99999999999"}, "at most 2147483647"),
            ({"max_tokens": "0"}, "at least 1"),
            ({"effort": "furious"}, "not one of the available choices"),
            ({"max_tokens": "9000"}, "This model writes 4,000 tokens at most."),
        ],
    )
    def test_what_the_model_cannot_be_asked_with_is_refused(self, office, endpoints, given, said):
        ServedModel.objects.filter(provider="north").update(most_output_tokens=4_000)
        answer = office.post(self.url("north"), given | {"revision": "1"})
        assert answer.status_code == 400
        assert said in answer.content.decode()
        assert not Parameters.objects.exists()

    def test_only_who_answers_a_task_may_search(self, office, endpoints):
        assert "May search the web" in words(office, self.url("north", "answer"))
        assert "May search the web" not in words(office, self.url("north", "judge"))
        office.post(self.url("north", "answer"), {"search": "on", "revision": "1"})
        assert parameters_for("north", "fir", "answer") == {"search": True}

    def test_a_model_is_never_asked_for_more_than_it_writes(self, endpoints):
        ServedModel.objects.filter(provider="north").update(most_output_tokens=4_000)
        assert parameters_for("north", "fir", "judge") == {"max_tokens": 4_000}

    def test_an_ability_that_parameters_need_is_not_taken_away(self, office, endpoints):
        office.post(self.url("north", "answer"), {"search": "on", "revision": "1"})
        served = ServedModel.objects.get(provider="north")
        answer = office.post(
            f"/staff/models/{served.pk}/", {"structured_output": "on", "revision": "2"}
        )
        assert answer.status_code == 400
        assert "This model cannot search the web." in answer.content.decode()

    def test_a_seed_is_only_for_requests_that_take_one(self, office, endpoints):
        office.post(self.url("north"), {"seed": "7", "revision": "1"})
        assert parameters_for("north", "fir", "judge") == {"seed": 7}
        served = ServedModel.objects.get(provider="north")
        changed = {"structured_output": "on", "effort": "on", "search": "on", "revision": "2"}
        assert office.post(f"/staff/models/{served.pk}/", changed | {"pictures": "on"}).url
        assert "Seed" not in words(office, self.url("west"))

    def test_there_are_no_parameters_of_a_test(self, office, endpoints):
        assert office.get(self.url("north", "test")).status_code == 404


class TestTesting:
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("key", "refuses the key"),
            ("no key", "NORTH_API_KEY is not set."),
            ("model", "does not serve this model"),
            ("parameter", "Unsupported parameter: seed."),
            ("away", "cannot be reached"),
            ("private", "private network"),
        ],
    )
    def test_a_fault_is_one_sentence_on_the_page(
        self, office, endpoints, vendors, monkeypatch, settings, change, said
    ):
        served = ServedModel.objects.get(provider="north")
        if change == "key":
            monkeypatch.setenv("NORTH_API_KEY", "wrong-key-000000000000")
        elif change == "no key":
            monkeypatch.delenv("NORTH_API_KEY")
        elif change == "model":
            vendors.north.serves = ("pine",)
        elif change == "parameter":
            vendors.north.refuses = ("seed",)
            Parameters.objects.create(served=served, purpose="judge", values={"seed": 7})
        elif change == "away":
            Endpoint.objects.filter(name="north").update(address="http://127.0.0.1:9/v1")
        else:
            settings.PRIVATE_MODEL_NETWORKS = []
        answer = office.post(f"/staff/models/{served.pk}/test/", {"purpose": "judge"})
        assert answer.status_code == 302
        page = words(office, f"/staff/models/{served.pk}/")
        assert said in page
        assert "wrong-key" not in page
        assert Call.objects.get(purpose="test").error

    def test_a_test_is_one_call_however_it_ends(self, office, endpoints, vendors):
        served = ServedModel.objects.get(provider="south")
        vendors.south.script("500", "500")
        office.post(f"/staff/models/{served.pk}/test/", {"purpose": "answer"})
        assert vendors.south.calls == 1
        assert "answers with an error" in words(office, f"/staff/models/{served.pk}/")

    def test_a_purpose_that_does_not_exist_asks_nobody(self, office, endpoints, vendors):
        served = ServedModel.objects.get(provider="south")
        answer = office.post(f"/staff/models/{served.pk}/test/", {"purpose": "test"})
        assert answer.status_code == 400
        assert vendors.south.calls == 0


class TestTheProgramme:
    URL = "/staff/models/programme/"

    def test_the_environment_holds_until_somebody_chooses(self, office, endpoints, settings):
        settings.DRAFT_MODEL = "openai:old-1"
        assert in_use().draft == "openai:old-1"
        assert "openai:old-1" in words(office, self.URL)
        office.post(
            self.URL,
            {"draft": "north:fir", "probes": ["south:oak", "west:elm"], "lint": "west:elm",
             "read": "0"},
        )  # fmt: skip
        now = in_use()
        assert (now.draft, now.baseline, now.lint) == ("north:fir", "", "west:elm")
        assert now.probes == ("south:oak", "west:elm")
        assert "north:fir" in words(office, self.URL)

    def test_a_stale_page_chooses_nothing(self, office, endpoints):
        office.post(self.URL, {"draft": "north:fir", "read": "0"})
        assert office.post(self.URL, {"draft": "west:elm", "read": "0"}).status_code == 409
        assert in_use().draft == "north:fir"

    def test_a_model_that_is_not_on_the_list_is_refused(self, office, endpoints):
        answer = office.post(self.URL, {"draft": "north:larch", "read": "0"})
        assert answer.status_code == 400
        assert not ProgrammeModels.objects.exists()


def test_the_list_asks_as_much_of_eight_models_as_of_three(office, endpoints):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            words(office, "/staff/models/")
        return len(queries)

    before = asked()
    for n in range(5):
        ServedModel.objects.create(provider="north", model=f"fir-{n}")
        Endpoint.objects.create(
            name=f"more-{n}", label=f"More {n}", protocol="openai", address="https://a.example/v1"
        )
    assert asked() == before


def test_nobody_but_staff_opens_these_pages(sign_in, author, senior, endpoints):
    served = ServedModel.objects.first()
    for person in (author, senior):
        browser = sign_in(person)
        for path in ("/staff/models/", NEW, "/staff/endpoints/north/", "/staff/models/programme/",
                     f"/staff/models/{served.pk}/"):  # fmt: skip
            assert browser.get(path).status_code == 403
