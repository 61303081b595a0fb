"""The whole process, walked once by everybody it takes, through the doors they use.

Only the founding of the programme is written into the database: a member of staff, a domain with
its exam, and the founding senior, whom nobody could have examined. Everything after that is
somebody reading a page and pressing what stands on it.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from curation import training
from curation.models import Category, Domain, Exam, Qualification, Question, User
from tests.walk import texts
from tests.walk.people import PASSWORD, Person, invited, number_in, the_machine_works

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def founded(settings: Any, tmp_path: Path) -> tuple[Person, Person]:
    """A programme on its first day: staff, a founding senior, one domain with its exam."""
    settings.SPOT_CHECK_RATE = 1.0
    settings.MEDIA_ROOT = tmp_path / "files"
    finance = Domain.objects.create(key="finance", name="Finance", name_zh="金融", position=1)
    Category.objects.create(domain=finance, key="credit", name="Credit")
    exam = Exam.objects.create(domain=finance, title="Entry exam", minutes=30, pass_percent=60)
    for position, row in enumerate(texts.EXAM, start=1):
        Question.objects.create(exam=exam, position=position, **row)
    User.objects.create_superuser("staff@example.test", PASSWORD)
    founder = User.objects.create_user("founder@example.test", PASSWORD)
    Qualification.objects.create(user=founder, domain=finance, senior=True)
    return Person("staff"), Person("founder")


def test_a_task_goes_from_an_applicant_to_a_gold_release(
    founded: tuple[Person, Person], tmp_path: Path
) -> None:
    staff, founder = founded
    staff.sign_in()
    founder.sign_in()

    author = invited(staff, "ines")
    becomes_an_expert_the_long_way(author, staff, founder)
    reviewer, checker, scorer, meta = (
        qualified(invited(staff, name), staff, founder)
        for name in ("ruben", "sena", "sofia", "mateo")
    )
    for person in (checker, meta):
        is_made_a_senior(person, staff)

    task = writes_and_submits(author, stranger=reviewer)
    is_kept_by_the_panel(task, founder, author)
    refines_the_rubric(task, author)
    review = asks_for_one_change(task, reviewer, author)
    answers_and_sends_again(task, author)
    approves_the_rest(review, reviewer)
    passes_the_spot_check(task, checker, author, scorer)

    is_drawn_for_gold(task, staff)
    sheet = scores_the_baseline(task, scorer, author)
    sends_the_scoring_back_once(sheet, meta, scorer)

    responses_arrive(task, staff, tmp_path)
    judges_run(staff, author)
    the_report_is_read(staff, author)
    is_released(staff, author)
    the_story_is_complete(task, author, staff)


# --- qualification -------------------------------------------------------------------------------
def applies(person: Person) -> str:
    """Apply for finance; returns the address of the application."""
    person.open("/apply/")
    finance = next(v for v in person.page.form_with("domain").offered["domain"] if v)
    person.press(
        "Send application",
        domain=finance,
        affiliation=f"House of {person.name.title()}",
        **texts.PROFILE,
    )
    person.sees("The staff are reading your application", "Applied")
    return person.page.address


def is_admitted(staff: Person, person: Person, application: str) -> None:
    staff.open("/staff/applications/")
    staff.open(f"/staff{application}")
    staff.sees(person.name.title(), f"House of {person.name.title()}")
    staff.press("Admit to the exam", reason="A lender with the years it takes.")
    staff.sees("is admitted and can sit the exam now.")


def sits_the_exam(person: Person, application: str) -> None:
    person.open(application)
    person.sees("You can sit the exam")
    person.follow("Read how the exam works")
    person.sees("You have 30 minutes for 3 questions.", "1 of 2")
    person.press("Start the 30 minutes")
    person.sees_nothing_of("3.343", "Divide net debt")
    paper = person.page.address
    told = person.autosave(f"{paper}save/", **{"q-q1": ["2"]})
    assert (told["answered"], told["open"]) == (1, [2, 3])
    person.press("Hand in", expect=400)
    person.sees("2 questions have no answer yet.")
    person.open(paper)
    person.press("Hand in", **{k: v for k, v in texts.ANSWERS.items() if k != "q-q1"})
    person.sees("You passed with 5 of 5 points.")


def passes_the_training(person: Person, application: str) -> None:
    person.open(application)
    person.sees("You passed. Next comes the training")
    person.follow("Open the training")
    for _unit in training.units()[1:]:
        person.follow("Next unit")
    person.follow("Go to the check")
    right = {question: str(option) for question, option in training.answer_key().items()}
    first = next(iter(right))
    person.press("Check my answers", **{k: v for k, v in right.items() if k != first})
    person.sees("Right.")
    person.press("Check my answers", **{first: right[first]})
    person.sees("All answers are right.", "Write your trial task")


def hands_in_a_trial(person: Person, application: str, **parts: str) -> None:
    person.open(application)
    person.open(person.page.link("Open the trial task"))
    editor = person.page.address
    saved = person.autosave(f"{editor}save/", title=texts.TRIAL["title"])
    assert saved["version"] == 2
    person.open(editor)
    person.press("Hand in", **(texts.TRIAL | parts))
    person.sees("A senior is reading your trial task")


def is_decided(senior: Person, verdict: str, remarks: str) -> None:
    senior.open("/seniors/trials/")
    senior.sees(texts.TRIAL["title"])
    senior.follow("Read and decide")
    senior.press("Send the decision", verdict=verdict, remarks=remarks)


def becomes_an_expert_the_long_way(author: Person, staff: Person, founder: Person) -> None:
    """Every step of qualification, with a trial that comes back once."""
    author.is_refused("/staff/people/", 403)
    author.is_refused("/tasks/new/", 403)
    application = applies(author)
    author.is_refused(f"/staff{application}", 403)
    is_admitted(staff, author, application)
    sits_the_exam(author, application)
    passes_the_training(author, application)
    hands_in_a_trial(author, application)

    is_decided(founder, "returned", "Say why the receivables stay out, and show 3.1 million.")
    founder.sees("Returned.", "corrects it and hands in a new version")
    founder.sees_nothing_of(author.email)
    author.open(application)
    author.sees("Your trial task came back with remarks")
    author.follow("Correct the trial task")
    author.sees("Say why the receivables stay out, and show 3.1 million.")
    author.press("Hand in", reference_answer=texts.TRIAL_CORRECTED)
    is_decided(founder, "accepted", "Now it carries itself.")
    founder.sees("is qualified and can write tasks now")

    author.open(application)
    author.sees("You are an expert in Finance", "Qualified")
    author.sees_in_order(  # newest first
        "Trial task accepted. Qualified.",
        "Now it carries itself.",
        "Trial task handed in, version 2.",
        "Trial task returned for changes.",
        "Training finished. The trial task is open.",
        "Exam passed with 5 of 5 points.",
        "Admitted to the exam.",
        "Application sent.",
    )
    author.sees_nothing_of(founder.email)


def qualified(person: Person, staff: Person, founder: Person) -> Person:
    """The same way without a detour."""
    application = applies(person)
    is_admitted(staff, person, application)
    sits_the_exam(person, application)
    passes_the_training(person, application)
    hands_in_a_trial(person, application)
    is_decided(founder, "accepted", "Sound and gradable.")
    person.open("/")
    person.sees("Your three prompts")
    return person


def is_made_a_senior(person: Person, staff: Person) -> None:
    staff.open(f"/staff/people/?q={person.email}")
    staff.open(next(h for _, h in staff.page.links if "/staff/people/" in h and h[-2].isdigit()))
    staff.sees(person.email, "expert")
    staff.press("Make a senior", reason="Reads trials with care.")
    staff.sees("is a senior in Finance now.", "Made a senior in Finance.")


# --- writing and screening ---------------------------------------------------------------------
def writes_and_submits(author: Person, stranger: Person) -> int:
    """A draft, saved while it is typed, then submitted; returns the task's number."""
    author.open("/tasks/new/")
    author.press("Start the draft", title=texts.TASK["title"])
    author.sees("Draft started.")
    task = number_in(author.page.address)
    for part in ("scenario", "materials"):
        author.open(f"/tasks/{task}/edit/")
        saved = author.autosave(f"/tasks/{task}/save/", **{part: texts.TASK[part]})
        assert saved["saved_at"]
    author.open(f"/tasks/{task}/edit/")
    author.press("Submit for screening", expect=400)
    author.sees("Not sent yet.", "everything you typed is kept")
    author.sees("Write the reference answer you would stand for.")

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


def is_kept_by_the_panel(task: int, member: Person, author: Person) -> None:
    author.is_refused(f"/screening/{task}/", 403)
    member.open("/screening/")
    member.sees(texts.TASK["title"])
    member.press("Take a seat")
    member.sees("Author hidden", "no model is configured", "No similar task is recorded.")
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
    author.sees("Drafting the rubric", "Kept by the panel.")

    the_machine_works()
    author.open(f"/tasks/{task}/")
    author.sees("Refining", "A model drafted", "They wait to be refined.")
    author.open("/")
    author.sees(texts.TASK["title"])


# --- rubric and review --------------------------------------------------------------------------
def lines_on(page: Any) -> list[str]:
    """The ids of the lines, in order."""
    return [part.split('"')[0] for part in page.html.split('id="line-') if part[:1].isdigit()]


def refines_the_rubric(task: int, author: Person) -> None:
    bench = f"/tasks/{task}/rubric/"
    author.open(bench)
    author.sees("Make them yours")
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
    author.press("Send to review")
    author.sees("Sent. You hear from your reviewer when every line has a verdict.")
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
    author.sees("Your answer is in the thread.", "Net debt and EBITDA; the line names them now.")
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


# --- the anchor ----------------------------------------------------------------------------------
def is_drawn_for_gold(task: int, staff: Person) -> None:
    staff.open("/staff/gold/draw/")
    staff.sees(texts.TASK["title"])
    staff.press("Draw 1 task", size=1, seed=20261)
    staff.sees("Drawn: 1 task.")
    the_machine_works()


def scores_the_baseline(task: int, scorer: Person, author: Person) -> str:
    """A blind sheet, filled with reasons and submitted; returns its address."""
    author.open("/scoring/")
    assert not [b for b in author.page.buttons if b.words.startswith("Take this response")]
    scorer.open("/scoring/")
    scorer.sees(texts.TASK["title"])
    scorer.press("Take this response")
    sheet = scorer.page.address
    scorer.sees("The response is yours.", "is hidden from scorers")
    scorer.sees_nothing_of(author.email, "rules-1", "(baseline)")
    rows = [row for row in lines_on(scorer.page) if row.isdigit()]
    for n, row in enumerate(rows):
        scorer.open(f"{sheet}?line={row}")
        inside = f"line-{row}"
        if n == 1:
            scorer.press("Submit sheet", expect=400)
            scorer.open(f"{sheet}?line={row}")
        scorer.press(
            "Next",
            inside=inside,
            met="true" if n % 3 else "false",
            rationale=f"Paragraph {n + 1} settles it.",
        )
    scorer.open(sheet)
    scorer.sees(f"{len(rows)} of {len(rows)} scored")
    scorer.press("Submit sheet")
    scorer.sees("Submitted. A senior checks it next")
    return sheet


def sends_the_scoring_back_once(sheet: str, senior: Person, scorer: Person) -> None:
    senior.open("/scoring/")
    senior.press("Take this check")
    check = senior.page.address
    assert check.startswith("/meta/")
    scorer.is_refused(check, 403)
    senior.is_refused(sheet, 404)
    senior.sees_nothing_of(scorer.email, "rules-1")
    rows = [name for name in senior.page.form_with("remarks").offered if name.startswith("agrees-")]
    agreed = dict.fromkeys(rows, "true")
    first = rows[0].removeprefix("agrees-")
    senior.press(
        "Send back",
        remarks="One line is judged too hard.",
        **(agreed | {f"agrees-{first}": "false", f"remark-{first}": "The second table has it."}),
    )
    senior.sees("Sent back. The scorer reads your remarks")

    scorer.open("/")
    scorer.sees(texts.TASK["title"])
    scorer.open(sheet)
    scorer.sees("A senior sent this sheet back.", "One line is judged too hard.")
    scorer.sees("The second table has it.")
    scorer.press("Next", inside=f"line-{first}", met="true", rationale="The second table has it.")
    scorer.press("Submit sheet")
    scorer.sees("Submitted.")

    senior.open("/scoring/")
    senior.follow("Open the check")
    senior.sees("Your remark then:")
    senior.press("Validate anchor", remarks="Agreed on every line.", **agreed)
    senior.sees("Validated. The response and its scores are the task's anchor now.")


# --- responses, runs, reports ----------------------------------------------------------------
def responses_arrive(task: int, staff: Person, folder: Path) -> None:
    """Two candidates' responses and an outside expert's scores, from files."""
    known = json.loads(staff.download(f"/api/v1/tasks/{task}/"))
    key, lines = known["key"], [line["id"] for line in known["rubric"]["lines"]]
    answers = {name: f"{key}-{name.split()[0].lower()}" for name in texts.CANDIDATES}

    def bring(command: str, rows: list[dict[str, Any]]) -> None:
        file = folder / f"{command}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        call_command(command, str(file), verbosity=0)

    bring(
        "import_responses",
        [
            {"task": key, "id": answers[name], "model": name, "text": text}
            for name, text in texts.CANDIDATES.items()
        ],
    )
    staff.open("/staff/candidates/")
    staff.sees(*texts.CANDIDATES)
    bring(
        "import_scores",
        [
            {
                "task": key,
                "response": answers[name],
                "rater": "second-reader",
                "kind": "expert",
                "scores": {
                    line: int(name == "Cedar 3" and n % 4 != 3) for n, line in enumerate(lines)
                },
            }
            for name in texts.CANDIDATES
        ],
    )


def judges_run(staff: Person, expert: Person) -> None:
    expert.is_refused("/staff/runs/", 403)
    staff.open("/staff/runs/new/")
    staff.press("Plan the run", method="one_shot", provider="offline", concurrency=2)
    staff.sees("Planned. Read the estimate, then start the run.", "2 responses, about 2 calls")
    run = staff.page.address
    staff.press("Start the run")
    the_machine_works()
    staff.open(run)
    staff.sees("Finished", "Nothing has failed.", "1 response is a baseline and is never judged")
    staff.press("Plan the zero-shot twin")
    twin = staff.page.address
    staff.press("Start the run")
    the_machine_works()
    staff.open(twin)
    staff.sees("Finished", "Zero-shot")


def the_report_is_read(staff: Person, expert: Person) -> None:
    expert.is_refused("/leaderboard/", 403)
    expert.is_refused("/staff/alignment/", 403)
    staff.open("/staff/alignment/")
    staff.sees("one-shot, rules-1", "zero-shot, rules-1", "over 1 task with a preference")
    report = json.loads(staff.download("/staff/alignment.json"))
    assert report["preference"]["cdr_micro"] == 1.0, report["preference"]
    assert report["compare"]["preference"], "the twin is in the report"
    staff.open("/leaderboard/")
    staff.sees_in_order(*texts.CANDIDATES)  # the memo that keeps to the facts comes first


def is_released(staff: Person, expert: Person) -> None:
    staff.open("/staff/gold/releases/new/")
    staff.press("Draw and freeze", size=1, seed=7, formats=["jsonl"], with_responses="on")
    staff.sees("Release 1 is frozen.", "1 task, reviewed, anchored and counted", "matches")
    release, page = staff.page.address, staff.page
    expert.is_refused(release, 403)
    manifest = json.loads(staff.download(page.link("manifest.json")))
    for file in manifest["files"]:
        bytes_ = staff.download(page.link(file["name"]))
        assert hashlib.sha256(bytes_).hexdigest() == file["sha256"], file["name"]
    content = {name: value for name, value in manifest.items() if name != "release"}
    packed = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(packed.encode()).hexdigest() in page.text
    everything = b"".join(staff.download(page.link(file["name"])) for file in manifest["files"])
    assert texts.TASK["title"].encode() in everything
    assert expert.email.encode() not in everything


def the_story_is_complete(task: int, author: Person, staff: Person) -> None:
    told = (
        "Submitted.",
        "The panel can read it now.",
        "Kept by the panel.",
        "A model drafted",
        "The rubric was sent to review.",
        "Reviewer 1 finished round 1.",
        "Back from the review.",
        "The rubric was sent to review.",
        "Reviewer 1 finished round 2.",
        "The review is finished.",
        "Approved at the spot check.",
    )
    author.open(f"/tasks/{task}/")
    author.sees_in_order(*told)
    staff.open(f"/staff/tasks/{task}/")
    staff.sees_in_order(*told)
