"""A quick dataclass can do what the library's can: every case is held against the same class made by the library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from narraworld.base.quick_dataclass import dataclass as quick

DECORATORS = [dataclasses.dataclass, quick]


@quick(frozen=True, slots=True)
class Boat:
    """A boat in the harbour."""

    harbours: ClassVar[int] = 0

    name: str
    masts: int = 1
    crew: tuple[str, ...] = ()
    cargo: list[str] = field(default_factory=list)
    afloat: bool = field(default=True, kw_only=True)
    log: str = field(default="", compare=False, repr=False)
    length: int = field(init=False, default=7)


def like_boat(decorator: Callable[..., Any]) -> Any:
    body = {name: value for name, value in vars(Boat).items() if name in ("__doc__", "__module__")}
    names = {one.name: one for one in dataclasses.fields(Boat)}
    copies = {
        name: field(
            default=one.default, default_factory=one.default_factory, kw_only=one.kw_only, compare=one.compare,
            repr=one.repr, init=one.init,
        )
        for name, one in names.items()
        if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING
    }  # fmt: skip
    annotations = {"harbours": "ClassVar[int]"} | {name: one.type for name, one in names.items()}
    made = type("Boat", (), {**body, **copies, "__qualname__": "Boat", "__annotations__": annotations})
    return decorator(frozen=True, slots=True)(made)


@pytest.fixture(params=DECORATORS, ids=["library", "quick"])
def boat(request: pytest.FixtureRequest) -> Any:
    return like_boat(request.param)


def test_what_is_given_and_what_is_not(boat: Any) -> None:
    one = boat("Gannet", 2, afloat=False)
    assert repr(one) == "Boat(name='Gannet', masts=2, crew=(), cargo=[], afloat=False, length=7)"
    assert boat("Gannet").cargo is not boat("Gannet").cargo
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        boat()
    with pytest.raises(TypeError, match="unexpected keyword argument 'sails'"):
        boat("Gannet", sails=3)


def test_equal_is_equal_in_what_is_compared(boat: Any) -> None:
    assert boat("Gannet", log="a") == boat("Gannet", log="b") != boat("Gannet", 2)
    assert boat("Gannet") != "Gannet"
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        hash(boat("Gannet"))


def test_nothing_can_be_changed(boat: Any) -> None:
    one = boat("Gannet")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'masts'"):
        one.masts = 3
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'masts'"):
        del one.masts
    assert not hasattr(one, "__dict__")


def test_the_library_knows_it(boat: Any) -> None:
    one = boat("Gannet", crew=("Mara",))
    assert [each.name for each in dataclasses.fields(one)] == [each.name for each in dataclasses.fields(Boat)]
    assert dataclasses.replace(one, masts=3).masts == 3
    assert dataclasses.asdict(one)["crew"] == ("Mara",)
    assert boat.__match_args__ == ("name", "masts", "crew", "cargo", "log")
    assert copy.deepcopy(one) == one


def test_its_signature_is_seen_before_it_is_made() -> None:
    said = [
        str(inspect.signature(like_boat(decorator)).replace(return_annotation=None))
        for decorator in DECORATORS
    ]
    names = [list(inspect.signature(like_boat(decorator)).parameters) for decorator in DECORATORS]
    assert names[0] == names[1] == ["name", "masts", "crew", "cargo", "log", "afloat"]
    assert "masts: 'int' = 1" in said[1] and "masts: 'int' = 1" in said[0]


def test_it_is_sent_to_another_process_and_back() -> None:
    assert pickle.loads(pickle.dumps(Boat("Gannet", 2, log="x"))).log == "x"


@pytest.mark.parametrize("decorator", DECORATORS)
def test_own_methods_stay_and_post_init_is_called(decorator: Any) -> None:
    @decorator(frozen=True, slots=True, repr=False)
    class Knot:
        rope: str

        def __post_init__(self) -> None:
            if not self.rope:
                raise ValueError("no rope")

        def __repr__(self) -> str:
            return f"<{self.rope}>"

        def __hash__(self) -> int:
            return 5

    assert (repr(Knot("hemp")), hash(Knot("hemp")), Knot("hemp") == Knot("hemp")) == ("<hemp>", 5, True)
    with pytest.raises(ValueError, match="no rope"):
        Knot("")


@pytest.mark.parametrize("decorator", DECORATORS)
def test_a_hash_is_that_of_the_values(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class One:
        name: str

    @decorator(frozen=True, slots=True)
    class Nothing:
        pass

    assert hash(One("a")) == hash(("a",))
    assert (hash(Nothing()), repr(Nothing()).rpartition(".")[2]) == (hash(()), "Nothing()")


@pytest.mark.parametrize("decorator", DECORATORS)
def test_heirs_have_all_fields(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Base:
        name: str

    @decorator(frozen=True, slots=True)
    class Heir(Base):
        age: int = 3

    assert (Heir("Leo").name, Heir("Leo", 4).age, Heir("Leo") == Heir("Leo", 3)) == ("Leo", 4, True)
