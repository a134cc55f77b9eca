"""Layout of rule files: even, the same when done twice, and every comment where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.rules.language.program import built_in_files
from narraworld.rules.language.souffle import source_text
from narraworld.rules.language.surface.layout import laid_out
from narraworld.rules.language.surface.syntax import parse

UNEVEN = """\
// why ,this:-that
.decl knows(a:symbol ,b:symbol)


.decl out(a:symbol)   // aside


out( x ):-knows(x,"a ,b:-c") ,
  x != "y" ,  // because
        knows( _,x).
/* a
   block */
out("z").


"""
EVEN = """\
// why ,this:-that
.decl knows(a:symbol, b:symbol)

.decl out(a:symbol)   // aside

out( x ) :- knows(x, "a ,b:-c"),
    x != "y",  // because
    knows( _, x).
/* a
   block */
out("z").
"""


def test_a_file_is_laid_out_evenly() -> None:
    assert laid_out(UNEVEN) == EVEN
    assert laid_out(EVEN) == EVEN


@pytest.mark.parametrize("file", built_in_files(), ids=lambda file: file.name)
def test_our_own_files_mean_the_same_afterwards(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert source_text(parse(laid_out(text))) == source_text(parse(text))
    assert laid_out(laid_out(text)) == laid_out(text)
