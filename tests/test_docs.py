"""What the documents name exists."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("**/*.md")])
TOP = "benchmarks|config|curation|docs|fixtures|judge|review|rubrics|static|templates|tests"


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if "://" in link or link.startswith("attachment:"):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    named = re.findall(rf"`((?:{TOP})/[\w./-]+)`", page.read_text("utf-8"))
    # Decision 0028 names tests from the folder of tests on.
    assert [p for p in named if not (ROOT / p).exists() and not (ROOT / "tests" / p).exists()] == []
