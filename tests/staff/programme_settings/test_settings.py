"""The page of settings: present values, who changed them, their history, the test e-mail."""

import smtplib
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse

from curation.base.access.duties import columns_of
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.policy import change_policy, common_policy, rules_of
from curation.staff.programme_settings.models import MailTest, SettingChange
from judge.asking.calls.budgets import PURPOSES
from judge.runs.pages.spendings import set_monthly_budget
from tests.markup import words_of

pytestmark = pytest.mark.django_db
PAGE, HISTORY, MAIL = "/staff/settings/", "/staff/settings/history/", "/staff/settings/test-mail/"


@pytest.fixture
def read(sign_in: Any, staff: Any) -> Any:
    """What staff read at an address."""
    return lambda address: words_of(sign_in(staff).get(address).content.decode())


class TestThePage:
    def test_it_shows_present_values_and_where_they_are_set(self, read, finance, settings):
        settings.PROMPTS_PER_EXPERT = 7
        page = read(PAGE)
        assert "Prompts per expert (slots) PROMPTS_PER_EXPERT 7" in page
        assert "Rules of the panels: All other domains" in page
        assert "Monthly budgets" in page
        assert "no limit" in page
        assert "Finance" in page

    def test_it_links_to_the_page_where_a_rule_is_changed(self, sign_in, staff):
        page = sign_in(staff).get(PAGE).content.decode()
        for route, *args in (("staff-policy", "all-others"), ("staff-budgets",), ("staff-prices",)):
            assert f'href="{reverse(route, args=args)}"' in page

    def test_it_says_who_changed_a_rule_last(self, read, staff, finance):
        rules = rules_of(common_policy()) | {"days": 9}
        change_policy(actor=staff, domain=finance, **rules)
        assert "Days for a vote or a check 9" in read(PAGE)
        row = read(PAGE).partition("Rules of the panels: Finance")[2]
        assert staff.name_for_staff in row[:700]

    def test_it_is_for_staff(self, sign_in, author):
        for address in (PAGE, HISTORY):
            assert sign_in(author).get(address).status_code == 403


class TestTheHistory:
    def test_rules_budgets_and_prices_stand_in_one_list_from_what_to_what(
        self, read, staff, finance
    ):
        before = rules_of(common_policy())
        change_policy(actor=staff, domain=finance, **before | {"days": before["days"] + 1})
        limits = dict.fromkeys([str(p) for p in PURPOSES]) | {"draft": 5_000_000}
        set_monthly_budget(actor=staff, **limits)
        set_monthly_budget(actor=staff, **limits | {"draft": 9_000_000})
        said = read(HISTORY)
        assert f"Days for a vote or a check: {before['days']} → {before['days'] + 1}" in said
        assert "no limit → $5.00" in said
        assert "$5.00 → $9.00" in said
        assert said.index("$5.00 → $9.00") < said.index("no limit → $5.00")

    def test_it_can_be_narrowed_to_a_kind(self, read, sign_in, staff, finance):
        before = rules_of(common_policy())
        change_policy(actor=staff, domain=finance, **before | {"days": before["days"] + 1})
        assert "Days for a vote or a check" in read(f"{HISTORY}?group=work")
        assert "Days for a vote or a check" not in read(f"{HISTORY}?group=models")
        assert sign_in(staff).get(f"{HISTORY}?group=secrets").status_code == 404


class TestDomains:
    def typed(self, domain: Domain, **more: str) -> dict[str, str]:
        return {
            "name": domain.name,
            "name_zh": domain.name_zh,
            "position": str(domain.position),
            "reason": "The chamber renamed it.",
            **more,
        }

    def test_a_changed_name_is_in_the_history_with_its_reason(self, sign_in, staff, finance, read):
        address = reverse("admin:curation_domain_change", args=[finance.pk])
        reply = sign_in(staff).post(address, self.typed(finance, name="Finance and accounting"))
        assert reply.status_code == 302
        said = read(HISTORY)
        assert "Name: Finance → Finance and accounting" in said
        assert "The chamber renamed it." in said

    def test_without_a_reason_nothing_is_changed(self, sign_in, staff, finance):
        address = reverse("admin:curation_domain_change", args=[finance.pk])
        reply = sign_in(staff).post(address, self.typed(finance, name="Other", reason=""))
        assert reply.status_code == 200
        finance.refresh_from_db()
        assert finance.name == "Finance"
        assert not SettingChange.objects.exists()

    def test_a_category_is_added_on_the_record(self, sign_in, staff, finance, read):
        form = {"domain": finance.pk, "key": "credit", "name": "Credit", "reason": "Asked for."}
        assert sign_in(staff).post(reverse("admin:curation_category_add"), form).status_code == 302
        assert Category.objects.filter(domain=finance, key="credit").exists()
        assert "category:finance/credit" in read(HISTORY)

    def test_staff_without_administration_read_them_and_change_nothing(
        self, sign_in, person, finance
    ):
        editor = sign_in(person("ed", is_staff=True, **columns_of(["editing"])))
        address = reverse("admin:curation_domain_change", args=[finance.pk])
        assert editor.get(address).status_code == 200
        refused = editor.post(address, self.typed(finance, name="Other"))
        assert refused.status_code == 403
        assert "“Administration”" in words_of(refused.content.decode())
        finance.refresh_from_db()
        assert finance.name == "Finance"


class TestTheTestMail:
    def test_it_goes_to_whoever_asks_and_is_recorded(self, sign_in, staff, settings, read):
        settings.MAIL_SERVER = "mail.example.test"
        page = sign_in(staff).post(MAIL, follow=True)
        assert [sent.to for sent in mail.outbox] == [[staff.email]]
        assert "The mail server accepted the e-mail." in words_of(page.content.decode())
        assert MailTest.objects.get().accepted
        assert "Test e-mail" in read(f"{HISTORY}?group=mail")

    @pytest.mark.parametrize(
        ("failure", "answer"),
        [
            (smtplib.SMTPAuthenticationError(535, b"5.7.8 Bad credentials"), "535 5.7.8 Bad"),
            (smtplib.SMTPRecipientsRefused({"x": (550, b"No such user")}), "550 No such user"),
            (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        ],
    )
    def test_a_refusal_is_said_in_the_servers_words(
        self, sign_in, staff, settings, monkeypatch, failure, answer
    ):
        settings.MAIL_SERVER = "mail.example.test"

        def fail(*_args: Any, **_more: Any) -> None:
            raise failure

        monkeypatch.setattr("django.core.mail.EmailMultiAlternatives.send", fail)
        page = sign_in(staff).post(MAIL, follow=True)
        said = words_of(page.content.decode())
        assert "The mail server did not accept the e-mail. It said:" in said
        assert answer in said
        assert not MailTest.objects.get().accepted

    def test_without_a_mail_server_it_says_so(self, sign_in, staff):
        page = sign_in(staff).post(MAIL, follow=True)
        assert "No mail server is set (EMAIL_URL)" in words_of(page.content.decode())

    def test_it_is_limited(self, sign_in, staff, settings):
        settings.ACCOUNT_RATE_LIMITS = {"mail_test": "2/h/user"}
        desk = sign_in(staff)
        assert [desk.post(MAIL).status_code for _ in range(3)] == [302, 302, 429]
        assert len(mail.outbox) == 2

    def test_it_needs_the_duty_of_administration(self, sign_in, person):
        editor = person("ed", is_staff=True, **columns_of(["editing"]))
        assert sign_in(editor).post(MAIL).status_code == 403
        assert mail.outbox == []
