"""Exams whose time is over are closed with every sweep."""

from curation.base.process import periodic_jobs
from curation.qualifying.exams.actions import close_overdue

periodic_jobs.register(close_overdue)
