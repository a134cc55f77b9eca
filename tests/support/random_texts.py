"""Random programs in the words people use, each beside the same program spelt out by hand.

Every rule is written twice as it is drawn: with alternatives, groups, several heads, values in arguments, aggregates
anywhere, small names and unary minus; and as plain rules, one for each alternative and head, with a name for each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from narraworld.rules.language.ir import Facts, Row

__all__ = ["Twin", "twins"]

WORDS = ("leo", "Mara", "a b", "it's")
NUMBERS = tuple(range(-2, 4))


@dataclass(frozen=True)
class Twin:
    """One program in two spellings, with facts."""

    sugared: str
    plain: str
    facts: Facts


@dataclass
class _Body:
    """Conditions in both spellings; the plain ones for each alternative."""

    sugared: list[str] = field(default_factory=list)
    plain: list[list[str]] = field(default_factory=lambda: [[]])

    def say(self, sugared: str, *plain: str) -> None:
        self.sugared.append(sugared)
        self.plain = [[*one, *plain] for one in self.plain]

    def choose(self, sugared: str, alternatives: list[list[str]]) -> None:
        self.sugared.append(sugared)
        self.plain = [[*one, *other] for one in self.plain for other in alternatives]


def twins(seed: int, count: int) -> Iterator[Twin]:
    for number in range(count):
        yield _Author(Random(f"{seed}/{number}")).twin()


DECLARED = """\
.type Person <: symbol
.decl Meets(a:Person, n:number)
.input Meets
.decl day(n:number)
.input day
.decl Any()
.decl out(a:Person, n:number)
.decl Other(a:Person, n:number) {}
"""
PLAIN = DECLARED.replace("{}", "").replace(".type Person <: symbol\n", "").replace(":Person", ":symbol")


class _Author:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0

    def twin(self) -> Twin:
        rules = [self.rule() for _ in range(self.random.randint(1, 4))]
        sugared = "\n".join(text for text, _ in rules)
        plain = "\n".join(one for _, some in rules for one in some)
        qualifier = self.random.choice(("", "brie", "inline"))
        facts: Facts = {
            "Meets": self.rows(4),
            "day": frozenset((self.random.choice(NUMBERS),) for _ in range(3)),
        }
        return Twin(DECLARED.replace("{}", qualifier) + sugared, PLAIN + plain, facts)

    def rows(self, most: int) -> frozenset[Row]:
        one = self.random.choice
        return frozenset((one(WORDS), one(NUMBERS)) for _ in range(self.random.randint(0, most)))

    def rule(self) -> tuple[str, list[str]]:
        body = _Body()
        body.say("Meets(x, n)", "Meets(x, n)")
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(
                (
                    self.either,
                    self.group,
                    self.denied,
                    self.value,
                    self.counted,
                    self.compared,
                    self.truth,
                    self.absent,
                    self.text,
                    self.mean,
                )
            )(body)
        self.random.shuffle(body.sugared)
        heads, extra = self.heads()
        for line in extra:
            body.plain = [[*one, line] for one in body.plain]
        sugared = f"{', '.join(text for text, _ in heads)} :- {', '.join(body.sugared)}."
        return sugared, [f"{plain} :- {', '.join(one)}." for one in body.plain for _, plain in heads]

    def fresh(self) -> str:
        self.names += 1
        return f"Made{self.names}"

    def number(self) -> str:
        return self.random.choice(("n", "1", "2", "n"))

    # ---- heads

    def heads(self) -> tuple[list[tuple[str, str]], list[str]]:
        found, extra = list[tuple[str, str]](), list[str]()
        for _ in range(self.random.choice((1, 1, 2))):
            name, made = self.random.choice(("out", "Other")), self.fresh()
            match self.random.randrange(4):
                case 0:
                    found.append((f"{name}(x, n)", f"{name}(x, n)"))
                case 1:
                    found.append((f"{name}(x, n * 2 + 1)", f"{name}(x, {made})"))
                    extra.append(f"{made} = n * 2 + 1")
                case 2:
                    found.append((f"{name}(x, -n)", f"{name}(x, {made})"))
                    extra.append(f"{made} = 0 - n")
                case _:
                    found.append((f"{name}(x, count : Meets(_, n))", f"{name}(x, {made})"))
                    extra.append(f"{made} = count : {{ Meets(W{made}, n) }}")
        if self.random.random() < 0.2:
            found.append(("Any()", "Any()"))
        return found, extra

    # ---- conditions

    def either(self, body: _Body) -> None:
        low, word = self.number(), self.random.choice(WORDS)
        body.choose(f'(day({low}) ; x = "{word}", n > 0)', [[f"day({low})"], [f'x = "{word}"', "n > 0"]])

    def group(self, body: _Body) -> None:
        body.say("(day(n), (n < 3))", "day(n)", "n < 3")

    def denied(self, body: _Body) -> None:
        word = self.random.choice(WORDS)
        if self.random.random() < 0.5:
            body.choose(f'!(day(n), x = "{word}")', [["!day(n)"], [f'x != "{word}"']])
        else:
            body.say(f'!(day(n) ; x = "{word}")', "!day(n)", f'x != "{word}"')

    def value(self, body: _Body) -> None:
        made, op = self.fresh(), self.random.choice("+-*")
        sign = self.random.choice(("", "!"))
        body.say(f"{sign}day(n {op} 1)", f"{made} = n {op} 1", f"{sign}day({made})")

    def counted(self, body: _Body) -> None:
        made, inner, op = self.fresh(), self.fresh(), self.random.choice(("<", ">=", "=", "!="))
        function = self.random.choice(("count", "sum", "min", "max"))
        if function == "count":
            body.say(
                f"1 {op} count : {{ Meets(x, _) }}",
                f"{made} = count : {{ Meets(x, {inner}) }}",
                f"1 {op} {made}",
            )
        else:  # the n inside is another than the one outside
            plain = f"{made} = {function} {inner} : {{ Meets(x, {inner}) }}"
            body.say(f"n {op} {function} n : {{ Meets(x, n) }}", plain, f"n {op} {made}")

    def compared(self, body: _Body) -> None:
        op, opposite = self.random.choice((("<", ">="), ("=", "!="), ("<=", ">")))
        low = self.number()
        body.say(f"!(n {op} {low})", f"n {opposite} {low}")

    def truth(self, body: _Body) -> None:
        if self.random.random() < 0.7:
            body.say("true")
        else:
            body.choose("(false ; n != 1)", [["n != 1"]])

    def absent(self, body: _Body) -> None:
        body.say("!Meets(x, -n)", f"{(made := self.fresh())} = 0 - n", f"!Meets(x, {made})")

    def text(self, body: _Body) -> None:
        made, word = self.fresh(), self.random.choice(("e", "a ", "", "Ma"))
        sign = self.random.choice(("", "!"))
        condition = self.random.choice(
            (f'{sign}contains("{word}", x)', f'{sign}match(".*{word}.*", x)', f'x >= "{word}"')
        )
        body.say(condition, condition)
        body.say("strlen(cat(x, to_string(n))) > 4", f"{made} = cat(x, to_string(n))", f"strlen({made}) > 4")

    def mean(self, body: _Body) -> None:
        made, inner, op = self.fresh(), self.fresh(), self.random.choice(("<", ">=", "="))
        plain = f"{made} = mean {inner} : {{ Meets(W{made}, {inner}) }}"
        body.say(
            f"to_float(max(n, 1)) {op} mean n : {{ Meets(_, n) }}", plain, f"to_float(max(n, 1)) {op} {made}"
        )
