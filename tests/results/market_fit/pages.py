"""A page as a test reads it."""

import html

PAGE = "/market-fit/finance/"


def page(browser, address=PAGE):
    answer = browser.get(address)
    assert answer.status_code == 200, answer.content
    return " ".join(html.unescape(answer.content.decode()).split())
