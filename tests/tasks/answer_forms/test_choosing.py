"""An author, or staff for a task from business, choose the form of the answer in the editor."""

import re

import pytest
from django.urls import reverse

from curation.base.web.refusals import BadInput
from curation.tasks.authoring.actions import create_task, save_draft, submit_task
from curation.tasks.task.demands import demand_of
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task
from judge.methods.list_match.facts import ListDemand
from judge.methods.profiles.models import Selection
from rubrics.policy.policy import policy_for
from rubrics.sending.actions import gaps_before_sending
from rubrics.versions.models import Criterion
from tests.conftest import browser_of
from tests.methods.base import factory
from tests.rubrics.walk import PARTS
from tests.tasks.business.conftest import collected
from tests.tasks.exact_answers.conftest import write_answer

pytestmark = pytest.mark.django_db
COMPANIES = {"answer_form": "list", "number": "10", "what": "companies"}
CREATORS = {"answer_form": "selection", "pool": "creators", "number": "3", "what": "creators"}


def page(task):
    return reverse("task-form", args=[task.pk])


@pytest.fixture
def draft(author, finance):
    return create_task(actor=author, domain=finance, title="T", **PARTS)


@pytest.fixture
def desk(author):
    return browser_of(author)


class TestANewTask:
    def test_is_a_text_where_nothing_is_chosen_and_the_choice_is_folded_away(self, desk, finance):
        shown = desk.get("/tasks/new/").content.decode()
        fold = re.search(r"<details class=.section-tight. *>(.*?)</details>", shown, re.DOTALL)
        assert fold is not None, "it is open, or there is none"
        assert 'value="selection"' in fold[1]
        desk.post("/tasks/new/", {"domain": finance.key, "title": "T", "language": "en"})
        assert Task.objects.get().answer_form == "text"

    @pytest.mark.parametrize("form", ["exact", "list", "profile", "selection"])
    def test_can_ask_for_every_form(self, form, desk, finance):
        sent = {"domain": finance.key, "title": "T", "language": "en", "answer_form": form}
        assert desk.post("/tasks/new/", sent).status_code == 302
        task = Task.objects.get()
        assert task.answer_form == form
        assert ExactAnswer.objects.filter(task=task).exists() == (form == "exact")


class TestTheEditor:
    def test_says_nothing_of_a_text_but_where_to_choose_another_form(self, desk, draft):
        shown = desk.get(f"/tasks/{draft.pk}/edit/").content.decode()
        assert page(draft) in shown
        assert "A text, graded by a rubric" not in shown

    def test_a_list_with_its_demand_is_shown_in_editor_and_on_the_task_page(self, desk, draft):
        assert desk.post(page(draft), COMPANIES).status_code == 302
        demand = ListDemand.objects.get(task=draft)
        assert (demand.number, demand.what, demand.set_by) == (10, "companies", draft.author)
        for address in (f"/tasks/{draft.pk}/edit/", f"/tasks/{draft.pk}/"):
            shown = desk.get(address).content.decode()
            assert "A list, compared with a gold list" in shown
            assert "10 companies" in shown

    def test_a_list_needs_no_number_and_loses_the_one_it_had(self, desk, draft):
        desk.post(page(draft), COMPANIES)
        assert desk.post(page(draft), {"answer_form": "list"}).status_code == 302
        assert not ListDemand.objects.exists()

    def test_a_selection_names_its_pool(self, desk, draft):
        factory.pool()
        assert desk.post(page(draft), CREATORS).status_code == 302
        selection = Selection.objects.get(task=draft)
        assert (selection.pool.key, selection.number) == ("creators", 3)

    def test_another_form_takes_the_demand_away(self, desk, draft):
        desk.post(page(draft), COMPANIES)
        desk.post(page(draft), {"answer_form": "profile"})
        draft.refresh_from_db()
        assert (draft.answer_form, ListDemand.objects.count()) == ("profile", 0)

    @pytest.mark.parametrize(
        ("sent", "sentence"),
        [
            ({"answer_form": "list", "number": "10"}, "Say of what, in the plural"),
            ({"answer_form": "list", "what": "companies"}, "Say how many are asked for"),
            ({**COMPANIES, "number": "501"}, "at most 500"),
            ({**CREATORS, "number": "201"}, "between 1 and 200 profiles"),
            ({**CREATORS, "pool": "nobody"}, "Select a valid choice"),
            ({**CREATORS, "pool": ""}, "Say from which pool"),
            ({"answer_form": "poem"}, "Select a valid choice"),
        ],
    )
    def test_what_is_wrong_is_said_at_its_box_and_nothing_changes(
        self, sent, sentence, desk, draft
    ):
        factory.pool()
        refused = desk.post(page(draft), sent)
        assert refused.status_code == 400
        assert sentence in refused.content.decode()
        draft.refresh_from_db()
        assert (draft.answer_form, demand_of(draft)) == ("text", None)

    def test_staff_choose_for_a_task_from_business(self, staff, finance):
        task = collected(staff, finance)
        assert browser_of(staff).post(page(task), COMPANIES).status_code == 302
        assert demand_of(Task.objects.get(pk=task.pk)) == {"number": 10, "what": "companies"}


class TestWhatIsWritten:
    def test_a_reference_answer_keeps_a_task_from_becoming_exact(self, desk, draft, author):
        refused = desk.post(page(draft), {"answer_form": "exact"})
        assert "Empty the reference answer first" in refused.content.decode()
        save_draft(actor=author, task=draft, version=draft.version, reference_answer="")
        assert desk.post(page(draft), {"answer_form": "exact"}).status_code == 302
        assert ExactAnswer.objects.filter(task=draft).exists()

    def test_an_exact_answer_with_steps_keeps_its_form(self, desk, author, finance):
        task = create_task(actor=author, domain=finance, answer_form="exact")
        assert desk.post(page(task), {"answer_form": "text"}).status_code == 302
        assert not ExactAnswer.objects.exists()
        desk.post(page(task), {"answer_form": "exact"})
        write_answer(author, task)
        refused = desk.post(page(task), {"answer_form": "text"})
        assert "Empty its page first" in refused.content.decode()


class TestASubmission:
    def test_a_selection_without_a_demand_is_refused_and_remarked_on(self, desk, draft, author):
        Task.objects.filter(pk=draft.pk).update(answer_form="selection")
        draft.refresh_from_db()
        with pytest.raises(BadInput) as refusal:
            submit_task(actor=author, task=draft)
        assert set(refusal.value.fields) == {"answer_form"}
        shown = desk.get(f"/tasks/{draft.pk}/edit/").content.decode()
        assert "Say how many profiles of which pool" not in shown, "before the first try"
        refused = desk.post(f"/tasks/{draft.pk}/submit/")
        assert refused.status_code == 400
        assert "Say how many profiles of which pool" in refused.content.decode()

    def test_afterwards_the_form_stays_and_the_page_leads_back(self, desk, draft, author):
        submit_task(actor=author, task=draft)
        assert desk.get(page(draft)).status_code == 302
        assert desk.post(page(draft), COMPANIES).status_code == 409
        Task.objects.filter(pk=draft.pk).update(stage="draft")
        refused = desk.post(page(draft), COMPANIES)
        assert "because you have submitted this task" in refused.content.decode()


class TestTheApi:
    def test_a_draft_is_started_read_and_changed_with_its_form(self, desk, finance):
        factory.pool()
        sent = {"domain": finance.key, "answer_form": "list", "demand": {"number": 5, "what": "x"}}
        made = desk.post("/api/v1/tasks/", sent, content_type="application/json")
        assert made.status_code == 201, made.content
        address = f"/api/v1/tasks/{made.json()['id']}/"
        assert desk.get(address).json()["demand"] == {"number": 5, "what": "x"}
        demand = {"pool": "creators", "number": 2, "what": "creators"}

        def change(**what):
            return desk.patch(address, what, content_type="application/json")

        changed = change(answer_form="selection", demand=demand).json()
        assert (changed["answer_form"], changed["demand"]) == ("selection", demand)
        refused = change(demand={"number": 9})
        assert refused.status_code == 400
        assert set(refused.json()["fields"]) == {"pool", "what"}
        assert change(answer_form="text", title="T").json()["demand"] is None

    def test_unknown_names_are_refused(self, desk, finance):
        sent = {"domain": finance.key, "answer_form": "poem", "demand": {"colour": 1}}
        refused = desk.post("/api/v1/tasks/", sent, content_type="application/json")
        assert refused.status_code == 400
        assert {"answer_form", "demand"} <= {n.partition(".")[0] for n in refused.json()["fields"]}


class TestTheRubric:
    def test_of_another_form_may_be_short_and_its_questions_have_answers(self):
        policy = policy_for(None, "profile")
        assert (policy.fewest, policy_for(None).fewest) == (1, 15)
        lines = [Criterion(key="a", text="Where?|Zürich"), Criterion(key="b", text="When?")]
        gaps = {gap.code for gap in gaps_before_sending(lines, policy=policy, form="profile")}
        assert gaps == {"question_unanswered"}
        assert gaps_before_sending(lines, policy=policy, form="list") == []
