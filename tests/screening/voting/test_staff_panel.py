"""What staff arrange: whom to ask, whose place ends, and when the votes must do."""

from curation.screening.panels.actions import fill_panel, join_panel
from curation.screening.panels.models import PanelPlace
from tests.conftest import make_staff
from tests.screening.voting.test_panel import cast


def test_staff_see_every_place_with_its_person_and_give_a_free_one(
    sign_in, staff, person, finance, screened_by
):
    one, two = person("one", finance), person("two", finance)
    task = screened_by(2)
    join_panel(actor=one, task=task)
    client = sign_in(staff)
    page = client.get(f"/staff/screening/{task.pk}/").content.decode()
    assert one.display_name in page
    assert "1 place is free" in page
    sent = {"member": two.pk, "kind": "vote"}
    assert client.post(f"/staff/screening/{task.pk}/give/", sent).status_code == 302
    assert client.post(f"/staff/screening/{task.pk}/give/", sent).status_code == 409
    assert PanelPlace.objects.filter(task=task, state="open").count() == 2
    listed = client.get("/staff/screening/?show=free").content.decode()
    assert task.title not in listed


def test_staff_cannot_seat_the_author_or_somebody_of_another_domain(
    sign_in, staff, author, stranger, screened
):
    client = sign_in(staff)
    for person in (author, stranger):
        sent = {"member": person.pk, "kind": "vote"}
        assert client.post(f"/staff/screening/{screened.pk}/give/", sent).status_code == 403
    assert client.post(f"/staff/screening/{screened.pk}/give/", {"member": "x"}).status_code == 400


def test_staff_arrange_nothing_about_a_task_of_their_own(sign_in, author, seated):
    make_staff(author)
    client, pk = sign_in(author), seated.pk
    place = PanelPlace.objects.get(task=seated)
    for address in (f"/staff/screening/{pk}/", f"/staff/tasks/{pk}/"):
        assert client.get(address).status_code == 403
    for address, sent in (
        (f"/staff/screening/{pk}/give/", {"member": place.member_id, "kind": "vote"}),
        (f"/staff/screening/{pk}/decide/", {"reason": "Soon."}),
        (f"/staff/screening/places/{place.pk}/take-back/", {"reason": "Soon."}),
    ):
        assert client.post(address, sent).status_code == 403
    place.refresh_from_db()
    assert place.state == "open"


def test_staff_take_a_place_back_with_a_reason(sign_in, staff, person, finance, peer, seated):
    colleague = person("colleague", finance)
    place = PanelPlace.objects.get(task=seated)
    client = sign_in(staff)
    address = f"/staff/screening/places/{place.pk}/take-back/"
    assert client.get(address).status_code == 200
    assert client.post(address, {"reason": ""}).status_code == 400
    assert client.post(address, {"reason": "Ill since Monday."}).status_code == 302
    assert PanelPlace.objects.get(task=seated, state="open").member == colleague
    assert client.post(address, {"reason": "Again."}).status_code == 409


def test_where_nobody_is_left_to_ask_the_votes_that_are_in_decide(
    sign_in, staff, person, finance, peer, screened_by
):
    task = screened_by(3)
    fill_panel(task)
    address = f"/staff/screening/{task.pk}/decide/"
    client = sign_in(staff)
    assert client.post(address, {"reason": "Only one expert."}).status_code == 409  # no vote yet
    cast(peer, task)
    assert client.post(address, {"reason": ""}).status_code == 400
    late = person("late", finance)
    assert client.post(address, {"reason": "Only one expert."}).status_code == 409
    late.qualifications.update(active=False)
    assert "Let these votes decide" in client.get(f"/staff/screening/{task.pk}/").content.decode()
    assert client.post(address, {"reason": "Only one expert."}).status_code == 302
    task.refresh_from_db()
    assert task.stage == "drafting"
