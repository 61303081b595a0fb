"""A skill from its first line to a checklist in use: what each person does in a window."""

from typing import Any

LABEL = "Explain a result to lay readers"
CHECKPOINTS = [  # text, importance, dimension
    ("States the price for the shares as one amount of money.", "essential", "accuracy"),
    ("Gives for each deduction the amount taken off.", "important", "completeness"),
    ("Uses the words of the accounts without explaining one of them.", "optional", "critical_flaw"),
]
STORED = """([n, name, value]) =>
  document.querySelector(`.line[data-line='${n}'] .line-collapsed`).dataset[name] === value"""


def begins_the_skill(room: Any, domain: str, writer: Any) -> None:
    """Staff choose who writes the checkpoints of a label that nobody has begun."""
    room.open(f"/staff/work-map/{domain}/skills/")
    room.click(LABEL)
    room.reads("Nobody has begun it yet.")
    room.page.get_by_label("Who writes the checkpoints").select_option(str(writer.pk))
    room.click("Begin the skill")
    room.reads("Open its page")


def writes_the_lines(ana: Any, skill: int) -> None:
    """The writer finds the skill on Home, adds its lines, and sends it to review."""
    page = ana.page
    ana.open("/")
    ana.reads("Write a skill", LABEL)
    page.locator(f"main a[href='/tasks/{skill}/rubric/']").first.click()
    ana.reads("This is a skill: its lines are checkpoints")
    for n, (text, importance, dimension) in enumerate(CHECKPOINTS, 1):
        page.locator("#new-text").fill(text)
        page.locator("button[data-add]").click()
        page.locator(f'.line.is-current[data-line="{n}"] [data-editor]').wait_for()
        page.locator("#line-dimension").select_option(dimension)
        page.wait_for_function(STORED, arg=[n, "dimension", dimension])
        page.locator(f"#line-importance-{importance}").evaluate("one => one.click()")
        page.wait_for_function(STORED, arg=[n, "importance", importance])
    page.wait_for_load_state("networkidle")
    ana.click("Send to review")
    ana.reads("Sent. You will hear from your reviewer", "with its reviewer")


def approves_each_line(ben: Any, review: int) -> None:
    """The reviewer opens the review from the list and approves line by line."""
    page = ben.page
    ben.open("/reviews/")
    ben.reads(LABEL)
    page.locator(f"main a[href^='/reviews/{review}/']").first.click()
    for n, (text, *_rest) in enumerate(CHECKPOINTS, 1):
        page.locator(f'.line.is-current[data-line="{n}"]', has_text=text).wait_for()
        ben.press("a")
        page.locator(f'.line[data-line="{n}"][data-state=approve]').wait_for()
    ben.press("Control+Shift+Enter")
    page.wait_for_url("**/reviews/")


def labels_and_composes(sen: Any, task: int) -> None:
    """A senior gives a task the label, composes its checklist again, and puts it in use."""
    sen.open(f"/labels/{task}/")
    sen.page.get_by_label(LABEL).check()
    sen.click("Save the labels")
    sen.click("Its checklist")
    sen.reads("What is new since it was put in use")
    sen.click("Compose again")
    sen.reads("waits for somebody to read its")
    for text, *_rest in CHECKPOINTS:
        sen.page.locator(".line", has_text=text).first.wait_for()
    sen.click("Put it in use")
    sen.reads("Checklist 2 is in use")
