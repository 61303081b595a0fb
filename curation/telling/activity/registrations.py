"""The trail of tasks, the audit, the words of notices, and reminders."""

from curation.base.process import periodic_jobs
from curation.base.process.periodic_jobs import Phase
from curation.joining.notices import notify
from curation.telling.activity import audit, notice_kinds, notify_people, reminders, trail
from curation.telling.activity.audit_sources import AUDIT_SOURCES
from curation.telling.activity.task_trail import task_trail

trail.register(task_trail)
audit.register(*AUDIT_SOURCES)
notify.register(*notice_kinds.KINDS)
notify_people.connect()
periodic_jobs.register(reminders.remind_people, phase=Phase.REMIND)
