"""How long a new author takes from signing in to a submitted task, with the texts at hand."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from tests.browser.desk import Desk
from tests.conftest import PASSWORD
from tests.walk import texts

pytestmark = pytest.mark.django_db(transaction=True)

# Card, Moran and Newell, The keystroke-level model (CACM 23/7, 1980), in seconds.
THINK, POINT, KEY, HOME = 1.35, 1.1, 0.28, 0.4
FOUR_MINUTES = 240
WARNINGS = ".note-no, .note-wait, [aria-invalid=true], .field-error"


class NewAuthor:
    """A person with a mouse and a document beside the browser; counts what the acts would take."""

    def __init__(self, desk: Desk) -> None:
        self.page = desk.page
        self.seconds = 0.0

    def clicks(self, words: str) -> None:
        self.seconds += THINK + POINT + KEY
        self.page.wait_for_load_state("load")
        found = self.page.get_by_role("link", name=words).or_(
            self.page.get_by_role("button", name=words)
        )
        found.filter(visible=True).first.click()

    def types(self, label: str, words: str) -> None:
        self.seconds += THINK + POINT + KEY + HOME + KEY * len(words)
        self.page.get_by_label(label, exact=True).fill(words)

    def warnings(self) -> list[str]:
        return list(self.page.locator(WARNINGS).filter(visible=True).all_inner_texts())

    def presses(self, key: str) -> None:
        self.seconds += KEY
        self.page.keyboard.press(key)

    def chooses(self, label: str, value: str) -> None:
        """Opens a list, looks through it, and clicks."""
        self.seconds += 2 * (THINK + POINT + KEY)
        self.page.get_by_label(label).select_option(value)

    def ticks(self, label: str) -> None:
        self.seconds += THINK + POINT + KEY
        self.page.get_by_label(label).check()

    def pastes(self, field: str, words: str) -> None:
        """Goes to the document, marks a text, copies it, comes back, and pastes it into a field."""
        there_and_back = 2 * (THINK + 2 * KEY)
        marked = THINK + 2 * (POINT + KEY) + 2 * KEY
        pasted = POINT + KEY + 2 * KEY
        self.seconds += there_and_back + marked + pasted + 2 * HOME
        box = self.page.locator(f"#task-form [name={field}]")
        with self.page.expect_response(lambda answer: answer.url.endswith("/save/")):
            box.fill(words)
            box.blur()


def test_a_new_author_submits_in_under_four_minutes_and_sees_no_warning_before(
    desk: Any, author: User, finance: Domain
) -> None:
    window = desk()
    ana = NewAuthor(window)
    window.open("/")
    ana.types("E-mail address", author.email)
    ana.types("Password", PASSWORD)
    ana.presses("Enter")
    window.page.wait_for_url(f"{window.url}/")
    ana.clicks("Start a draft")
    ana.clicks("Start the draft")
    window.reads("Draft started.")
    for part in ("title", "scenario", "materials", "requirements", "reference_answer"):
        ana.pastes(part, texts.TASK[part])
        assert ana.warnings() == []
    ana.types("Minutes a professional needs", texts.TASK["minutes"])
    ana.chooses("What an hour costs", texts.TASK["rate_band"])
    ana.ticks("The right answer stays the same")
    assert ana.warnings() == []
    ana.clicks("Submit")
    window.page.wait_for_url("**/tasks/*/")
    window.reads("It takes slot 1.")
    assert Task.objects.get().stage != "draft"
    assert 30 < ana.seconds < FOUR_MINUTES  # it was 95

    window.open("/tasks/new/")
    ana.clicks("Start the draft")
    window.reads("Draft started.")
    ana.clicks("Submit")
    window.page.locator(".field-error").first.wait_for()
    assert ana.warnings(), "an empty draft is refused with warnings"
    window.problems.clear()  # the refused submit is an error for the console
