"""A real browser against a real server. Skipped, with the way to enable it, where there is none."""

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started

from tests.browser.desk import Desk

WHOLE = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"  # the same engine without windows: a third faster
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def found(names: Iterable[str] = (SHELL, *WHOLE)) -> str | None:
    """The path of an installed Chromium."""
    return next(filter(None, map(shutil.which, names)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here needs Chromium and committed rows."""
    for item in items:
        if "tests/browser/" not in str(item.path).replace("\\", "/"):
            continue
        item.add_marker(pytest.mark.browser)
        if found() is None:
            item.add_marker(
                pytest.mark.skip(
                    reason="No Chromium on the PATH. Install one (on Debian: apt-get install "
                    "chromium chromium-headless-shell), or link it as “chromium”, and run "
                    "pytest -m browser."
                )
            )


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all modules here; it is gone when other tests run, and its loop with it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def at_rest(live_server: Any) -> Iterator[None]:
    """Wait for the last answers before the tables are emptied.

    A save that leaves with its window is still being answered when the window is gone; emptying
    the tables under it would be a deadlock on PostgreSQL, or rows of this test in the next.
    """
    under_way = 0
    changed = threading.Condition()

    def count(by: int) -> None:
        nonlocal under_way
        with changed:
            under_way += by
            changed.notify_all()

    def begun(**_: Any) -> None:
        count(1)

    def done(**_: Any) -> None:
        count(-1)

    request_started.connect(begun)
    request_finished.connect(done)
    yield
    with changed:
        changed.wait_for(lambda: under_way <= 0, timeout=10)
    request_started.disconnect(begun)
    request_finished.disconnect(done)


@pytest.fixture
def desk(chromium: Any, live_server: Any, at_rest: None) -> Iterator[Callable[..., Desk]]:
    """Open a browser window of one's own: `desk()`, `desk(width=390)`, `desk("ana@…")`."""
    opened: list[Desk] = []

    def sit_down(email: str = "", **options: Any) -> Desk:
        one = Desk(chromium, live_server.url, **options)
        opened.append(one)
        if email:
            one.let_in(email)
        return one

    yield sit_down
    problems = [problem for one in opened for problem in one.problems]
    for one in opened:
        one.leave()
    assert not problems, "\n".join(problems)
