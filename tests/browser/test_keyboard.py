"""By keyboard alone: everything is reached, what has the focus is seen, Escape gives it back."""

from typing import Any

import pytest

from curation.joining.people import User

pytestmark = pytest.mark.django_db(transaction=True)

# Every control that can be had by Tab now; those of a closed menu or dialog come with it.
REACHABLE = """
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((e) => e.type !== "hidden")
  .filter((e) => !e.disabled && e.tabIndex >= 0 && e.getClientRects().length
    && !e.closest("dialog:not([open])") && !e.closest("details:not([open]) > :not(summary)"))
  .map((e, i) => (e.dataset.probe = i)).length
"""
# Which of them has the focus, and whether it has a ring and is not covered.
FOCUSED = """
() => {
  const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return {
    probe: Number(e.dataset.probe), name: e.outerHTML.slice(0, 120),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: !!top && (e.contains(top) || top.contains(e)),
  };
}
"""
HAS_FOCUS = "el => el === document.activeElement"


def walk(page: Any) -> list[str]:
    """Press Tab through the whole page; what is wrong on the way."""
    count = page.evaluate(REACHABLE)
    found, reached = [], []
    for _n in range(count):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUSED)
        reached.append(now["probe"])
        found += [f"{word} not: {now['name']}" for word in ("ring", "seen") if not now[word]]
    if reached != list(range(count)):
        found.append(f"{page.url}: reached {reached} of {count}")
    return found


def test_tab_reaches_every_field_of_the_application_in_order_and_the_focus_is_seen(
    desk: Any, applicant: User
) -> None:
    ana = desk(applicant.email)
    ana.open("/apply/")
    assert walk(ana.page) == []


def test_escape_closes_menu_keys_and_question_and_gives_the_focus_back(
    desk: Any, author: User
) -> None:
    ana = desk(author.email)
    ana.open("/preferences/referral/")
    page = ana.page
    page.get_by_role("button", name="Make my link").press("Enter")
    ana.reads("Copy the link")
    link = page.locator("#own-link").input_value()

    menu = page.locator("details.menu.desk-only > summary")
    menu.press("Enter")
    page.locator("details.menu.desk-only[open]").wait_for()
    ana.press("Tab", "Escape")
    assert menu.evaluate(HAS_FOCUS)
    assert page.locator("details.menu[open]").count() == 0

    for opener, dialog in (
        (page.get_by_role("button", name="Keys"), "#keys"),
        (page.get_by_role("button", name="Replace the link"), "#confirm"),
    ):
        opener.press("Enter")
        page.locator(f"{dialog}[open]").wait_for()
        ana.press("Escape")
        page.locator(f"{dialog}[open]").wait_for(state="detached")
        assert opener.evaluate(HAS_FOCUS)
    assert page.locator("#own-link").input_value() == link  # the question was not answered
