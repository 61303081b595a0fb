"""Likeness of prompts: by wording in any language, by anchors across languages."""

import random

import pytest

from curation.base.text import minhash
from curation.base.text.minhash import anchors, estimate, jaccard, shingles, sketch
from curation.tasks.authoring.actions import submit_task
from curation.tasks.authoring.similar_actions import store_fingerprint, store_missing_fingerprints
from curation.tasks.authoring.similar_models import Fingerprint
from curation.tasks.authoring.similar_queries import similar_prompts

ENGLISH = "Prepare a lease break notice for the tenant of the ground floor, with all dates."
CHINESE = "请为一家中型制造企业编制三年期的现金流预测，并说明营运资金的主要假设和敏感性分析。"

CASE = (
    "The landlord Hartsop Estates LLP let four floors to Quillon Software Ltd on 1 October 2020. "
    "The rent of £240,000 a year was paid late on 14 July 2025; interest is 4.75 % by clause 17. "
    "The deposit of £61,500 is with Aire Bank, and the service charge of £18,320 is disputed."
)
THE_SAME_IN_CHINESE = (
    "2020年10月1日，Hartsop Estates LLP 将四层出租给 Quillon Software Ltd。年租金 24 万英镑"
    "于2025年7月14日逾期支付，依第十七条按4.75%计息。押金61,500英镑存于 Aire Bank，"
    "18,320英镑的物业费有争议。"
)
ANOTHER_IN_CHINESE = (
    "某制造企业2024年营业收入9,640万元，毛利率31.5%，请编制未来三年的现金流量预测，"
    "并说明应收账款周转天数由62天变为75天的影响。"
)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_case_width_spaces_and_punctuation_make_no_difference(text):
    assert jaccard(shingles(text), shingles(text.upper().replace(" ", "  ") + "!!")) == 1


def test_empty_texts_are_alike_to_nothing():
    assert jaccard(shingles("…"), shingles("")) == 0
    assert estimate(sketch(""), sketch("…")) == 0


def test_a_sketch_tells_the_likeness_of_long_texts_within_a_tenth():
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghijklmnop", k=7)) for _n in range(900)]
    for changed in (0, 100, 250, 400):
        other = words[:]
        for place in rng.sample(range(900), changed):
            other[place] = "".join(rng.choices("qrstuvwxyz", k=7))
        one, two = " ".join(words), " ".join(other)
        exact = jaccard(shingles(one), shingles(two))
        stored = minhash.unpacked(minhash.packed(sketch(two)))
        assert estimate(sketch(one), stored) == pytest.approx(exact, abs=0.1)


def test_a_translation_shares_its_figures_dates_sections_and_names():
    shared = anchors(CASE) & anchors(THE_SAME_IN_CHINESE)
    assert {
        "figure 240000",
        "figure 61500",
        "date 2025-07-14",
        "date 2020-10-01",
        "section 17",
        "share 4.75",
        "name hartsop",
        "name quillon",
    } <= shared
    assert not anchors(CASE) & anchors(ANOTHER_IN_CHINESE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("EUR 96.4 million", "9640万欧元"),
        ("1,250.50", "1.250,50"),
        ("3 May 2026", "2026-05-03"),
        ("May 3, 2026", "2026年5月3日"),
        ("§ 17", "第十七条"),
        ("Article 125", "第一百二十五条"),
        ("12.5 %", "12.5％"),
    ],
)
def test_ways_to_write_one_anchor(one, other):
    assert anchors(one) & anchors(other)


def test_years_and_small_numbers_are_no_anchors():
    assert anchors("In 2024 we had 12 offices and 7 people.") == frozenset()


def test_months_weekdays_and_currencies_are_no_names():
    assert anchors("Paid in EUR on Friday, in March, or in USD on Monday.") == frozenset()


def submitted(make_draft, writer, **texts):
    task = make_draft(writer, **texts)
    submit_task(actor=writer, task=task)
    return task


def test_a_reworded_copy_is_found_and_the_best_comes_first(make_draft, author, peer, person):
    third = person("third", *[q.domain for q in peer.qualifications.all()])
    near = submitted(make_draft, peer, title="Near", materials=CASE.replace("late", "tardily"))
    far = submitted(make_draft, third, title="Far", materials=CASE.replace("deposit", "bond" * 9))
    submitted(
        make_draft, author, title="Else", scenario=CHINESE, materials="7", requirements="无要求"
    )
    task = make_draft(author, materials=CASE)
    found = similar_prompts(task)
    assert [one.key for one in found] == [near.key, far.key]
    assert found[0].similarity > found[1].similarity > minhash.ALIKE
    assert not any(one.mine for one in found)


def test_a_translation_is_found_by_its_anchors(make_draft, author, peer):
    english = submitted(make_draft, peer, scenario="A.", materials=CASE, requirements="B.")
    submitted(make_draft, peer, scenario="甲。", materials=ANOTHER_IN_CHINESE, requirements="乙。")
    draft = make_draft(
        author, scenario="甲。", materials=THE_SAME_IN_CHINESE, requirements="写一份意见。"
    )
    (found,) = similar_prompts(draft)
    assert (found.key, found.shared >= 8) == (english.key, True)


def test_what_nobody_else_has_seen_is_not_compared_with(make_draft, author, peer):
    make_draft(peer)
    assert similar_prompts(make_draft(author)) == []


def test_a_new_text_replaces_the_fingerprint(make_draft, author, peer):
    task = submitted(make_draft, peer)
    task.materials = CASE
    task.scenario = CASE
    store_fingerprint(task)
    assert Fingerprint.objects.count() == 1
    assert similar_prompts(make_draft(author)) == []


def test_the_sweep_fingerprints_what_has_none(make_draft, author, peer):
    task = submitted(make_draft, peer)
    Fingerprint.objects.all().delete()
    assert similar_prompts(make_draft(author)) == []
    assert (store_missing_fingerprints(), store_missing_fingerprints()) == (1, 0)
    assert [one.key for one in similar_prompts(make_draft(author))] == [task.key]


def test_queries_do_not_grow_with_the_prompts(
    make_draft, author, peer, django_assert_max_num_queries
):
    for n in range(3):
        submitted(make_draft, peer, materials=CASE + f" Annex {n}.")
    draft = make_draft(author, materials=CASE)
    with django_assert_max_num_queries(7):
        assert len(similar_prompts(draft)) == 3
