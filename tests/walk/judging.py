"""What follows a rubric: the anchor, responses, runs of judges, reports, a gold release."""

import hashlib
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

from tests.walk import texts
from tests.walk.people import Person, the_machine_works
from tests.walk.rubric import lines_on


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
    scorer.sees("The response is yours.", "scores are hidden")
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
        "Return",
        remarks="One line is judged too hard.",
        **(agreed | {f"agrees-{first}": "false", f"remark-{first}": "The second table has it."}),
    )
    senior.sees("Returned. The scorer reads your remarks")

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


def is_released(staff: Person, expert: Person) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A frozen release, as staff download it: its manifest, and its files by name."""
    staff.open("/staff/gold/releases/new/")
    staff.press("Draw and freeze", size=1, seed=7, formats=["jsonl"], with_responses="on")
    staff.sees("Release 1 is frozen.", "1 task, reviewed, anchored and counted", "matches")
    release, page = staff.page.address, staff.page
    expert.is_refused(release, 403)
    manifest = json.loads(staff.download(page.link("manifest.json")))
    files = {file["name"]: staff.download(page.link(file["name"])) for file in manifest["files"]}
    content = {name: value for name, value in manifest.items() if name != "release"}
    packed = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(packed.encode()).hexdigest() in page.text
    assert expert.email.encode() not in b"".join(files.values())
    return manifest, files
