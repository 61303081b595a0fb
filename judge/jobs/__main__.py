"""`python -m judge.jobs KIND NUMBER CLAIM`: one piece of work alone, for `judge.jobs.alone`."""

import os
import sys
import traceback

import django

from judge.base.queue.exit_statuses import BROKE

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        django.setup()
        from judge.jobs import alone

        status = alone.main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    except Exception:  # else Python's own status, that of a frozen process
        traceback.print_exc()
        status = BROKE
    sys.exit(status)
