"""On request, the data card of a release has panel, prompts and rubrics in numbers."""

import json

import pytest
from django.utils import timezone

from curation.base.web.refusals import BadInput
from curation.joining.people import Qualification, User
from curation.qualifying.applications.profiles import ExpertProfile
from curation.tasks.task.models import Task
from judge.gold.releases.checking import folder_of, verify
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold
from judge.results.flags.error_code_actions import add_code, code_error
from tests.conftest import new_person


@pytest.fixture
def released(pool, files, staff):
    def release(**more):
        spec = DrawSpec(size=2, seed=4, allow_unanchored=True)
        return release_gold(actor=staff, spec=spec, **more)

    return release


def card(release) -> str:
    return (folder_of(release) / "DATASHEET.md").read_text(encoding="utf-8")


def test_without_being_asked_for_a_release_stays_as_it_was(released):
    release = released()
    assert "composition" not in release.manifest
    assert "## Experts" not in card(release)


def test_the_card_counts_prompts_and_lines_of_the_release_alone(released):
    release = released(with_composition=True)
    rows = release.manifest["composition"]["prompts_and_rubrics"]
    assert sum(row["prompts"] for row in rows) == 2
    assert all(row["lines_fewest"] <= row["lines_median"] <= row["lines_most"] for row in rows)
    assert "## Prompts and rubrics" in card(release)


def test_one_or_two_experts_are_not_counted_in_public_and_three_are(released, finance):
    Qualification.objects.exclude(domain=finance).update(active=False)
    keep = Qualification.objects.filter(domain=finance).values_list("pk", flat=True)[:2]
    Qualification.objects.exclude(pk__in=list(keep)).update(active=False)
    panel = released(with_composition=True).manifest["composition"]["panel"]
    assert panel["experts"] is None
    assert [row["experts"] for row in panel["domains"]] == [None]
    new_person("third", finance)
    release = released(with_composition=True)
    panel = release.manifest["composition"]["panel"]
    assert (panel["experts"], panel["seniors"]) == (3, None)
    assert {row["name"]: row["experts"] for row in panel["degrees"]}["not known"] == 3
    assert "seniors: <3 or withheld" in card(release)


def test_a_median_of_years_is_published_from_five_people_on(released, pool, staff, finance):
    Qualification.objects.exclude(domain=finance).update(active=False)
    Qualification.objects.filter(domain=finance).update(active=False)

    def median(experts):
        for n in range(Qualification.objects.filter(active=True).count(), experts):
            person = new_person(f"more-{n}", finance)
            since = timezone.localdate().year - 10 - n
            ExpertProfile.objects.create(user=person, practising_since=since, entered_by=staff)
        (row,) = released(with_composition=True).manifest["composition"]["panel"]["domains"]
        assert row["experts"] == experts
        return row["median_years"]

    assert median(4) is None
    assert median(5) == 12


def test_coded_errors_leave_with_the_responses_and_only_with_them(released, pool, staff, finance):
    response = pool.response(Task.objects.get(key="finance-0"), "Cedar")
    code = add_code(actor=staff, domain=finance, name="Gross for net", definition="A gross figure.")
    error = {"response": response, "criterion": None, "run": None, "code": code}
    code_error(actor=staff, reason="“100” is before tax.", **error)
    spec = DrawSpec(size=6, seed=4, quotas={"finance": 6})
    alone = release_gold(actor=staff, spec=spec)
    assert not (folder_of(alone) / "error_codes.jsonl").exists()
    whole = release_gold(actor=staff, spec=spec, with_responses=True)
    (row,) = (folder_of(whole) / "error_codes.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(row)["code"] == "gross-for-net"
    assert "error_codes.jsonl" in {one["name"] for one in whole.manifest["files"]}
    assert all(one.fine for one in verify(whole))


def test_a_members_address_in_a_reason_keeps_a_release_from_being_made(pool, files, staff, finance):
    response = pool.response(Task.objects.get(key="finance-0"), "Cedar")
    code = add_code(actor=staff, domain=finance, name="Gross for net", definition="A gross figure.")
    error = {"response": response, "criterion": None, "run": None, "code": code}
    code_error(actor=staff, reason=f"As {staff.email} says.", **error)
    spec = DrawSpec(size=6, seed=4, quotas={"finance": 6})
    with pytest.raises(BadInput) as refused:
        release_gold(actor=staff, spec=spec, with_responses=True)
    assert "finance-0" in str(refused.value.detail)


def test_the_manifest_names_tasks_where_a_reason_has_a_members_name(pool, files, staff, finance):
    User.objects.filter(pk=staff.pk).update(display_name="Noor Haddad")
    response = pool.response(Task.objects.get(key="finance-0"), "Cedar")
    code = add_code(actor=staff, domain=finance, name="Gross for net", definition="A gross figure.")
    error = {"response": response, "criterion": None, "run": None, "code": code}
    code_error(actor=staff, reason="As Noor Haddad found, it is gross.", **error)
    spec = DrawSpec(size=6, seed=4, quotas={"finance": 6})
    alone = release_gold(actor=staff, spec=spec)
    assert alone.manifest["privacy"]["tasks_with_a_members_name"] == []
    whole = release_gold(actor=staff, spec=spec, with_responses=True)
    assert whole.manifest["privacy"]["tasks_with_a_members_name"] == ["finance-0"]
