"""Typed readers of environment variables. Nonsense stops the start with a plain sentence."""

import os
import secrets
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_DEVELOPMENT_SECRET = "only-for-this-machine-never-for-a-server-" + "0" * 24
_LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]
PROVIDERS = ("openai", "anthropic", "offline")  # as `judge.providers` knows them
_BROKERS = ("redis", "rediss", "sentinel", "amqp", "amqps", "pyamqp")
_WEAK_SECRETS = {"", "changeme", "secret", "insecure", _DEVELOPMENT_SECRET}


def text(name: str, default: str) -> str:
    """The variable's text, or the default where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def words(name: str, default: list[str]) -> list[str]:
    """A comma-separated list."""
    raw = os.environ.get(name, "").strip()
    return [part.strip() for part in raw.split(",") if part.strip()] if raw else default


def flag(name: str, default: bool) -> bool:
    """1/true/yes/on or 0/false/no/off; anything else is refused."""
    raw = os.environ.get(name, "").strip().lower()
    if not raw:
        return default
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def whole(name: str, default: int, *, low: int, high: int) -> int:
    """A whole number between low and high."""
    raw = os.environ.get(name, "").strip()
    try:
        value = int(raw) if raw else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from None
    if not low <= value <= high:
        raise ImproperlyConfigured(f"{name} must lie between {low} and {high}, not {value}.")
    return value


def share(name: str, default: float) -> float:
    """A share between 0 and 1."""
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


def models(name: str) -> list[str]:
    """Models to ask, as provider:model. A wrong one would be told when the first task waits."""
    named = words(name, [])
    for spec in named:
        provider, _colon, model = (part.strip() for part in spec.partition(":"))
        if provider not in PROVIDERS or not (model or provider == "offline"):
            raise ImproperlyConfigured(
                f"{name} must name a model as provider:model, such as openai:MODEL, not {spec!r}. "
                f"Providers: {', '.join(PROVIDERS)}."
            )
    return named


def model(name: str) -> str:
    """One model, or an empty text."""
    named = models(name)
    if len(named) > 1:
        raise ImproperlyConfigured(f"{name} must name one model, not {len(named)}.")
    return named[0] if named else ""


def email(name: str) -> tuple[str, dict[str, Any]]:
    """The address of the mail server and Django's settings for it; e-mails are printed without."""
    url = text(name, "consolemail://")
    try:
        return url, environ.Env.email_url_config(url)
    except (ImproperlyConfigured, ValueError, KeyError):  # never with the password in it
        raise ImproperlyConfigured(
            f"{name} must be an address such as smtp://user:password@host:587/?tls=True."
        ) from None


def broker(name: str) -> str:
    """The address of the broker; empty without one, and then the worker reads the database."""
    url = text(name, "")
    if url and url.partition("://")[0] not in _BROKERS:
        raise ImproperlyConfigured(
            f"{name} must be an address such as redis://host:6379/0, or unset: without a broker "
            "the worker (manage.py work --loop) reads the database."
        )
    return url


def origin(name: str, default: str) -> str:
    """An address without a path, such as https://assay.example.org."""
    raw = text(name, default).rstrip("/")
    if not raw:
        return raw
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        raise ImproperlyConfigured(
            f"{name} must be an address such as https://assay.example.org, not {raw!r}."
        )
    return raw


def guessed_origin(hosts: list[str], *, https: bool, own_machine: bool) -> str:
    """Where the product is probably opened; empty where that cannot be guessed."""
    if own_machine:
        return f"http://127.0.0.1:{text('PORT', '8000')}"
    host = hosts[0] if hosts else ""
    if not host or host.startswith((".", "*")):
        return ""
    return f"{'https' if https else 'http'}://{host}"


def building() -> bool:
    """True while files are collected for an image: no request is served then."""
    return "collectstatic" in sys.argv


def only_helping() -> bool:
    """True while a command only says what it does: nothing is served, signed or read then."""
    words = sys.argv[1:]
    return Path(sys.argv[0]).name == "manage.py" and (
        not words
        or words[0] in ("help", "version")
        or not {"-h", "--help", "--version"}.isdisjoint(words)
    )


def secret_key(name: str, *, debug: bool, own: Path) -> str:
    """The signing secret. With DEBUG a fixed one will do; a server must bring its own.

    Args:
        own: the secret that `make run` made for this installation; commands beside it use it.
    """
    value = os.environ.get(name, "").strip()
    if debug:
        return value or _DEVELOPMENT_SECRET
    if not value and own.exists():
        value = own.read_text().strip()
    if not value and only_helping():
        return secrets.token_urlsafe(48)  # of this process alone
    if value.lower() in _WEAK_SECRETS or len(value) < 32:
        raise ImproperlyConfigured(
            f"{name} is missing or too weak. On your own machine run `make run` once, or put "
            "DEBUG=1 before the command. On a server set it to at least 32 random characters, for "
            "example the output of: python -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    return value


def refuse_debug_in_public(hosts: list[str]) -> None:
    """DEBUG shows source code and settings to whoever meets an error: own machine only."""
    public = [h for h in hosts if h.strip("[]") not in {*_LOCAL, "testserver"}]
    if public:
        raise ImproperlyConfigured(
            f"DEBUG=1 together with ALLOWED_HOSTS={','.join(public)} would show the source to "
            "strangers. Unset DEBUG on a server."
        )


def database(name: str, sqlite_path: Path) -> dict[str, Any]:
    """Django's database settings from a URL; without one, SQLite made safe for many writers.

    IMMEDIATE transactions take the write lock when they begin, so that a read-modify-write can
    never fail half-way with "database is locked"; WAL lets readers go on meanwhile.
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
        config["CONN_MAX_AGE"] = None  # opening the file and its PRAGMAs costs more than a query
    elif "postgresql" in engine:
        options["pool"] = {
            "min_size": 1,
            "max_size": whole("DATABASE_POOL", 16, low=1, high=200),
            "timeout": 5,  # seconds; while the server is away nobody waits longer for an answer
        }
        config["CONN_MAX_AGE"] = 0
        config["ENGINE"] = "config.postgresql"
    else:
        raise ImproperlyConfigured(f"{name} must name a PostgreSQL or SQLite database.")
    return config


def broker_options(url: str) -> dict[str, Any]:
    """What each broker needs so that a killed worker loses no message (see docs/operators).

    Publishing gives up at once: nobody's page waits for a broker that is away, and the next sweep
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
