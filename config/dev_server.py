"""`make run` and `make demo`: the whole product from one command, without other servers.

`make run` prepares `var/` (a secret key, the SQLite database, static files), loads the sample
programme into an empty database, and starts the web server and one background worker. Both are
restarted when they exit; Ctrl-C ends them.
"""

import argparse
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from config.supervisor import Child, Process, stop_all

BASE = Path(__file__).resolve().parent.parent
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104
POLL_SECONDS = 0.3  # between two checks of the child processes


def main() -> int:
    """Run the demo or serve the product; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m config.dev_server")
    parser.add_argument("--demo", action="store_true", help="run headless and end")
    arguments = parser.parse_args()
    var = Path(os.environ.get("VAR_DIR") or BASE / "var")
    if arguments.demo:
        return run_demo(var / "demo")
    return serve(var, os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000"))


def environment(var: Path, host: str, port: str = "8000") -> dict[str, str]:
    """Build the environment of the child processes; variables that are set already win."""
    var.mkdir(parents=True, exist_ok=True)
    chosen = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEBUG": "0",
        "DEMO": "1",
        "HTTPS": "0",
        "VAR_DIR": str(var),
        "ALLOWED_HOSTS": ",".join(["localhost", "127.0.0.1", "[::1]", host]),
        # Links in e-mails lead to this server unless the variable is set.
        "PUBLIC_URL": f"http://{'localhost' if host in ALL_INTERFACES else host}:{port}",
        "SECRET_KEY": own_secret(var / "secret_key"),
    }
    return chosen | dict(os.environ) | {"VAR_DIR": str(var)}


def own_secret(path: Path) -> str:
    """Return the secret key of this installation; the file is created on first use (mode 600)."""
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
    return path.read_text().strip()


def manage(*arguments: str, env: dict[str, str]) -> None:
    """Run a management command; exit with its status if it fails."""
    done = subprocess.run([sys.executable, str(BASE / "manage.py"), *arguments], env=env)
    if done.returncode:
        raise SystemExit(done.returncode)


def serve(var: Path, host: str, port: str) -> int:
    """Prepare everything, then keep web server and worker running until Ctrl-C."""
    if not port.isdigit() or not 0 < int(port) < 65536:
        print(f"PORT must be a number from 1 to 65535, not {port!r}.", file=sys.stderr)
        return 2
    if is_taken(host, int(port)):
        print(
            f"Port {port} is in use. Choose another one: make run PORT={int(port) + 1}",
            file=sys.stderr,
        )
        return 2
    env = environment(var, host, port)
    env.pop("CELERY_BROKER_URL", None)  # without a broker the worker reads the database
    manage("migrate", "--verbosity", "0", env=env)
    manage("collectstatic", "--noinput", "--verbosity", "0", env=env)
    manage("sample_programme", "--if-empty", "--quiet", env=env)
    log = (var / "worker.log").open("ab")
    children: list[Child] = []

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # Handle SIGINT too: a shell without job control starts background processes ignoring it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        web = Child("web server", web_command(host, port), env=env)
        children.append(web)
        worker = Child("worker", worker_command(), env=env, output=log)
        children.append(worker)
        if not wait_for(host, int(port), web.process):
            print("The web server did not start; its messages stand above.", file=sys.stderr)
            return 1
        manage("sample_programme", "--sign-ins", env=env)
        print(f"\n  Assay is at http://{host}:{port}/   (Ctrl-C ends it)\n", flush=True)
        while True:
            for child in children:
                child.restart_if_due()
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        print("\nStopping.", flush=True)
        return 0
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        stop_all([child.process for child in children])


def web_command(host: str, port: str) -> list[str]:
    return [
        sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"{host}:{port}",
        "--config", str(BASE / "gunicorn.conf.py"),
        "--workers", "1", "--threads", "8", "--timeout", "120", "--graceful-timeout", "5",
        # Longer than people pause, so that a request rarely meets a connection being closed.
        "--keep-alive", "75",
        "--no-control-socket", "--log-level", "warning",
    ]  # fmt: skip


def worker_command() -> list[str]:
    """Return the command line of the worker that needs no broker."""
    return [sys.executable, str(BASE / "manage.py"), "work", "--loop"]


def is_taken(host: str, port: int) -> bool:
    """Return whether something accepts connections at this address."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host if host != "0.0.0.0" else "127.0.0.1", port)) == 0  # noqa: S104


def wait_for(host: str, port: int, web: Process) -> bool:
    """Wait up to 30 seconds for the web server; return whether it accepts connections."""
    for _ in range(300):
        if is_taken(host, port):
            return True
        if web.poll() is not None:
            return False
        time.sleep(0.1)
    return False


def run_demo(var: Path) -> int:
    """Run the sample programme through the whole process in a throw-away database."""
    shutil.rmtree(var, ignore_errors=True)
    env = environment(var, "127.0.0.1")
    for name in ("DATABASE_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        env.pop(name, None)  # never use the services this shell is set up for
    env["EMAIL_URL"] = "memorymail://"  # the people of the sample programme do not exist
    manage("migrate", "--verbosity", "0", env=env)
    manage("demo", "--out", str(var), env=env)
    return 0


if __name__ == "__main__":
    sys.exit(main())
