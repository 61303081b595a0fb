"""Every main page, wide and narrow, light and dark, in both languages: sound for axe, no error."""

from typing import Any

import pytest

from curation.joining.notices import notify
from curation.joining.people import User
from tests.base.access.counting import counted_once
from tests.browser.axe import AXE, faults_on
from tests.browser.sweep import pages, programme, refusals

pytestmark = pytest.mark.django_db(transaction=True)

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def at_night(window: Any) -> None:
    """The reader has chosen Chinese, and the device is dark."""
    window.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": window.url}])
    window.page.emulate_media(color_scheme="dark")


def by_day(window: Any) -> None:
    window.context.clear_cookies(name="django_language")
    window.page.emulate_media(color_scheme="light")


@counted_once()
def test_every_page_is_sound_on_a_desk_and_on_a_phone_in_both_languages_light_and_dark(
    desk: Any, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"
    found: list[str] = []
    seen: set[int] = set()
    things = programme()
    refused = refusals(things)
    for name, addresses in pages(things).items():
        window = desk(f"{name}@example.test" if name else "")
        window.context.add_init_script(AXE)
        asked = {**dict.fromkeys(addresses, 200), **refused.get(name, {})}
        for address, status in asked.items():
            window.page.set_viewport_size(DESK)
            answer = window.open(address)
            if answer.status != status:
                found.append(f"{address}: answers {answer.status}")
            found += faults_on(window.page, seen)
            window.page.set_viewport_size(PHONE)
            found += faults_on(window.page, seen)
            at_night(window)
            window.open(address)
            found += faults_on(window.page, seen, translated=True)
            by_day(window)
        # The browser logs a refused page as a failed request: that is the test.
        shut = tuple(f"{window.url}{address}: Failed to load" for address in refused.get(name, {}))
        window.problems[:] = [p for p in window.problems if not p.startswith(shut)]
    assert not found, "\n".join(found)


def test_the_buttons_of_a_notice_wrap_at_four_hundred_percent(desk: Any, author: User) -> None:
    notify.send_notice(author, "slot_granted", once="one", url="/tasks/", granted=1)
    ana = desk(author.email, width=320, height=256)  # what is left of a wide window
    ana.open("/notices/")
    ana.page.get_by_role("button", name="Mark read").wait_for()
    ana.page.locator(".notice-end button").first.evaluate(
        "button => { button.textContent = 'Open the answers to mark' }"
    )
    width = ana.page.evaluate("document.documentElement.scrollWidth")
    assert width == 320


def test_the_check_notices_a_bad_page(desk: Any) -> None:
    page = desk(width=390).page
    page.set_content("<html lang=en><title>x</title><p style='width:900px'>x</p><button></button>")
    found = " ".join(faults_on(page))
    assert "button-name" in found
    page.set_content(
        "<html lang=en><title>x</title><main><h1>x</h1>"
        "<p style='color:#ccc;background:#fff'>pale</p><p>dark</p></main>"
    )
    seen: set[int] = set()
    assert "color-contrast" in " ".join(faults_on(page, seen))
    assert "color-contrast" not in " ".join(faults_on(page, seen)), "told once"
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><p>dark</p></main>")
    page.evaluate("document.body.style.background = '#111'")
    assert "color-contrast" in " ".join(faults_on(page, seen)), "the same text over another layer"
    assert "px wide in a window of 390 px" in found


def test_the_check_notices_a_link_whose_line_is_too_long(desk: Any) -> None:
    page = desk(width=1440).page
    page.set_content(
        "<html lang=en><title>x</title><main><h1>x</h1><p>"
        "<a href=/1>one</a> <a href=/2> two </a>, <a href=/3>three </a><a href=/4> four</a>"
        "<p><a href=/5>five </a><p><a href=/6 style='text-decoration:none'>six </a>and"
    )
    assert [one for one in faults_on(page) if "underlined" in one] == [
        f"{page.url}: a space at an end of “{words}” is underlined" for words in ("two", "three")
    ]


def test_the_check_notices_what_only_a_narrow_window_has(desk: Any) -> None:
    page = desk(width=1440).page
    page.set_content(
        "<html lang=en><title>x</title><main><h1>x</h1><button><svg></svg><b>Save</b></button>"
        "<label for=one>Words</label><input id=one><i><button></button></i>"
        "<p style='overflow-y:scroll;height:40px;margin:0'>Two<br>lines</p></main>"
        "<style>i{display:none} @media(max-width:600px){label,b{display:none} i{display:inline}"
        "p{line-height:90px}}</style>"
    )
    assert faults_on(page) == []
    page.set_viewport_size(PHONE)
    found = " ".join(faults_on(page))
    assert "main > button" in found  # its words are gone
    assert "i > button" in found  # it has come, without words
    assert "#one" in found  # its label is gone
    assert "scrollable-region-focusable" in found
