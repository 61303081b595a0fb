"""The settings of curation, and changes of duties in the audit."""

from curation.staff.programme_settings import declared, duties, own
from curation.telling.activity import audit

declared.register(*own.SOURCES)
audit.register(duties.SOURCE)
