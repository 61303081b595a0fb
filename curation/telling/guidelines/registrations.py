"""What guidelines and announcements tell people."""

from curation.base.process import periodic_jobs
from curation.joining.notices import notify
from curation.telling.guidelines import notices
from curation.telling.guidelines.announcement_actions import tell_due_announcements

notify.register(*notices.KINDS)
periodic_jobs.register(tell_due_announcements)
