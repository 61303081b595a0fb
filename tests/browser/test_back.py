"""The back button after a form was sent: the page as it is now, never an empty one."""

from typing import Any

import pytest

from curation.joining.domains.models import Category, Domain
from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task
from tests.browser.conftest import ARGUMENTS, WHOLE, found
from tests.browser.desk import Desk
from tests.walk import texts

pytestmark = pytest.mark.django_db(transaction=True)
SCENARIO = "#task-form [name=scenario]"


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    """A draft with everything that can be submitted."""
    category, _new = Category.objects.get_or_create(
        domain=finance, key="credit", defaults={"name": "Credit"}
    )
    words = {name: value for name, value in texts.TASK.items() if name not in ("category",)}
    words |= {"minutes": int(words["minutes"]), "category": category}
    return create_task(actor=author, domain=finance, **words)


def forgive(desk: Any) -> None:
    """The browser logs a form that is refused."""
    desk.problems[:] = [p for p in desk.problems if "status of 400" not in p]


def sends(desk: Any) -> None:
    with desk.page.expect_navigation():
        desk.click("Submit for screening")


def writes(desk: Any, words: str) -> None:
    """Write into the scenario; the remarks beside it are loaded again."""
    desk.page.wait_for_load_state("load")
    with desk.page.expect_response(lambda r: r.url.endswith("/edit/")):
        desk.page.locator(SCENARIO).fill(words)
        desk.page.locator(SCENARIO).blur()


def test_going_back_after_refused_submits_shows_the_editor_with_what_was_typed(
    desk: Any, author: User, finance: Domain
) -> None:
    task = create_task(actor=author, domain=finance, title="Covenant headroom")
    ana = desk(author.email)
    ana.open("/tasks/")
    ana.open(f"/tasks/{task.pk}/edit/")
    writes(ana, "The board meets.")
    sends(ana)
    ana.page.locator("[data-error-summary]").wait_for()
    writes(ana, "The board meets on Thursday.")
    sends(ana)
    ana.page.locator("[data-error-summary]").wait_for()
    for _step in range(2):
        ana.page.go_back()
        assert ana.page.url.endswith(f"/tasks/{task.pk}/edit/")
        assert ana.page.locator(".topbar").is_visible()
        assert ana.page.locator(SCENARIO).input_value() == "The board meets on Thursday."
    ana.page.reload()
    assert ana.page.locator(SCENARIO).input_value() == "The board meets on Thursday."
    forgive(ana)


def test_going_back_after_submitting_shows_the_submitted_task(
    desk: Any, author: User, draft: Task
) -> None:
    ana = desk(author.email)
    ana.open("/tasks/")
    ana.open(f"/tasks/{draft.pk}/edit/")
    writes(ana, "The board meets on Thursday.")  # a part of the page came from the page's address
    sends(ana)
    ana.page.wait_for_url(f"**/tasks/{draft.pk}/")
    ana.page.go_back()
    assert ana.page.locator(".topbar").is_visible()
    assert ana.page.locator("#task-form").count() == 0
    ana.reads("SUBMITTED")


def test_a_page_kept_in_the_browsers_memory_is_loaded_anew_once_it_was_sent(
    chromium: Any, live_server: Any, at_rest: None, author: User, draft: Task
) -> None:
    whole = found(WHOLE)
    if whole is None:
        pytest.skip("The headless shell keeps no page in memory: install chromium as well.")
    browser = chromium.browser_type.launch(
        executable_path=whole,
        args=ARGUMENTS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    ana = Desk(browser, live_server.url)
    ana.let_in(author.email)
    ana.page.add_init_script(
        "addEventListener('pageshow', e => { if (e.persisted) sessionStorage.kept = 'yes'; })"
    )

    def may_be_kept(route: Any) -> None:
        answer = route.fetch(max_redirects=0)
        headers = {k: v for k, v in answer.headers.items() if k != "cache-control"}
        route.fulfill(response=answer, headers=headers)

    ana.page.route("**/edit/", may_be_kept)
    ana.open(f"/tasks/{draft.pk}/edit/")
    ana.page.unroute_all()
    sends(ana)
    ana.page.wait_for_url(f"**/tasks/{draft.pk}/")
    ana.page.evaluate("() => history.back()")
    ana.page.wait_for_function("() => sessionStorage.kept")
    ana.page.wait_for_function("() => !document.getElementById('task-form')")
    ana.reads("SUBMITTED")
    assert not ana.problems
    browser.close()


def test_a_sign_in_refused_twice_leaves_pages_one_can_go_back_to(desk: Any, author: User) -> None:
    ana = desk()
    ana.open("/")
    for password in ("wrong-1", "wrong-2"):
        ana.page.get_by_label("E-mail address").fill(author.email)
        ana.page.get_by_label("Password").fill(password)
        with ana.page.expect_navigation():
            ana.press("Enter")
        ana.page.locator(".field-error, [data-error-summary]").first.wait_for()
    ana.page.go_back()
    assert ana.page.get_by_label("Password").is_visible()
    ana.problems.clear()
