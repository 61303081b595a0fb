"""What accounts listen to, and old sign-ins that are forgotten."""

from curation.base.process import periodic_jobs
from curation.joining.accounts import adapter, sign_ins, terms

adapter.listen()
sign_ins.listen()
terms.listen()
periodic_jobs.register(sign_ins.forget_old_sign_ins)
