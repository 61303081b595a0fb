"""What staff's pages on people give to the nouns below."""

from curation.base.lists.bulk import register_steps
from curation.qualifying.experts import bulk_steps, record
from curation.qualifying.experts.record_queries import facts

record.register(facts)
register_steps("people", *bulk_steps.STEPS)
