"""What calls cost. Money is whole millionths of a dollar; an unknown price stays unknown."""

from dataclasses import dataclass

from judge import providers
from judge.models import Price
from judge.providers import Usage

MILLION = 1_000_000
# Writing a prompt into a cache costs a quarter more than reading it fresh (Anthropic's price list
# for caches of five minutes; the dearest among the vendors that report written tokens).
CACHE_WRITE_QUARTERS = 5


@dataclass(frozen=True)
class Rates:
    """Millionths of a dollar per million tokens."""

    input: int
    cached: int
    output: int

    def cost(self, usage: Usage) -> int | None:
        """Micro-dollars of one call, rounded up; None where the vendor did not count tokens."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        written = min(usage.cache_write_tokens or 0, usage.input_tokens - cached)
        fresh = usage.input_tokens - cached - written
        quarters = (
            4 * (fresh * self.input + cached * self.cached + usage.output_tokens * self.output)
            + CACHE_WRITE_QUARTERS * written * self.input
        )
        return -(-quarters // (4 * MILLION))

    def bound(self, input_tokens: int, output_tokens: int) -> int:
        """Micro-dollars of a call of this size if nothing comes from a cache, rounded up."""
        return -(
            -(input_tokens * self.input * CACHE_WRITE_QUARTERS + 4 * output_tokens * self.output)
            // (4 * MILLION)
        )


FREE = Rates(0, 0, 0)


def rates_for(provider: str, model: str) -> Rates | None:
    """The price of a model; None if nobody entered one. The offline rules cost nothing."""
    if providers.get(provider).offline:
        return FREE
    price = Price.objects.filter(provider=provider, model=model).first()
    if price is None:
        return None
    return Rates(price.input_micro, price.cached_micro, price.output_micro)


def tokens_of(text: str) -> int:
    """A generous guess at the tokens of a text: 3 ASCII letters, or two thirds of another sign.

    English runs at 4 to 5 letters a token and Chinese at about one sign, so real counts lie below.
    """
    ascii_letters = len(text.encode("ascii", "ignore"))
    return 1 + ascii_letters // 3 + (3 * (len(text) - ascii_letters)) // 2
