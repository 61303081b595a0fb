"""From a disagreement on the alignment page to the next alignment set, by what the pages offer."""

import html
import re
from typing import Any

import pytest

from judge.alignment_sets.models import AlignmentItem
from judge.flags.models import VerdictFlag
from tests.alignment.conftest import bench  # noqa: F401

pytestmark = pytest.mark.django_db


def link(page: Any, words: str) -> str:
    """The address of the first link with these words."""
    found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>\s*{words}', page.content.decode(), re.DOTALL)
    assert found is not None, words
    return html.unescape(found[1])


def test_four_clicks_lead_from_a_disagreement_to_the_flagged_response_in_the_next_set(
    judged,
    desk,
    person,
    bench,  # noqa: F811
):
    person("scorer", bench.domain)
    report = desk.get(f"/staff/alignment/?judge={judged.pk}")
    address = link(report, "Flag it as wrong")  # 1
    page = desk.get(address.partition("#")[0])
    (opened,) = re.findall(r'<details\s+class="flag-form"[^>]*\sopen\s*>', page.content.decode())
    assert address.partition("#")[2] in opened
    target = re.search(r'action="([^"]+/flag/\?[^"]*)"', page.content.decode())
    assert target is not None
    verdict = address.rpartition("#verdict-")[2]
    sent = desk.post(html.unescape(target[1]), {"verdict": verdict, "reason": "See page 2."})  # 2
    flag = VerdictFlag.objects.get()
    assert str(flag.verdict_id) == verdict
    page = desk.get(sent["Location"].partition("#")[0])
    draw = desk.get(link(page, "Have experts score it"))  # 3
    wanted = draw.context["spec"]
    assert wanted, draw.context["form"].errors
    values: dict[str, list[str]] = {}
    for name, value in wanted:
        values.setdefault(name, []).append(value)
    assert desk.post("/staff/alignment/sets/new/", values).status_code == 302  # 4
    assert AlignmentItem.objects.filter(response=flag.verdict.judgment.response).exists()
