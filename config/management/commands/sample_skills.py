"""Load the skills library of the sample programme."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from config.sample.skills import load_skills
from curation.people.models import User


class Command(BaseCommand):
    help = "Load the skills library into the sample programme. Running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        staff = User.objects.filter(email="staff@example.test", is_staff=True).first()
        if staff is None:
            raise CommandError("Load the sample programme first: manage.py sample_programme")
        with transaction.atomic():
            made = load_skills(staff)
        self.stdout.write(f"skills: {made} written, reviewed and approved")
