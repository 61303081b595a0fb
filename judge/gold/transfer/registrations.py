"""What imports give to the nouns below."""

from curation.base.process import periodic_jobs
from curation.joining.notices import notify
from judge.gold.transfer import import_notices
from judge.gold.transfer.import_work import forget_uploads

notify.register(*import_notices.KINDS)
periodic_jobs.register(forget_uploads)
