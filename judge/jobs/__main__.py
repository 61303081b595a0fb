"""`python -m judge.jobs KIND NUMBER CLAIM`: one piece of work alone, for `judge.jobs.alone`."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from judge.jobs import alone

    sys.exit(alone.main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
