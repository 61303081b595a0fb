"""Judge's rows: who may do what."""

from judge.routes import scoring, staff

PERMISSIONS: dict[str, list] = {}

ROUTES = {**scoring.ROUTES, **staff.ROUTES}
