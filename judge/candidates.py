"""Candidates: which house one comes from."""

from judge.models import Candidate
from judge.providers import family_of


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
