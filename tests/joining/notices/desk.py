"""Honoraria, imports and practice of scorers, for every kind of notice about them."""

from typing import Any

from config.sample.honoraria import load_honoraria
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.staff.honoraria.actions import mark_as_paid, refuse
from curation.staff.honoraria.models import Honorarium
from judge.asking.candidates.models import Response
from judge.gold.transfer.import_actions import ask_for_check, set_mapping, start_import
from judge.gold.transfer.import_mapping import guess
from judge.gold.transfer.import_models import DataImport
from judge.gold.transfer.import_work import give_up, work_on
from judge.scoring.practice import notices as of_practice
from judge.scoring.practice.actions import ask_to_practise, let_through
from judge.scoring.practice.choosing import add_practice_sheet
from judge.scoring.practice.known_verdicts import known_in
from judge.scoring.scorers.models import ScorerPause
from judge.scoring.scorers.readiness import standing_of
from tests.base.access.import_things import import_things


def honoraria(w: Any) -> None:
    """Approve, pay and refuse pieces of work."""
    load_honoraria(w.staff)  # approves some
    w.open_all()
    waiting = Honorarium.objects.filter(state=Honorarium.State.WAITING)
    refused = waiting.exclude(person__is_staff=True).earliest("pk")
    refuse(actor=w.staff, entry=refused, reason="It was paid with the workshop.")
    w.open_all()
    approved = Honorarium.objects.filter(state=Honorarium.State.APPROVED).earliest("pk")
    mark_as_paid(actor=w.staff, entry=approved)


def imports(w: Any) -> None:
    """Import a table, and give another one up."""
    import_things({"staff": w.staff})
    table, checked = DataImport.objects.order_by("pk")
    start_import(actor=w.staff, row=checked, revision=checked.revision)
    checked.refresh_from_db()
    work_on(checked)
    set_mapping(actor=w.staff, row=table, mapping=guess(table), revision=table.revision)
    table.refresh_from_db()
    ask_for_check(actor=w.staff, row=table, revision=table.revision)
    table.refresh_from_db()
    work_on(table)
    table.refresh_from_db()
    start_import(actor=w.staff, row=table, revision=table.revision)
    table.refresh_from_db()
    give_up(table, "The worker was stopped three times.")


def practice(w: Any) -> None:
    """Let a scorer through, pause them, ask for practice, and run out of practice sheets."""
    known = {domain: known_in(domain.pk) for domain in Domain.objects.order_by("key")}
    domain, rows = next((domain, rows) for domain, rows in known.items() if rows)
    response = Response.objects.get(pk=rows[0].response)
    task = add_practice_sheet(actor=w.staff, response=response).response.task
    others = User.objects.filter(qualifications__isnull=False).exclude(seats__task=task)
    person = others.exclude(practice_attempts__isnull=False).earliest("pk")
    Qualification.objects.get_or_create(user=person, domain=domain)
    person = User.objects.get(pk=person.pk)
    let_through(actor=w.staff, person=person, domain=domain, reason="She taught the rest.")
    w.open_all()
    standing = standing_of(person, domain.pk)
    pause = ScorerPause.objects.create(standing=standing, agreed=3, lines=10, below=80)
    of_practice.paused(pause)
    w.open_all()
    ask_to_practise(actor=w.staff, person=person, domain=domain, reason="A year has passed.")
    of_practice.none_left(standing)
