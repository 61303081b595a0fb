"""Sets of tasks by name, and the halves of a draw or a release."""

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.tasks.task.models import Task
from judge.base.gold_sets.halves import Member, held_out_of, open_held_out_half, split_in_halves
from judge.base.gold_sets.models import (
    GoldDraw,
    GoldDrawItem,
    GoldRelease,
    GoldSplit,
    Half,
    TaskHalf,
)
from judge.base.gold_sets.task_sets import choices, closed, is_name, parse
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold


@pytest.fixture
def ten(programme, finance, law):
    """A draw of six finance and four law tasks."""
    for n in range(6):
        programme.task(f"finance-{n}", finance)
    for n in range(4):
        programme.task(f"law-{n}", law)
    return drawn(*Task.objects.values_list("key", flat=True))


def drawn(*keys: str) -> GoldDraw:
    made = GoldDraw.objects.create(size=len(keys), seed=1, allocation="proportional")
    GoldDrawItem.objects.bulk_create(
        GoldDrawItem(draw=made, task=task, stratum=task.domain.key)
        for task in Task.objects.filter(key__in=keys).select_related("domain")
    )
    return made


def keys_of(name: str) -> set[str]:
    return set(parse(name).within(Task.objects.all(), "pk").values_list("key", flat=True))


def test_a_split_holds_out_the_share_of_each_stratum(ten, staff):
    split_in_halves(actor=staff, gold_draw=ten, seed=3, percent=30)
    held = keys_of(f"draw:{ten.pk}/held-out")
    assert sorted(key.partition("-")[0] for key in held) == ["finance", "finance", "law"]
    assert keys_of(f"draw:{ten.pk}/development") == keys_of(f"draw:{ten.pk}") - held
    assert keys_of("open") == keys_of("") == keys_of("all") - held


def test_what_is_held_out_follows_from_tasks_strata_and_seed_alone():
    members = [Member(n, f"t-{n}", "law" if n % 3 else "finance", "") for n in range(30)]
    first = held_out_of(members, 3, 20)
    assert len(first) == 6
    assert held_out_of(members[::-1], 3, 20) == first
    assert held_out_of(members, 4, 20) != first
    # One that an earlier split holds out counts towards its stratum's share.
    some = min(first)
    known = [m._replace(half="held-out") if m.pk == some else m for m in members]
    assert len(held_out_of(known, 3, 20)) == 5


def test_a_task_keeps_its_half_in_every_later_draw(ten, staff):
    split_in_halves(actor=staff, gold_draw=ten, seed=3, percent=30)
    held = keys_of(f"draw:{ten.pk}/held-out")
    again = drawn(*Task.objects.values_list("key", flat=True))
    other = drawn(*Task.objects.exclude(key__in=held).values_list("key", flat=True))
    assert f"draw:{again.pk}/held-out" not in dict(choices())  # it was not split itself
    split_in_halves(actor=staff, gold_draw=again, seed=99, percent=50)
    assert keys_of(f"draw:{again.pk}/held-out") == held
    # Nothing of it may be held out any more: it may have been tuned on.
    with pytest.raises(BadInput, match="no task for one of the halves"):
        split_in_halves(actor=staff, gold_draw=other, seed=1)


def test_a_split_is_for_good_and_its_settings_are_checked(ten, staff, author):
    with pytest.raises(Denied):
        split_in_halves(actor=author, gold_draw=ten, seed=3)
    for wrong in (
        {"seed": -1},
        {"seed": 2**63},
        {"seed": 1, "percent": 0},
        {"seed": 1, "percent": 100},
    ):
        with pytest.raises(BadInput):
            split_in_halves(actor=staff, gold_draw=ten, **{"seed": 1, **wrong})
    single = drawn("finance-0")
    with pytest.raises(BadInput, match="too small"):
        split_in_halves(actor=staff, gold_draw=single, seed=3)
    split_in_halves(actor=staff, gold_draw=ten, seed=3)
    with pytest.raises(Conflict, match="for good"):
        split_in_halves(actor=staff, gold_draw=ten, seed=4)
    assert GoldSplit.objects.count() == 1
    assert TaskHalf.objects.count() == 10


def test_a_release_from_the_pool_is_split_itself(ten, staff):
    release = release_gold(actor=staff, spec=DrawSpec(size=5, seed=1))
    with pytest.raises(BadInput, match="not split into halves"):
        parse("release:1/held-out")
    split_in_halves(actor=staff, release=release, seed=3, percent=40)
    assert len(keys_of("release:1/held-out")) == 2
    assert len(keys_of("release:1/development")) == 3
    assert keys_of("release:1") == set(release.items.values_list("task__key", flat=True))


def test_a_half_is_opened_once_and_with_a_reason(ten, staff):
    split = split_in_halves(actor=staff, gold_draw=ten, seed=3, percent=30)
    assert closed().count() == 3
    with pytest.raises(BadInput):
        open_held_out_half(actor=staff, split=split, reason=" ")
    open_held_out_half(actor=staff, split=split, reason="The judge is final.")
    assert closed().count() == 0
    assert TaskHalf.objects.filter(half=Half.HELD_OUT).count() == 3
    with pytest.raises(Conflict, match="open already"):
        open_held_out_half(actor=staff, split=split, reason="Again.")


@pytest.mark.parametrize(
    "name", ["draw:0", "draw:x", "draw:1/other", "release", "Draw:1", "draw:1 /held-out", "draw:99",
             "release:99", "draw:1" + "0" * 30],
)  # fmt: skip
def test_what_names_no_set_is_refused(db, name):
    with pytest.raises(BadInput) as refused:
        parse(name, field="task_set")
    assert set(refused.value.fields) == {"task_set"}


def test_a_name_says_what_it_looks_like_and_reads_back_as_itself(ten, staff):
    split_in_halves(actor=staff, gold_draw=ten, seed=3)
    for name in ("all", "open", f"draw:{ten.pk}", f"draw:{ten.pk}/development"):
        assert is_name(name)
        assert str(parse(name)) == name
    assert not is_name("finance-1")
    assert parse(f"draw:{ten.pk}/held-out").label == f"Draw {ten.pk}, held-out half"


def test_choices_have_counts_and_a_fixed_number_of_queries(ten, staff, django_assert_num_queries):
    with django_assert_num_queries(4):
        assert choices()[0] == ("", "All tasks")
    release_gold(actor=staff, spec=DrawSpec(size=5, seed=1))
    assert GoldRelease.objects.count() == 1
    split_in_halves(actor=staff, gold_draw=ten, seed=3, percent=30)
    with django_assert_num_queries(4):
        found = dict(choices())
    assert found[""] == "All tasks but the 3 held out"
    assert found[f"draw:{ten.pk}/held-out"] == f"Draw {ten.pk}, held-out half: 3 tasks"
    assert found["release:1"] == "Release 1: 5 tasks"
    tuning = dict(choices(with_held_out=False))
    assert f"draw:{ten.pk}/development" in tuning
    assert not {"all", f"draw:{ten.pk}", f"draw:{ten.pk}/held-out"} & tuning.keys()
