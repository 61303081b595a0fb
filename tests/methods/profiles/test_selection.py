"""What a selection task asks for, who was really chosen, and who may know."""

import json

import pytest
from django.core.management import CommandError, call_command

from curation.base.web.refusals import BadInput, Denied
from curation.tasks.task.models import Origin, Task
from judge.methods.profiles.actions import set_outcome, set_selection
from judge.methods.profiles.models import RealOutcome
from tests.conftest import browser_of
from tests.methods.base import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def task():
    return factory.task_of("selection")


def own(task, author):
    """Make an imported task one that a person wrote."""
    Task.objects.filter(pk=task.pk).update(origin=Origin.OWN, author=author)
    task.refresh_from_db()


def page(task):
    return f"/tasks/{task.pk}/selection/"


def keys(outcome):
    return list(outcome.chosen.values_list("profile__key", flat=True))


class TestThePage:
    def test_staff_say_what_is_asked_for_and_who_was_chosen(self, task, staff):
        desk = browser_of(staff)
        pool = factory.pool().pk
        demand = {"demand-pool": pool, "demand-number": 2, "demand-what": "creators"}
        assert desk.post(page(task), {"about": "demand", **demand}).status_code == 302
        task.selection.refresh_from_db()
        assert task.selection.number == 2
        chosen = {
            "outcome-rater": "client",
            "outcome-chosen": "ann\ncleo\n",
            "outcome-reason": "The client's mail.",
        }
        assert desk.post(page(task), {"about": "outcome", **chosen}).status_code == 302
        assert keys(RealOutcome.objects.get()) == ["ann", "cleo"]
        shown = desk.get(page(task)).content.decode()
        assert "Ann, Cleo" in shown
        assert "The client&#x27;s mail." in shown

    def test_a_bad_list_is_refused_and_stays_in_the_form(self, task, staff):
        form = {
            "about": "outcome",
            "outcome-rater": "client",
            "outcome-chosen": "ann\nnobody\nann",
            "outcome-reason": "So.",
        }
        refused = browser_of(staff).post(page(task), form)
        text = refused.content.decode()
        assert refused.status_code == 400
        assert "There is no profile “nobody”" in text
        assert "The profile “ann” stands there twice" in text
        assert "nobody\nann" in text
        assert not RealOutcome.objects.exists()

    def test_an_author_sees_their_own_and_nobody_else_does(self, task, person):
        author, peer = person("author"), person("peer")
        factory.select(task, chosen=("ann",))
        own(task, author)
        assert "Ann" in browser_of(author).get(page(task)).content.decode()
        assert browser_of(peer).get(page(task)).status_code == 404
        assert browser_of(author).post(page(task), {"about": "demand"}).status_code in (400, 403)

    def test_a_task_with_another_answer_has_no_such_page(self, staff):
        task = factory.task_of("text")
        assert browser_of(staff).get(page(task)).status_code == 404


class TestTheActions:
    def test_an_approved_task_is_out_of_its_authors_hands(self, task, person):
        author = person("author")
        own(task, author)
        with pytest.raises(Denied):
            set_outcome(actor=author, task=task, chosen=["ann"], reason="So.")

    def test_a_new_list_does_not_delete_the_old_one_and_the_same_adds_none(self, task):
        first = set_outcome(actor=None, task=task, chosen=["ann"], reason="So.")
        assert set_outcome(actor=None, task=task, chosen=["ann"], reason="Again.") == first
        set_outcome(actor=None, task=task, chosen=[], reason="They left.")
        assert [keys(row) for row in RealOutcome.objects.order_by("number")] == [["ann"], []]

    def test_a_pool_cannot_change_under_a_real_outcome(self, task):
        factory.select(task, chosen=("ann",))
        other = factory.pool("others", names=("Zoe",))
        with pytest.raises(BadInput) as refused:
            set_selection(actor=None, task=task, pool=other, number=3, what="creators")
        assert "pool" in refused.value.fields

    @pytest.mark.parametrize(("number", "what"), [(0, "creators"), (201, "creators"), (3, "")])
    def test_a_demand_out_of_range_is_refused(self, task, number, what):
        with pytest.raises(BadInput):
            set_selection(actor=None, task=task, pool=factory.pool(), number=number, what=what)


class TestFiles:
    def line(self, task, **more):
        return json.dumps(
            {
                "task": task, "rater": "client", "kind": "outcome", "pool": "creators",
                "number": 4, "what": "creators", "chosen": ["ben", "ann"], **more,
            }
        )  # fmt: skip

    def load(self, tmp_path, *lines):
        path = tmp_path / "outcomes.jsonl"
        path.write_text("\n".join(lines))
        call_command("import_outcomes", str(path))
        return path

    def test_what_is_exported_is_imported_and_changes_nothing(self, task, tmp_path, capsys):
        self.load(tmp_path, self.line(task.key))
        assert "1 added, 0 unchanged" in capsys.readouterr().out
        task.selection.refresh_from_db()
        assert task.selection.number == 4
        out = tmp_path / "out.jsonl"
        call_command("export_outcomes", out=str(out))
        with pytest.raises(CommandError, match="out.jsonl"):  # it is not written over
            call_command("export_outcomes", out=str(out))
        with pytest.raises(CommandError):
            call_command("export_outcomes", out=str(tmp_path / "nowhere" / "out.jsonl"))
        call_command("import_outcomes", str(out))
        assert "0 added, 1 unchanged" in capsys.readouterr().out
        assert json.loads(out.read_text())["chosen"] == ["ben", "ann"]

    def test_every_fault_is_named_and_nothing_is_stored(self, task, tmp_path):
        with pytest.raises(CommandError) as refused:
            self.load(
                tmp_path,
                self.line(task.key),
                self.line(task.key, rater="other", chosen=["nobody"]),
                self.line("unknown"),
                self.line(task.key, kind="expert", pool="none"),
                self.line(task.key, number="4"),
            )
        said = str(refused.value)
        for fault in (":2: chosen:", ":3: task:", ":4: kind:", ":4: pool:", ":5: number:"):
            assert fault in said
        assert not RealOutcome.objects.exists()
