"""Practice in the sample programme: a practice sheet, somebody's practice, and a scorer."""

from typing import Any

from config.sample.practice import DOMAIN, load_practice
from curation.joining.people import User
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeSheet
from judge.scoring.sheets.models import Sheet


def practice_things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of practice, by the name the matrix uses."""
    everybody = {user.email.split("@")[0]: user for user in User.objects.all()}
    load_practice(everybody)
    # One of those who ask for every page gets to see what came of a practice.
    for rows in (Sheet.objects.filter(kind="practice"), PracticeAttempt.objects.all()):
        rows.update(user=people["scorer"])
    return {
        "practice_sheet": (PracticeSheet.objects.get().pk,),
        "practised_sheet": (Sheet.objects.get(kind="practice").pk,),
        "domain_scorer": (DOMAIN, people["scorer"].pk),
    }
