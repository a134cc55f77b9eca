"""What to tell a person whose rule file cannot be read: two tables of sentences.

Knows the terminals of `grammar.lark` by name, but not lark; touches no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Stop", "advice", "complaint"]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where reading stopped: the text before and after, and the terminals that could have followed."""

    before: str
    after: str
    found: str
    accepted: frozenset[str] = frozenset()


# What was expected: the first line whose terminals were all acceptable, after text that ends like this.
EXPECTED: tuple[tuple[str, str, str], ...] = (
    ("NAME _DECL SENTENCE", "", "expected a declaration, a fact or a rule"),
    ("_DECL DOC", "", "expected a .decl below this comment"),
    ("NAME SENTENCE", "", "expected a rule below this sentence"),
    ("DOT _IF", "", "expected a full stop after the fact, or ':-' and its conditions"),
    ("COMMA DOT $END", "", "expected the end of the query, or a comma and another condition"),
    ("COMMA DOT", "", "expected a full stop after the rule, or a comma and another condition"),
    ("COMMA RBRACE", "", "expected '}' at the end of the aggregate, or a comma and another condition"),
    (
        "COMMA RPAR",
        r"\.decl\s+\w+\s*\([^)]*",
        "expected ')' after the columns, or a comma and another column",
    ),
    ("COMMA RPAR", "", "expected ')' after the arguments, or a comma and another argument"),
    ("_UNDERSCORE VARIABLE", "", "expected a variable, a quoted symbol, a number or _"),
    ("NAME BANG VARIABLE", "", "expected a condition: a relation, '!' and a relation, or a comparison"),
    ("FUNCTION VARIABLE", "", "expected a value or an aggregate to compare with"),
    ("EQUAL OTHER", "", "expected a comparison such as = or <"),
    ("COLON VARIABLE", "", "expected what to aggregate, or ':' and '{'"),
    ("LPAR VARIABLE", "", "expected a variable, a quoted symbol, a number or '('"),
    ("RPAR", "", "expected ')'"),
    ("LPAR", "", "expected '(' after the name of the relation"),
    ("LBRACE", "", "expected '{' and the conditions of the aggregate"),
    ("COLON", r"\w", "expected ':' after the name or the value"),
    ("DIGITS", "", "expected a number after the minus"),
    ("NAME", "!", "expected a relation after '!'"),
    ("NAME", ":", "expected the column's type, symbol or number"),
    ("NAME", r"[(,]", "expected a column such as holder:symbol"),
    ("NAME", "", "expected the name of a relation"),
)

# What to do: the first line that fits the text after, the text before and the acceptable terminals.
ADVICE: tuple[tuple[str, str, str, str], ...] = (
    (r'"', "", "", "this symbol has no closing quote on its line"),
    (r"'", "", "", "symbols stand in double quotes"),
    (r"/\*", "", "", "this comment is never closed with */"),
    (r";", "", "", "write two rules instead of one with ';'"),
    (r"[0-9]+[A-Za-z_]", "", "", "a name starts with a letter"),
    (r"_\w", "", "", "a variable starts with a capital letter; _ stands alone"),
    (r"\.[0-9]", r"[0-9]", "", "numbers are whole: fractions have no place in rules"),
    (r"\.(?!(?:decl|input|output)\b)[a-z]", "", "", "the directives are .decl, .input and .output"),
    (r"//!", "", "", "the head of the file, //!, stands before everything else"),
    (r"///", "", "", "/// describes a relation and stands above its .decl; //> explains a rule"),
    (r"//@", "", "", "//@ says where a relation comes from and stands above its .decl"),
    (r"//>", "", "", "//> explains a rule and stands above it; /// describes a relation"),
    (r"(min|max|count|sum)\b", r"=", "", "an aggregate cannot stand inside another: give the inner one a rule"),
    (r"(min|max|count|sum)\b", "", "", "min, max, count and sum are words of the language, not names"),
    (r"_", "", "LPAR VARIABLE", "_ has no value to compare: name the variable"),
    (r"[a-z]\w*", "", "_UNDERSCORE", 'a variable starts with a capital letter; a symbol stands in quotes: "{found}"'),
    (r"[a-z]\w*", r"\bnot", "", "negation is written '!'"),
    (r"[a-z]\w*", "", "LPAR VARIABLE", 'a variable starts with a capital letter; a symbol stands in quotes: "{found}"'),
    (r"[-+*/%]", "", "COMMA RPAR", "arithmetic stands in comparisons only: write X = T + 1 and use X"),
    (r"\(", r"\b[A-Z]\w*", "", "the name of a relation starts with a small letter"),
    (r"[A-Z]", "", "NAME", "names of relations and columns start with a small letter"),
    (r"\)", r"\(", "", "a relation has at least one column"),
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
