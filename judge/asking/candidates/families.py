"""Candidates by name, their vendors' families, and their numbers of answers."""

from django.db.models import Max
from django.utils.translation import gettext as _

from judge.asking.candidates.models import MOST_ANSWERS, Candidate, Response
from judge.asking.providers.vendor import family_of


def family(candidate: Candidate) -> str:
    """Return a candidate's family as recorded, else as its name tells; "" if unknown."""
    return candidate.family or family_of(candidate.name, "")


def normalized_family(candidate: Candidate) -> str:
    """Return a candidate's family for comparison: staff write “OpenAI”, names give “openai”."""
    return family(candidate).strip().casefold()


def candidate_named(name: str) -> Candidate:
    """Return the candidate of this name; create it with its family if it is new."""
    candidate, _created = Candidate.objects.get_or_create(
        name=name, defaults={"family": family_of(name, "")}
    )
    return candidate


def no_sample_left(task: str) -> str:
    """Return the message that a candidate can give no further answer to the task of this key."""
    return _(
        "A candidate's answers to one task are numbered up to %(most)s, and %(task)s has no number "
        "left. Enter the candidate under another name, or leave the task out."
    ) % {"most": f"{MOST_ANSWERS:,}", "task": task}


def last_sample(name: str, task: int) -> int:
    """Return the number of a candidate's last answer to a task; 0 if it has none."""
    rows = Response.objects.filter(candidate__name=name, task=task)
    return rows.aggregate(last=Max("sample"))["last"] or 0
