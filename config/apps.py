from django.apps import AppConfig


class RootConfig(AppConfig):
    name = "config"
    label = "root"

    def ready(self) -> None:
        from config import system_checks  # noqa: F401  registers the checks
        from config.page_search import SOURCES
        from config.permissions import ROUTES
        from curation.base.access import permissions
        from curation.telling.search import search

        for name, verbs in ROUTES.items():
            permissions.add_route(name, verbs)
        search.register(*SOURCES)
