"""An hour of ordinary use: `make run`, and a script that works in it as all roles.

Several lanes work at once through HTTP, as browsers without scripts do: an author writes prompts
that a panel keeps, reviewers approve and a senior checks; another author writes and rewrites a
draft; a scorer fills a sheet; staff start judge runs and read every report; everybody reads the
pages that their Home links to. With `--kill-every` the worker is killed again and again.

Everything the server has acknowledged is written into a book. At the end every process must be
alive, nothing may wait for the machine, and the database must hold what the book says. No answer
may be a server error.

    python -m benchmarks.everyday [--minutes 60] [--kill-every SECONDS] [--port 8790]

Prints one line of JSON; exit status 1 if anything was lost, failed or dead.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from tests.processes import children_of
from tests.walk.pages import Form, Page

ROOT = Path(__file__).resolve().parent.parent
ROLES = ("author", "author2", "reviewer", "scorer", "senior", "staff", "applicant")
COLLEAGUES = (  # of the author's domain: one of them is drawn for each panel and each review
    *("senior", "reviewer", "scorer", "expert.finance", "expert.finance2", "expert.finance3"),
    *("expert.scoring", "newcomer.finance"),
)
WAIT = 180  # seconds the machine gets for one piece of work, a killed worker included
TEXT = (
    "Case {n}: a wholesaler asks for a line of EUR {n} thousand against stock of EUR {m} thousand. "
)
PROMPT = {
    "category": "",
    "minutes": "60",
    "rate_band": "100_200",
    "change": "static",
    "scenario": "You sit on the credit desk of a savings bank. " + TEXT,
    "materials": TEXT + "The bank lends 60 % on fresh stock and nothing on stock of two seasons.",
    "requirements": "Write a note of at most {m} words with the amount you would lend and why.",
    "reference_answer": TEXT + "Lend 60 % of the fresh stock. Name the discount on old stock.",
}


class RefusedError(Exception):
    """The server answered something else than this step needs."""


class Book:
    """What the server has acknowledged, and what it answered."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: dict[str, dict[str, Any]] = {
            kind: {} for kind in ("texts", "stages", "verdicts", "scores", "runs")
        }
        self.done: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        self.errors: list[str] = []

    def keep(self, kind: str, key: str, value: Any) -> None:
        with self.lock:
            self.kept[kind][key] = value
            self.done[kind] += 1

    def answered(self, status: int, what: str) -> None:
        with self.lock:
            self.answers[status] += 1
            if status >= 500:
                self.errors.append(f"{status} {what}")

    def failed(self, lane: str, problem: BaseException) -> None:
        with self.lock:
            self.errors.append(f"{lane}: {''.join(traceback.format_exception(problem))[-1500:]}")


class Person:
    """Somebody at a browser. Several may share one session, as tabs do."""

    def __init__(self, name: str, base: str, book: Book, cookies: Any = None) -> None:
        self.name, self.base, self.book = name, base, book
        self.http = httpx2.Client(base_url=base, follow_redirects=True, timeout=60, cookies=cookies)
        self.page = Page("", "/", 200)

    def sign_in(self, password: str) -> None:
        self.open("/account/login/")
        self.press("Sign in", login=f"{self.name}@example.test", password=password)
        if self.page.address != "/":
            raise RefusedError(f"{self.name} could not sign in")

    def open(self, address: str) -> Page:
        return self._arrive(self.http.get(address))

    def press(
        self, words: str, *, inside: str = "", fine: tuple[int, ...] = (200,), **fields: Any
    ) -> Page:
        """Fill fields of the form of a button and press it."""
        button = self.page.button(words, inside)
        sent = self._filled(button.form, fields)
        if button.name:
            sent[button.name] = [button.value]
        answer = self.http.post(
            button.action or self.page.address, data=sent,
            headers={"Referer": self.base + self.page.address},
        )  # fmt: skip
        page = self._arrive(answer)
        if page.status not in fine:
            said = page.text.rpartition("Sign out")[2][:600]  # behind the menus
            raise RefusedError(f"{self.name} pressed “{words}”: {page.status} {said}")
        return page

    def send(self, address: str, form: Form, **fields: Any) -> bool:
        """Save in the background, as the page's script does. Returns whether it was taken."""
        answer = self.http.post(
            address, data=self._filled(form, fields),
            headers={"Referer": self.base + self.page.address, "Accept": "application/json"},
        )  # fmt: skip
        self.book.answered(answer.status_code, f"POST {address}")
        return answer.status_code == 200

    def _filled(self, form: Form, fields: dict[str, Any]) -> dict[str, Any]:
        sent: dict[str, Any] = {name: list(values) for name, values in form.values.items()}
        for name, value in fields.items():
            if name in form.values or name in form.offered:
                sent[name] = [str(v) for v in value] if isinstance(value, list) else [str(value)]
        return sent

    def _arrive(self, answer: httpx2.Response) -> Page:
        address = answer.url.raw_path.decode()
        self.book.answered(answer.status_code, f"{answer.request.method} {address}")
        kind = answer.headers.get("content-type", "")
        self.page = Page(answer.text if "html" in kind else "", address, answer.status_code)
        return self.page

    def has(self, words: str) -> bool:
        return any(button.words.startswith(words) for button in self.page.buttons)


class Day:
    """One run of the product and everybody at work in it."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.var = ROOT / "var" / "bench" / "everyday"
        shutil.rmtree(self.var, ignore_errors=True)
        self.var.mkdir(parents=True)
        self.base = f"http://127.0.0.1:{given.port}"
        self.log = (self.var / "run.log").open("w+")
        unset = ("DATABASE_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
        self.env = {name: value for name, value in os.environ.items() if name not in unset}
        self.env |= {"VAR_DIR": str(self.var), "PORT": str(given.port)}
        self.product = subprocess.Popen(
            [sys.executable, "-m", "config.dev_server"],
            cwd=ROOT, env=self.env, stdout=self.log, stderr=self.log,
        )  # fmt: skip
        self.book = Book()
        self.over = threading.Event()
        self.count = 0
        self.kills = 0

    # --- the product -------------------------------------------------------------------------
    def begin(self) -> None:
        """Wait until the product answers, and read the password it prints."""
        for _ in range(WAIT * 5):
            if self.product.poll() is not None:
                raise SystemExit(f"make run ended:\n{self.said()}")
            if "Assay is at" in self.said():
                break
            time.sleep(0.2)
        found = re.search(r"Sign in with the password\s+(\S+)", self.said())
        if found is None:
            raise SystemExit(f"make run printed no password:\n{self.said()}")
        self.cookies = {}
        for name in {*ROLES, *COLLEAGUES}:
            person = Person(name, self.base, self.book)
            person.sign_in(found.group(1))
            self.cookies[name] = person.http.cookies

    def said(self) -> str:
        return Path(self.log.name).read_text()

    def parts(self) -> dict[str, int]:
        """Process numbers of web server and worker, as far as they live."""
        found = {}
        for pid, line in children_of(self.product.pid):
            if "gunicorn" in line:
                found["web"] = pid
            elif "work --loop" in line:
                found["worker"] = pid
        return found

    def person(self, name: str) -> Person:
        """A new tab of somebody who is signed in."""
        return Person(name, self.base, self.book, self.cookies[name])

    # --- lanes -------------------------------------------------------------------------------
    def work(self) -> None:
        """Everybody works until the time is up; then what is under way comes to its end."""
        lanes: tuple[Callable[[], None], ...] = (
            self.write_and_review, self.rewrite_a_draft, self.score, self.judge, self.read,
        )  # fmt: skip
        threads = [threading.Thread(target=self.keep_at, args=(lane,)) for lane in lanes]
        if self.given.kill_every:
            threads.append(threading.Thread(target=self.kill_the_worker))
        for thread in threads:
            thread.start()
        self.over.wait(self.given.minutes * 60)
        self.over.set()
        for thread in threads:
            thread.join()

    def keep_at(self, lane: Callable[[], None]) -> None:
        """One lane, over and over. A step that was refused is no loss, but it is counted."""
        while not self.over.is_set():
            try:
                lane()
                self.book.done[lane.__name__] += 1
            except Exception as problem:
                self.book.failed(lane.__name__, problem)
                self.over.wait(5)

    def kill_the_worker(self) -> None:
        while not self.over.wait(self.given.kill_every):
            worker = self.parts().get("worker")
            if worker is not None:
                os.kill(worker, signal.SIGKILL)
                self.kills += 1

    def until(self, person: Person, address: str, words: str) -> None:
        """Reload a page until it says something; the machine is at work."""
        last = time.monotonic() + WAIT
        while words not in person.open(address).text:
            if time.monotonic() > last:
                raise RefusedError(f"{address} never said “{words}”: {person.page.text[:600]}")
            time.sleep(0.5)

    def write_and_review(self) -> None:
        """A prompt from its first word to the benchmark."""
        author = self.person("author")
        task, title = self.written(author)
        self.give_a_slot(author)
        author.open(f"/tasks/{task}/edit/")
        author.press("Submit for screening")
        self.until(author, f"/tasks/{task}/", "The panel can read it now.")
        self.book.keep("stages", str(task), "screening")
        self.voted(task, title)
        self.until(author, f"/tasks/{task}/", "They wait to be refined.")
        self.book.keep("stages", str(task), "refining")
        self.refined(author, task)
        self.book.keep("stages", str(task), "in_review")
        self.approved(task, title)

    def written(self, author: Person) -> tuple[int, str]:
        task, n = self.drafted(author, "Stock financing")
        self.save(author, task, n, random.randint(100, 10_000))  # noqa: S311
        return task, f"Stock financing, case {n}"

    def drafted(self, author: Person, title: str) -> tuple[int, int]:
        """A new draft in the author's first domain: the task's and the case's number."""
        self.count += 1
        n = self.count
        offered = author.open("/tasks/new/").form_with("title").offered.get("domain", {""})
        domain = "finance" if "finance" in offered else min(offered - {""}, default="")
        author.press("Start the draft", title=f"{title}, case {n}", domain=domain)
        return int(re.findall(r"/tasks/(\d+)/", author.page.address)[0]), n

    def save(self, author: Person, task: int, n: int, m: int) -> None:
        """Save every part of the prompt, one after the other, as somebody types."""
        for part, text in PROMPT.items():
            form = author.open(f"/tasks/{task}/edit/").form_with("scenario")
            value = text.format(n=n, m=m)
            if part == "category" and "treasury" in form.offered.get(part, ()):
                value = "treasury"  # of finance; an author of another domain chooses none
            if author.send(f"/tasks/{task}/save/", form, **{part: value}) and "{" in text:
                self.book.keep("texts", f"{task} {part}", value)

    def give_a_slot(self, author: Person) -> None:
        """Staff give the author another slot, since an hour needs more than three."""
        staff = self.person("staff")
        staff.open("/staff/people/?q=author%40example.test")
        found = next(
            href for _, href in staff.page.links if re.fullmatch(r"/staff/people/\d+/", href)
        )
        staff.open(found)
        reason = "An hour of ordinary use needs more prompts."
        staff.press("Grant the slot", **{"slot-reason": reason})

    def voted(self, task: int, title: str) -> None:
        """Whoever was drawn for the panel votes to keep the prompt."""
        for name in COLLEAGUES:
            member = self.person(name)
            if title in member.open("/screening/").text:
                member.open(f"/screening/{task}/")
                member.press(
                    "Cast your vote", difficult="yes", representative="yes", gradable="yes",
                    decision="keep", reasons="Typical of the desk, and its figures can be checked.",
                )  # fmt: skip
                return
        raise RefusedError(f"nobody was drawn for the panel of task {task}")

    def refined(self, author: Person, task: int) -> None:
        """Sharpen one line, add what is missing, send the rubric to review."""
        bench = f"/tasks/{task}/rubric/"
        author.open(bench)
        rows = re.findall(r'id="line-(\d+)"', author.page.html)
        for n in range(max(0, 15 - len(rows))):
            author.open(bench)
            author.press("Add a line", text=f"Names figure {n} of the stock with its unit.")
            author.press("Done, next line", weight=6, importance="important", dimension="accuracy")
        author.open(bench)
        author.press("Send to review", fine=(200, 400))
        if author.has("Send them as drafted"):
            author.press("Send them as drafted", fine=(200, 400))
        if "In review" not in author.open(f"/tasks/{task}/").text:
            raise RefusedError(f"the rubric of task {task} was not sent: {author.page.text[:600]}")

    def approved(self, task: int, title: str) -> None:
        """Whoever was drawn for the review approves every line."""
        for name in COLLEAGUES:
            reviewer = self.person(name)
            reviewer.open("/reviews/")
            for address in {h for _, h in reviewer.page.links if re.match(r"/reviews/\d+/", h)}:
                if title in reviewer.open(address).text:
                    self.reviewed(reviewer, task, address.partition("?")[0])
                    return
        raise RefusedError(f"nobody was drawn for the review of task {task}")

    def reviewed(self, reviewer: Person, task: int, review: str) -> None:
        rows = list(dict.fromkeys(re.findall(r'id="line-(\d+)"', reviewer.page.html)))
        for row in rows:
            reviewer.open(f"{review}?line={row}")
            reviewer.press("Approve", inside="verdict-form")
            self.book.keep("verdicts", f"{task} {row}", "approve")
        reviewer.open(review)
        reviewer.press("Finish round 1")
        self.book.keep("stages", str(task), "reviewed")

    def rewrite_a_draft(self) -> None:
        """An author who writes and rewrites a draft that is never sent."""
        author = self.person("author2")
        task, n = self.drafted(author, "Notes")
        for m in range(8):
            self.save(author, task, n, m)
        author.open(f"/tasks/{task}/withdraw/")
        if author.has("Withdraw"):
            author.press("Withdraw", fine=(200, 400), reason="Another one is better.")

    def score(self) -> None:
        """A scorer who goes through the open sheet again and gives every line another reason."""
        scorer = self.person("scorer")
        sheets = {h for _, h in scorer.open("/scoring/").links if re.fullmatch(r"/sheets/\d+/", h)}
        for sheet in sorted(sheets):
            if "Submit" not in scorer.open(sheet).text:
                continue
            for row in dict.fromkeys(re.findall(r'id="line-(\d+)"', scorer.page.html)):
                page = scorer.open(f"{sheet}?line={row}")
                address = f"{sheet}lines/{row}/"
                form = next((f for f in page.forms if f.action == address), None)
                if form is None:
                    continue
                met = random.choice(["true", "false"])  # noqa: S311
                reason = f"Read again: {random.randint(1, 10**9)}."  # noqa: S311
                if scorer.send(address, form, met=met, rationale=reason):
                    self.book.keep("scores", f"{sheet.split('/')[2]} {row}", [met, reason])
        self.over.wait(2)

    def judge(self) -> None:
        """Staff plan a run, start it, wait for its end and read the reports."""
        staff = self.person("staff")
        staff.open("/staff/runs/new/")
        method = random.choice(["one_shot", "zero_shot"])  # noqa: S311
        staff.press("Plan the run", method=method, provider="offline")
        run = int(re.findall(r"/staff/runs/(\d+)/", staff.page.address)[0])
        start = next((b.words for b in staff.page.buttons if b.words.startswith("Start")), "")
        if start:
            staff.press(start)
        last = time.monotonic() + WAIT
        while "Finished" not in staff.open(f"/staff/runs/{run}/").text:
            if time.monotonic() > last:
                raise RefusedError(f"run {run} did not end: {staff.page.text[:600]}")
            time.sleep(0.5)
        self.book.keep("runs", str(run), "finished")
        for address in ("/staff/alignment/", "/leaderboard/", "/staff/gold/", "/staff/pipeline/"):
            staff.open(address)

    def read(self) -> None:
        """Everybody reads what their Home and their places link to."""
        for name in ROLES:
            reader = self.person(name)
            links = {href for _, href in reader.open("/").links if href.startswith("/")}
            for href in sorted(links - {"/account/logout/"}):
                reader.open(href)
                if self.over.is_set():
                    return

    # --- the end -----------------------------------------------------------------------------
    def close(self) -> dict[str, Any]:
        """Let the worker finish, look at the processes, compare the database with the book."""
        last = time.monotonic() + WAIT
        while len(self.parts()) < 2 and time.monotonic() < last:
            time.sleep(1)
        ready = httpx2.get(f"{self.base}/readyz", timeout=30).status_code
        alive = sorted(self.parts()) if self.product.poll() is None else []
        self.product.send_signal(signal.SIGINT)
        ended = self.product.wait(timeout=60)
        lost = self.compared()
        return {
            "minutes": self.given.minutes, "kills": self.kills, "alive": alive, "ready": ready,
            "ended": ended, "done": dict(self.book.done), "answers": dict(self.book.answers),
            "lost": lost, "errors": self.book.errors,
        }  # fmt: skip

    def compared(self) -> list[str]:
        """What the book says and the database does not hold."""
        book = self.var / "book.json"
        book.write_text(json.dumps(self.book.kept))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.everyday_book", str(book)],
            cwd=ROOT, env=self.env | {"DEBUG": "1"}, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            return [done.stderr[-2000:]]
        lost: list[str] = json.loads(done.stdout.splitlines()[-1])
        return lost


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--kill-every", type=float, default=0, help="seconds; 0: never")
    parser.add_argument("--port", type=int, default=8790)
    day = Day(parser.parse_args())
    try:
        day.begin()
        day.work()
        found = day.close()
    finally:
        if day.product.poll() is None:
            day.product.kill()
    print(json.dumps(found))
    fine = found["alive"] == ["web", "worker"] and found["ready"] == 200
    return 0 if fine and not found["lost"] and not found["errors"] else 1


if __name__ == "__main__":
    sys.exit(main())
