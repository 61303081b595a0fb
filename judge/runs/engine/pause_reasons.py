"""Why a run is paused or stopped, in English with blanks; readers get it in their language."""

from django.utils.translation import gettext_noop

from judge.asking.providers.base import ErrorKind

NO_ANSWER = gettext_noop("Paused: %(n)s responses in a row brought no answer (%(code)s).")
NO_CONNECTION = gettext_noop("Paused before any response failed. %(provider)s: %(detail)s")
REFUSED = gettext_noop("Paused: %(provider)s refuses the calls. %(detail)s")
UNKNOWN_MODEL = gettext_noop("Paused: %(provider)s does not serve “%(model)s”. %(detail)s")
BAD_REQUEST = gettext_noop("Paused: %(provider)s refuses the request as it is put. %(detail)s")
WAITS = gettext_noop(
    "Paused until %(until)s, because %(provider)s takes no calls until then. The run will resume "
    "by itself. %(detail)s"
)
OF_REFUSAL = {
    ErrorKind.AUTH: REFUSED,
    ErrorKind.UNKNOWN_MODEL: UNKNOWN_MODEL,
    ErrorKind.CONNECTION: NO_CONNECTION,
    ErrorKind.BAD_REQUEST: BAD_REQUEST,
}
NO_SOURCE = gettext_noop(
    "Paused: the source of documents cannot be read (%(detail)s). No response has failed. Mend "
    "the source, then continue the run."
)
BROKE = gettext_noop("Paused: %(problem)s")
BY_HAND = gettext_noop("Paused by hand. Continue it with --resume %(run)s.")
ENDED_ITS_WORKERS = gettext_noop(
    "Put aside: the run ended its worker, and ended it again when it ran alone. The page of jobs "
    "has the details. Continue the run to try once more."
)
NO_BATCH = gettext_noop("Paused: %(provider)s refused a batch. %(detail)s")
NO_CALL_LEFT = gettext_noop("Stopped: the limit on calls (%(n)s) is used up.")
NO_MONEY_LEFT = gettext_noop("Stopped: the budget of $%(budget)s has no room for another call.")
