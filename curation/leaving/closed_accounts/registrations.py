"""Steps on many accounts."""

from curation.base.lists.bulk import register_steps
from curation.leaving.closed_accounts import bulk_steps

register_steps("people", *bulk_steps.STEPS)
