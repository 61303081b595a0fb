"""With the broker away people sign in and submit as before, and readiness names it."""

import json
import subprocess
import sys

import pytest

from curation.tasks.task.models import Task
from tests.conftest import PASSWORD
from tests.processes import database_url

pytestmark = pytest.mark.django_db(transaction=True)

# What a visitor does, in a process whose broker is at an address where nothing listens.
CODE = """
import json, sys
import django
django.setup()
from django.test import Client
from django.urls import reverse
from judge.base.queue.send import send

client = Client()
email, password, task = sys.argv[1:]
signed_in = client.post(reverse("account_login"), {"login": email, "password": password})
client.get("/")
sent = send("probe_task", int(task))
ready = Client().get("/readyz")
print(json.dumps({"sign_in": signed_in.status_code, "home": client.get("/").status_code,
    "sent": sent, "ready": ready.status_code, "missing": ready.json()["missing"]}))
"""


def test_sign_in_works_publishing_gives_up_and_readiness_names_the_broker(
    author, finance, settings, tmp_path
):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]  # as served
    author.set_password(PASSWORD)
    author.save(update_fields=["password"])
    task = Task.objects.create(key="t", author=author, domain=finance, title="A", stage="submitted")
    done = subprocess.run(
        [sys.executable, "-c", CODE, author.email, PASSWORD, str(task.pk)],
        cwd=settings.BASE_DIR,
        env={
            "DEBUG": "1",
            "PATH": "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(tmp_path),
            "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
            "ALLOWED_HOSTS": "testserver,localhost",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["sign_in"], found["home"]) == (302, 200)
    assert found["sent"] is False
    assert found["ready"] == 503
    assert "broker" in found["missing"]
