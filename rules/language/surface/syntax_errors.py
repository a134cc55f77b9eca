"""What to tell a person whose rule file cannot be read: three tables of sentences.

Knows the terminals of `grammar.lark` by name, but not lark; touches no file.
"""

from __future__ import annotations

import re

from narraworld.base.quick_dataclass import dataclass

__all__ = ["OUTSIDE", "QUALIFIERS_OUTSIDE", "Stop", "advice", "complaint"]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped: the text before and after, and the terminals that could have followed."""

    before: str
    after: str
    found: str
    accepted: frozenset[str] = frozenset()


# Soufflé's words for what rules have no form for: what to say of them, and the nearest way to say it here.
OUTSIDE: dict[str, tuple[str, str | None]] = {
    "as": ("rules have no casts: a value keeps the type of its column", "leave as(…) out"),
    "to_unsigned": ("numbers have a sign", "leave to_unsigned(…) out"),
    "ord": ("symbols have an order of their own", "compare them: X < Y"),
    **dict.fromkeys(
        ("match", "contains"), ("this is a condition, not a value", "let it stand alone, or behind '!'")
    ),
    "autoinc": (
        "rules have no counters: a rule gives the same rows however often it is asked",
        "number rows with count",
    ),
    **dict.fromkeys(
        ("band", "bor", "bxor", "bnot", "bshl", "bshr", "bshru", "land", "lor", "lxor", "lnot"),
        ("rules have no operations on bits", "keep each flag as a relation of its own"),
    ),
}

# The same for words behind the columns of a declaration.
QUALIFIERS_OUTSIDE = {
    "eqrel": (
        "rules have no eqrel",
        "write the rules: same(Y, X) :- same(X, Y). same(X, Z) :- same(X, Y), same(Y, Z). same(X, X) :- same(X, _).",
    ),
    "choice-domain": ("rules make no choices", "keep one row for each key with min or max"),
    "btree_delete": ("rules take nothing back", "derive all rows, then keep the best with max or min"),
    "overridable": ("rules have no components", "leave the word out, and write a rule file for each copy"),
}

# What was expected: the first line whose terminals were all acceptable, after text that ends like this.
EXPECTED: tuple[tuple[str, str, str], ...] = (
    ("NAME _DECL SENTENCE", "", "expected a declaration, a fact or a rule"),
    ("_DECL DOC", "", "expected a .decl below this comment"),
    ("NAME SENTENCE", "", "expected a rule below this sentence"),
    ("DOT _IF", "", "expected a full stop after the fact, or ':-' and its conditions"),
    ("DOT SEMICOLON $END", "", "expected the end of the query, or a comma and another condition"),
    ("DOT SEMICOLON", "", "expected a full stop after the rule, or a comma and another condition"),
    ("RBRACE SEMICOLON", "", "expected '}' at the end of the aggregate, or a comma and another condition"),
    (
        "COMMA RPAR",
        r"\.decl\s+[\w,\s]+\([^)]*",
        "expected ')' after the columns, or a comma and another column",
    ),
    ("RPAR SEMICOLON", "", "expected ')' after the conditions, or a comma and another one"),
    (
        "COMMA RPAR",
        r"\.(?:input|output)\b[^)]*",
        "expected ')' after the parameters, or a comma and another one",
    ),
    ("COMMA RPAR", "", "expected ')' after the arguments, or a comma and another argument"),
    ("BANG NAME", "", "expected a condition: a relation, '!' and a relation, or a comparison"),
    ("_UNDERSCORE COLON", "", "expected what to aggregate, or ':' and the conditions"),
    ("_UNDERSCORE NAME", "", "expected a value: a variable, a quoted symbol, a number, _ or an aggregate"),
    ("RPAR", r"\.decl\s+[\w,\s]+\(", "expected a column such as holder:symbol"),
    ("COLON PLUS", "", "expected ':' and the conditions of the aggregate"),
    ("EQUAL OTHER", "", "expected a comparison such as = or <"),
    ("LPAR COMMA", r"\.decl\s+\w+", "expected '(' and the columns of the relation"),
    ("RPAR", "", "expected ')'"),
    ("LPAR", "", "expected '(' after the name of the relation"),
    ("LBRACE", "", "expected '{' and the conditions of the aggregate, or a relation"),
    ("COLON", r"\w", "expected ':' after the name or the value"),
    ("NAME", ":", "expected the column's type, such as symbol or number"),
    ("NAME", r"[(,]", "expected a column such as holder:symbol"),
    ("NAME", r"<:|=", "expected the name of a type"),
    ("NAME", "", "expected a name"),
)

# What to do: the first line that fits the text after, the text before and the acceptable terminals.
ADVICE: tuple[tuple[str, str, str, str], ...] = (
    (r'"', "", "", "this symbol has no closing quote on its line"),
    (r"'", "", "", "symbols stand in double quotes"),
    (r"/\*", "", "", "this comment is never closed with */"),
    (r"\{", r"\.type[^.]*", "", "rules have no algebraic types: declare a relation for each kind of value"),
    (r"\[", r"\.type[^.]*", "", "rules have no records: declare a relation with a column for each part"),
    (r"\[", "", "", "rules have no records: give each part a column of its own, and an id to what belongs together"),
    (r"\$", "", "", "rules have no algebraic types: declare a relation for each kind of value"),
    (r"@", "", "", "rules have no functions of your own: give the values in a relation, read from a file with .input"),
    (r"#", "", "", "rules have no preprocessor: write it out, or keep it in a rule file of its own"),
    (r"\^", "", "", "rules have no powers: write X * X"),
    (r"<=", r"\)", "DOT _IF", "rules have no subsumption: derive all rows, then keep the best with max or min"),
    (r"\.(comp|init|override)\b", "", "", "rules have no components: write a rule file for each copy"),
    (r"\.functor\b", "", "", "rules have no functions of your own: give the values in a relation, read with .input"),
    (r"\.lattice\b", "", "", "rules have no lattices: keep the best row for each key with max or min"),
    (r"\.limitsize\b", "", "", "rules derive every row: Limits(facts=…) stops a derivation that makes too many"),
    (r"\.include\b", "", "", "name both files when you use them: --rules one.dl --rules other.dl"),
    (r"[0-9]+u\b", "", "", "numbers have a sign and no u behind them"),
    (r"[0-9]+[A-Za-z_]", "", "", "a name starts with a letter"),
    (r"\.[A-Za-z]\w*\s*\(", r"\w", "LPAR", "a name holds no full stop: rules have no components"),
    (r"\.(?!decl\b)[a-z]", "", "", "the directives are .decl, .type, .input, .output, .printsize, .pragma, .plan and .extend"),
    (r"//!", "", "", "the head of the file, //!, stands before everything else"),
    (r"///", "", "", "/// describes a relation and stands above its .decl; //> explains a rule"),
    (r"//@", "", "", "//@ says where a relation comes from and stands above its .decl"),
    (r"//>", "", "", "//> explains a rule and stands above it; /// describes a relation"),
    (r"(min|max|count|sum|mean)\b", "", "NAME", "min, max, count, sum and mean are words of the language, not names"),
    (r"[A-Za-z]\w*", r"\bnot", "", "negation is written '!'"),
    (r"(band|bor|bxor|bshl|bshr|bshru|land|lor|lxor)\b", "", "", "rules have no operations on bits"),
    (r"\.", r"\b(min|max|count|sum|mean)\s*\([^()]*\)", "COLON", "min, max, count, sum and mean are words of the language, not names"),
    (r"=", "=", "", "equality is written with one ="),
)  # fmt: skip


def complaint(stop: Stop) -> str:
    """What was expected and what was found, in one sentence."""
    for terminals, before, sentence in EXPECTED:
        if set(terminals.split()) <= stop.accepted and re.search(rf"(?:{before})\s*$", stop.before):
            return f"{sentence}, found {stop.found}"
    return f"unexpected {stop.found}"


def advice(stop: Stop) -> str | None:
    """What the writer most likely meant, when we can tell."""
    for after, before, terminals, sentence in ADVICE:
        fits = re.match(after, stop.after)
        if fits and set(terminals.split()) <= stop.accepted and re.search(rf"(?:{before})\s*$", stop.before):
            return sentence.replace("{found}", fits[0])
    return None
