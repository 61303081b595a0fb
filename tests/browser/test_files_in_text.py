"""Files dropped onto a text, put into it by keyboard, and read where the task is read."""

import base64
from typing import Any

import pytest
from playwright.sync_api import expect

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from tests import documents
from tests.attached import attach

pytestmark = pytest.mark.django_db(transaction=True)

# What a browser does when somebody lets a file go over a text box.
DROP = """([selector, name, coded]) => {
  const bytes = Uint8Array.from(atob(coded), (sign) => sign.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name));
  const box = document.querySelector(selector);
  for (const kind of ["dragover", "drop"])
    box.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
BOX = "textarea[name=materials]"


@pytest.fixture
def draft(settings: Any, tmp_path: Any, author: User, finance: Domain) -> Task:
    settings.MEDIA_ROOT = tmp_path / "files"
    return create_task(actor=author, domain=finance, title="Headroom", materials="The plan:")


def drop(page: Any, name: str, data: bytes) -> None:
    page.evaluate(DROP, [BOX, name, base64.b64encode(data).decode()])


def test_a_dropped_picture_is_added_and_stands_in_the_text(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    box = ana.page.locator(BOX)
    box.focus()
    box.press("Control+End")
    drop(ana.page, "the plan (1).png", documents.picture())
    reference = "![the plan (1).png](attachment:the%20plan%20%281%29.png)"
    expect(box).to_have_value(f"The plan: {reference}")
    ana.reads("Models get the picture.")
    ana.page.get_by_role("button", name="Preview").click()
    shown = ana.page.locator("#preview .read img")
    shown.wait_for()
    assert shown.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 40
    assert ana.problems == []


def test_a_file_is_put_into_the_text_by_keyboard(desk: Any, author: User, draft: Task) -> None:
    attach(draft, "debt.csv", b"year,debt\n2025,134.5\n")
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    ana.page.get_by_role("button", name="Put into the text debt.csv").focus()
    ana.page.keyboard.press("Enter")
    assert "[debt.csv](attachment:debt.csv)" in ana.page.locator(BOX).input_value()
    assert ana.page.evaluate("document.activeElement.name") == "materials"


def test_a_refused_file_says_why_and_leaves_the_text_alone(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{draft.pk}/edit/")
    drop(ana.page, "page.html", b"<html></html>")
    ana.reads("Web pages, drawings with code and scripts are not accepted.")
    assert ana.page.locator(BOX).input_value() == "The plan:"
    assert not draft.attachments.exists()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_pdf_and_a_table_open_where_the_task_is_read(
    desk: Any, author: User, draft: Task, width: int
) -> None:
    attach(draft, "annex.pdf", documents.pdf_with("Covenant of 3.5x"))
    attach(draft, "debt.xlsx", documents.workbook(Debt=[["year", "debt"], [2025, 134.5]]))
    ana = desk(author.email, width=width)
    ana.open(f"/tasks/{draft.pk}/")
    for name in ("debt.xlsx", "annex.pdf"):
        ana.page.locator(".files summary", has_text=name).click()
    ana.page.locator(".files td", has_text="134.5").wait_for()
    page = ana.page.locator(".file-pages img")
    page.scroll_into_view_if_needed()
    assert page.evaluate("(img) => img.decode().then(() => img.naturalHeight)") == 1568
    assert ana.page.evaluate("document.documentElement.scrollWidth") <= width
    assert ana.problems == []
