"""Authors, reviewers, a tied colleague, two seniors, staff and a stranger, over three tasks.

Everything is reached by the real actions; the walkers then use the public doors only.
"""

from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task

ACTORS = (
    "author",
    "other",
    "first",
    "second",
    "tied",
    "senior",
    "deputy",
    "staff",
    "stranger",
    "anonymous",
)
LINES = 4


class World:
    """The people with their browsers, and the tasks in order."""

    def __init__(self, people: dict[str, User], tasks: list[Task]) -> None:
        self.people = people
        self.task_ids = [task.pk for task in tasks]
        self.names = {user.pk: name for name, user in people.items()}
        self.browsers: dict[str, Client] = {}
        for name in ACTORS:
            client = Client()
            if name in people:
                client.force_login(
                    people[name], backend="django.contrib.auth.backends.ModelBackend"
                )
            self.browsers[name] = client

    def tasks(self) -> list[Task]:
        return list(Task.objects.filter(pk__in=self.task_ids).order_by("pk"))

    def name_of(self, user_id: int | None) -> str:
        """The actor behind an id; a colleague without a browser acts through the stranger's."""
        return self.names.get(user_id or 0, "stranger")
