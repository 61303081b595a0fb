"""Loading a person with authority."""

from curation.base.web.refusals import NotFound
from curation.joining.people.models import User


def access_person(pk: int) -> User:
    """Return a person, on routes for staff only.

    Raises:
        NotFound: no such person.
    """
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person
