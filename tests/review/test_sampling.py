"""The sealed draw: near its rate, reproducible, unforeseeable."""

from review.policy.sampling import draw_value, is_drawn

KEYS = [f"t-{n:05d}" for n in range(10_000)]


def test_about_thirty_percent_of_ten_thousand_tasks_are_drawn() -> None:
    drawn = sum(is_drawn("a secret salt", key, 0.30) for key in KEYS)
    # binomial(10000, 0.3): sd = sqrt(10000 * 0.3 * 0.7) = 45.8; four of them
    assert abs(drawn - 3000) < 4 * 45.8


def test_the_same_salt_draws_the_same_tasks_and_another_salt_others() -> None:
    def draw(salt: str) -> list[bool]:
        return [is_drawn(salt, key, 0.30) for key in KEYS[:500]]

    assert draw("one") == draw("one")
    assert draw("one") != draw("two")


def test_a_higher_rate_draws_the_same_tasks_and_more() -> None:
    low = {key for key in KEYS[:1000] if is_drawn("salt", key, 0.10)}
    high = {key for key in KEYS[:1000] if is_drawn("salt", key, 0.50)}
    assert low < high


def test_nothing_is_drawn_at_0_and_everything_at_1() -> None:
    assert not any(is_drawn("salt", key, 0.0) for key in KEYS[:1000])
    assert all(is_drawn("salt", key, 1.0) for key in KEYS[:1000])


def test_the_value_is_fixed_for_ever() -> None:
    # HMAC-SHA256("salt", "t-00001"), first 8 bytes as a big-endian fraction; computed with
    # `openssl dgst -sha256 -hmac salt`
    assert draw_value("salt", "t-00001") == int(OPENSSL[:16], 16) / 2**64


OPENSSL = "f6ed2559a66e2cdf25d4a837a5edc819"
