"""How often the rules are right, on texts whose answer is known. `pytest -s` prints the figures."""

import json
from pathlib import Path

import pytest

from curation.base.text import personal_data
from curation.tasks.authoring import exam_style

SAMPLE = Path(__file__).parents[3] / "fixtures" / "sample" / "tasks"
LABELLED = json.loads(Path(__file__).with_name("labelled.json").read_text("utf-8"))


def looks_like_an_exam(prompt: dict[str, str]) -> bool:
    return bool(exam_style.signs(prompt))


def told(name: str, right: int, wrong: int, missed: int) -> tuple[float, float]:
    precision, recall = right / (right + wrong), right / (right + missed)
    print(  # noqa: T201  the figures are asked for with -s
        f"\n{name}: precision {precision:.2f} ({right} of {right + wrong}), "
        f"recall {recall:.2f} ({right} of {right + missed})"
    )
    return precision, recall


def test_exam_questions_are_told_from_work():
    sample = [json.loads(path.read_text("utf-8")) for path in sorted(SAMPLE.glob("*.json"))]
    # one task of the sample is rejected by its panel because it is an exam question
    work = LABELLED["work"] + [d for d in sample if d["id"] != "law-promissory-estoppel"]
    exam = LABELLED["exam"]
    caught = [prompt for prompt in exam if looks_like_an_exam(prompt)]
    wronged = [prompt for prompt in work if looks_like_an_exam(prompt)]
    for prompt in [p for p in exam if p not in caught] + wronged:
        print("\nnot as labelled:", prompt["scenario"][:60], "|", prompt["requirements"][:60])  # noqa: T201
    precision, recall = told(
        "looks like an exam", len(caught), len(wronged), len(exam) - len(caught)
    )
    assert precision >= 0.95
    assert recall >= 0.85


@pytest.mark.parametrize(
    ("name", "find", "texts"),
    [
        ("personal data", personal_data.personal_data, LABELLED["personal"]),
        ("people named", personal_data.people_named, LABELLED["named"]),
    ],
)
def test_what_identifies_a_person_is_found_and_figures_are_not(name, find, texts):
    right = wrong = missed = 0
    for text, known in ((entry["text"], entry["found"]) for entry in texts):
        found = find(text)
        right += len(set(found) & set(known))
        wrong += len(set(found) - set(known))
        missed += len(set(known) - set(found))
        if set(found) != set(known):
            print("\nnot as labelled:", text, found)  # noqa: T201
    precision, recall = told(name, right, wrong, missed)
    assert precision >= 0.9
    assert recall >= 0.9


def test_a_prompt_that_is_not_written_yet_is_no_exam_question():
    assert not looks_like_an_exam({"scenario": "", "materials": "", "requirements": "Explain it."})
