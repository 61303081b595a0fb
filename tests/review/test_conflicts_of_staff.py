"""Staff link, dismiss and record conflicts of interest, and read who is kept off and why."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.joining.notices.models import Notice
from curation.joining.people import in_conflict
from review.conflicts.actions import (
    declare_conflict,
    end_conflict,
    match_declarations,
    propose_conflict,
    withdraw_declaration,
)
from review.conflicts.models import Declaration
from review.conflicts.queries import kept_off
from review.conflicts.views import ON_A_PAGE
from tests.markup import words_of
from tests.review.declaring import OWN, STAFF, confirm_addresses

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(author: Any, peer: Any) -> Any:
    """Two experts of one domain with confirmed addresses."""
    confirm_addresses(author, peer)
    return author, peer


class TestStaff:
    def test_staff_say_which_member_a_declaration_is_about(self, people, sign_in, staff):
        author, peer = people
        row = declare_conflict(actor=author, kind="family", name="My sister's husband")
        office = sign_in(staff)
        link = f"{STAFF}declarations/{row.pk}/link/"
        wrong = office.post(link, {"other": "nobody@example.test"})
        assert wrong.status_code == 400
        assert 'value="nobody@example.test"' in wrong.content.decode()
        assert "There is no such member." in wrong.content.decode()
        assert office.post(link, {"other": author.email}).status_code == 400
        assert office.post(link, {"other": str(peer.pk)}).status_code == 302
        assert in_conflict(author, peer)
        assert office.post(link, {"other": peer.email}).status_code == 409

    def test_a_declaration_about_nobody_here_is_dismissed_for_a_reason_and_stays_open(
        self, people, person, sign_in, staff
    ):
        author, _peer = people
        row = declare_conflict(
            actor=author, kind="employer", name="Hallam & Roe LLP", email="later@example.test"
        )
        office, path = sign_in(staff), f"{STAFF}declarations/{row.pk}/dismiss/"
        long = office.post(path, {"reason": "x" * 2001})
        assert long.status_code == 400
        assert "x" * 2001 in long.content.decode()
        assert office.post(path, {"reason": "A firm, not a person."}).status_code == 302
        assert office.post(path, {"reason": "Once more."}).status_code == 409
        page = office.get(STAFF)
        assert [row for row, *_forms in page.context["unlinked"]] == []
        assert "Show the 1 dismissed" in words_of(page.content.decode())
        aside = words_of(office.get(f"{STAFF}?dismissed=on").content.decode())
        assert f"Dismissed by {staff}" in aside
        assert "A firm, not a person." in aside
        # Its author sees no difference, and it is linked once somebody has the address.
        assert "Hallam" in words_of(sign_in(author).get(OWN).content.decode())
        later = person("later")
        EmailAddress.objects.update_or_create(
            user=later, email="later@example.test", defaults={"verified": True, "primary": True}
        )
        assert match_declarations() == 1
        assert in_conflict(author, later)
        row.refresh_from_db()
        assert (row.dismissed_by, row.dismissed_reason) == (staff, "A firm, not a person.")
        other = declare_conflict(actor=author, kind="family", name="A cousin")
        withdraw_declaration(actor=author, declaration=other)
        late = office.post(f"{STAFF}declarations/{other.pk}/dismiss/", {"reason": "Gone."})
        assert late.status_code == 409

    def test_declarations_are_counted_and_shown_in_pages(self, people, sign_in, staff):
        author, _peer = people
        rows = [
            Declaration.objects.create(person=author, kind="family", name=f"Cousin {n}")
            for n in range(ON_A_PAGE + 1)
        ]
        office = sign_in(staff)
        first, second = office.get(STAFF), office.get(f"{STAFF}?declarations=2")
        assert first.context["declarations"].paginator.count == ON_A_PAGE + 1
        assert [row for row, *_forms in first.context["unlinked"]] == rows[:ON_A_PAGE]
        assert [row for row, *_forms in second.context["unlinked"]] == rows[ON_A_PAGE:]
        assert "?declarations=2" in first.content.decode()
        # A refused form of the second page is shown again at its row.
        refused = office.post(f"{STAFF}declarations/{rows[-1].pk}/link/", {"other": "x"})
        shown = [row for row, *_forms in refused.context["unlinked"]]
        assert shown == [rows[-1], *rows[:ON_A_PAGE]]

    def test_the_number_of_queries_does_not_grow(self, people, person, finance, sign_in, staff):
        author, peer = people
        office = sign_in(staff)

        def asked() -> int:
            with CaptureQueriesContext(connection) as queries:
                assert office.get(STAFF).status_code == 200
            return len(queries)

        propose_conflict(actor=staff, person=author, other=peer, kind="family")
        declare_conflict(actor=author, kind="family", name="A cousin")
        before = asked()
        for n in range(4):
            other = person(f"other{n}", finance)
            found = propose_conflict(actor=staff, person=author, other=other, kind="family")
            end_conflict(actor=staff, conflict=found, reason="A namesake.")
            declare_conflict(actor=other, kind="family", name="A cousin")
        assert asked() == before

    def test_the_page_of_a_person_leads_to_their_conflicts_alone(
        self, people, person, finance, sign_in, staff
    ):
        author, peer = people
        others = person("first", finance), person("second", finance)
        propose_conflict(actor=staff, person=author, other=peer, kind="family")
        propose_conflict(actor=staff, person=others[0], other=others[1], kind="business")
        declare_conflict(actor=author, kind="family", name="My cousin Ada")
        declare_conflict(actor=others[0], kind="family", name="My uncle Bob")
        office = sign_in(staff)
        link = f"{STAFF}?person={author.pk}"
        assert link in office.get(f"/staff/people/{author.pk}/").content.decode()
        page = words_of(office.get(link).content.decode())
        assert peer.pseudonym in page
        assert "My cousin Ada" in page
        assert others[0].pseudonym not in page
        assert "My uncle Bob" not in page
        assert office.get(f"{STAFF}?person={2**63}").status_code == 200
        assert office.get(f"{STAFF}?person=999999").status_code == 404

    def test_staff_record_one_and_both_are_asked(self, people, sign_in, staff):
        author, peer = people
        reply = sign_in(staff).post(
            STAFF, {"person": author.email, "other": peer.email, "kind": "advisor"}
        )
        assert reply.status_code == 302
        assert in_conflict(author, peer)
        asked = Notice.objects.filter(kind="conflict_to_confirm")
        assert {notice.recipient for notice in asked} == {author, peer}
        same = sign_in(staff).post(
            STAFF, {"person": peer.email, "other": peer.email, "kind": "advisor"}
        )
        assert same.status_code == 400

    def test_assignment_says_who_is_kept_off_and_why(self, people, finance, staff):
        author, peer = people
        author.affiliation = peer.affiliation = "Hallam & Roe LLP"
        for user in (author, peer):
            user.save(update_fields=["affiliation"])
        propose_conflict(actor=staff, person=author, other=peer, kind="coauthor")
        assert kept_off(author, finance.pk) == [(peer, "Recent co-authors, Same affiliation")]
        assert kept_off(None, finance.pk) == []
