"""The staff's pages with the keyboard alone."""

from typing import Any

import pytest

from curation.joining.people import Qualification
from curation.qualifying.applications.models import Application

pytestmark = pytest.mark.django_db(transaction=True)

UNCOVERED = """
() => {
  const it = document.activeElement, box = it.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return it.contains(there) || (there && there.contains(it));
}
"""


# A ResizeObserver is called before a frame is painted: after two, it has been.
NEXT_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def staff_page(desk: Any, staff: Any) -> Any:
    return desk(staff.email)


def test_enter_does_what_has_the_focus_and_only_then_the_pages_next_step(
    staff_page: Any, applicant: Any, finance: Any
) -> None:
    Application.objects.create(  # so that Home has a next step
        user=applicant, domain=finance, affiliation="Bank", degree="MSc", years=5
    )
    page = staff_page.page
    staff_page.open("/")
    preferences = page.get_by_role("link", name="Preferences", include_hidden=True)
    menu = page.locator(".topbar details.menu").filter(has=preferences, visible=True).first
    menu.locator("summary").focus()
    staff_page.press("Enter")
    menu.get_by_role("link", name="Preferences").wait_for()
    staff_page.press("Tab", "Escape")
    menu.get_by_role("link", name="Preferences").wait_for(state="hidden")
    assert menu.locator("summary").evaluate("it => it === document.activeElement")
    page.get_by_role("link", name="Pipeline").first.focus()
    staff_page.press("Enter")
    page.wait_for_url("**/staff/pipeline/")
    staff_page.open("/")
    staff_page.press("Enter")  # nothing has the focus: the first thing that waits
    page.wait_for_url("**/staff/applications/**")


def test_suspending_asks_first_and_escape_gives_the_focus_back(
    staff_page: Any, author: Any
) -> None:
    page = staff_page.page
    staff_page.open(f"/staff/people/{author.pk}/")
    page.get_by_text("Suspend in Finance").focus()
    staff_page.press("Enter", "Tab")
    page.keyboard.type("Three careless reviews.")
    staff_page.press("Tab", "Enter")
    staff_page.reads("Suspend this expert?")
    staff_page.press("Escape")
    page.locator("#confirm").wait_for(state="hidden")
    assert page.evaluate("document.activeElement.innerText") == "Suspend …"
    assert Qualification.objects.get(user=author).active
    staff_page.press("Enter")
    page.locator("#confirm [data-confirm-yes]").click()
    staff_page.reads("Lift the suspension in Finance")
    assert not Qualification.objects.get(user=author).active


def test_on_a_phone_nothing_with_the_focus_lies_under_the_bar_of_actions(
    desk: Any, staff: Any, person: Any
) -> None:
    for n in range(12):
        person(f"p{n}")
    window = desk(staff.email, width=390, height=844)
    window.open("/staff/people/")
    rows = window.page.locator("main tbody a")
    rows.first.focus()
    covered = []
    for n in range(rows.count()):
        if not window.page.evaluate(UNCOVERED):
            covered.append(n)
        window.press("Tab")
    assert covered == []


def test_every_place_is_in_sight_or_in_the_menu_at_every_width(staff_page: Any) -> None:
    page = staff_page.page
    staff_page.open("/")
    menu = page.locator(".topbar details.menu-phone")
    for width in (1440, 1280, 1240, 1239, 1024, 901, 390):
        page.set_viewport_size({"width": width, "height": 800})
        places = page.locator(".topbar > nav")
        page.evaluate(NEXT_FRAME)  # the script fits the bar after the window has a new width
        if places.is_visible():
            cut = places.evaluate("it => it.scrollWidth - it.clientWidth")
            assert (width, cut) == (width, 0)
            assert not menu.is_visible(), width
        else:
            assert menu.is_visible(), width
            assert width < 1240
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
