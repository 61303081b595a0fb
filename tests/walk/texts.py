"""What the people of the walk write: a profile, an exam, a trial task and the task itself."""

from typing import Any

PROFILE: dict[str, Any] = {
    "degree": "MSc Finance",
    "years": 7,
    "credentials": "Seven years in corporate lending, four of them on a credit committee.",
}

EXAM: list[dict[str, Any]] = [
    {
        "key_id": "q1",
        "kind": "single",
        "topic": "Leases",
        "text": "A lessee moves to IFRS 16. What happens to its EBITDA?",
        "options": ["It falls", "It stays", "It rises"],
        "key": [2],
        "points": 2,
        "study": "Read up on what leaves operating expenses.",
    },
    {
        "key_id": "q2",
        "kind": "multiple",
        "topic": "Debt-like items",
        "text": "Which of these does a buyer treat as debt?",
        "options": ["A pension deficit", "Trade receivables", "A declared dividend"],
        "key": [0, 2],
        "points": 2,
        "study": "Go through the bridge from price to equity.",
    },
    {
        "key_id": "q3",
        "kind": "numeric",
        "topic": "Leverage",
        "text": "Net debt is 134.4 million and EBITDA 40.2 million. What is the leverage?",
        "unit": "x",
        "key": {"value": "3.343", "tolerance": "0.01"},
        "points": 1,
        "study": "Divide net debt by EBITDA.",
    },
]
ANSWERS: dict[str, Any] = {"q-q1": 2, "q-q2": [0, 2], "q-q3": "3,34 x"}

TRIAL = {
    "title": "Stock financing of a bicycle wholesaler",
    "category": "credit",
    "minutes": "60",
    "rate_band": "100_200",
    "change": "static",
    "scenario": "You sit on the credit desk of a savings bank. A wholesaler asks for a seasonal "
    "line of EUR 2.4 million against its stock.",
    "materials": "Stock EUR 3.6 million, of it EUR 0.5 million older than two seasons. Receivables "
    "EUR 1.1 million. The bank lends 60 % on fresh stock and nothing on old stock.",
    "requirements": "Write a note of at most 250 words with the amount you would lend and why.",
    "reference_answer": "Lend EUR 1.86 million: 60 % of the fresh stock of EUR 3.1 million. The "
    "old stock carries no advance.",
}
TRIAL_CORRECTED = (
    "Lend EUR 1.86 million: 60 % of the fresh stock of EUR 3.1 million (3.6 less 0.5). The old "
    "stock carries no advance. Receivables stay out: the request names stock alone."
)

TASK = {
    "title": "Covenant headroom before a fifth ferry",
    "category": "credit",
    "language": "en",
    "minutes": "75",
    "rate_band": "100_200",
    "change": "static",
    "scenario": "You are the treasurer of a ferry operator. The board meets on Thursday and wants "
    "to buy a fifth ship. The bank tests leverage every quarter, and a breach lets it recall the "
    "whole loan.",
    "materials": "Net debt EUR 96.4 million. EBITDA of the last twelve months EUR 40.2 million. "
    "The ship costs EUR 38.0 million, all of it borrowed. The covenant allows net debt of at most "
    "3.25 times EBITDA. The ship earns nothing before June. A waiver costs 25 basis points of the "
    "commitment of EUR 150 million.",
    "requirements": "Write a memo to the board of at most 400 words. State the leverage before and "
    "after the purchase, say whether the covenant holds at each test, and recommend what the board "
    "should do, with the cost of the alternative.",
    "reference_answer": "Leverage today is 2.40 times: net debt of EUR 96.4 million over EBITDA of "
    "EUR 40.2 million.\n\nThe purchase lifts net debt to EUR 134.4 million. Leverage becomes 3.34 "
    "times, which is above the covenant of 3.25 times.\n\nThe covenant is therefore broken at the "
    "March test, because the ship earns nothing before June.\n\nThe headroom today is EUR 34.3 "
    "million of further debt. The ship needs EUR 38.0 million, so EUR 3.7 million is missing.\n\n"
    "I recommend asking the bank for a waiver before the contract is signed. The waiver costs EUR "
    "375 thousand, which is 25 basis points of EUR 150 million.\n\nThe alternative is EUR 4 "
    "million of equity from the owners, which keeps leverage at 3.24 times.\n\nSigning first and "
    "asking later would hand the bank the whole negotiation.",
}

REFINED = {
    "text": "States leverage after the purchase as 3.34 times EBITDA.",
    "importance": "essential",
    "weight": 9,
    "dimension": "accuracy",
}
SHARPER = (
    "States leverage after the purchase as 3.34 times EBITDA and shows both figures behind it."
)

MORE_LINES = [
    "States the headroom today as EUR 34.3 million of further debt.",
    "Names EUR 3.7 million as the amount by which the headroom falls short.",
    "Dates the breach to the March test.",
    "Explains that the ship earns nothing before June.",
    "Recommends asking for the waiver before the contract is signed.",
    "Puts the cost of the waiver at EUR 375 thousand.",
    "Shows the waiver fee as 25 basis points of EUR 150 million.",
    "Offers EUR 4 million of equity as the alternative.",
    "Gives leverage with the new equity as 3.24 times.",
    "Warns that a breach lets the bank recall the whole loan.",
    "Keeps the memo within 400 words.",
    "Addresses the memo to the board.",
    "Opens with the recommendation.",
    "Separates today's position from the position after the purchase.",
    "Names the covenant as 3.25 times EBITDA.",
]

CANDIDATES = {
    "Cedar 3": "Memo to the board. Ask the bank for a waiver before you sign. Leverage is 2.40 "
    "times today and 3.34 times after the purchase, above the covenant of 3.25 times. The covenant "
    "is broken at the March test, because the ship earns nothing before June. The waiver costs EUR "
    "375 thousand, 25 basis points of EUR 150 million. The alternative is EUR 4 million of equity.",
    "Birch 2": "The company looks healthy and a fifth ship will help it grow. We recommend buying "
    "it and telling the bank afterwards.",
}
