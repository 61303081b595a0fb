"""The training: units with exercises that teach, keys that stay on the server, editions."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import close_old_connections, connection
from django.test import Client

from curation.base.web.refusals import Conflict
from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.training import units
from curation.qualifying.training.actions import answer_unit
from curation.qualifying.training.models import TrainingUnitPass
from curation.qualifying.trials.actions import hand_in_trial, save_trial
from curation.qualifying.trials.models import Trial
from curation.tasks.authoring.actions import create_task
from curation.telling.activity.reminders import remind_people
from tests.markup import one_line
from tests.qualifying.qualification.conftest import FACTS, TEXT
from tests.tasks.authoring.conftest import PARTS
from tests.walk.qualification import as_sent

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]
UNITS = units.unit_keys()


def wrong(unit: str) -> dict[str, str]:
    """Answers to every exercise of a unit, none of them right."""
    sent = as_sent(unit)
    for one in units.unit(unit).exercises:  # type: ignore[union-attr]
        if one.kind in units.CHOICES:
            sent[one.id] = str((int(sent[one.id]) + 1) % len(one.options))
        else:
            sent |= {f"{one.id}-{n}": "1" for n in range(len(one.options))}
    return sent


# --- the content ---------------------------------------------------------------------------------
def test_the_history_of_editions_holds_the_digest_of_what_is_there() -> None:
    """Whoever changes a unit adds an edition: otherwise nobody would be asked to read it."""
    now = units.editions()[-1]
    assert dict(now.digests) == {key: units.digest(key) for key in UNITS}
    assert set(now.changes) <= set(UNITS)


def test_every_unit_teaches_in_two_languages_with_exercises_of_several_kinds() -> None:
    content = json.loads(Path(units.__file__).with_name("training.json").read_text("utf-8"))
    kinds = set()
    for unit in content["units"]:
        assert 2 <= len(unit["exercises"]) <= 4
        kinds |= {one["kind"] for one in unit["exercises"]}
        for texts in (unit["title"], unit["body"]):
            assert set(texts) == {"en", "zh"}
        for one in unit["exercises"]:
            size = len(one["options"]["en"])
            assert len(one["options"]["zh"]) == size
            assert len(one["key"]) == size if isinstance(one["key"], list) else one["key"] < size
            told = one.get("why") or [one["hint"], one["right"]]
            assert all(words["en"] and words["zh"] for words in told)
            assert len(one.get("why", one["options"]["en"])) == size
    assert kinds == {"choose", "fault", "split", "order"}


def test_a_split_is_right_whichever_line_comes_first() -> None:
    marks = units.grade("granularity", {"g2": ["both", "2", "1"]})
    assert marks["g2"].right
    assert not units.grade("granularity", {"g2": ["1", "1", "2"]})["g2"].right
    assert not units.grade("granularity", {"g2": "both"})["g2"].right
    assert not units.grade("task", {"t1": 99})["t1"].right


# --- doing it ------------------------------------------------------------------------------------
def test_the_units_can_be_read_one_after_another(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    page = browser.get("/training/").content.decode()
    assert f"0 of {len(UNITS)} passed" in page
    for unit in units.units():
        read = browser.get(f"/training/{unit.key}/").content.decode()
        assert unit.title in read
        assert all(one.id in read for one in unit.exercises)
    assert browser.get("/training/no-such-unit/").status_code == 404
    assert browser.post("/training/no-such-unit/").status_code == 404


def test_the_training_is_read_in_chinese_as_well(
    sign_in: SignIn, person: Any, at_training: Go
) -> None:
    zh = person("zh", language="zh-hans")
    at_training(zh)
    assert "颗粒度" in sign_in(zh).get("/training/granularity/").content.decode()


def test_wrong_answers_are_explained_and_tried_again_until_all_are_right(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    page = browser.post("/training/task/", wrong("task"), follow=True).content.decode()
    assert page.count("Not this one. Try again.") == 2
    assert page.count("Not right yet. Try again.") == 1
    assert page.count("Two pieces have the same place.") == 1
    assert "Right." not in page
    assert not TrainingUnitPass.objects.filter(user=applicant).exists()
    page = one_line(browser.post("/training/task/", as_sent("task"), follow=True).content.decode())
    assert "Unit passed. Read the reasons" in page
    assert page.count("Right.") == 3
    assert f'href="/training/{UNITS[1]}/" rel="next"' in page
    assert TrainingUnitPass.objects.get(user=applicant).tries == 2
    done = browser.get("/training/task/").content.decode()
    assert "You have passed this unit." in done
    assert "Check my answers" not in done


def test_what_was_right_stays_and_what_cannot_be_read_is_left_out(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    first = {"t1": as_sent("task")["t1"], "t2": "x" * 9000, "t3-0": "99"}
    page = browser.post("/training/task/", first, follow=True).content.decode()
    assert page.count("Right.") == 1
    assert "Not this one" not in page
    rest = {k: v for k, v in as_sent("task").items() if k != "t1"}
    assert "Unit passed." in browser.post("/training/task/", rest, follow=True).content.decode()


def test_an_exercise_that_lacks_a_piece_is_kept_as_chosen_and_said_to_be_unchecked(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    refused = browser.post("/training/task/", {"t3-0": "", "t3-1": ""})
    assert refused.status_code == 400
    assert "Answer at least one exercise first." in refused.content.decode()
    refused = browser.post("/training/task/", {"t3-0": "2", "t3-1": ""})
    assert refused.status_code == 400
    assert "What you chose is kept." in refused.content.decode()
    page = browser.post("/training/task/", {"t1": "2", "t3-0": "2", "t3-1": "1"}, follow=True)
    read = page.content.decode()
    assert read.count("Right.") == 1
    assert read.count("Not checked yet: give every piece its place.") == 1
    assert read.count('<option value="2" selected>') == 1
    assert read.count('<option value="1" selected>') == 1
    browser.post("/training/task/", as_sent("task"))
    assert TrainingUnitPass.objects.get(user=applicant).tries == 2  # only what was checked counts


def test_a_piece_taken_out_of_a_wrong_answer_takes_its_mark_away(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    browser.post("/training/task/", wrong("task"))
    page = browser.post("/training/task/", {**wrong("task"), "t3-0": ""}, follow=True)
    assert "Not right yet." not in page.content.decode()
    assert "Not checked yet" in page.content.decode()


def test_a_newcomer_in_the_middle_of_the_training_is_not_told_that_it_changed(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    browser.post("/training/task/", as_sent("task"))
    page = browser.get("/training/").content.decode()
    assert "1 of 7 passed" in page
    assert "Go on with the next unit" in page
    for words in ("has changed", "to be taken again", "Changes since"):
        assert words not in page


def test_home_says_how_much_of_the_training_is_left(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    _application, browser = at_training(applicant), sign_in(applicant)
    every = len(UNITS)
    assert f"{every} short units with exercises" in browser.get("/").content.decode()
    browser.post(f"/training/{UNITS[0]}/", as_sent(UNITS[0]))
    assert f"{every - 1} of {every} units left" in browser.get("/").content.decode()


def test_the_last_unit_opens_the_trial_task(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    application, browser = at_training(applicant), sign_in(applicant)
    for unit in UNITS[:-1]:
        browser.post(f"/training/{unit}/", as_sent(unit))
        assert not Trial.objects.exists()
    answer = browser.post(f"/training/{UNITS[-1]}/", as_sent(UNITS[-1]), follow=True)
    page = one_line(answer.content.decode())
    assert "The trial task is open: write it next." in page
    assert f'href="/applications/{application.pk}/" data-key="ctrl+enter"' in page
    application.refresh_from_db()
    assert application.stage == "trial"
    assert application.trials.get().number == 1
    browser.post(f"/training/{UNITS[-1]}/", as_sent(UNITS[-1]))
    assert Trial.objects.count() == 1
    assert TrainingUnitPass.objects.filter(user=applicant).count() == len(UNITS)


def test_the_training_opens_with_the_exam_and_for_everybody_who_works(
    sign_in: SignIn, person: Any, applied: Go, author: User, staff: User
) -> None:
    early = person("early")
    applied(early)
    for path in ("/training/", "/training/task/", "/training/changes/"):
        assert sign_in(early).get(path).status_code == 409
        assert sign_in(author).get(path).status_code == 200
        assert sign_in(staff).get(path).status_code == 200
        assert Client().get(path).status_code == 302
    assert sign_in(early).post("/training/task/", as_sent("task")).status_code == 409
    assert not TrainingUnitPass.objects.filter(user=early).exists()


def test_an_old_link_of_a_notice_still_leads_there(sign_in: SignIn, author: User) -> None:
    assert sign_in(author).get("/applications/7/training/")["Location"] == "/training/"


def test_the_key_is_in_no_page_before_the_answer(
    sign_in: SignIn, applicant: User, at_training: Go, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_training(applicant)
    browser = sign_in(applicant)
    pages = []
    for _turn in range(2):
        pages.append(
            [line for line in _lines(browser.get("/training/task/")) if "csrf" not in line.lower()]
        )
        monkeypatch.setattr(units, "answer_key", lambda unit: {})
        monkeypatch.setattr(units, "_grade", lambda one, answer: units.ExerciseResult(False, ""))
    assert pages[0] == pages[1]
    body = "\n".join(pages[0])
    content = json.loads(Path(units.__file__).with_name("training.json").read_text("utf-8"))
    for one in content["units"][0]["exercises"]:
        for told in one.get("why") or [one["right"]]:
            assert told["en"] not in body


def test_who_passed_it_for_one_domain_goes_on_to_the_trial_in_the_next(
    applicant: User, at_training: Go
) -> None:
    for unit in UNITS:
        TrainingUnitPass.objects.create(user=applicant, edition=units.current_edition(), unit=unit)
    application = at_training(applicant)
    assert application.stage == "trial"
    assert application.trials.get().number == 1


# --- the rule ------------------------------------------------------------------------------------
def test_nobody_starts_submits_or_hands_in_anything_before_the_training(
    sign_in: SignIn, author: User, finance: Domain, applicant: User, at_trial: Go
) -> None:
    task = create_task(actor=author, domain=finance, **PARTS)
    application = at_trial(applicant)
    trial = save_trial(actor=applicant, trial=application.trials.get(), version=1, **TEXT, **FACTS)
    TrainingUnitPass._base_manager.filter(unit="weights").update(edition="an older edition")
    browser = sign_in(author)
    for answer in (
        browser.post("/tasks/new/", {"domain": "finance", "language": "en"}),
        browser.post(f"/tasks/{task.pk}/submit/"),
    ):
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "Training comes first" in page
        assert 'href="/training/"' in page
    api = browser.post("/api/v1/tasks/", {"domain": "finance"}, content_type="application/json")
    assert api.status_code in (404, 409)
    with pytest.raises(Conflict) as refused:
        hand_in_trial(actor=applicant, trial=trial)
    assert refused.value.code == "training"
    answer_unit(actor=author, unit="weights", answers=units.answer_key("weights"))
    assert create_task(actor=author, domain=finance, **PARTS).pk


def test_only_a_unit_that_changed_is_taken_again_and_the_expert_is_told_once(
    sign_in: SignIn, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = units.editions()[-1]
    later = {
        "edition": "later",
        "units": {**now.digests, "weights": "0123456789abcdef"},
        "changes": {"weights": {"en": "A chain of lines is explained.", "zh": "说明连锁扣分。"}},
    }
    history = [*units.history(), later]
    monkeypatch.setattr(units, "history", lambda: history)
    browser = sign_in(author)
    page = browser.get("/training/changes/").content.decode()
    assert "A chain of lines is explained." in page
    assert page.count("You still have to take it.") == 1
    assert "1 unit is new to you" in browser.get("/training/").content.decode()
    assert "1 unit is open" in browser.get("/").content.decode()
    assert remind_people() >= 1
    remind_people()
    notice = Notice.objects.get(recipient=author, kind="training_changed")
    assert notice.url == "/training/changes/"
    browser.post("/training/weights/", as_sent("weights"))
    passed = TrainingUnitPass.objects.filter(user=author, edition="later")
    assert passed.get().unit == "weights"
    assert "Begin with" not in browser.get("/training/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_last_unit_sent_from_many_tabs_passes_and_opens_the_trial_once(
    applicant: User, at_training: Go
) -> None:
    application = at_training(applicant)
    for unit in UNITS[:-1]:
        answer_unit(actor=applicant, unit=unit, answers=units.answer_key(unit))
    last, failures = UNITS[-1], []
    start = threading.Barrier(6)

    def send() -> None:
        close_old_connections()
        try:
            start.wait(timeout=20)
            answer_unit(actor=applicant, unit=last, answers=units.answer_key(last))
        except Exception as broken:  # shown by the assertion
            failures.append(repr(broken))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert TrainingUnitPass.objects.filter(user=applicant, unit=last).count() == 1
    assert Trial.objects.filter(application=application).count() == 1


def _lines(answer: Any) -> list[str]:
    return answer.content.decode().splitlines()
