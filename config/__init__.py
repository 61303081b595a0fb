"""The composition root: it imports every app, and no app imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
