"""A prompt and its rubric: written, screened, refined, reviewed, checked."""

from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.walk import texts
from tests.walk.people import Person, number_in, the_machine_works


def writes_and_submits(
    author: Person, stranger: Person, files: Mapping[str, bytes] | None = None
) -> int:
    """A draft, saved while it is typed, then submitted; returns the task's number."""
    author.open("/tasks/new/")
    author.press("Start the draft")
    author.sees("Draft started.")
    task = number_in(author.page.address)
    for part in ("scenario", "materials"):
        author.open(f"/tasks/{task}/edit/")
        saved = author.autosave(f"/tasks/{task}/save/", **{part: texts.TASK[part]})
        assert saved["saved_at"]
    author.open(f"/tasks/{task}/edit/")
    for name, content in (files or {}).items():
        author.press("Add file", file=SimpleUploadedFile(name, content))
        author.sees(f"Added: {name}.")
    author.press("Submit for screening", expect=400)
    author.sees("Not submitted.", "things are missing")
    author.sees("Write the reference answer you would stand behind.")

    stranger.is_refused(f"/tasks/{task}/", 404)
    stranger.is_refused(f"/tasks/{task}/edit/", 404)
    author.open(f"/tasks/{task}/edit/")
    author.press("Submit for screening", **texts.TASK)
    author.open(f"/tasks/{task}/")
    author.sees("Submitted", "It takes slot 1.")

    the_machine_works()
    author.open(f"/tasks/{task}/")
    author.sees("Screening", "The panel can read it now.")
    return task


def lets_members_come_forward(staff: Person, **rules: int) -> None:
    """Places of this domain's panels are taken, not drawn: the walk knows who takes one."""
    staff.open("/staff/screening/rules/finance/")
    staff.press("Set the rules", draw=[], **rules)
    staff.sees("Members are drawn")


def is_kept_by_the_panel(
    task: int, member: Person, author: Person, *, probed: str = "the programme has no model"
) -> None:
    author.is_refused(f"/screening/{task}/", 403)
    member.open("/screening/")
    member.sees(texts.TASK["title"], "Free places on panels")
    member.press("Take a place")
    member.open(f"/screening/{task}/")
    member.sees("Author hidden", probed, "No similar task is recorded.")
    member.sees_nothing_of(author.email)
    member.press(
        "Cast your vote",
        difficult="yes",
        representative="yes",
        gradable="yes",
        decision="keep",
        reasons="The trap is the date of the test; models miss it.",
    )
    member.sees("Your vote is in. The panel keeps the prompt; its rubric comes next.")
    author.open(f"/tasks/{task}/")
    author.sees("Drafting the rubric", "Accepted by the panel.")

    the_machine_works()
    author.open(f"/tasks/{task}/")
    author.sees("Refining", "They are waiting to be refined.")
    author.open("/")
    author.sees(texts.TASK["title"])


def lines_on(page: Any) -> list[str]:
    """The ids of the lines, in order."""
    return [part.split('"')[0] for part in page.html.split('id="line-') if part[:1].isdigit()]


def refines_the_rubric(task: int, author: Person) -> None:
    bench = f"/tasks/{task}/rubric/"
    author.open(bench)
    author.sees("or confirm it with")
    rows = [row for row in lines_on(author.page) if row.isdigit()]
    author.open(f"{bench}?line={rows[0]}")
    author.press("Done, next line", **texts.REFINED)
    author.open(f"{bench}?line={rows[0]}")
    assert author.page.form_with("weight").values["weight"] == ["9"]
    author.sees(texts.REFINED["text"], "edited")
    if len(rows) < 15:
        author.press("Send to review", expect=400)
        author.sees("A rubric has at least 15 lines")
    for text in texts.MORE_LINES[: max(3, 15 - len(rows))]:
        author.press("Add a line", text=text)
        author.press("Done, next line", weight=6, importance="important", dimension="accuracy")
    author.press("Send to review", expect=400)  # some drafted lines were never opened
    author.press("Send it as it is")
    author.sees("Sent. You will hear from your reviewer when every line has a verdict.")
    author.open(f"/tasks/{task}/")
    author.sees("In review", "The rubric was sent to review.", "Reviewer 1 has the rubric.")


def asks_for_one_change(task: int, reviewer: Person, author: Person) -> str:
    """Every line approved but the first; returns the address of the review."""
    reviewer.open("/reviews/")
    reviewer.sees(texts.TASK["title"], "round 1")
    reviewer.follow("Start")
    review = reviewer.page.address
    author.is_refused(review, 404)
    reviewer.sees_nothing_of(author.email)
    rows = [row for row in lines_on(reviewer.page) if row.isdigit()]
    reviewer.open(f"{review}?line={rows[0]}")
    reviewer.press("Request change", aspect="clarity", expect=400)
    reviewer.open(f"{review}?line={rows[0]}")
    reviewer.press("Request change", aspect="clarity", comment="Which two figures is it made of?")
    reviewer.sees("Line 1: change requested.")
    reviewer.press("Finish round 1")
    reviewer.sees("lines have no verdict yet")
    for row in rows[1:]:
        reviewer.open(f"{review}?line={row}")
        reviewer.press("Approve", inside="verdict-form")
    reviewer.sees("every line has a verdict", "1 change requested")
    reviewer.press("Finish round 1")
    reviewer.sees("Round 1 is finished. The author has your request on 1 line")
    return review


def answers_and_sends_again(task: int, author: Person) -> None:
    author.open("/")
    author.sees(texts.TASK["title"])
    author.open(f"/tasks/{task}/")
    author.sees("Refining", "Reviewer 1 finished round 1.", "1 line needs a change.")
    author.open(f"/tasks/{task}/rubric/")
    author.sees("The last round asks for a change on 1 line.", "Which two figures is it made of?")
    author.press("Send to review", expect=400)
    author.sees("that you have neither changed nor answered")
    row = number_in(author.page.form_with("weight").action)
    author.open(f"/tasks/{task}/rubric/?line={row}")
    author.press("Answer", comment="Net debt and EBITDA; the line names them now.")
    author.sees("Net debt and EBITDA; the line names them now.")
    author.open(f"/tasks/{task}/rubric/?line={row}")
    author.press("Done, next line", text=texts.SHARPER)
    author.sees("All of them are answered or changed.")
    author.press("Send to review")
    author.sees("Sent.")


def approves_the_rest(review: str, reviewer: Person) -> None:
    reviewer.open(review)
    reviewer.sees("In review, round 2", "the author changed 1", "unchanged lines were kept")
    reviewer.sees("Net debt and EBITDA; the line names them now.")
    reviewer.press("Approve", inside="verdict-form")
    reviewer.press("Finish round 2")
    reviewer.sees("Every line is approved. The rubric moves on; thank you.")


def passes_the_spot_check(task: int, senior: Person, author: Person, expert: Person) -> None:
    author.open(f"/tasks/{task}/")
    author.sees("Spot check", "It was drawn for a spot check")
    expert.is_refused(f"/spot-checks/{task}/", 403)
    senior.open("/spot-checks/")
    senior.sees(texts.TASK["title"])
    senior.press("Take this spot check")
    senior.sees_nothing_of(author.email)
    tests = {"consistent": "yes", "aligned": "yes", "evaluable": "yes"}
    senior.press("Accept", expect=400, remarks="", **tests)
    senior.press("Accept", remarks="Weights and lines agree with the task.", **tests)
    senior.sees("Accepted. The task is in the benchmark now.")
    author.open(f"/tasks/{task}/")
    author.sees("Approved", "Approved at the spot check.", "It is part of the benchmark.")
