"""Candidates: which house one comes from, and how many answers it has given to a task."""

from django.db.models import Max
from django.utils.translation import gettext as _

from judge.candidates.models import MOST_ANSWERS, Candidate, Response
from judge.providers.families import family_of


def family(candidate: Candidate) -> str:
    """The house of a candidate, as recorded or read from its name; "" where neither tells."""
    return candidate.family or family_of(candidate.name, "")


def house(candidate: Candidate) -> str:
    """The house as it is compared: staff write “OpenAI”, a model's name says “openai”."""
    return family(candidate).strip().casefold()


def named(name: str) -> Candidate:
    """The candidate of this name, created with its house where it is new."""
    candidate, _created = Candidate.objects.get_or_create(
        name=name, defaults={"family": family_of(name, "")}
    )
    return candidate


def full(task: str) -> str:
    """Why a candidate can give no further answer to a task, named by its key."""
    return _(
        "A candidate's answers to one task are numbered up to %(most)s, and %(task)s has no number "
        "left. Enter the candidate under another name, or leave the task out."
    ) % {"most": f"{MOST_ANSWERS:,}", "task": task}


def last_sample(name: str, task: int) -> int:
    """The number of the last answer to a task by the candidate of this name; 0 without any."""
    rows = Response.objects.filter(candidate__name=name, task=task)
    return rows.aggregate(last=Max("sample"))["last"] or 0
