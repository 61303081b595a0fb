"""Text that runs the other way turns nothing that follows it on the page."""

from typing import Any

import pytest

from curation.joining.people import User

pytestmark = pytest.mark.django_db(transaction=True)
# Puts a sentence on the page in which somebody's words stand first, and measures where ours begin.
PLACES = """
(tag) => {
  const line = document.createElement('p');
  line.append(Object.assign(document.createElement(tag), {textContent: '\\u202eturned words'}));
  const ours = document.createTextNode(' 12 of 30');
  line.append(ours);
  document.querySelector('main').append(line);
  const left = (from, to) => {
    const range = document.createRange();
    range.setStart(ours, from);
    range.setEnd(ours, to);
    return range.getBoundingClientRect().left;
  };
  return [line.firstChild.getBoundingClientRect().left, left(1, 3), left(7, 9)];
}
"""


@pytest.mark.parametrize("tag", ["a", "b", "span", "bdi"])
def test_what_follows_a_turned_text_stays_in_its_order(desk: Any, author: User, tag: str) -> None:
    window = desk(author.email)
    window.open("/preferences/")
    theirs, twelve, thirty = window.page.evaluate(PLACES, tag)
    assert theirs < twelve < thirty
