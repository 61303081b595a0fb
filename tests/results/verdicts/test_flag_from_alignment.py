"""From a disagreement on the alignment page to the next alignment set, by what the pages offer."""

import html
import re
from typing import Any

import pytest

from judge.results.alignment_sets.models import AlignmentItem
from judge.results.flags.flags import VerdictFlag
from judge.scoring.sheets.models import Sheet
from tests.results.alignment.conftest import bench  # noqa: F401

pytestmark = pytest.mark.django_db


def link(page: Any, words: str) -> str:
    """The address of the first link with these words."""
    found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>\s*{words}', page.content.decode(), re.DOTALL)
    assert found is not None, words
    return html.unescape(found[1])


@pytest.fixture(params=["imported experts", "experts of the programme"])
def words_of_the_link(request, judged, person, bench) -> str:  # noqa: F811
    """Who scored the responses; what the link to the next set then says."""
    person("scorer", bench.domain)
    if request.param == "imported experts":
        return "Have experts score it"
    for name in set(Sheet.objects.values_list("rater", flat=True)):
        expert = person(f"of-{name}", bench.domain)
        Sheet.objects.filter(rater=name).update(
            purpose="alignment", user=expert, rater=f"expert-of-{expert.pk}"
        )
    return "Have other experts score it"


def test_four_clicks_lead_from_a_disagreement_to_the_flagged_response_in_the_next_set(
    judged, desk, words_of_the_link
):
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
    draw = desk.get(link(page, words_of_the_link))  # 3
    wanted = draw.context["spec"]
    assert wanted, draw.context["form"].errors
    values: dict[str, list[str]] = {}
    for name, value in wanted:
        values.setdefault(name, []).append(value)
    assert desk.post("/staff/alignment/sets/new/", values).status_code == 302  # 4
    item = AlignmentItem.objects.get(response=flag.verdict.judgment.response)
    given = Sheet.objects.get(response=item.response, state="open")
    assert given.flagged_item == (item if item.flagged else None)
