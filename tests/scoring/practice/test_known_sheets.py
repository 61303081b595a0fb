"""Known sheets: drawn by a hash, unmarked for their scorer, and in no statistic."""

import json
import re
from difflib import unified_diff
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.joining.notices.models import Notice
from curation.leaving.data_copies.parts import all_parts
from curation.tasks.task.models import Seat
from judge.scoring.agreement.models import Adjudication
from judge.scoring.anchors.hand_back import hand_back_sheet
from judge.scoring.anchors.models import Anchor
from judge.scoring.assignments.actions import assign_alignment_sheet, assign_sheets
from judge.scoring.assignments.handover import hand_over_sheets
from judge.scoring.assignments.notices import sheet_assigned
from judge.scoring.assignments.record import facts
from judge.scoring.practice.known_models import KnownLine, KnownSheet
from judge.scoring.practice.known_opening import left_for
from judge.scoring.practice.known_results import results
from judge.scoring.practice.known_verdicts import known_in
from judge.scoring.scorers.models import ScorerStanding
from judge.scoring.sheets.models import Sheet
from review.policy.sampling import is_drawn
from tests.scoring.practice.conftest import filled

pytestmark = pytest.mark.django_db

RATE = 50


def salt_for(user: Any, domain: Any, drawn: str) -> str:
    """A salt by which the first sheets are drawn as said: "yn" the first, not the second."""

    def fits(salt: str) -> bool:
        return all(
            is_drawn(salt, f"known-sheet:{user.pk}:{domain.pk}:{n}", RATE / 100) == (letter == "y")
            for n, letter in enumerate(drawn, start=1)
        )

    return next(salt for salt in map(str, range(10_000)) if fits(salt))


@pytest.fixture
def assign(known_world, staff):
    def give(scorer: Any, *names: str) -> list[Sheet]:
        return [
            assign_alignment_sheet(actor=staff, response=known_world[name], scorer=scorer)
            for name in names
        ]

    return give


class TestDrawing:
    def test_without_a_rate_nothing_is_added_and_nothing_is_counted(self, assign, scorer):
        assign(scorer, "ada", "bea")
        assert not KnownSheet.objects.exists()
        assert not ScorerStanding.objects.exists()

    def test_a_hash_decides_after_which_sheets(
        self, assign, scorer, finance, rule, settings, known_world
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "nyny")
        assign(scorer, "ada", "bea", "cid", "dot")
        assert list(KnownSheet.objects.values_list("number", flat=True)) == [2, 4]
        assert ScorerStanding.objects.get().assigned == 4
        both = set(KnownSheet.objects.values_list("response", flat=True))
        assert both == {known_world["baseline"].pk, known_world["agreed_response"].pk}
        assert KnownLine.objects.count() == 30

    def test_each_response_comes_once_and_staff_see_when_none_is_left(
        self, assign, scorer, finance, rule, settings, office
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "yyyn")
        assign(scorer, "ada", "bea", "cid")
        assert KnownSheet.objects.count() == 2
        assert ScorerStanding.objects.get().none_left_at is not None
        assert left_for(scorer, finance.pk) == []
        assert (
            "no known response was left" in office.get("/staff/scorers/finance/").content.decode()
        )
        assert (
            "was left for this scorer"
            in office.get(f"/staff/scorers/finance/{scorer.pk}/").content.decode()
        )

    def test_one_that_is_handed_back_does_not_come_again(
        self, assign, scorer, finance, rule, settings, known_world
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "yny")
        assign(scorer, "ada")
        sheet = Sheet.objects.get(kind="known")
        hand_back_sheet(actor=scorer, sheet=sheet, reason="No time.")
        (known,) = KnownSheet.objects.all()
        assert (known.sheet, known.handed_back) == (None, "No time.")
        assign(scorer, "bea", "cid")
        assert KnownSheet.objects.exclude(pk=known.pk).get().response != known.response

    def test_none_is_opened_on_a_response_that_stands_later_in_the_same_batch(
        self, known_world, scorer, finance, rule, settings, staff
    ):
        rule(known_rate=RATE)
        # Only the agreed response is known, and it comes after a sheet that a known one follows.
        Anchor.objects.filter(pk=known_world["anchor"].pk).update(stage="scoring", sheet=None)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "yn")
        wanted = {scorer: [known_world["ada"], known_world["agreed_response"]]}
        assert len(assign_sheets(actor=staff, wanted=wanted)) == 2
        assert not KnownSheet.objects.exists()

    def test_whoever_gave_the_verdicts_or_wrote_the_task_is_given_none_of_it(
        self, known_world, finance, rule, settings, assign
    ):
        rule(known_rate=RATE)
        second = known_world["second"]  # scored the agreed response, and not the anchor
        settings.SPOT_CHECK_SALT = salt_for(second, finance, "yy")
        assign(second, "ada", "bea")
        assert KnownSheet.objects.get().response == known_world["baseline"]
        first = known_world["first"]  # scored both
        settings.SPOT_CHECK_SALT = salt_for(first, finance, "y")
        assign(first, "ada")
        assert not KnownSheet.objects.filter(user=first).exists()
        assert ScorerStanding.objects.get(user=first).none_left_at

    def test_practice_material_is_not_used_and_neither_is_a_pause_overruled(
        self, known_world, practice, finance, scorer
    ):
        assert [one.response for one in left_for(scorer, finance.pk)] == [
            known_world["agreed_response"].pk
        ]

    def test_known_are_validated_anchors_and_lines_on_which_experts_agree(
        self, known_world, finance
    ):
        found = {one.response: one.source for one in known_in(finance.pk)}
        assert found == {
            known_world["baseline"].pk: "anchor",
            known_world["agreed_response"].pk: "agreed",
        }
        Anchor.objects.filter(pk=known_world["anchor"].pk).update(stage="scoring", sheet=None)
        assert known_world["baseline"].pk not in {one.response for one in known_in(finance.pk)}

    def test_a_ruling_makes_a_disputed_line_known(self, known_world, finance, person):
        response = known_world["disputed_response"]
        line = response.sheets.first().version.criteria.order_by("position").first()
        Adjudication.objects.create(
            kind="sheet", task=response.task, response=response, criterion=line, number=1,
            ruling="unmet", reason="It is not.", senior=known_world["senior"],
        )  # fmt: skip
        (found,) = [one for one in known_in(finance.pk) if one.response == response.pk]
        assert found.met[line.pk] is False

    def test_a_suspended_scorers_known_sheet_ends_and_goes_to_nobody(
        self, assign, scorer, colleague, finance, rule, settings
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "y")
        assign(scorer, "ada")
        known = KnownSheet.objects.get()
        scorer.qualifications.update(active=False)
        hand_over_sheets(scorer.qualifications.all())
        assert not Sheet.objects.filter(user=scorer).exists()
        assert not Sheet.objects.filter(response=known.response, user=colleague).exists()


@pytest.fixture
def twins(known_world, scorer, colleague, finance, rule, settings, assign):
    """Two scorers with a sheet on the same response: one known, one really assigned."""
    rule(known_rate=RATE)
    settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "y")
    assign(scorer, "ada")
    (known,) = Sheet.objects.filter(kind="known")
    rule(known_rate=0)
    assign(colleague, "ada")
    if known.response.baseline:  # a real sheet on a baseline is an anchor's: take the other one
        known.delete()
        pytest.fail("choose another salt")
    real = Sheet.objects.create(
        response=known.response, version=known.version, kind="expert", purpose="alignment",
        rater=f"expert-{colleague.pk}", user=colleague, due_at=known.due_at,
        opened_at=known.opened_at,
    )  # fmt: skip
    Seat.objects.get_or_create(task=known.response.task, user=colleague, role="scorer")
    sheet_assigned(real)
    return known, real


def masked(html: bytes, sheet: Sheet, user: Any) -> str:
    """A page without what differs between any two sheets: ids, tokens, times, the name."""
    text = html.decode()
    for pattern in (
        r'name="csrfmiddlewaretoken" value="[^"]*"',
        r'nonce="[^"]*"',
        r"X-CSRFToken[^}]*}",
        r"csrf[^\s>]*",
        r'data-who="\d+"',
    ):
        text = re.sub(pattern, "", text)
    text = text.replace(str(user), "NAME").replace(user.display_name, "NAME")
    text = text.replace(user.email, "NAME").replace(user.pseudonym, "NAME")
    return re.sub(rf"(?<=sheets/){sheet.pk}\b", "PK", text)  # other numbers may equal a small id


class TestBlindness:
    @pytest.fixture(autouse=True)
    def agreed_first(self, known_world):
        """Only the agreed response is known, so that a colleague can really have it."""
        Anchor.objects.filter(pk=known_world["anchor"].pk).update(stage="scoring", sheet=None)

    def pages(self, client: Any, sheet: Sheet, user: Any) -> dict[str, str]:
        line = sheet.version.criteria.order_by("position").first()
        found = {
            "page": client.get(f"/sheets/{sheet.pk}/"),
            "hand back": client.get(f"/sheets/{sheet.pk}/hand-back/"),
            "api": client.get(f"/api/v1/v1/sheets/{sheet.pk}/"),
            "saved": client.post(
                f"/sheets/{sheet.pk}/lines/{line.pk}/",
                {"met": "true", "rationale": ""},
                headers={"X-Autosave": "1"},
            ),
        }
        pages = {name: masked(answer.content, sheet, user) for name, answer in found.items()}
        pages["saved"] = re.sub(r"\d+", "9", pages["saved"])
        pages["headers"] = repr(sorted(set(found["page"].headers) - {"Content-Length"}))
        return pages

    def test_its_pages_and_api_are_those_of_any_other_sheet(
        self, twins, scorer, colleague, sign_in
    ):
        known, real = twins
        mine = self.pages(sign_in(scorer), known, scorer)
        theirs = self.pages(sign_in(colleague), real, colleague)
        for name, text in mine.items():
            assert list(unified_diff(text.split("\n"), theirs[name].split("\n"), n=0)) == [], name
        assert "PK" in mine["page"]

    def test_so_are_queue_home_search_notice_and_what_follows_a_submission(
        self, twins, scorer, colleague, sign_in, assign
    ):
        known, real = twins
        first = Sheet.objects.get(user=scorer, kind="expert")
        desk = sign_in(scorer)
        told = Notice.objects.filter(recipient=scorer, kind="sheet_assigned")
        assert {notice.once for notice in told} == {f"sheet-{known.pk}", f"sheet-{first.pk}"}
        (one, other) = (n.data for n in told.order_by("pk"))
        assert set(one) == set(other)
        listed = desk.get("/api/v1/sheets/").json()["results"]
        assert {row["id"] for row in listed} == {known.pk, first.pk}
        assert len({tuple(sorted(row)) for row in listed}) == 1
        queue = desk.get("/scoring/").content.decode()
        assert queue.count('<article class="wait') == 2
        for text in (queue, desk.get("/").content.decode(), json.dumps(listed)):
            assert "known" not in re.sub(r"(?i)known-|unknown|known for", "", text).lower()
        filled(first, scorer)
        keys = dict(known.version.criteria.values_list("key", "pk"))
        for pk in keys.values():
            desk.post(f"/sheets/{known.pk}/lines/{pk}/", {"met": "true", "rationale": "x"})
        done = desk.post(f"/sheets/{known.pk}/submit/", follow=True)
        assert done.redirect_chain[-1][0] == "/scoring/"
        assert "It counts in the comparison of judge and experts" in done.content.decode()

    def test_scoring_and_submitting_asks_the_database_the_same(
        self, twins, scorer, colleague, sign_in
    ):
        counts = []
        for sheet, user in zip(twins, (scorer, colleague), strict=True):
            filled_lines = dict.fromkeys(
                sheet.version.criteria.values_list("pk", flat=True), "true"
            )
            client = sign_in(user)
            client.get("/scoring/")
            for pk, met in filled_lines.items():
                client.post(f"/sheets/{sheet.pk}/lines/{pk}/", {"met": met, "rationale": "x"})
            with CaptureQueriesContext(connection) as asked:
                client.post(f"/sheets/{sheet.pk}/submit/")
            counts.append([re.sub(r"\d+|'[^']*'", "?", q["sql"]) for q in asked.captured_queries])
        assert counts[0] == counts[1]

    def test_a_copy_of_ones_data_does_not_tell(self, twins, scorer):
        known, _real = twins
        copied = {part.name: list(part.rows(scorer)) for part in all_parts()}
        rows = {row["pk"]: row["purpose"] for row in copied["sheets"]}
        assert rows[known.pk] == "alignment"
        assert len(set(rows.values())) == 1
        everything = json.dumps(copied, default=str)
        assert not re.search(r'"known|known_sheet', everything)

    def test_handing_it_back_stands_in_the_copy_as_for_any_other(self, twins, scorer, colleague):
        for sheet, user in zip(twins, (scorer, colleague), strict=True):
            hand_back_sheet(actor=user, sheet=sheet, reason="No time.")
        (part,) = (one for one in all_parts() if one.name == "steps_on_tasks")
        mine, theirs = ([{**row, "at": ""} for row in part.rows(u)] for u in (scorer, colleague))
        assert mine == theirs
        assert [row["reason"] for row in mine] == ["No time."]
        handed_back = [list(facts(user))[-1].n for user in (scorer, colleague)]
        assert handed_back == [0, 1]

    def test_a_step_of_staff_on_all_sheets_of_a_scorer_reaches_it_too(
        self, twins, scorer, office, sign_in, staff
    ):
        known, _real = twins
        listed = office.get("/staff/sheets/?q=newcomer")
        keys = [row.pk for row in listed.context["list"].rows]
        assert known.pk in keys
        assert ">Known<" in listed.content.decode()
        sent = {"rows": ",".join(map(str, keys)), "checked": "1", "days": "9"}
        assert office.post("/staff/lists/sheets/extend/do/", sent).status_code == 302
        moved = set(Sheet.objects.filter(user=scorer).values_list("due_at__date", flat=True))
        assert len(moved) == 1
        assert office.post("/staff/lists/sheets/remind/do/", sent).status_code == 302
        told = Notice.objects.filter(recipient=scorer, kind__startswith="reminded")
        assert told.count() == len(keys) == 2
        assert "known verdicts" in office.get("/staff/alignment/sheets/").content.decode()
        # Who scores as well does not read there which of their own sheets are known.
        Sheet.objects.filter(user=scorer).update(user=staff)
        assert not office.get("/staff/sheets/?q=staff").context["list"].rows
        page = office.get("/staff/alignment/sheets/").content.decode()
        assert "known verdicts" not in page

    def test_staff_see_which_it_was(self, twins, scorer, office):
        known, _real = twins
        filled(known, scorer, wrong=3)
        page = office.get(f"/staff/scorers/finance/{scorer.pk}/").content.decode()
        assert "Agreed" in page
        assert "80" in page  # 12 of 15 lines


class TestFollowing:
    def test_a_line_that_was_reworded_is_left_out_of_the_comparison(
        self, known_world, scorer, finance, rule, settings, assign
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "y")
        assign(scorer, "ada")
        known = KnownSheet.objects.get()
        # As if one line had had other words, those of its neighbour, when the sheet was opened.
        line, other = known.lines.select_related("criterion").order_by("criterion__position")[:2]
        version = known_world["plain"].rubric_versions.order_by("-number").first()
        line.criterion = version.criteria.get(text=other.criterion.text)
        line.save()
        filled(known.sheet, scorer)
        (found,) = results(finance.pk)
        assert len(found.pairs) == 14

    def test_what_rests_on_an_earlier_text_is_left_out_and_is_known_no_more(
        self, known_world, scorer, finance, rule, settings, assign
    ):
        rule(known_rate=RATE)
        settings.SPOT_CHECK_SALT = salt_for(scorer, finance, "y")
        assign(scorer, "ada")
        sheet = KnownSheet.objects.get().sheet
        filled(sheet, scorer)
        assert len(results(finance.pk)) == 1
        task = sheet.response.task
        type(task).objects.filter(pk=task.pk).update(prompt_since=task.version + 1)
        assert results(finance.pk) == []
        assert sheet.response_id not in {one.response for one in known_in(finance.pk)}
