"""What every answer tells a browser, and does not tell a stranger."""

import runpy

import gunicorn
import pytest
from django.conf import settings
from django.test import Client

from config.dev_server import web_command


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/account/login/", "/healthz", "/staff/runs/", "/no-such-page/"]
)
def test_no_page_may_use_a_device_and_ours_use_passkeys_and_the_clipboard(address):
    said = Client().get(address)["Permissions-Policy"]
    for denied in ("camera", "microphone", "geolocation", "payment", "usb"):
        assert f"{denied}=()" in said
    for ours in ("publickey-credentials-get", "publickey-credentials-create", "clipboard-write"):
        assert f"{ours}=(self)" in said


def test_the_server_does_not_name_its_software(monkeypatch):
    monkeypatch.setattr(gunicorn, "SERVER", gunicorn.SERVER)
    file = str(settings.BASE_DIR / "gunicorn.conf.py")
    assert file in web_command("127.0.0.1", "8000")
    runpy.run_path(file)
    assert gunicorn.SERVER == "web"
