"""Every main page, in a wide window and a phone's: nothing heavy for axe, no error, no overflow."""

from typing import Any

import pytest

from tests.browser.sweep import faults_on, pages, programme

pytestmark = pytest.mark.django_db(transaction=True)

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def test_every_page_is_sound_on_a_desk_and_on_a_phone(
    desk: Any, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"
    found: list[str] = []
    for name, addresses in pages(programme()).items():
        window = desk(f"{name}@example.test" if name else "")
        for address in addresses:
            window.page.set_viewport_size(DESK)
            answer = window.open(address)
            if answer.status != 200:
                found.append(f"{address}: answers {answer.status}")
            found += faults_on(window.page)
            window.page.set_viewport_size(PHONE)
            found += faults_on(window.page)
    assert not found, "\n".join(found)


def test_the_check_notices_a_bad_page(desk: Any) -> None:
    page = desk(width=390).page
    page.set_content("<html lang=en><title>x</title><p style='width:900px'>x</p><button></button>")
    found = " ".join(faults_on(page))
    assert "button-name" in found
    assert "px wide in a window of 390 px" in found
