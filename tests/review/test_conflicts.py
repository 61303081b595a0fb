"""People declare conflicts of interest; assignment obeys, the other side answers, staff settle."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from curation.base.web.refusals import Denied
from curation.joining.notices.models import Notice
from curation.joining.people import in_conflict
from review.conflicts.actions import (
    answer_conflict,
    declare_conflict,
    end_conflict,
    match_declarations,
    propose_conflict,
)
from review.conflicts.models import ConflictOfInterest, Declaration
from review.conflicts.queries import answered_by
from review.conflicts.sources import COUNTS_FOR
from tests.markup import words_of
from tests.review.declaring import OWN, STAFF, confirm_addresses, declared, steps

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(author: Any, peer: Any) -> Any:
    """Two experts of one domain with confirmed addresses."""
    confirm_addresses(author, peer)
    return author, peer


class TestDeclaring:
    def test_a_conflict_counts_at_once_where_the_address_is_a_members(self, people, sign_in):
        author, peer = people
        assert declared(sign_in(author), email=peer.email.upper()).status_code == 302
        assert in_conflict(author, peer)
        assert in_conflict(peer, author)
        (notice,) = Notice.objects.filter(recipient=peer)
        assert (notice.kind, notice.url) == ("conflict_to_confirm", OWN)

    def test_the_declarer_never_learns_whether_somebody_is_a_member(self, people, sign_in):
        author, peer = people
        client = sign_in(author)
        declared(client, email=peer.email)
        declared(client, email="nobody@example.test")
        page = words_of(client.get(OWN).content.decode())
        rows = page.count("Withdraw")
        assert page.count("Dr Quill") == 2
        assert rows >= 2
        assert "Expert" not in page.split("What you declared")[1]

    def test_a_conflict_with_an_outsider_counts_once_they_join(self, people, sign_in, person):
        author, _peer = people
        declared(sign_in(author), email="later@example.test")
        assert match_declarations() == 0
        later = person("later")
        EmailAddress.objects.update_or_create(
            user=later, email="later@example.test", defaults={"verified": False, "primary": True}
        )
        assert match_declarations() == 0  # anybody can type an address
        EmailAddress.objects.filter(user=later).update(verified=True)
        assert match_declarations() == 1
        assert in_conflict(author, later)
        assert match_declarations() == 0

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"name": "  "}, "Please fill this in."),
            ({"kind": "rivalry"}, "rivalry"),
            ({"kind": "referral"}, "referral"),
            ({"email": "not an address"}, "e-mail"),
            ({"email": "AUTHOR@example.test"}, "This is your own address."),
            ({"since": "2025-02-01", "until": "2024-02-01"}, "The last day is before the first."),
            ({"until": "2024-02-31"}, "date"),
        ],
    )
    def test_what_cannot_be_is_refused_at_its_field(self, people, sign_in, values, said):
        author, _peer = people
        author.email = "author@example.test"
        author.save(update_fields=["email"])
        reply = declared(sign_in(author), **values)
        assert reply.status_code == 400
        assert said in reply.content.decode()
        assert not Declaration.objects.exists()

    def test_withdrawing_tells_nobody_who_is_a_member_and_staff_end_what_counts(
        self, people, sign_in, staff
    ):
        author, peer = people
        client = sign_in(author)
        outside = declare_conflict(actor=author, kind="family", name="A cousin")
        inside = declare_conflict(actor=author, kind="family", name="Peer", email=peer.email)
        assert sign_in(peer).post(f"{OWN}{inside.pk}/withdraw/").status_code == 404
        replies = [
            client.post(f"{OWN}{row.pk}/withdraw/", follow=True).content.decode()
            for row in (outside, inside)
        ]
        said = "A conflict that counts because of it goes on until staff end it"
        assert all(said in words_of(page) for page in replies)
        assert not Declaration.objects.filter(withdrawn_at__isnull=True).exists()
        assert in_conflict(author, peer)
        page = words_of(sign_in(staff).get(STAFF).content.decode())
        assert "the declaration was withdrawn" in page


class TestAPeriod:
    @pytest.mark.parametrize(("days", "counts"), [(0, True), (-10, True), (10, False)])
    def test_a_conflict_counts_for_three_years_after_its_last_day(self, people, days, counts):
        author, peer = people
        last = timezone.localdate() - COUNTS_FOR - timedelta(days=days - 1)
        declare_conflict(actor=author, kind="coauthor", name="Peer", email=peer.email, until=last)
        assert in_conflict(author, peer) is counts

    def test_declared_twice_the_longer_period_counts(self, people):
        author, peer = people
        long_ago = timezone.localdate() - COUNTS_FOR - timedelta(days=30)
        for until in (None, long_ago):
            declare_conflict(
                actor=author, kind="coauthor", name="Peer", email=peer.email, until=until
            )
        assert ConflictOfInterest.objects.get().until is None
        assert in_conflict(author, peer)


class TestAnswering:
    @pytest.fixture
    def conflict(self, people: Any) -> ConflictOfInterest:
        author, peer = people
        declare_conflict(actor=author, kind="business", name="Peer", email=peer.email)
        return ConflictOfInterest.objects.get()

    def test_the_other_side_reads_who_it_is_and_confirms(self, people, conflict, sign_in):
        author, peer = people
        client = sign_in(peer)
        page = words_of(client.get(OWN).content.decode())
        assert f"{author.display_name or author.email} and you: Business or money" in page
        assert client.post(f"{OWN}{conflict.pk}/answer/", {"agrees": "yes"}).status_code == 302
        conflict.refresh_from_db()
        assert conflict.state == "confirmed"
        assert steps(conflict) == [("declared", author, ""), ("confirmed", peer, "")]
        assert client.post(f"{OWN}{conflict.pk}/answer/", {"agrees": "yes"}).status_code in (
            302,
            409,
        )

    def test_disputed_for_a_reason_it_counts_until_staff_end_it(
        self, people, conflict, sign_in, staff
    ):
        author, peer = people
        client = sign_in(peer)
        bare = client.post(f"{OWN}{conflict.pk}/answer/", {"agrees": "no", "reason": " "})
        assert bare.status_code == 400
        assert "Say what is wrong" in bare.content.decode()
        long = client.post(f"{OWN}{conflict.pk}/answer/", {"agrees": "no", "reason": "x" * 2001})
        assert long.status_code == 400
        assert "x" * 2001 in long.content.decode()  # nothing typed is lost
        client.post(f"{OWN}{conflict.pk}/answer/", {"agrees": "no", "reason": "We never met."})
        assert in_conflict(author, peer)
        office = sign_in(staff)
        page = words_of(office.get(STAFF).content.decode())
        assert "Disputed" in page
        assert "We never met." in page
        assert office.post(f"{STAFF}{conflict.pk}/end/", {"reason": ""}).status_code == 400
        long = office.post(f"{STAFF}{conflict.pk}/end/", {"reason": "x" * 2001})
        assert long.status_code == 400
        assert "x" * 2001 in long.content.decode()
        office.post(f"{STAFF}{conflict.pk}/end/", {"reason": "A namesake."})
        assert not in_conflict(author, peer)
        assert steps(conflict) == [
            ("declared", author, ""),
            ("disputed", peer, "We never met."),
            ("ended", staff, "A namesake."),
        ]
        page = words_of(office.get(STAFF).content.decode())
        assert "We never met." in page
        assert "A namesake." in page
        (notice,) = Notice.objects.filter(kind="conflict_ended")
        assert (notice.recipient, notice.data["reason"]) == (peer, "A namesake.")
        own = words_of(client.get(OWN).content.decode())
        assert "You disputed it" in own
        assert "We never met." in own
        assert "Staff ended it" in own
        again = office.post(f"{STAFF}{conflict.pk}/end/", {"reason": "Another reason."})
        assert again.status_code == 409

    def test_staff_uphold_a_disputed_one_and_tell_who_disputed_it_and_nobody_else(
        self, people, conflict, sign_in, staff
    ):
        author, peer = people
        office, path = sign_in(staff), f"{STAFF}{conflict.pk}/uphold/"
        assert office.post(path, {"reason": "Nobody asked."}).status_code == 409
        assert "Uphold it" not in words_of(office.get(STAFF).content.decode())
        answer_conflict(actor=peer, conflict=conflict, agrees=False, reason="We never met.")
        assert "Uphold it" in words_of(office.get(STAFF).content.decode())
        long = office.post(path, {"reason": "x" * 2001})
        assert long.status_code == 400
        assert "x" * 2001 in long.content.decode()
        assert office.post(path, {"reason": "They share a company."}).status_code == 302
        conflict.refresh_from_db()
        assert conflict.state == "confirmed"
        assert in_conflict(author, peer)
        (notice,) = Notice.objects.filter(kind="conflict_upheld")
        assert (notice.recipient, notice.url) == (peer, OWN)
        assert notice.data["reason"] == "They share a company."
        own = words_of(sign_in(peer).get(OWN).content.decode())
        assert "Staff upheld it" in own
        assert "They share a company." in own
        # The declarer still does not learn that the other is a member.
        assert not Notice.objects.filter(recipient=author).exists()
        assert "upheld" not in words_of(sign_in(author).get(OWN).content.decode())
        assert office.post(path, {"reason": "Once more."}).status_code == 409

    def test_both_are_told_where_staff_recorded_it(self, people, staff):
        author, peer = people
        found = propose_conflict(actor=staff, person=author, other=peer, kind="family")
        end_conflict(actor=staff, conflict=found, reason="A namesake.")
        told = Notice.objects.filter(kind="conflict_ended")
        assert {notice.recipient for notice in told} == {author, peer}

    def test_who_declared_it_and_strangers_do_not_answer(self, people, conflict, sign_in, stranger):
        for user in (people[0], stranger):
            reply = sign_in(user).post(f"{OWN}{conflict.pk}/answer/", {"agrees": "yes"})
            assert reply.status_code == 404
        conflict.refresh_from_db()
        assert conflict.state == "declared"

    def test_the_action_itself_refuses_who_declared_it_and_strangers(
        self, people, conflict, stranger
    ):
        for user in (people[0], stranger):
            with pytest.raises(Denied):
                answer_conflict(actor=user, conflict=conflict, agrees=True)
        conflict.refresh_from_db()
        assert conflict.state == "declared"

    def test_declared_by_both_it_is_confirmed_and_nobody_is_asked_again(self, people, conflict):
        author, peer = people
        declare_conflict(actor=peer, kind="business", name="Author", email=author.email)
        conflict.refresh_from_db()
        assert conflict.state == "confirmed"
        assert steps(conflict) == [("declared", author, ""), ("confirmed", peer, "")]
        assert not Notice.objects.filter(recipient=author, kind="conflict_to_confirm").exists()

    def test_an_ended_one_that_is_declared_again_counts_again(
        self, people, conflict, sign_in, staff
    ):
        author, peer = people
        answer_conflict(actor=peer, conflict=conflict, agrees=False, reason="We never met.")
        sign_in(staff).post(f"{STAFF}{conflict.pk}/end/", {"reason": "It is over."})
        declare_conflict(actor=peer, kind="business", name="Author", email=author.email)
        assert in_conflict(author, peer)
        conflict.refresh_from_db()
        assert (conflict.state, conflict.declared_by) == ("declared", peer)
        # The dispute and the end of the first one stay on record.
        assert steps(conflict) == [
            ("declared", author, ""),
            ("disputed", peer, "We never met."),
            ("ended", staff, "It is over."),
            ("declared", peer, ""),
        ]
        page = words_of(sign_in(staff).get(STAFF).content.decode())
        assert "We never met." in page
        assert "It is over." in page
        own = words_of(sign_in(peer).get(OWN).content.decode())
        assert "We never met." in own
        # A later answer gets no decision of the earlier conflict, and the earlier keeps its own.
        answer_conflict(actor=author, conflict=conflict, agrees=True)
        assert [answer.decision for answer in answered_by(author)] == [None]
        assert [answer.decision.reason for answer in answered_by(peer)] == ["It is over."]

    def test_a_step_is_never_changed(self, conflict):
        step = conflict.steps.get()
        step.reason = "Another."
        for change in (step.save, step.delete):
            with pytest.raises(TypeError):
                change()
