from django.apps import AppConfig


class RootConfig(AppConfig):
    name = "config"
    label = "root"

    def ready(self) -> None:
        from config import system_checks  # noqa: F401  registers the checks
        from config.page_search import SOURCES
        from config.permissions import ROUTES, TRAILS
        from curation.base.access import permissions, trail
        from curation.telling.search import search

        for name, verbs in ROUTES.items():
            permissions.add_route(name, verbs)
            trail.add(name, TRAILS.get(name, trail.Trail(alone="a step of signing in")))
        search.register(*SOURCES)
