"""Typed readers of environment variables. An unusable value stops the start with a sentence."""

import os
import secrets
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_DEVELOPMENT_SECRET = "only-for-this-machine-never-for-a-server-" + "0" * 24
_LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]
PROVIDERS = ("openai", "anthropic", "offline")  # as `judge.asking.providers` knows them
_BROKERS = ("redis", "rediss", "sentinel", "amqp", "amqps", "pyamqp")
_WEAK_SECRETS = {"", "changeme", "secret", "insecure", _DEVELOPMENT_SECRET}


def text(name: str, default: str) -> str:
    """Return the variable's text; the default where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def csv_list(name: str, default: list[str]) -> list[str]:
    """Read a comma-separated list."""
    raw = os.environ.get(name, "").strip()
    return [part.strip() for part in raw.split(",") if part.strip()] if raw else default


def flag(name: str, default: bool) -> bool:
    """Read 1/true/yes/on or 0/false/no/off; refuse anything else."""
    raw = os.environ.get(name, "").strip().lower()
    if not raw:
        return default
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def integer(name: str, default: int, *, low: int, high: int) -> int:
    """Read a whole number from `low` to `high`, both included."""
    raw = os.environ.get(name, "").strip()
    try:
        value = int(raw) if raw else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from None
    if not low <= value <= high:
        raise ImproperlyConfigured(f"{name} must lie between {low} and {high}, not {value}.")
    return value


def fraction(name: str, default: float) -> float:
    """Read a number from 0 to 1."""
    raw = os.environ.get(name, "").strip()
    if not raw:
        return default
    try:
        value = float(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number from 0 to 1, not {raw!r}.") from None
    if not 0 <= value <= 1:
        raise ImproperlyConfigured(f"{name} must be a number from 0 to 1, not {raw}.")
    return value


def networks(name: str) -> list[str]:
    """Read a list of networks such as 10.1.0.0/16 or 127.0.0.1."""
    found = []
    for raw in csv_list(name, []):
        try:
            found.append(str(ip_network(raw)))
        except ValueError:
            raise ImproperlyConfigured(
                f"{name} must list networks such as 10.1.0.0/16 or 127.0.0.1, not {raw!r}."
            ) from None
    return found


def models(name: str) -> list[str]:
    """Read a list of models as provider:model.

    A wrong name is refused here rather than when the first task needs the model.
    """
    named = csv_list(name, [])
    for spec in named:
        provider, _colon, model = (part.strip() for part in spec.partition(":"))
        if provider not in PROVIDERS or not (model or provider == "offline"):
            raise ImproperlyConfigured(
                f"{name} must name a model as provider:model, such as openai:MODEL, not {spec!r}. "
                f"Providers: {', '.join(PROVIDERS)}."
            )
    return named


def model(name: str) -> str:
    """Read one model as provider:model; "" if it is unset."""
    named = models(name)
    if len(named) > 1:
        raise ImproperlyConfigured(f"{name} must name one model, not {len(named)}.")
    return named[0] if named else ""


def email(name: str) -> tuple[str, dict[str, Any]]:
    """Return the mail server's URL and Django's settings for it; by default e-mails are printed."""
    url = text(name, "consolemail://")
    try:
        return url, environ.Env.email_url_config(url)
    except (ImproperlyConfigured, ValueError, KeyError):  # their messages may hold the password
        raise ImproperlyConfigured(
            f"{name} must be an address such as smtp://user:password@host:587/?tls=True."
        ) from None


def broker(name: str) -> str:
    """Read the broker's URL; "" without a broker, where the worker reads the database."""
    url = text(name, "")
    if url and url.partition("://")[0] not in _BROKERS:
        raise ImproperlyConfigured(
            f"{name} must be an address such as redis://host:6379/0, or unset: without a broker "
            "the worker (manage.py work --loop) reads the database."
        )
    return url


def origin(name: str, default: str) -> str:
    """Read an origin without a path, such as https://assay.example.org."""
    raw = text(name, default).rstrip("/")
    if not raw:
        return raw
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        raise ImproperlyConfigured(
            f"{name} must be an address such as https://assay.example.org, not {raw!r}."
        )
    return raw


def guess_origin(hosts: list[str], *, https: bool, own_machine: bool) -> str:
    """Guess the origin at which people open the product; "" where that is impossible."""
    if own_machine:
        return f"http://127.0.0.1:{text('PORT', '8000')}"
    host = hosts[0] if hosts else ""
    if not host or host.startswith((".", "*")):
        return ""
    return f"{'https' if https else 'http'}://{host}"


def is_collecting_static() -> bool:
    """Return whether `collectstatic` runs, as in the build of an image: it serves no request."""
    return "collectstatic" in sys.argv


def is_printing_help() -> bool:
    """Return whether `manage.py` only prints help or its version, which needs no settings."""
    words = sys.argv[1:]
    return Path(sys.argv[0]).name == "manage.py" and (
        not words
        or words[0] in ("help", "version")
        or not {"-h", "--help", "--version"}.isdisjoint(words)
    )


def secret_key(name: str, *, debug: bool, own: Path) -> str:
    """Return the signing key. With DEBUG it defaults to a fixed one; a server must set its own.

    Args:
        own: the file in which `make run` stored this installation's key.
    """
    value = os.environ.get(name, "").strip()
    if debug:
        return value or _DEVELOPMENT_SECRET
    if not value and own.exists():
        value = own.read_text().strip()
    if not value and is_printing_help():
        return secrets.token_urlsafe(48)  # for this process only
    if value.lower() in _WEAK_SECRETS or len(value) < 32:
        raise ImproperlyConfigured(
            f"{name} is missing or too weak. On your own machine run `make run` once, or put "
            "DEBUG=1 before the command. On a server set it to at least 32 random characters, for "
            "example the output of: python -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    return value


def refuse_debug_in_public(hosts: list[str]) -> None:
    """Refuse DEBUG with public host names: its error pages show source code and settings."""
    public = [h for h in hosts if h.strip("[]") not in {*_LOCAL, "testserver"}]
    if public:
        raise ImproperlyConfigured(
            f"DEBUG=1 together with ALLOWED_HOSTS={','.join(public)} would show the source to "
            "strangers. Unset DEBUG on a server."
        )


def database(name: str, sqlite_path: Path) -> dict[str, Any]:
    """Return Django's database settings for a URL; without one, for SQLite.

    On SQLite, IMMEDIATE transactions take the write lock when they begin, so that a
    read-modify-write never fails half-way with "database is locked"; WAL lets readers continue.
    """
    url = os.environ.get(name, "").strip()
    try:
        config: dict[str, Any] = (
            environ.Env.db_url_config(url)
            if url
            else {"ENGINE": "django.db.backends.sqlite3", "NAME": str(sqlite_path)}
        )
    except Exception as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from None
    engine = config.get("ENGINE", "")
    options = config.setdefault("OPTIONS", {})
    if engine.endswith("sqlite3"):
        options.update(
            transaction_mode="IMMEDIATE",
            timeout=20,
            init_command=(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-20000;"
            ),
        )
        config["CONN_MAX_AGE"] = None  # opening a connection costs more than a query
    elif "postgresql" in engine:
        options["pool"] = {
            "min_size": 1,
            "max_size": integer("DATABASE_POOL", 16, low=1, high=200),
            "timeout": 5,  # seconds a request waits at most while the server is down
        }
        options["server_side_binding"] = True  # else psycopg quotes all values in Python
        config["CONN_MAX_AGE"] = 0
        config["ENGINE"] = "config.postgresql"
    else:
        raise ImproperlyConfigured(f"{name} must name a PostgreSQL or SQLite database.")
    return config


def broker_options(url: str) -> dict[str, Any]:
    """Return the options with which a killed worker loses no message (see docs/operators).

    Publishing gives up quickly, so that no page waits for a broker that is down; the next sweep
    finds the row.
    """
    publishing = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
    if url.startswith(("redis", "sentinel")):
        return publishing | {
            "connect_retries_timeout": 1,
            "socket_connect_timeout": 1,
            "socket_timeout": 3,
            "visibility_timeout": 3600,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
        }
    return publishing if url else {}
