"""Hand the endpoints that staff have entered to `judge.asking.providers`, which knows no
database.
"""

from django.conf import settings

from judge.asking.endpoints.models import Endpoint
from judge.asking.providers import Configured


class EndpointSource:
    """Reads a row whenever it is asked, so that every process follows a change at once."""

    def in_use(self) -> list[Configured]:
        """Return the endpoints in use. One query."""
        return [as_configured(row) for row in Endpoint.objects.filter(retired=False)]

    def one(self, name: str) -> Configured | None:
        """Return an endpoint, in use or retired. One query."""
        row = Endpoint.objects.filter(name=name).first()
        return None if row is None else as_configured(row)

    def labels(self) -> dict[str, str]:
        """Return name -> label of all endpoints. One query."""
        return dict(Endpoint.objects.values_list("name", "label"))


def as_configured(row: Endpoint) -> Configured:
    """Return what the providers need to know of a row."""
    return Configured(
        name=row.name,
        label=row.label,
        protocol=row.protocol,
        address=row.address,
        key_variable=row.key_variable,
        most_at_once=row.calls_at_once,
        private_networks=tuple(settings.PRIVATE_MODEL_NETWORKS),
        retired=row.retired,
    )
