"""Verdicts on a held-out half that is closed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from curation.base.web.refusals import BadInput, Conflict
from judge.asking.calls.models import Call
from judge.base.gold_sets.halves import open_held_out_half
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold
from judge.results.flags.flags import flag_verdict
from judge.runs.engine.models import JudgeRun, RunItem, Verdict
from tests.gold.draws.held_out.commands import held_out, judge, look


class TestClosed:
    @pytest.fixture
    def judged(self, draw):
        run = JudgeRun.objects.get(pk=judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        items = RunItem.objects.filter(run=run, state="judged")
        closed = items.filter(response__task__in=held_out()).first()
        return run, closed

    def opened(self, draw, chief):
        open_held_out_half(actor=chief, split=draw.split, reason="The judge is final.")

    def test_the_page_of_a_response_shows_no_verdict_until_the_half_is_opened(
        self, judged, draw, chief, browser
    ):
        run, item = judged
        address = f"/staff/verdicts/{item.response_id}/?judge={run.pk}"
        line = item.version.criteria.first().text
        page = browser.get(address).content.decode()
        assert "held-out half that is closed" in page
        assert line not in page
        self.opened(draw, chief)
        page = browser.get(address).content.decode()
        assert line in page
        assert "held-out half that is closed" not in page

    def test_the_list_shows_neither_scores_nor_counts(self, judged, draw, chief, browser):
        run, _item = judged
        page = browser.get(f"/staff/verdicts/?judge={run.pk}").content.decode()
        assert page.count("Held out, not shown") == 6
        self.opened(draw, chief)
        page = browser.get(f"/staff/verdicts/?judge={run.pk}").content.decode()
        assert "Held out, not shown" not in page

    def test_downloads_leave_its_verdicts_out_and_say_so(
        self, judged, draw, chief, browser, tmp_path
    ):
        run, item = judged
        lines = b"".join(browser.get(f"/staff/verdicts.jsonl?judge={run.pk}").streaming_content)
        assert len(lines.splitlines()) == 12
        assert item.response.key.encode() not in lines
        said = StringIO()
        call_command("export_scores", str(run.pk), "--out", str(tmp_path / "a.jsonl"),
                     stdout=StringIO(), stderr=said)  # fmt: skip
        assert "Left out as they are held out: 6." in said.getvalue()
        self.opened(draw, chief)
        lines = b"".join(browser.get(f"/staff/verdicts.jsonl?judge={run.pk}").streaming_content)
        assert len(lines.splitlines()) == 18

    def test_several_judges_show_no_divided_response_of_it(self, judged, browser, tmp_path):
        run, item = judged
        other = judge("--tasks", "all", "--held-out-reason", "More.", "--model", "rules-2")["run"]
        page = browser.get(f"/staff/verdicts/judges/?runs={run.pk}&runs={other}").content.decode()
        assert f'"/staff/verdicts/{item.response_id}/' not in page
        out = tmp_path / "majority.jsonl"
        call_command("judge_majority", "--runs", f"{run.pk},{other}", "--out", str(out),
                     stdout=StringIO())  # fmt: skip
        assert len(out.read_text().splitlines()) == 12

    def test_a_run_on_held_out_tasks_alone_has_nothing_to_export(self, draw):
        run = look(draw)["run"]
        with pytest.raises(CommandError, match="Left out as they are held out: 6"):
            call_command("export_scores", str(run), stdout=StringIO())

    def test_a_call_shows_its_question_and_not_its_reply(self, judged, browser):
        run, item = judged
        verdict = Verdict.objects.filter(judgment=item.judgment).exclude(why="").first()
        call = Call.objects.filter(judgment=item.judgment).first()
        page = browser.get(f"/staff/calls/{call.pk}/").content.decode()
        assert "held-out half that is closed" in page
        assert verdict.why not in page

    def test_nothing_is_flagged_on_it(self, judged, chief, draw):
        _run, item = judged
        verdict = Verdict.objects.filter(judgment=item.judgment, outcome="met").first()
        with pytest.raises(Conflict, match="held-out half that is closed"):
            flag_verdict(actor=chief, verdict=verdict, reason="Wrong.")

    def test_a_report_lists_no_disagreement_on_it(self, judged, browser, draw, chief):
        run, _item = judged
        titles = list(held_out().values_list("title", flat=True))
        address = f"/staff/alignment/?judge={run.pk}&compare=&tasks=draw:{draw.pk}/held-out"
        page = browser.get(address).content.decode()
        assert "Responses to tasks of a closed held-out half are never listed." in page
        self.opened(draw, chief)
        page = browser.get(address).content.decode()
        assert any(f">{title} ·\n" in page for title in titles)

    def test_a_release_with_responses_waits_until_it_is_open(self, judged, draw, chief):
        spec = DrawSpec(size=7, seed=1, redistribute=True)
        with pytest.raises(BadInput, match="in a held-out half that is closed"):
            release_gold(actor=chief, spec=spec, with_responses=True)
        release_gold(actor=chief, spec=spec)
        self.opened(draw, chief)
        assert release_gold(actor=chief, spec=spec, with_responses=True).number == 2
