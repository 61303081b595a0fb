"""The training: units to read, a check that teaches, and a key that stays on the server."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation import training
from curation.models import Application, Trial, User

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]


def wrong(question: str) -> int:
    return (training.answer_key()[question] + 1) % 4


def test_the_units_are_read_one_after_another_up_to_the_check(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    address = f"/applications/{at_training(applicant).pk}/training/"
    browser = sign_in(applicant)
    for number, unit in enumerate(training.units(), start=1):
        page = browser.get(f"{address}?unit={number}").content.decode()
        assert f'page-title">{unit.title}' in page.replace("&#x27;", "'")
        last = number == len(training.units())
        assert (f'href="?unit={number + 1}" rel="next"' in page) is not last
        assert ('href="?unit=check" rel="next"' in page) is last


@pytest.mark.parametrize("unit", ["0", "5", "x", "99999999999", "-1"])
def test_a_unit_that_does_not_exist_leads_to_the_first(
    sign_in: SignIn, applicant: User, at_training: Go, unit: str
) -> None:
    address = f"/applications/{at_training(applicant).pk}/training/"
    page = sign_in(applicant).get(f"{address}?unit={unit}").content.decode()
    assert training.units()[0].title in page


def test_the_units_come_in_the_readers_language(
    sign_in: SignIn, person: Any, at_training: Go
) -> None:
    zh = person("zh", language="zh-hans")
    page = sign_in(zh).get(f"/applications/{at_training(zh).pk}/training/").content.decode()
    assert "考题，还是专业任务？" in page


def test_explanations_come_after_an_answer_and_wrong_ones_can_be_tried_again(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    application, browser = at_training(applicant), sign_in(applicant)
    address = f"/applications/{application.pk}/training/"
    first, second = (q.id for q in training.questions()[:2])
    before = browser.get(f"{address}?unit=check").content.decode()
    assert not any(training.explanation(q.id) in before for q in training.questions())
    answer = browser.post(address, {first: training.answer_key()[first], second: wrong(second)})
    assert answer.status_code == 302
    page = browser.get(answer["Location"]).content.decode()
    assert training.explanation(first) in page.replace("&#x27;", "'").replace("&quot;", '"')
    assert page.count("Not this one. Try again.") == 1
    assert page.count("<b>Right.</b>") == 1
    assert not Trial.objects.exists()
    # what was right stays right without being sent again
    rest = {k: v for k, v in training.answer_key().items() if k != first}
    assert browser.post(address, rest)["Location"] == f"/applications/{application.pk}/"
    application.refresh_from_db()
    assert application.stage == "trial"
    assert application.training_version == training.current_version()
    assert Trial.objects.get().number == 1


def test_answers_of_other_kinds_are_not_right(
    sign_in: SignIn, applicant: User, at_training: Go
) -> None:
    application = at_training(applicant)
    sent = dict.fromkeys(training.answer_key(), "99") | {"k1": "x" * 9000}
    sign_in(applicant).post(f"/applications/{application.pk}/training/", sent)
    application.refresh_from_db()
    assert application.stage == "training"


def test_the_training_opens_with_the_exam_and_is_finished_once(
    sign_in: SignIn, applicant: User, person: Any, at_exam: Go, at_trial: Go
) -> None:
    early = at_exam(applicant)
    assert sign_in(applicant).get(f"/applications/{early.pk}/training/").status_code == 409
    late = person("late")
    done = at_trial(late)
    browser = sign_in(late)
    address = f"/applications/{done.pk}/training/"
    assert browser.post(address, training.answer_key()).status_code == 409
    assert browser.get(f"{address}?unit=check").status_code == 200  # still there to read
    assert Trial.objects.filter(application=done).count() == 1


def test_the_page_of_the_check_does_not_depend_on_its_key(
    sign_in: SignIn, applicant: User, at_training: Go, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/applications/{at_training(applicant).pk}/training/?unit=check"
    browser = sign_in(applicant)
    pages = []
    for _turn in range(2):
        pages.append([line for line in _lines(browser.get(address)) if "csrf" not in line.lower()])
        monkeypatch.setattr(training, "answer_key", lambda: {q.id: 0 for q in training.questions()})
    assert pages[0] == pages[1]


def _lines(answer: Any) -> list[str]:
    return answer.content.decode().splitlines()
