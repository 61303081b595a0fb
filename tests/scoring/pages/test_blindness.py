"""Nothing a scorer or a senior is sent names a model, a judge, another scorer or the author."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.joining.people import User
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets import rules
from judge.scoring.sheets.models import Sheet, SheetLine
from tests.scoring.pages.conftest import BASELINE_MODEL, RIVAL_MODEL, verdicts

pytestmark = pytest.mark.django_db
JUDGE, OTHER = "zz-planted-judge-5", "zz-planted-scorer-3"
PLANTED = re.compile(
    rb"zz-planted|baseline|Author@|author@example|Zz-Author|anchor of|%s|%s"
    % (BASELINE_MODEL.encode(), RIVAL_MODEL.encode()),
    re.IGNORECASE,
)


@pytest.fixture
def planted(sheet, rival, task, author) -> None:
    """What a judge and others said, and the author's name."""
    User.objects.filter(pk=author.pk).update(display_name="Zz-Author", affiliation="Zz-Author AG")
    run = JudgeRun.objects.create(method="one_shot", provider="offline", model=JUDGE)
    for response in (sheet.response, rival):
        judgment = Judgment.objects.create(
            key=f"k{response.pk}",
            run=run,
            response=response,
            version=sheet.version,
            method="one_shot",
            provider="offline",
            model=JUDGE,
            prompt_sha256="0",
        )
        other = Sheet.objects.create(
            response=response,
            version=sheet.version,
            kind="expert",
            purpose="imported",
            rater=OTHER,
            state="submitted",
            submitted_at=timezone.now(),
        )
        for line in sheet.version.criteria.all():
            Verdict.objects.create(
                judgment=judgment, criterion=line, outcome="met", why="zz-planted-why"
            )
            SheetLine.objects.create(
                sheet=other, criterion=line, met=True, rationale="zz-planted-rationale"
            )


def everything(response) -> bytes:
    """Body and headers. The scorer's own browser cookies are not looked at."""
    headers = "\n".join(f"{k}: {v}" for k, v in response.headers.items())
    return response.content + headers.encode()


def test_no_page_of_a_scorer_names_who_must_stay_hidden(planted, sheet, rival, scorer, desk, staff):
    line = sheet.version.criteria.first()
    pages = [
        desk.get(reverse("scoring")),
        desk.get(reverse("sheet", args=[sheet.pk])),
        desk.get(reverse("sheet", args=[sheet.pk]) + "?tab=task"),
        desk.get(reverse("sheet-hand-back", args=[sheet.pk])),
        desk.get(reverse("api-sheets")),
        desk.get(reverse("api-sheet", args=[sheet.pk])),
        desk.post(reverse("sheet-submit", args=[sheet.pk])),
        desk.post(reverse("sheet-line", args=[sheet.pk, line.pk]), {"met": ""}),
        desk.post(
            reverse("sheet-line", args=[sheet.pk, line.pk]),
            {"met": "true", "rationale": "x", "version": "0"},
            headers={"X-Autosave": "1", "Accept": "application/json"},
        ),
        desk.get(reverse("home")),
    ]
    for page in pages:
        found = PLANTED.search(everything(page))
        assert found is None, (page.request["PATH_INFO"], found)


def test_a_submitted_sheet_stays_as_blind(planted, sheet, scorer, desk):
    from judge.scoring.sheets.actions import fill_sheet

    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    for url in (reverse("sheet", args=[sheet.pk]), reverse("scoring")):
        assert PLANTED.search(everything(desk.get(url))) is None


def test_the_seniors_check_is_as_blind_and_names_no_scorer(
    planted, sheet, anchor, scorer, high_desk
):
    from judge.scoring.sheets.actions import fill_sheet

    fill_sheet(actor=scorer, sheet=sheet, verdicts=verdicts(sheet))
    pages = [high_desk.get(reverse("scoring")), high_desk.get(reverse("home"))]
    high_desk.post(reverse("meta-take", args=[anchor.pk]))
    pages += [
        high_desk.get(reverse("meta", args=[anchor.pk])),
        high_desk.post(reverse("meta", args=[anchor.pk]), {"verdict": "validated"}),
    ]
    for page in pages:
        assert PLANTED.search(everything(page)) is None
        assert scorer.pseudonym.encode() not in page.content
        assert scorer.email.encode() not in page.content


def test_an_alignment_sheet_is_as_blind(task, rival, scorer, desk, staff, author):
    User.objects.filter(pk=author.pk).update(display_name="Zz-Author")
    sheet = assign_alignment_sheet(actor=staff, response=rival, scorer=scorer)
    for url in (
        reverse("sheet", args=[sheet.pk]),
        reverse("api-sheet", args=[sheet.pk]),
        reverse("scoring"),
    ):
        assert PLANTED.search(everything(desk.get(url))) is None


def test_a_foreign_and_a_missing_sheet_look_the_same(sheet, sign_in, peer):
    stranger = sign_in(peer)
    bodies = [
        re.sub(r"csrf\S+ \S+|[A-Za-z0-9]{64}|/sheets/\d+/", "", r.content.decode())
        for r in (
            stranger.get(reverse("sheet", args=[sheet.pk])),
            stranger.get(reverse("sheet", args=[sheet.pk + 999])),
        )
    ]
    assert bodies[0] == bodies[1]


def test_letters_are_stable_shuffled_and_never_shared():
    names = [rules.letter(7, rank) for rank in range(40)]
    assert names == [rules.letter(7, rank) for rank in range(40)]
    assert len(set(names)) == 40
    assert sorted(names[:8]) == list("ABCDEFGH")
    assert sorted(names[8:16]) == list("IJKLMNOP")
    assert "AA" in names
    orders = {tuple(rules.letter(task, rank) for rank in range(8)) for task in range(20)}
    assert len(orders) > 15  # another task, another order
