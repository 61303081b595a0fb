"""Quarterly editions: what they name, what they count as new, and that they never change."""

import html
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.edition_actions import next_quarter, planned, publish_edition, quarter_of
from judge.gold.releases.editions import Edition, EditionRelease
from judge.gold.releases.errata import enter_erratum, uphold_erratum
from judge.gold.releases.release import release_gold
from rubrics.versions.actions import import_version
from tests.conftest import new_person
from tests.worlds import World

LIST = "/staff/editions/"
NOW = quarter_of(timezone.localdate())
BEFORE = (NOW[0], NOW[1] - 1) if NOW[1] > 1 else (NOW[0] - 1, 4)


@pytest.fixture(scope="module")
def edition_world(pool_world: World) -> World:
    return World(**pool_world.things, chief=new_person("chief", is_staff=True))


@pytest.fixture
def chief(edition_world):
    return edition_world["chief"]


@pytest.fixture
def browser(sign_in, chief):
    return sign_in(chief)


@pytest.fixture
def release(edition_world, chief):
    def made(size: int, seed: int = 1, **more: Any) -> Any:
        spec = DrawSpec(size=size, seed=seed, redistribute=True, **more)
        return release_gold(actor=chief, spec=spec)

    return made


@pytest.fixture
def publish(chief):
    def made(quarter: tuple[int, int], release: Any = None, **by: Any) -> Edition:
        return publish_edition(
            actor=chief, year=quarter[0], quarter=quarter[1], release=release, **by
        )

    return made


def keys(rows):
    return [row["task"] for row in rows]


def page(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content
    return " ".join(html.unescape(answer.content.decode()).split())


class TestTheContent:
    def test_in_the_first_edition_every_task_is_new(self, release, publish):
        content = publish(NOW, release(7)).content
        assert len(content["new"]) == content["tasks"] == 7
        assert (content["previous"], content["changed"], content["retired"]) == (None, [], [])

    def test_the_next_one_says_what_is_new_changed_and_retired(self, release, publish):
        small = release(5)
        held = set(small.items.values_list("task__key", flat=True))
        publish(BEFORE, small)
        changed, gone = sorted(key for key in held if key.startswith("finance"))[:2]
        Task.objects.filter(key=changed).update(version=2)
        Task.objects.filter(key=gone).update(stage="discarded")
        content = publish(NOW, release(6)).content
        assert (content["changed"][0]["text"], content["changed"][0]["rubric"]) == (True, False)
        assert keys(content["changed"]) == [changed]
        assert keys(content["retired"]) == [gone]
        assert content["unchanged"] == 3
        assert len(content["new"]) == 6 - 3 - 1
        assert content["previous"] == f"{BEFORE[0]}-Q{BEFORE[1]}"

    def test_another_rubric_is_a_change_too(self, release, publish):
        publish(BEFORE, release(7))
        task = Task.objects.get(key="finance-0")
        line = {"text": "Names it.", "importance": "important", "weight": 5}
        lines = [{**line, "dimension": "accuracy", "key": f"n{n}"} for n in range(15)]
        version = import_version(task=task, lines=lines)
        second = release(7, allow_unanchored=True)
        assert second.items.get(task=task).version_id == version.pk
        content = publish(NOW, second).content
        (row,) = [row for row in content["changed"] if row["task"] == "finance-0"]
        assert (row["text"], row["rubric"]) == (False, True)

    def test_a_release_for_each_domain_counts_that_domains_tasks_alone(
        self, release, publish, edition_world
    ):
        first, second = release(7), release(5, seed=4)
        edition = publish(
            NOW, by_domain={edition_world["finance"]: first, edition_world["law"]: second}
        )
        rows = edition.content["releases"]
        assert [(row["domain"], row["release"]) for row in rows] == [("finance", 1), ("law", 2)]
        law = second.items.filter(task__domain=edition_world["law"]).count()
        assert [row["tasks"] for row in rows] == [6, law]
        assert edition.content["tasks"] == 6 + law

    def test_it_lists_the_errata_of_its_releases(self, release, publish, chief):
        first = release(7)
        erratum = enter_erratum(
            actor=chief, release=first.number, task="finance-1", kind="typo", text="A letter."
        )
        uphold_erratum(actor=chief, erratum=erratum, reason="A letter was missing.")
        content = publish(NOW, release(6, seed=3)).content
        assert content["errata"] == []  # finance-1 is in neither edition
        assert "finance-1" not in keys(content["new"])

    def test_errata_of_a_task_of_the_edition_before_are_listed(self, release, publish, chief):
        first = release(7)
        publish(BEFORE, first)
        erratum = enter_erratum(
            actor=chief, release=first.number, task="finance-1", kind="typo", text="A letter."
        )
        uphold_erratum(actor=chief, erratum=erratum, reason="A letter was missing.")
        (row,) = publish(NOW, release(6, seed=3)).content["errata"]
        assert (row["task"], row["outcome"]) == ("finance-1", "not in this release")

    def test_an_erratum_is_that_of_the_release_named_for_its_domain(
        self, release, publish, chief, edition_world
    ):
        first = release(7)
        erratum = enter_erratum(
            actor=chief, release=first.number, task="finance-1", kind="typo", text="A letter."
        )
        uphold_erratum(actor=chief, erratum=erratum, reason="A letter was missing.")
        without = release(6, seed=3)
        Task.objects.filter(key="finance-1").update(stage="approved")  # as it was
        holding = release(7)
        named = {edition_world["finance"]: holding, edition_world["law"]: without}
        (row,) = publish(NOW, by_domain=named).content["errata"]
        assert (row["task"], row["outcome"]) == ("finance-1", "not corrected yet")


class TestPublishing:
    def test_a_quarter_has_one_edition_and_it_is_never_changed(self, release, publish):
        edition = publish(NOW, release(7))
        with pytest.raises(BadInput):
            publish(NOW, release(6))
        edition.content = {}
        with pytest.raises(TypeError):
            edition.save()
        with pytest.raises(TypeError):
            Edition.objects.all().delete()
        with pytest.raises(IntegrityError), transaction.atomic():
            Edition.objects.create(year=NOW[0], quarter=NOW[1], content={}, sha256="0" * 64)

    def test_an_edition_before_the_newest_or_of_a_quarter_to_come_is_refused(
        self, release, publish
    ):
        one = release(7)
        with pytest.raises(BadInput) as refused:
            publish(next_quarter(*NOW), one)
        assert "has not begun" in str(refused.value.detail)
        publish(NOW, one)
        with pytest.raises(BadInput) as refused:
            publish(BEFORE, one)
        assert "Publish a later one" in str(refused.value.detail)

    def test_one_release_for_all_or_one_for_each_and_not_both(
        self, release, publish, edition_world
    ):
        one = release(7)
        for wrong in ({}, {"release": one, "by_domain": {edition_world["law"]: one}}):
            with pytest.raises(BadInput):
                publish(NOW, **wrong)

    def test_a_release_without_a_task_of_the_domain_is_refused(
        self, release, publish, edition_world, chief
    ):
        Task.objects.filter(domain=edition_world["law"]).update(stage="discarded")
        finance_only = release(5)
        with pytest.raises(BadInput) as refused:
            publish(NOW, by_domain={edition_world["law"]: finance_only})
        assert "no task of Law" in str(refused.value.detail)

    def test_the_database_names_one_release_for_all_and_one_for_a_domain(
        self, release, publish, edition_world
    ):
        one = release(7)
        edition = publish(NOW, one)
        with pytest.raises(IntegrityError), transaction.atomic():
            EditionRelease.objects.create(edition=edition, domain=None, release=one)


class TestThePages:
    def test_staff_look_at_the_changes_then_publish(self, browser, release):
        one = release(7)
        sent = {"year": NOW[0], "quarter": NOW[1], "release": one.pk}
        shown = html.unescape(browser.post(f"{LIST}new/", {**sent, "look": "1"}).content.decode())
        assert "not published yet" in shown
        assert not Edition.objects.exists()
        answer = browser.post(f"{LIST}new/", sent)
        key = f"{NOW[0]}-Q{NOW[1]}"
        assert answer.headers["Location"] == f"{LIST}{key}/"
        assert "This is the first edition, so every task is new." in page(browser, f"{LIST}{key}/")
        assert key in page(browser, LIST)

    def test_without_a_release_the_form_says_what_is_missing(self, browser, release):
        release(7)
        answer = browser.post(f"{LIST}new/", {"year": NOW[0], "quarter": NOW[1]})
        assert answer.status_code == 400
        assert "Name one release for all domains" in html.unescape(answer.content.decode())

    def test_once_the_quarter_has_its_edition_the_pages_say_from_when_the_next_one_is_possible(
        self, browser, release, publish
    ):
        assert "New edition" not in page(browser, LIST)  # there is no release yet
        one = release(7)
        assert "New edition" in page(browser, LIST)
        publish(NOW, one)
        for address in (LIST, f"{LIST}new/"):
            assert "The next one can be published from" in page(browser, address)
        assert ">New edition<" not in page(browser, LIST).replace("> ", ">").replace(" <", "<")

    def test_it_is_downloaded_as_json_and_markdown(self, browser, release, publish):
        edition = publish(NOW, release(7))
        found = browser.get(f"{LIST}{edition.key}/json/").json()
        assert {name: found[name] for name in edition.content} == edition.content
        assert found["sha256"] == edition.sha256
        text = browser.get(f"{LIST}{edition.key}/markdown/").content.decode()
        assert text.startswith(f"# Edition {edition.key}\n")
        assert "| finance-0 | finance |" in text

    def test_an_edition_that_is_not_there_is_not_found(self, browser, edition_world):
        for key in ("2026-Q5", "2019-Q1", "nothing"):
            assert browser.get(f"{LIST}{key}/").status_code == 404

    def test_without_a_release_the_list_says_so(self, browser, edition_world):
        assert "Freeze one first." in page(browser, LIST)

    def test_what_is_planned_writes_nothing(self, release):
        content = planned(year=NOW[0], quarter=NOW[1], release=release(7), by_domain={})
        assert content["tasks"] == 7
        assert not Edition.objects.exists()
