"""Becoming an expert, and a senior."""

from curation.qualifying.training import units
from tests.walk import texts
from tests.walk.people import Person


def applies(person: Person) -> str:
    """Apply for finance; returns the address of the application."""
    person.open("/apply/")
    finance = next(v for v in person.page.form_with("domain").offered["domain"] if v)
    person.press(
        "Send application",
        domain=finance,
        affiliation=f"House of {person.name.title()}",
        language_1="en",
        consent="on",
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
    answers = {k: v for k, v in texts.ANSWERS.items() if k != "q-q1"}
    person.press("Hand in", **answers)
    person.sees("Every question has an answer.", "no answer can be changed")
    person.press("Hand in now")
    person.sees("You passed with 5 of 5 points.")


def passes_the_training(person: Person, application: str) -> None:
    person.open(application)
    person.sees("You passed. Next comes the training")
    person.follow("Open the training")
    person.follow("Begin with the first unit")
    for number, unit in enumerate(units.unit_keys()):
        right = as_sent(unit)
        if not number:
            first = next(iter(right))
            person.press("Check my answers", **{k: v for k, v in right.items() if k != first})
            person.sees("Right.", "Exercises")
            right = {first: right[first]}
        person.press("Check my answers", **right)
        person.sees("You have passed this unit.", "Right.")
        if number + 1 < len(units.unit_keys()):
            person.follow("Next unit")
    person.sees("You have passed the training.", "Go to the trial task")


def as_sent(unit: str) -> dict[str, str]:
    """The right answers of a unit, as the page sends them."""
    sent: dict[str, str] = {}
    for exercise, answer in units.answer_key(unit).items():
        if isinstance(answer, list):
            sent |= {f"{exercise}-{n}": str(place) for n, place in enumerate(answer)}
        else:
            sent[exercise] = str(answer)
    return sent


def hands_in_a_trial(person: Person, application: str, **parts: str) -> None:
    person.open(application)
    person.open(person.page.link("Open the trial task"))
    editor = person.page.address
    saved = person.autosave(f"{editor}save/", title=texts.TRIAL["title"])
    assert saved["version"] == 2
    person.open(editor)
    person.press("Hand in", **(texts.TRIAL | parts))
    person.sees("A senior is reading your trial task")


def is_decided(senior: Person, verdict: str, remarks: str, **parts: str) -> None:
    senior.open("/seniors/trials/")
    senior.sees(texts.TRIAL["title"])
    senior.follow("Read and decide")
    senior.press("Send the decision", verdict=verdict, remarks=remarks, **parts)


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

    is_decided(
        founder,
        "returned",
        "Nearly there.",
        remark_reference_answer="Say why the receivables stay out, and show 3.1 million.",
    )
    founder.sees("Returned.", "corrects it and hands in a new version")
    founder.sees_nothing_of(author.email)
    author.open(application)
    author.sees("Your trial task was returned with remarks")
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
