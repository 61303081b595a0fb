"""What invitations give to the nouns below."""

from curation.base.process import periodic_jobs
from curation.base.process.periodic_jobs import Phase
from curation.joining import people
from curation.joining.invitations import mailing
from curation.joining.invitations.queries import referred_by_link

people.register(referred_by_link)
periodic_jobs.register(mailing.send_waiting, phase=Phase.SEND)
