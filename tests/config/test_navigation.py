"""The top bar: each page has its own letter, for whoever has several parts at once."""

import re

import pytest

from curation.joining.people import User
from tests.conftest import make_staff
from tests.programme import sample_programme


@pytest.mark.django_db
def test_no_two_pages_of_the_bar_answer_to_the_same_letter(sign_in):
    sample_programme()
    person = make_staff(User.objects.get(email="senior@example.test"))
    letters = re.findall(r'data-go="(\w)"', sign_in(person).get("/").content.decode())
    assert {"h", "n", "t", "c", "v", "g"} <= set(letters)
    assert len(letters) == len(set(letters))
