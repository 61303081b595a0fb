"""Loading a person with authority."""

from curation.people.models import User
from curation.web.refusals import NotFound


def access_person(pk: int) -> User:
    """Return a person, on routes for staff only.

    Raises:
        NotFound: no such person.
    """
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person
