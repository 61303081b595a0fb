"""What the people of `benchmarks.everyday` do: one method per lane, run again and again."""

import random
import re
import threading
import time
from collections.abc import Callable

from benchmarks.everyday_client import Journal, Person, RefusedError

ROLES = ("author", "author2", "reviewer", "scorer", "senior", "staff", "applicant")
COLLEAGUES = (  # of the author's domain: one of them is drawn for each panel and each review
    *("senior", "reviewer", "scorer", "expert.finance", "expert.finance2", "expert.finance3"),
    *("expert.scoring", "newcomer.finance"),
)
WAIT = 180  # seconds the machine gets for one piece of work, even if the worker is killed meanwhile
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


class Work:
    """The lanes.

    Attributes:
        person: opens a new tab of somebody by name.
        over: set when the time is up.
        count: how many drafts were begun; numbers their cases.
    """

    def __init__(
        self, person: Callable[[str], Person], journal: Journal, over: threading.Event
    ) -> None:
        self.person, self.journal, self.over = person, journal, over
        self.count = 0

    def lanes(self) -> tuple[Callable[[], None], ...]:
        """Return the lanes, which run in parallel."""
        return (self.write_and_review, self.rewrite_a_draft, self.score, self.judge, self.read)

    def wait_for(self, person: Person, address: str, words: str) -> None:
        """Reload a page until it shows these words, which the machine brings about.

        Raises:
            RefusedError: they did not appear within `WAIT` seconds.
        """
        last = time.monotonic() + WAIT
        while words not in person.open(address).text:
            if time.monotonic() > last:
                raise RefusedError(f"{address} never showed “{words}”: {person.page.text[:600]}")
            time.sleep(0.5)

    def write_and_review(self) -> None:
        """Take a prompt from its first word through screening, refining and review."""
        author = self.person("author")
        task, title = self.write(author)
        self.grant_slot(author)
        author.open(f"/tasks/{task}/edit/")
        author.press("Submit for screening")
        self.wait_for(author, f"/tasks/{task}/", "The panel can read it now.")
        self.journal.add("stages", str(task), "screening")
        self.vote(task, title)
        self.wait_for(author, f"/tasks/{task}/", "They are waiting to be refined.")
        self.journal.add("stages", str(task), "refining")
        self.refine(author, task)
        self.journal.add("stages", str(task), "in_review")
        self.approve(task, title)

    def write(self, author: Person) -> tuple[int, str]:
        task, n = self.begin_draft(author, "Stock financing")
        self.save(author, task, n, random.randint(100, 10_000))  # noqa: S311
        return task, f"Stock financing, case {n}"

    def begin_draft(self, author: Person, title: str) -> tuple[int, int]:
        """Begin a draft in finance, or the author's first domain; return ids of task and case."""
        self.count += 1
        n = self.count
        offered = author.open("/tasks/new/").form_with("title").offered.get("domain", {""})
        domain = "finance" if "finance" in offered else min(offered - {""}, default="")
        author.press("Start the draft", title=f"{title}, case {n}", domain=domain)
        return int(re.findall(r"/tasks/(\d+)/", author.page.address)[0]), n

    def save(self, author: Person, task: int, n: int, m: int) -> None:
        """Save the parts of the prompt one after the other, as a person types them."""
        for part, text in PROMPT.items():
            form = author.open(f"/tasks/{task}/edit/").form_with("scenario")
            value = text.format(n=n, m=m)
            if part == "category" and "treasury" in form.offered.get(part, ()):
                value = "treasury"  # a category of finance; authors of another domain choose none
            if author.send(f"/tasks/{task}/save/", form, **{part: value}) and "{" in text:
                self.journal.add("texts", f"{task} {part}", value)

    def grant_slot(self, author: Person) -> None:
        """Grant the author another slot as staff: an hour needs more than three."""
        staff = self.person("staff")
        staff.open("/staff/people/?q=author%40example.test")
        found = next(
            href for _, href in staff.page.links if re.fullmatch(r"/staff/people/\d+/", href)
        )
        staff.open(found)
        reason = "An hour of ordinary use needs more prompts."
        staff.press("Grant the slot", **{"slot-reason": reason})

    def vote(self, task: int, title: str) -> None:
        """Vote to keep the prompt, as the colleague who was drawn for the panel."""
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

    def refine(self, author: Person, task: int) -> None:
        """Add lines up to 15 and send the rubric to review."""
        bench = f"/tasks/{task}/rubric/"
        author.open(bench)
        rows = re.findall(r'id="line-(\d+)"', author.page.html)
        for n in range(max(0, 15 - len(rows))):
            author.open(bench)
            author.press("Add a line", text=f"Names figure {n} of the stock with its unit.")
            author.press("Done, next line", weight=6, importance="important", dimension="accuracy")
        author.open(bench)
        author.press("Send to review", fine=(200, 400))
        if author.has("Send it as it is"):
            author.press("Send it as it is", fine=(200, 400))
        if "In review" not in author.open(f"/tasks/{task}/").text:
            raise RefusedError(f"the rubric of task {task} was not sent: {author.page.text[:600]}")

    def approve(self, task: int, title: str) -> None:
        """Approve every line, as the colleague who was drawn for the review."""
        for name in COLLEAGUES:
            reviewer = self.person(name)
            reviewer.open("/reviews/")
            for address in {h for _, h in reviewer.page.links if re.match(r"/reviews/\d+/", h)}:
                if title in reviewer.open(address).text:
                    self.review(reviewer, task, address.partition("?")[0])
                    return
        raise RefusedError(f"nobody was drawn for the review of task {task}")

    def review(self, reviewer: Person, task: int, review: str) -> None:
        rows = list(dict.fromkeys(re.findall(r'id="line-(\d+)"', reviewer.page.html)))
        for row in rows:
            reviewer.open(f"{review}?line={row}")
            reviewer.press("Approve", inside="verdict-form")
            self.journal.add("verdicts", f"{task} {row}", "approve")
        reviewer.open(review)
        reviewer.press("Finish round 1")
        self.journal.add("stages", str(task), "reviewed")

    def rewrite_a_draft(self) -> None:
        """Write and rewrite a draft, then withdraw it."""
        author = self.person("author2")
        task, n = self.begin_draft(author, "Notes")
        for m in range(8):
            self.save(author, task, n, m)
        author.open(f"/tasks/{task}/withdraw/")
        if author.has("Withdraw"):
            author.press("Withdraw", fine=(200, 400), reason="Another one is better.")

    def score(self) -> None:
        """Score every line of the open sheets again, each with a new reason."""
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
                    self.journal.add("scores", f"{sheet.split('/')[2]} {row}", [met, reason])
        self.over.wait(2)

    def judge(self) -> None:
        """Plan a run as staff, start it, wait for its end and read the reports."""
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
        self.journal.add("runs", str(run), "finished")
        for address in ("/staff/alignment/", "/leaderboard/", "/staff/gold/", "/staff/pipeline/"):
            staff.open(address)

    def read(self) -> None:
        """Open every link of everybody's Home."""
        for name in ROLES:
            reader = self.person(name)
            links = {href for _, href in reader.open("/").links if href.startswith("/")}
            for href in sorted(links - {"/account/logout/"}):
                reader.open(href)
                if self.over.is_set():
                    return
