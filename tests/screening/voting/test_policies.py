"""The rules of a panel are data: read, changed on the record, refused where they make no sense."""

import pytest

from curation.screening.panels.models import PolicyChange
from curation.screening.panels.policy import common_policy, policy_for

RULES = {
    "quorum": 3, "tie": "one_more", "days": 4, "draw": "on", "samples": 5,
    "solved_percent": 70, "easy_percent": 75, "suspect_percent": 5,
}  # fmt: skip


def test_the_first_rules_take_their_quorum_from_the_settings(db, settings):
    settings.PANEL_QUORUM = 7
    assert common_policy().quorum == 7
    settings.PANEL_QUORUM = 2
    assert common_policy().quorum == 7  # from now on it is data


def test_staff_change_a_domains_rules_and_the_history_says_who_and_what(
    sign_in, staff, finance, law
):
    client = sign_in(staff)
    assert client.post("/staff/screening/rules/finance/", RULES).status_code == 302
    assert policy_for(finance.pk).quorum == 3
    assert policy_for(law.pk).quorum == 1
    client.post("/staff/screening/rules/finance/", {**RULES, "quorum": 5, "draw": ""})
    change = PolicyChange.objects.first()
    assert (change.actor, change.before["quorum"], change.after["quorum"]) == (staff, 3, 5)
    page = client.get("/staff/screening/rules/").content.decode()
    assert staff.display_name in page
    assert "before:" in page
    assert client.post("/staff/screening/rules/all-others/", RULES).status_code == 302
    assert policy_for(law.pk).tie == "one_more"


def test_saving_the_same_rules_again_is_no_change(sign_in, staff, finance):
    client = sign_in(staff)
    for _ in range(2):
        client.post("/staff/screening/rules/finance/", RULES)
    assert PolicyChange.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quorum", 0), ("quorum", 16), ("tie", "coin"), ("days", 0), ("days", 61),
        ("samples", 21), ("solved_percent", 0), ("easy_percent", 101), ("suspect_percent", 75),
        ("quorum", ""), ("samples", "many"),
    ],
)  # fmt: skip
def test_rules_out_of_range_are_refused_at_their_field(sign_in, staff, finance, name, value):
    reply = sign_in(staff).post("/staff/screening/rules/finance/", {**RULES, name: value})
    assert reply.status_code == 400
    assert name in reply.context["form"].errors
    assert not PolicyChange.objects.exists()


def test_a_change_is_never_edited(sign_in, staff, finance):
    sign_in(staff).post("/staff/screening/rules/finance/", RULES)
    with pytest.raises(TypeError):
        PolicyChange.objects.get().save()


def test_only_staff_see_and_change_rules(sign_in, senior, finance):
    client = sign_in(senior)
    assert client.get("/staff/screening/rules/").status_code == 403
    assert client.post("/staff/screening/rules/finance/", RULES).status_code == 403
    assert client.get("/staff/screening/").status_code == 403
