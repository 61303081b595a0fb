"""Honoraria in the sample programme: rates, approved work, a payroll file."""

from typing import Any

from config.sample.honoraria import load_honoraria
from curation.joining.people import User
from curation.staff.honoraria.models import Honorarium, HonorariumRate, PayrollFile


def honoraria_things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of honoraria, by the name the matrix uses."""
    load_honoraria(people["staff"])
    waiting = Honorarium.objects.filter(state=Honorarium.State.WAITING)
    return {
        "honorarium_rate": (HonorariumRate.objects.earliest("pk").pk,),
        "honorarium": (waiting.exclude(person=people["staff"]).earliest("pk").pk,),
        "payroll_file": (PayrollFile.objects.latest("pk").number, "csv"),
    }
