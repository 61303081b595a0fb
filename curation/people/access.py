"""Load a person."""

from curation.people.models import User
from curation.web.refusals import NotFound


def access_person(pk: int) -> User:
    """One person. The route is for staff only, who see everybody.

    Raises:
        NotFound: nobody has this number.
    """
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person
