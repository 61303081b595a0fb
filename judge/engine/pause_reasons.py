"""Why a run is paused or stopped, in English with blanks; readers get it in their language."""

from django.utils.translation import gettext_noop

NO_ANSWER = gettext_noop("Paused: %(n)s responses in a row brought no answer (%(code)s).")
REFUSED = gettext_noop("Paused: %(provider)s refuses the calls. %(detail)s")
BY_HAND = gettext_noop("Paused by hand. Continue it with --resume %(run)s.")
NO_BATCH = gettext_noop("Paused: %(provider)s refused a batch. %(detail)s")
NO_CALL_LEFT = gettext_noop("Stopped: the limit on calls (%(n)s) is used up.")
NO_MONEY_LEFT = gettext_noop("Stopped: the budget of $%(budget)s has no room for another call.")
