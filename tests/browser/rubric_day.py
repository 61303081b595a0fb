"""A rubric's way from the machine's draft to the benchmark, by keyboard: what each person does.

The walk of the test, and of the benchmark that times it.
"""

from typing import Any

from tests.browser.hands import Hands

TEXTS = [
    "States net debt after the purchase as EUR 134.4 million and computes leverage as 3.36.",
    "Names the lender as agent of the facility.",
    "Names 14 March as the date of the next test.",
    "Gives a good overview of the covenant situation.",
    "States EBITDA of the last twelve months as EUR 40.0 million.",
    "States the covenant limit as 3.5.",
    "States the headroom as EUR 5.6 million of net debt.",
    "Recommends consent to the purchase.",
    "Names the fee of 25 basis points as the price of consent.",
    "States that the cash of EUR 12 million is restricted until June.",
    "Cites clause 21.2 for the definition of EBITDA.",
    "Does not count the synergies of EUR 3 million as EBITDA.",
    "Shows that a fall of EBITDA by 4 percent breaches the covenant.",
    "Names the loss of one customer as the trigger of that fall.",
    "Asks for a monthly report until the end of the year.",
    "Has at most two pages.",
    "Addresses the credit committee by name in the first line.",
]
DRAFT: list[dict[str, Any]] = [
    {
        "text": text,
        "importance": ("essential", "important", "optional")[n % 3],
        "weight": (8, 5, 3)[n % 3],
        "dimension": ("accuracy", "domain_expertise", "structure")[n % 3],
        "quote": "Net debt rises to EUR 134.4 million.",
    }
    for n, text in enumerate(TEXTS)
]
MENDED = "Names the consent of the lender as a condition of the purchase."
BECAUSE = "The reference answer gives the same twelve months in its table."
REFINED = [  # split, merged, mended, moved
    "States net debt after the purchase as EUR 134.4 million.",
    "Computes leverage as 3.36.",
    "Names the lender as agent of the facility and names 14 March as the date of the next test.",
    MENDED,
    *TEXTS[4:7],
    TEXTS[8],
    TEXTS[7],
    *TEXTS[9:],
]
ASKED = [  # number of the line, what it is about, what is asked
    (2, "factual", "Is it 3.36 or 3.4?"),
    (5, "clarity", "Of which twelve months?"),
    (8, "weight", "This decides the memo; 8 is too little."),
    (11, "atomicity", "Is the clause one check and the definition another?"),
    (14, "clarity", "Which customer?"),
]


def at(n: int) -> str:
    """JavaScript: the line with this number."""
    return f"document.querySelector('.line[data-line=\"{n}\"]')"


def on(n: int) -> str:
    """JavaScript: line n is the current one and its form is there."""
    return f"document.querySelector('.line.is-current[data-line=\"{n}\"] form.line-controls')"


def marking(n: int) -> str:
    """JavaScript: line n is the current one of the pass through the marks."""
    return f"document.querySelector('.line.is-current[data-line=\"{n}\"] [data-reference]')"


def view(n: int, what: str) -> str:
    """JavaScript: what the server last said of line n in the workbench."""
    return f"{at(n)}.querySelector('.line-collapsed').dataset.{what}"


LINES = "document.querySelectorAll('#line-list .line').length"
UNREAD = "document.querySelectorAll('#line-list [data-unread]').length"
SUGGESTED = "Cites clause 21.2 as the place where EBITDA is defined."
MISSING = "The reference answer gives leverage, but not how it is computed."
ASPECTS = ["factual", "clarity", "atomicity", "weight"]
CHANGED = "States EBITDA of the twelve months to December as EUR 40.0 million."
SENT = "document.body.innerText.includes('Sent.')"
CARET = "document.activeElement.matches('#line-text')"


def go(hands: Hands, n: int) -> None:
    """To line n with J and K, one line a key."""
    now = int(hands.page.evaluate("document.querySelector('.line.is-current').dataset.line"))
    while now != n:
        by = 1 if n > now else -1
        now += by
        hands.do("next line", "j" if by > 0 else "k", on(now))


def go_to_unread(hands: Hands) -> None:
    """On with J to a line that was not read yet; "Done" leads to the next by itself."""
    while not hands.page.evaluate(
        "'unread' in document.querySelector('.line.is-current .line-collapsed').dataset"
    ):
        now = int(hands.page.evaluate("document.querySelector('.line.is-current').dataset.line"))
        hands.do("next line", "j", on(now + 1))


def refine(hands: Hands, n_lines: int = 17) -> None:
    """The author's first sitting, from the opened workbench to the rubric sent."""
    hands.see(on(1))
    hands.do("split", "s", f"{LINES} === {n_lines + 1}")
    go(hands, 3)
    hands.do("merge", "m", f"{LINES} === {n_lines}")
    hands.do("undo", "u", f"{LINES} === {n_lines + 1}")
    go(hands, 3)
    hands.do("merge", "m", f"{LINES} === {n_lines}")
    # A mark of the linter: the line is written again, and the mark goes.
    go(hands, 4)
    assert hands.page.evaluate(f"!!{at(4)}.querySelector('.lint-note')")
    hands.do("open editor", "Enter", CARET)
    hands.page.keyboard.press("Control+a")
    hands.type(MENDED)
    hands.do(
        "save line",
        "Control+Enter",
        f"{view(4, 'text')} === {MENDED!r} && !{at(4)}.querySelector('.lint-note')",
    )
    # Another mark stays, because of a reason.
    hands.see(on(5))
    hands.tab_to(".line.is-current .because > summary")
    hands.page.keyboard.press("Enter")
    hands.tab_to(".line.is-current .because textarea")
    hands.type(BECAUSE)
    hands.tab_to(".line.is-current .because button")
    hands.do("overrule a mark", "Enter", f"{at(5)}.querySelector('.lint-aside')")
    go(hands, 8)
    hands.do("weight key", "9", f"{view(8, 'weight')} === '9'")
    hands.do("importance key", "e", f"{view(8, 'importance')} === 'essential'")
    hands.page.keyboard.press("d")
    hands.see("document.activeElement.matches('#line-dimension')")
    hands.do("dimension", "n", f"{view(8, 'dimension')} === 'novelty'")
    hands.page.keyboard.press("Escape")  # out of the field, to the keys of the line
    hands.do("move line", "Alt+ArrowDown", f"{on(9)} && {view(9, 'weight')} === '9'")
    # The reference answer is marked on two lines, in the pass of its own.
    hands.do("open the marks", "r", "document.querySelector('[data-reference]')")
    hands.do("mark TRUE", "t", f"{at(1)}.dataset.state === 'done' && {marking(2)}")
    hands.do("why FALSE", "f", "document.activeElement.name === 'why'")
    hands.type(MISSING)
    hands.do("mark FALSE", "Enter", f"{at(2)}.dataset.state === 'done' && {marking(3)}")
    hands.do("back to the lines", "Control+Shift+Enter", "document.querySelector('[data-editor]')")
    # Every line is confirmed.
    go(hands, 1)
    for left in range(int(hands.page.evaluate(UNREAD)), 0, -1):
        go_to_unread(hands)
        hands.do("line is read", "Control+Enter", f"{UNREAD} === {left - 1}")
    anyway = "[data-error-summary] [data-send]"
    hands.do("ask before sending", "Control+Shift+Enter", f"document.querySelector({anyway!r})")
    hands.tab_to(anyway)
    hands.do("send", "Enter", SENT)


def open_review(hands: Hands) -> None:
    """From Home to the review that waits there."""
    hands.do("open review", "Enter", "document.querySelector('#review form.line-controls')")


def decide(hands: Hands, n_lines: int = 17) -> None:
    """The reviewer's first round: five requests, the rest approved."""
    for n in range(1, n_lines + 1):
        request = next((asked for asked in ASKED if asked[0] == n), None)
        if request is None:
            hands.do("approve", "a", f"{at(n)}.dataset.state === 'approve'")
            continue
        _n, aspect, words = request
        hands.do("request box", "r", "document.activeElement.matches('#remark')")
        hands.type(words)
        hands.tab_to("[name=aspect]")
        for _step in range(ASPECTS.index(aspect) + 1):  # "Not said" is chosen, and stands last
            hands.page.keyboard.press("ArrowRight")
        hands.page.keyboard.press("Space")
        if n == 11:
            hands.tab_to(".line.is-current .suggest > summary")
            hands.page.keyboard.press("Enter")
            hands.tab_to(".line.is-current [name=suggest_text]")
            hands.page.keyboard.press("Control+a")
            hands.type(SUGGESTED)
        hands.do("request change", "Control+Enter", f"{at(n)}.dataset.state === 'change'")
    hands.do("take verdict back", "u", f"{at(n_lines)}.dataset.state === 'open'")
    hands.do("approve", "a", f"{at(n_lines)}.dataset.state === 'approve'")
    hands.do("finish round", "Control+Shift+Enter", "location.pathname === '/reviews/'")


def answer(hands: Hands) -> None:
    """The author's second sitting: three lines changed, one by the suggestion; two answered."""
    for n, _aspect, _words in ASKED:
        hands.see(on(n))
        if n == 8:
            hands.do("weight key", "0", f"{view(n, 'weight')} === '10'")
            hands.do("next request", "Control+Enter", on(11))
        elif n == 11:
            hands.do("take suggestion", "y", f"{view(n, 'text')} === {SUGGESTED!r}")
            hands.do("next request", "Control+Enter", on(14))
        elif n == 5:
            hands.do("open editor", "Enter", CARET)
            hands.page.keyboard.press("Control+a")
            hands.type(CHANGED)
            hands.do("save line", "Control+Enter", f"{view(n, 'text')} === {CHANGED!r}")
        else:
            hands.do("answer box", "c", "document.activeElement.matches('[name=comment]')")
            hands.type(f"Answered on line {n}.")
            hands.do("answer", "Control+Enter", f"{at(n)}.querySelector('.line-sub .state-open')")
    hands.do("send", "Control+Shift+Enter", SENT)


def approve_the_rest(hands: Hands) -> None:
    """The reviewer's second round: what came back is approved."""
    for n, _aspect, _words in ASKED:
        hands.see(on(n))
        hands.do("approve", "a", f"{at(n)}.dataset.state === 'approve'")
    hands.do("finish round", "Control+Shift+Enter", "location.pathname === '/reviews/'")


def take_spot_check(hands: Hands) -> None:
    """A senior's way from Home to the check."""
    hands.do("open spot checks", "Enter", "location.pathname === '/spot-checks/'")
    hands.tab_to("main .btn-primary")
    hands.do("take spot check", "Enter", "document.getElementById('check')")


def accept(hands: Hands) -> None:
    """The senior answers the three questions and accepts."""
    for test in ("consistent", "aligned", "evaluable"):
        hands.tab_to(f"[name={test}]")
        hands.page.keyboard.press("Space")
    hands.tab_to("[name=remarks]")
    hands.type("Consistent, aligned with the task, and every line can be judged.")
    hands.tab_to("[name=verdict][value=accept]")
    hands.do("accept", "Enter", "location.pathname === '/spot-checks/'")
