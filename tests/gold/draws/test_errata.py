"""Readers report errors in released tasks, staff decide, the next release lists what changed."""

import html
import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.leaving.closed_accounts.actions import close_account, remove_name
from curation.tasks.amendments.actions import agree_to_amendment, propose_amendment
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.checking import folder_of, verify
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.errata import (
    MOST_OPEN,
    Erratum,
    dismiss_erratum,
    enter_erratum,
    report_erratum,
    uphold_erratum,
)
from judge.gold.releases.release import release_gold
from tests.conftest import new_person
from tests.worlds import World

OWN = "/errata/"
STAFF = "/staff/errata/"


def draw(size: int, seed: int) -> DrawSpec:
    """A draw that takes from finance what law cannot give."""
    return DrawSpec(size=size, seed=seed, redistribute=True)


@pytest.fixture(scope="module")
def errata_world(pool_world: World) -> World:
    return World(
        **pool_world.things,
        chief=new_person("chief", is_staff=True),
        reader=new_person("reader"),
    )


@pytest.fixture
def chief(errata_world):
    return errata_world["chief"]


@pytest.fixture
def reader(errata_world):
    return errata_world["reader"]


@pytest.fixture
def released(errata_world, chief):
    """Release 1 with the six finance tasks and one of law."""
    return release_gold(actor=chief, spec=draw(7, 1))


@pytest.fixture
def report(released, reader):
    def made(task: str = "finance-0", **more: Any) -> Erratum:
        given = {"release": released.number, "kind": "wrong_answer", "text": "It is 101.", **more}
        return report_erratum(actor=reader, task=task, **given)

    return made


def page(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content
    return " ".join(html.unescape(answer.content.decode()).split())


def errata_of(release):
    lines = (folder_of(release) / "errata.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


class TestReporting:
    def test_anybody_signed_in_reports_and_finds_the_report_on_the_page(
        self, sign_in, released, reader
    ):
        browser = sign_in(reader)
        sent = {
            "release": released.number, "task": "finance-0", "kind": "outdated",
            "text": "The law changed.", "contact": "me@example.test",
        }  # fmt: skip
        assert browser.post(OWN, sent).status_code == 302
        one = Erratum.objects.get()
        assert (one.state, one.by_mail, one.entered_by) == ("open", False, reader)
        shown = page(browser, OWN)
        assert "The law changed." in shown
        assert "Waits for staff" in shown

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"task": "finance-99"}, "has no task “finance-99”"),
            ({"task": "law-1"}, "has no task “law-1”"),  # approved, but in no release
            ({"release": 77}, "Release 77 has no task"),
            ({"text": "  "}, "Say what is wrong, and how you know."),
            ({"kind": "boring"}, "boring"),
        ],
    )
    def test_a_report_on_nothing_is_refused_and_stays_in_the_form(
        self, sign_in, released, reader, wrong, said
    ):
        sent = {
            "release": released.number, "task": "finance-0", "kind": "typo",
            "text": "A letter is missing.", **wrong,
        }  # fmt: skip
        answer = sign_in(reader).post(OWN, sent)
        assert answer.status_code == 400
        shown = html.unescape(answer.content.decode())
        assert said in shown
        assert not sent["text"].strip() or "A letter is missing." in shown
        assert not Erratum.objects.exists()

    def test_a_reader_sees_their_own_reports_alone(self, sign_in, report, errata_world):
        report(text="Planted words of a report.")
        assert "Planted words" not in page(sign_in(errata_world["author"]), OWN)

    def test_with_many_waiting_the_next_one_has_to_wait(self, report):
        for n in range(MOST_OPEN):
            report(text=f"Error {n}.")
        with pytest.raises(Conflict):
            report()

    def test_staff_enter_one_that_came_by_mail(self, sign_in, released, chief):
        browser = sign_in(chief)
        sent = {
            "release": released.number, "task": "law-0", "kind": "ambiguous",
            "text": "Which year?", "contact": "dr.who@example.test",
        }  # fmt: skip
        answer = browser.post(f"{STAFF}new/", sent)
        one = Erratum.objects.get()
        assert answer.headers["Location"] == f"{STAFF}{one.pk}/"
        shown = page(browser, f"{STAFF}{one.pk}/")
        assert "by mail, entered by" in shown
        assert "dr.who@example.test" in shown
        assert "Which year?" not in page(browser, OWN)

    def test_a_reader_cannot_enter_one_for_somebody_else(self, released, reader):
        with pytest.raises(Denied):
            enter_erratum(
                actor=reader, release=released.number, task="law-0", kind="typo", text="x"
            )

    def test_the_list_is_narrowed_by_state_and_release(self, sign_in, report, chief):
        report(text="First of all.")
        dismiss_erratum(actor=chief, erratum=report(task="law-0", text="Second."), reason="No.")
        browser = sign_in(chief)
        assert "Second." not in page(browser, f"{STAFF}?state=open")
        assert "First of all." not in page(browser, f"{STAFF}?state=dismissed")
        assert "No report is here" in page(browser, f"{STAFF}?release=9")

    def test_with_the_name_of_a_reader_their_contact_goes_too(self, report, chief, reader):
        report(contact="Reader, +44 20 7946 0000")
        mailed = {
            "actor": chief,
            "release": 1,
            "task": "law-0",
            "kind": "typo",
            "text": "A letter.",
        }
        enter_erratum(**mailed, contact=f"Reader <{reader.email}>")
        enter_erratum(**mailed, contact="other@example.test")
        close_account(actor=chief, person=reader, reason="They asked for it.")
        remove_name(actor=chief, person=reader, reason="They asked for it.")
        kept = Erratum.objects.exclude(contact="").values_list("contact", flat=True)
        assert list(kept) == ["other@example.test"]


class TestDeciding:
    def test_staff_find_it_on_home_and_dismiss_it_with_a_reason_the_reader_reads(
        self, sign_in, report, chief, reader
    ):
        one = report()
        browser = sign_in(chief)
        assert "1 report on a released task waits for a decision" in page(browser, "/")
        answer = browser.post(
            f"{STAFF}{one.pk}/", {"decision": "dismiss", "reason": "The text says net debt."}
        )
        assert answer.status_code == 302
        one.refresh_from_db()
        assert (one.state, one.decided_by, one.reopened) == ("dismissed", chief, False)
        assert Task.objects.get(key="finance-0").stage == Stage.APPROVED
        assert "The text says net debt." in page(sign_in(reader), OWN)
        told = Notice.objects.get(recipient=reader, kind="erratum_decided")
        assert told.url == OWN

    def test_upheld_it_sends_the_task_back_to_its_author_with_the_reason(
        self, sign_in, report, chief
    ):
        one = report()
        browser = sign_in(chief)
        browser.post(f"{STAFF}{one.pk}/", {"decision": "uphold", "reason": "It is 101 indeed."})
        task = Task.objects.get(key="finance-0")
        assert task.stage == Stage.REFINING
        assert task.history.last().reason == "It is 101 indeed."
        shown = page(browser, f"{STAFF}{one.pk}/")
        assert f"/tasks/{task.pk}/amend/" in shown
        assert "The task went back to its author." in shown

    def test_a_task_that_left_the_benchmark_is_upheld_without_reopening(self, report, chief):
        one = report()
        Task.objects.filter(key="finance-0").update(stage=Stage.DISCARDED)
        uphold_erratum(actor=chief, erratum=one, reason="It is 101.")
        one.refresh_from_db()
        assert (one.state, one.reopened) == ("upheld", False)
        assert Task.objects.get(key="finance-0").stage == Stage.DISCARDED

    def test_it_is_decided_once(self, report, chief):
        one = report()
        dismiss_erratum(actor=chief, erratum=one, reason="No.")
        with pytest.raises(Conflict):
            uphold_erratum(actor=chief, erratum=one, reason="Yes.")
        assert Task.objects.get(key="finance-0").stage == Stage.APPROVED

    def test_without_a_decision_or_a_reason_nothing_happens(self, sign_in, report, chief):
        one = report()
        browser = sign_in(chief)
        for sent, said in (
            ({"reason": "So."}, "Choose: uphold or dismiss."),
            ({"decision": "uphold"}, "Say why; the reader reads it."),
            ({"decision": "perhaps", "reason": "So."}, "perhaps"),
        ):
            answer = browser.post(f"{STAFF}{one.pk}/", sent)
            assert answer.status_code == 400
            assert said in html.unescape(answer.content.decode())
        one.refresh_from_db()
        assert one.state == "open"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"text": ""},
            {"kind": "boring"},
            {"state": "upheld"},  # without who, when and why
            {"reopened": True},
        ],
    )
    def test_the_database_refuses_what_no_page_can_make(self, report, wrong):
        one = report()
        with pytest.raises(IntegrityError), transaction.atomic():
            Erratum.objects.filter(pk=one.pk).update(**wrong)


class TestTheNextRelease:
    def corrected(self, one, chief, errata_world):
        """Uphold it, amend the reference answer, and let the task be approved again."""
        uphold_erratum(actor=chief, erratum=one, reason="The equity value is 101.")
        task = Task.objects.get(pk=one.task_id)
        amendment = propose_amendment(
            actor=errata_world["author"], task=task, version=task.version,
            reason="A reader found it.", parts={"reference_answer": "The equity value is 101."},
        )  # fmt: skip
        agree_to_amendment(
            actor=errata_world["senior"], amendment=amendment, rubric_affected=False, reason="Yes."
        )
        Task.objects.filter(pk=task.pk).update(stage=Stage.APPROVED)

    def test_it_lists_what_was_wrong_what_changed_and_since_which_release(
        self, report, released, chief, errata_world
    ):
        self.corrected(report(), chief, errata_world)
        second = release_gold(actor=chief, spec=draw(7, 1))
        assert errata_of(second) == [
            {
                "task": "finance-0",
                "kind": "wrong_answer",
                "what_was_wrong": "The equity value is 101.",
                "reported_on": 1,
                "wrong_since": 1,
                "outcome": "corrected",
                "changed": ["reference_answer"],
                "rubric_versions": [],
            }
        ]
        assert second.manifest["errata"] == errata_of(second)
        card = (folder_of(second) / "DATASHEET.md").read_text(encoding="utf-8")
        assert "## Errata" in card
        assert "corrected: reference answer" in card
        assert all(check.fine for check in verify(second))
        assert "It is 101." not in card  # the reader's own words

    def test_a_release_before_keeps_its_files_and_has_no_list(self, report, released, chief):
        uphold_erratum(actor=chief, erratum=report(), reason="It is 101.")
        assert "errata" not in released.manifest
        assert not (folder_of(released) / "errata.jsonl").exists()
        assert all(check.fine for check in verify(released))

    def test_a_task_under_correction_is_listed_as_not_in_the_release(self, report, chief):
        uphold_erratum(actor=chief, erratum=report(), reason="It is 101.")
        second = release_gold(actor=chief, spec=draw(6, 1))
        (row,) = errata_of(second)
        assert (row["outcome"], row["changed"]) == ("not in this release", [])

    def test_a_report_that_is_open_or_dismissed_is_not_listed(self, report, chief):
        report()
        dismiss_erratum(actor=chief, erratum=report(task="law-0"), reason="No.")
        second = release_gold(actor=chief, spec=draw(6, 1))
        assert "errata" not in second.manifest

    def test_the_same_release_frozen_again_stays_the_same(self, report, chief, errata_world):
        self.corrected(report(), chief, errata_world)
        spec = draw(7, 1)
        second, again = (release_gold(actor=chief, spec=spec) for _ in range(2))
        assert second == again
        assert GoldRelease.objects.count() == 2

    def test_wrong_since_names_the_first_release_that_held_it_like_this(self, report, chief):
        second = release_gold(actor=chief, spec=draw(6, 9))
        held = set(second.items.values_list("task__key", flat=True))
        key = next(key for key in sorted(held) if key.startswith("finance"))
        uphold_erratum(
            actor=chief, erratum=report(task=key, release=second.number), reason="It is 101."
        )
        third = release_gold(actor=chief, spec=draw(6, 1))
        (row,) = errata_of(third)
        assert (row["reported_on"], row["wrong_since"]) == (second.number, 1)

    def test_a_members_address_in_the_list_is_refused(self, report, chief, reader):
        uphold_erratum(actor=chief, erratum=report(), reason=f"As {reader.email} wrote.")
        with pytest.raises(BadInput) as refused:
            release_gold(actor=chief, spec=draw(6, 1))
        assert "e-mail address" in str(refused.value.detail)

    def test_the_page_of_the_release_counts_reports_and_prints_the_list(
        self, sign_in, report, released, chief, errata_world
    ):
        self.corrected(report(), chief, errata_world)
        report(task="law-0")
        second = release_gold(actor=chief, spec=draw(7, 1))
        browser = sign_in(chief)
        assert "1 open, 1 upheld, 0 dismissed" in page(
            browser, f"/staff/gold/releases/{released.number}/"
        )
        assert "The equity value is 101." in page(browser, f"/staff/gold/releases/{second.number}/")
