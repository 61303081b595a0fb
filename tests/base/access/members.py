"""Members of staff with one duty each, beside the people of the sample programme."""

from curation.joining.people import User
from tests.base.access.roles import DUTY_OF, ROLES_AND_MEMBERS
from tests.conftest import new_person


def everybody() -> dict[str, User]:
    """Whoever has a role in the matrix and an account; makes those the sample does not have."""
    for role, duty in DUTY_OF.items():
        if duty:
            new_person(
                role, is_staff=True, **{f"does_{d}": d == duty for d in DUTY_OF.values() if d}
            )
    return {
        role: User.objects.get(email=f"{role}@example.test")
        for role in ROLES_AND_MEMBERS
        if role != "anonymous"
    }
