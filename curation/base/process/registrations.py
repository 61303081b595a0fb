"""What nouns give to those below them: rows of the audit, of a person's data, receivers, jobs.

A noun declares it beside its models, in its `registrations.py`; the import registers it. Where the
order of rows shows, the row names its place: nothing depends on the order of imports.
"""

from importlib import import_module
from pathlib import Path

from django.apps import AppConfig

from curation.base.process import lifecycle, periodic_jobs
from curation.base.web import icons
from curation.base.web.once import forget_sent_forms


def import_registrations(app: AppConfig) -> None:
    """Import an app's table of permissions and the registrations of all its nouns."""
    import_module(f"{app.name}.permissions")
    root = Path(app.path)
    for file in sorted(root.rglob("registrations.py")):
        import_module(".".join((app.name, *file.relative_to(root).with_suffix("").parts)))


icons.name_shapes(lifecycle.shapes())
periodic_jobs.register(forget_sent_forms)
