"""Staff flag verdicts that they hold to be wrong: of runs, and of imported judges."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.web.refusals import Conflict
from judge.results.flags.flags import VerdictFlag, flag_verdict, flagged_responses, open_flags
from judge.runs.engine.models import Verdict
from judge.scoring.sheets.models import SheetLine
from tests.markup import words_of
from tests.results.verdicts.conftest import LIST, page, shown

pytestmark = pytest.mark.django_db


class TestFlags:
    @pytest.fixture
    def verdict(self, judged: Any) -> Verdict:
        return Verdict.objects.get(judgment__response__key="one-Cedar", criterion__key="c2")

    def flag(self, desk: Any, verdict: Verdict, reason: str = "The table shows it.") -> Any:
        path = reverse("verdict-flag", args=[verdict.judgment.response_id])
        return desk.post(
            f"{path}?judge={verdict.judgment.run_id}", {"verdict": verdict.pk, "reason": reason}
        )

    def test_a_flag_is_listed_with_what_experts_say_and_changes_no_score(
        self, verdict, judged, desk
    ):
        before = desk.get(f"/leaderboard.json?run={judged.pk}").json()
        reply = self.flag(desk, verdict)
        assert reply["Location"] == (f"{page('one-Cedar', judge=judged.pk)}#verdict-{verdict.pk}")
        assert desk.get(f"/leaderboard.json?run={judged.pk}").json() == before
        (row,) = shown(desk, "/staff/flags/").context["rows"]
        assert (row.met, row.agree, row.differ) == (False, 0, 1)
        assert row.flag.reason == "The table shows it."
        rows = shown(desk, f"{LIST}?judge={judged.pk}&only=flagged").context["rows"]
        assert [(r.candidate, r.flags) for r in rows] == [("Cedar", 1)]

    def test_a_flag_without_a_reason_is_refused_beside_its_line(self, verdict, desk):
        reply = self.flag(desk, verdict, "  ")
        assert reply.status_code == 400
        assert "Say why the verdict is wrong" in words_of(reply.content.decode())
        assert not VerdictFlag.objects.exists()

    def test_a_second_flag_of_the_same_person_is_a_conflict(self, verdict, desk):
        self.flag(desk, verdict)
        assert self.flag(desk, verdict, "Once more.").status_code == 409
        assert VerdictFlag.objects.count() == 1

    def test_a_line_without_a_verdict_cannot_be_flagged(self, judged, desk):
        failed = Verdict.objects.get(outcome="failed")
        assert self.flag(desk, failed).status_code == 409

    def test_a_verdict_of_another_response_is_not_found(self, verdict, desk):
        other = Verdict.objects.get(judgment__response__key="two-Cedar", criterion__key="c0")
        path = reverse("verdict-flag", args=[verdict.judgment.response_id])
        assert desk.post(path, {"verdict": other.pk, "reason": "x"}).status_code == 404

    def test_a_flag_taken_back_stays_on_record_and_can_be_set_again(self, verdict, desk):
        self.flag(desk, verdict)
        flag = VerdictFlag.objects.get()
        for _twice in range(2):
            assert desk.post(f"/staff/flags/{flag.pk}/withdraw/").status_code == 302
        flag.refresh_from_db()
        assert flag.withdrawn_at is not None
        assert shown(desk, "/staff/flags/").context["rows"] == []
        self.flag(desk, verdict)
        assert VerdictFlag.objects.count() == 2

    def test_whoever_takes_back_a_flag_of_a_colleague_is_named_beside_it(
        self, verdict, desk, person, sign_in, staff
    ):
        self.flag(desk, verdict)
        flag = VerdictFlag.objects.get()
        colleague = person("colleague", is_staff=True)
        sign_in(colleague).post(f"/staff/flags/{flag.pk}/withdraw/")
        desk.post(f"/staff/flags/{flag.pk}/withdraw/")  # too late: it changes nothing
        flag.refresh_from_db()
        assert (flag.by, flag.withdrawn_by) == (staff, colleague)
        (row,) = shown(desk, "/staff/flags/").context["rows"]
        assert row.flag == flag
        assert f"Taken back by {colleague}" in words_of(desk.get("/staff/flags/").content.decode())
        found = shown(desk, page("one-Cedar", judge=flag.verdict.judgment.run_id))
        assert f"{colleague} took the flag back" in words_of(found.content.decode())
        assert not any(line.flags for line in found.context["lines"])
        # An open flag comes before it.
        self.flag(desk, verdict, "Once more.")
        rows = shown(desk, "/staff/flags/").context["rows"]
        assert [row.flag.reason for row in rows] == ["Once more.", "The table shows it."]

    def test_the_list_of_a_judge_counts_no_flag_on_another_judge(
        self,
        verdict,
        judged,
        desk,
        bench,
    ):
        self.flag(desk, verdict)
        other = bench.run({("one", "Cedar"): (1, 0, 0, 1)}, method="zero_shot")
        bench.sheet("one", "Cedar", "imported-judge", (1, 1, 0, 1), kind="judge")
        for judge, flags in ((judged.pk, 1), (other.pk, 0), ("imported-judge", 0)):
            rows = shown(desk, f"{LIST}?judge={judge}").context["rows"]
            assert [r.flags for r in rows if r.task == "One" and r.candidate == "Cedar"] == [flags]
            only = shown(desk, f"{LIST}?judge={judge}&only=flagged").context["rows"]
            assert len(only) == flags


class TestAnImportedJudge:
    """Its verdicts are lines of sheets."""

    @pytest.fixture
    def line(self, judged: Any, bench: Any) -> Any:
        sheet = bench.sheet("one", "Cedar", "other-judge", (1, None, 0, 1), kind="judge")
        return sheet.lines.get(criterion__key="c2")

    def flag(self, desk: Any, line: Any, reason: str = "It misread the table.") -> Any:
        path = reverse("verdict-flag", args=[line.sheet.response_id])
        return desk.post(f"{path}?judge=other-judge", {"sheet_line": line.pk, "reason": reason})

    def test_its_page_offers_the_flag_and_lists_show_it(self, line, judged, desk):
        address = page("one-Cedar", judge="other-judge")
        assert f'name="sheet_line" value="{line.pk}"' in desk.get(address).content.decode()
        reply = self.flag(desk, line)
        assert reply["Location"] == f"{address}#sheet-line-{line.pk}"
        (row,) = shown(desk, "/staff/flags/").context["rows"]
        assert (row.judge, row.met, row.agree, row.differ) == ("other-judge", False, 0, 1)
        assert f"{address}#sheet-line-{line.pk}" in desk.get("/staff/flags/").content.decode()
        rows = shown(desk, f"{LIST}?judge=other-judge&only=flagged").context["rows"]
        assert [(r.candidate, r.flags) for r in rows] == [("Cedar", 1)]
        assert shown(desk, f"{LIST}?judge={judged.pk}&only=flagged").context["rows"] == []
        (found,) = shown(desk, f"{address}&lines=flagged").context["lines"]
        assert [flag.reason for flag in found.flags] == ["It misread the table."]

    def test_the_flagged_response_can_enter_an_alignment_set(self, line, desk):
        self.flag(desk, line)
        assert flagged_responses(open_flags()) == {line.sheet.response_id}

    def test_it_is_taken_back_like_any_other(self, line, desk):
        self.flag(desk, line)
        reply = desk.post(f"/staff/flags/{VerdictFlag.objects.get().pk}/withdraw/")
        assert reply["Location"].endswith(f"#sheet-line-{line.pk}")
        assert flagged_responses(open_flags()) == set()

    def test_twice_without_a_reason_or_without_a_verdict_it_is_refused(self, line, desk):
        assert self.flag(desk, line, " ").status_code == 400
        self.flag(desk, line)
        assert self.flag(desk, line).status_code == 409
        assert self.flag(desk, line.sheet.lines.get(criterion__key="c1")).status_code == 409
        assert VerdictFlag.objects.count() == 1

    def test_the_line_of_an_expert_or_of_another_response_is_not_found(self, line, desk, bench):
        experts = SheetLine.objects.filter(sheet__kind="expert").first()
        assert self.flag(desk, experts).status_code == 404
        other = bench.sheet("two", "Cedar", "other-judge", (1, 1, 0, 1), kind="judge")
        path = reverse("verdict-flag", args=[line.sheet.response_id])
        wrong = {"sheet_line": other.lines.first().pk, "reason": "x"}
        assert desk.post(path, wrong).status_code == 404

    def test_the_action_itself_refuses_an_experts_line(self, line, staff):
        experts = SheetLine.objects.filter(sheet__kind="expert").first()
        with pytest.raises(Conflict):
            flag_verdict(actor=staff, verdict=experts, reason="Wrong.")

    def test_a_form_that_names_no_verdict_or_two_is_refused(self, line, judged, desk):
        path = reverse("verdict-flag", args=[line.sheet.response_id])
        mine = Verdict.objects.filter(judgment__response=line.sheet.response).first()
        for named in ({}, {"verdict": mine.pk, "sheet_line": line.pk}):
            assert desk.post(path, {**named, "reason": "x"}).status_code == 400
        assert not VerdictFlag.objects.exists()
