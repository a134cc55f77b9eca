"""A stretch in which nothing searches for dead circles, and after which all is as before."""

from __future__ import annotations

import gc

import pytest

from narraworld.base.undisturbed import undisturbed


def test_the_search_rests_and_goes_on_afterwards() -> None:
    with undisturbed():
        assert not gc.isenabled()
        with undisturbed():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error_too() -> None:
    with pytest.raises(ValueError, match="no"), undisturbed():
        raise ValueError("no")
    assert gc.isenabled()


def test_whoever_had_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        with undisturbed():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_kept_counts_as_old_at_once() -> None:
    with undisturbed(keeping=True):
        made = [[1], [2]]
    assert any(one is made for one in gc.get_objects(generation=2))
    with undisturbed():
        fresh = [[1], [2]]
    assert not any(one is fresh for one in gc.get_objects(generation=2))
