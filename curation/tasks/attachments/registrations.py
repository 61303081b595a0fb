"""Removed files are deleted with every sweep."""

from curation.base.process import periodic_jobs
from curation.tasks.attachments.actions import clean_removed

periodic_jobs.register(clean_removed)
