"""What is pasted and does not fit."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task

pytestmark = pytest.mark.django_db(transaction=True)

PASTE = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_a_paste_that_is_cut_says_how_much_is_missing(
    desk: Any, author: User, finance: Domain
) -> None:
    task = Task.objects.create(key="cut", domain=finance, author=author)
    ana = desk(author.email)
    ana.open(f"/tasks/{task.pk}/edit/")
    title = ana.page.locator("#task-form [name=title]")
    most = int(title.get_attribute("maxlength"))
    title.evaluate(PASTE, "x" * most)
    assert ana.page.locator(".toast").count() == 0
    title.evaluate(PASTE, "x" * (most + 7))
    ana.reads(f"The last 7 characters of what you pasted did not fit. This field holds {most}.")
