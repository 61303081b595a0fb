"""Many people are invited from a table: previewed, then all or none."""

from datetime import timedelta
from smtplib import SMTPException
from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from curation.base.web.csv_export import lines
from curation.base.web.workbooks import workbook
from curation.joining.domains.models import Domain
from curation.joining.invitations import mailing
from curation.joining.invitations.mailing import send_waiting
from curation.joining.invitations.models import Invitation
from curation.joining.people import User

pytestmark = pytest.mark.django_db
PAGE = "/staff/people/invite/many/"
LIST = "/staff/invitations/"
PASTED = "ana@x.test\tAna Ng\nben@x.test\tBen Ode\tzh\tfinance\n"


def form(people: str = PASTED, **more: Any) -> dict[str, Any]:
    return {"people": people, "language": "en", "domain": "", **more}


def test_the_preview_reads_each_line_and_invites_nobody(
    sign_in: Any, staff: User, finance: Domain
) -> None:
    page = sign_in(staff).post(PAGE, form())
    assert [(line.email, line.language, line.domain) for line in page.context["lines"]] == [
        ("ana@x.test", "en", ""),
        ("ben@x.test", "zh-hans", "finance"),
    ]
    assert "Invite 2" in page.content.decode()
    assert not Invitation.objects.exists()
    assert mail.outbox == []


def test_everybody_is_invited_and_gets_a_link_of_their_own(
    sign_in: Any, staff: User, finance: Domain
) -> None:
    page = sign_in(staff).post(PAGE, form(invite="1"), follow=True)
    said = page.content.decode()
    assert "2 people are invited. Their e-mails are sent in the background." in said
    assert "2 e-mails are still to be sent." in said
    assert said.count("E-mail still to be sent") == 2
    assert mail.outbox == []  # no request waits for a mail server
    made = Invitation.objects.order_by("email")
    assert [(row.name, row.language, row.domain) for row in made] == [
        ("Ana Ng", "en", None),
        ("Ben Ode", "zh-hans", finance),
    ]
    assert send_waiting() == 2
    assert [message.to for message in mail.outbox] == [["ana@x.test"], ["ben@x.test"]]
    assert len({message.body for message in mail.outbox}) == 2
    assert all("http://" in message.body for message in mail.outbox)
    assert send_waiting() == 0
    assert "still to be sent" not in sign_in(staff).get(LIST).content.decode()


def test_a_mail_server_that_is_down_loses_nothing_and_the_list_says_so(
    sign_in: Any, staff: User, finance: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def down(_subject: str, _body: str, _sender: str, to: list[str], **_options: Any) -> None:
        asked.extend(to)
        raise SMTPException("down")

    office = sign_in(staff)
    people = "".join(f"p{n}@x.test,P {n}\n" for n in range(5))
    office.post(PAGE, form(people, invite="1"))
    with monkeypatch.context() as patch:
        patch.setattr(mailing, "send_mail", down)
        assert send_waiting() == 0
    assert len(asked) == mailing.MOST_FAILURES  # then the server counts as down
    page = office.get(LIST).content.decode()
    assert "5 e-mails are still to be sent." in page
    assert "did not take 3 of them; they are tried again." in page
    assert send_waiting() == 2  # those that were not tried; the others pause
    assert send_waiting(timezone.now() + timedelta(minutes=2)) == 3
    assert sorted(message.to[0] for message in mail.outbox) == [f"p{n}@x.test" for n in range(5)]


def test_an_e_mail_that_a_worker_has_is_sent_by_no_other_until_its_lease_ends(
    sign_in: Any, staff: User, finance: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(staff).post(PAGE, form("ana@x.test,Ana\n", invite="1"))

    def killed(*_args: Any, **_options: Any) -> None:
        assert send_waiting() == 0  # another worker, at the same time
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(mailing, "send_mail", killed)
        with pytest.raises(KeyboardInterrupt):
            send_waiting()
    assert mail.outbox == []
    assert send_waiting(timezone.now() + timedelta(minutes=1)) == 0
    assert send_waiting(timezone.now() + mailing.LEASE + timedelta(minutes=1)) == 1


def test_what_is_revoked_or_sent_by_hand_meanwhile_is_not_sent_again(
    sign_in: Any, staff: User, finance: Domain
) -> None:
    office = sign_in(staff)
    office.post(PAGE, form(invite="1"))
    ana, ben = Invitation.objects.order_by("email")
    assert "still to be sent" in office.get(f"/staff/invitations/{ana.pk}/").content.decode()
    office.post(f"/staff/invitations/{ana.pk}/", {"step": "revoke"})
    office.post(f"/staff/invitations/{ben.pk}/", {"step": "again"})
    assert [message.to for message in mail.outbox] == [["ben@x.test"]]
    assert send_waiting() == 0
    assert "still to be sent" not in office.get(LIST).content.decode()


def test_without_an_origin_for_links_the_list_says_why_the_e_mails_wait(
    sign_in: Any, staff: User, finance: Domain, settings: Any
) -> None:
    settings.PUBLIC_URL = ""
    page = sign_in(staff).post(PAGE, form(invite="1"), follow=True)
    assert "PUBLIC_URL is not set" in page.content.decode()
    assert send_waiting() == 0


def test_a_file_with_a_head_is_read_and_can_be_confirmed_without_the_file(
    sign_in: Any, staff: User, finance: Domain
) -> None:
    office = sign_in(staff)
    content = "\ufeffname;email\nAna Ng;ana@x.test\n".encode()
    page = office.post(PAGE, form("", file=SimpleUploadedFile("p.csv", content), domain="finance"))
    (line,) = page.context["lines"]
    assert (line.name, line.email, line.domain, line.number) == (
        "Ana Ng",
        "ana@x.test",
        "finance",
        2,
    )
    text = page.context["form"]["people"].value()
    office.post(PAGE, form(text, domain="finance", invite="1"))
    assert Invitation.objects.get().domain == finance


def test_one_line_that_cannot_be_used_keeps_all_from_being_invited(
    sign_in: Any, staff: User, author: User, finance: Domain
) -> None:
    text = (
        "ana@x.test,Ana\nana@x.test,Ana again\nno-address,Ben\nchu@x.test,Chu,en,mars\n"
        f"{author.email},Old\ndee@x.test,\neli@x.test,Eli,klingon\nfay@x.test,Fay,en,finance,5\n"
    )
    page = sign_in(staff).post(PAGE, form(text, invite="1"))
    assert page.status_code == 400
    assert [bool(line.why) for line in page.context["lines"]] == [False] + [True] * 7
    said = page.content.decode()
    for words in (
        "There is already an open invitation to this address.",
        "Type a complete e-mail address",
        "There is no domain “mars”.",
        "This address has an account already",
        "Choose one of the languages.",
        "more cells than there are columns",
        "Nobody was invited",
    ):
        assert words in said, words
    assert not Invitation.objects.exists()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ("", "Paste the people, or choose a file"),
        ("email,name\n", "Paste the people, or choose a file"),
        ("email,phone\na@x.test,1\n", "The column “phone” is not known."),
        ('\na@x.test,"Ana\n', "line 2: The quotation marks of this row do not match."),
        ("a@x.test,Ana\n" * 501, "Invite at most 500 people at once."),
    ],
)
def test_what_is_no_table_of_people_is_refused_with_the_reason(
    sign_in: Any, staff: User, people: str, words: str
) -> None:
    page = sign_in(staff).post(PAGE, form(people))
    assert page.status_code == 400
    assert words in page.content.decode()


def test_a_name_that_our_own_files_guard_against_formulas_comes_back_as_it_was(
    sign_in: Any, staff: User, finance: Domain
) -> None:
    text = "".join(lines(("email", "name"), [("a@x.test", "-Ana")])).lstrip("\ufeff")
    assert "'-Ana" in text
    sign_in(staff).post(PAGE, form(text, invite="1"))
    assert Invitation.objects.get().name == "-Ana"


def test_a_file_that_is_no_text_is_refused(sign_in: Any, staff: User) -> None:
    page = sign_in(staff).post(PAGE, form("", file=SimpleUploadedFile("p.csv", b"\xff\xfe\x00")))
    assert "This is no text in an encoding that is known here." in page.content.decode()


def test_a_workbook_is_read_like_a_table(sign_in: Any, staff: User, finance: Domain) -> None:
    people = workbook([("wu@x.test", "吴敏")], head=("email", "name"), name="People")
    page = sign_in(staff).post(PAGE, form("", file=SimpleUploadedFile("p.xlsx", people)))
    assert "wu@x.test,吴敏" in page.content.decode()
    sign_in(staff).post(PAGE, form("", file=SimpleUploadedFile("p.xlsx", people), invite="1"))
    assert Invitation.objects.get().name == "吴敏"


def test_the_page_is_for_staff(sign_in: Any, author: User) -> None:
    assert sign_in(author).get(PAGE).status_code == 403
    assert sign_in(author).post(PAGE, form(invite="1")).status_code == 403
    assert not Invitation.objects.exists()
