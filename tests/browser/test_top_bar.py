"""The top bar: whatever the width and however many the places, none is cut."""

from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from tests.conftest import make_staff

pytestmark = pytest.mark.django_db(transaction=True)
# Places that reach beyond the bar's own room, or under what stands at its right end.
CUT = """
() => {
  const end = document.querySelector('.top-end').getBoundingClientRect().left;
  return [...document.querySelectorAll('.nav li, .nav summary')]
    .filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > end)
    .map((e) => e.textContent);
}
"""
SHOWN = "() => [...document.querySelectorAll('.nav li a')].filter((a) => a.getClientRects().length)"


@pytest.fixture
def everybody(senior: User) -> User:
    """Somebody who is a senior and of the staff, with every place there is."""
    make_staff(senior)
    return senior


@pytest.mark.parametrize("width", [1440, 1280, 1000])
def test_every_place_is_in_the_bar_or_under_more(
    desk: Any, everybody: User, finance: Domain, width: int
) -> None:
    sen = desk(everybody.email, width=width)
    sen.open("/")
    page = sen.page
    more = page.locator(".nav [data-more]")
    more.wait_for()
    assert page.evaluate(CUT) == []
    all_places = page.locator(".nav li a").evaluate_all("all => all.map(a => a.href)")
    assert len(all_places) == 20
    shown = page.evaluate(SHOWN + ".map((a) => a.href)")
    page.locator(".nav summary").focus()
    sen.press("Enter")
    rest = more.locator("a").evaluate_all("all => all.map(a => a.href)")
    assert shown + rest == all_places
    assert more.locator("a").last.is_visible()
    sen.press("Tab")
    with page.expect_navigation():
        sen.press("Enter")
    assert page.url == rest[0]
    # The place one is at stays in the bar.
    assert page.locator(".nav li a[aria-current]").is_visible()
    assert page.evaluate(CUT) == []


def test_escape_closes_the_menu_and_a_wider_window_takes_the_places_back(
    desk: Any, senior: User
) -> None:
    sen = desk(senior.email, width=1000)
    sen.open("/")
    page = sen.page
    page.locator(".nav summary").click()
    page.locator(".nav .menu-box").wait_for()
    sen.press("Escape")
    page.locator(".nav .menu-box").wait_for(state="hidden")
    page.set_viewport_size({"width": 1600, "height": 900})
    page.locator(".nav [data-more]").wait_for(state="hidden")
    assert len(page.evaluate(SHOWN + ".map((a) => a.href)")) == 10
    sen.press("g", "k")  # its letter goes to a place, in the bar or not
    page.wait_for_url("**/agreement/")
